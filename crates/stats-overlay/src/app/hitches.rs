//! Decides when to look for hitches, and explains frames.

use std::ops::Range;

use stats_analysis::format::whole_text;
use stats_core::Source;

use crate::app::state::App;
use crate::data::allowance::Allowance;
use crate::data::snapshot::Snapshot;
use crate::data::view::Data;
use crate::input::mode::Mode;
use crate::input::pane_view::PaneView;
use crate::insight::findings::RowId;

impl App {
    /// Looks for hitches in the newest frame, unless the settings turn that off. If `is_hidden`,
    /// nothing of the overlay is on screen.
    pub(super) fn take_hitches(
        &mut self,
        source: &mut dyn Source,
        now_secs: f64,
        is_hidden: bool,
        allowance: &mut Allowance,
    ) {
        let paused_end = self.playback.snapshot().map(Snapshot::end);
        self.hitches.follow(source, paused_end);
        let stepped = self.frame_axis.stepped;
        self.hitches
            .look_at(stepped.filter(|_| paused_end.is_some()));
        let while_hidden = self.settings.hitches_while_hidden || self.has_flight_recorder();
        if self.settings.hitches && (while_hidden || !is_hidden) {
            let has_panes = self.visibility.had_panes(now_secs);
            let shows_top = self.panes.pinned.selected().is_empty();
            // Also for the first step that shows them.
            self.hitches.top.is_wanted = match self.visibility.mode {
                Mode::Hud => shows_top,
                Mode::Full => self.settings.first_steps,
                _ => false,
            };
            self.hitches.set_frame_budget(self.settings.frame_budget_ms);
            self.hitches.own_ms = self.refresh_rate.beyond_ms();
            self.hitches.update(source, now_secs, has_panes, allowance);
            if !is_hidden {
                let display_hz = self.settings.display_hz;
                self.hitches.read_limit(source, now_secs, display_hz);
            }
        }
    }

    /// Explains the selected frames in the list of the active pane. If none are selected, explains
    /// the marked frame, or else the newest one.
    pub(super) fn explain(&mut self, source: &dyn Source) {
        if !self.settings.hitches {
            return (self.notice).warn("Hitches are turned off. The settings can turn them on.");
        }
        let held = self.active_data(source).frames();
        let newest = held.end.saturating_sub(1);
        let marked = self.frame_axis.marked().unwrap_or(newest);
        let selected = self.frame_axis.selected_range.clone();
        let frames = selected.unwrap_or(marked..marked + 1);
        if self.hitches.explain(source, frames) {
            let pane = self.panes.active_mut();
            pane.view = PaneView::Hitches;
            return pane.views.hitches.select(RowId::Explained);
        }
        self.notice
            .warn(match self.hitches.recent().count(0..u64::MAX) {
            _ if self.hitches.found().is_given() || !self.hitches.found().can_tell() => {
                "This source knows only the values of watched series, so no frame can be explained \
                 here. stats explain --frame explains a frame of a capture."
                    .to_owned()
            }
            0 => "No frame can be explained yet.".to_owned(),
            kept => format!("Only the last {kept} examined frames can be explained."),
        });
    }

    /// Goes to the newest finding in the full overlay: shows what moved in a [pane of its
    /// own](crate::panes::list::Panes::show_culprits), and pauses at the frame. If the views are
    /// already paused at an earlier frame, they move to this one. A leak has no frame, so the graph
    /// shows the newest frames.
    pub(super) fn go_to_hitch(&mut self, source: &mut dyn Source) {
        let found = self.hitches.found();
        let newest = found.newest(self.playback.first_frame());
        let hitch = || found.newest_hitch().map(|(_, row)| row);
        let Some(row) = newest.or_else(hitch) else {
            return self.notice.say("No hitch was noticed yet.");
        };
        let paths: Vec<String> = found.paths(row).into_iter().map(str::to_owned).collect();
        let frames = found.frames_of(row);
        self.visibility.mode = Mode::Full;
        self.memory.is_open = false;
        self.panel.sheet = None;
        let paused_end = self.playback.snapshot().map(Snapshot::end);
        if paused_end.is_some_and(|end| !frames.is_empty() && end <= frames.start) {
            self.set_paused(false, None);
        }
        self.panes.show_culprits(&paths);
        self.select_culprit(row);
        self.show_series(&paths, &frames, source);
    }

    /// Lets the timeline of the active pane select the longest call of the culprit of a row, once it
    /// shows its frames.
    pub(super) fn select_culprit(&mut self, row: RowId) {
        let found = self.hitches.found();
        let frames = found.frames_of(row);
        let culprit = found.path_of(row).filter(|_| !frames.is_empty());
        let to_select = culprit.map(|path| (frames.start, path.to_owned()));
        let timeline = &mut self.panes.active_mut().views.timeline;
        timeline.select_once_shown(to_select);
    }

    /// Adds series to the active pane. Pauses at the first of `frames`, if that is still kept.
    pub(super) fn show_series(
        &mut self,
        paths: &[String],
        frames: &Range<u64>,
        source: &mut dyn Source,
    ) {
        let selection = &mut self.panes.active_mut().selection;
        paths.iter().for_each(|path| selection.set(path, true));
        selection.resolve(source, self.hitches.recent());
        if frames.is_empty() {
            return;
        }
        let held = self.active_data(source).frames();
        if held.contains(&frames.start) {
            self.look_at(frames.start, source);
        } else {
            let frame = whole_text(frames.start as f64);
            let message = format!("Frame {frame} is no longer kept. A longer history keeps more.");
            self.notice.warn(message);
        }
    }
}
