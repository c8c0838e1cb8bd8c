//! Decides when to look for hitches, and performs the actions on the list of hitches.

use stats_analysis::format::whole_text;
use stats_core::Source;
use stats_ui::tree::RowAction;

use crate::app::state::App;
use crate::data::view::Data;
use crate::hitches::findings::RowId;
use crate::input::mode::PaneView;

impl App {
    /// Looks for hitches in the newest frame, unless the settings turn that off. If `is_hidden`,
    /// nothing of the overlay is on screen.
    pub(super) fn take_hitches(&mut self, source: &mut dyn Source, now_secs: f64, is_hidden: bool) {
        if self.settings.hitches && (self.settings.hitches_while_hidden || !is_hidden) {
            let has_panes = self.visibility.had_panes(now_secs);
            self.hitches.update(source, now_secs, has_panes);
        }
    }

    /// Returns whether row keys act on the hitches of the active pane. During a search, they act on
    /// its results.
    pub(super) fn has_hitch_rows(&self) -> bool {
        self.panes.active().view == PaneView::Hitches && self.tree.search_box.text.is_empty()
    }

    /// Moves the selection among the hitches of the active pane, or shows the selected one.
    pub(super) fn perform_on_hitches(&mut self, action: RowAction, source: &mut dyn Source) {
        let frames = self.active_data(source).frames();
        let found = self.hitches.found();
        let view = &mut self.panes.active_mut().hitches;
        if let Some(row) = view.perform(action, found, frames) {
            self.show_hitch(row, source);
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
        let marked = self.timeline.marked().unwrap_or(newest);
        let selected = self.timeline.selected_range.clone();
        let frames = selected.unwrap_or(marked..marked + 1);
        if self.hitches.explain(source, frames) {
            let pane = self.panes.active_mut();
            pane.view = PaneView::Hitches;
            return pane.hitches.select(RowId::Explained);
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

    /// Adds the series of a row to the active pane. Pauses at the first frame of the row, if that
    /// frame is still kept.
    pub(super) fn show_hitch(&mut self, row: RowId, source: &mut dyn Source) {
        let selection = &mut self.panes.active_mut().selection;
        for path in self.hitches.found().paths(row) {
            selection.set(path, true);
        }
        selection.resolve(source, self.hitches.recent());
        let frames = self.hitches.found().frames_of(row);
        if frames.is_empty() {
            return;
        }
        let held = self.active_data(source).frames();
        if held.contains(&frames.start) {
            self.set_paused(true, Some(source));
            self.look_at(frames.start, source);
        } else {
            let frame = whole_text(frames.start as f64);
            let message = format!("Frame {frame} is no longer kept. A longer history keeps more.");
            self.notice.warn(message);
        }
    }
}
