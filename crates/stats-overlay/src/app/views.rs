//! All state of the overlay's views, and what happens in a frame: keys, numbers, then HUD or panel.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use egui::{Context, Style};
use stats_core::Source;

use crate::app::memory::MemoryView;
use crate::app::notice::Notice;
use crate::app::pane::Panes;
use crate::app::panel::show_full;
use crate::app::presets::Presets;
use crate::app::refresh::Refresh;
use crate::app::spike_pause::SpikePause;
use crate::cost::meter::CostMeter;
use crate::data::selection::{SelectedSeries, Selection};
use crate::data::timeline::Linked;
use crate::data::tracks::{ALLOWANCE, Tracks};
use crate::data::view::{Data, Frozen, Live, Part, Snapshot};
use crate::hud::numbers::Hud;
use crate::hud::ui::show_hud;
use crate::input::action::Action;
use crate::input::mode::Mode;
use crate::input::settings::Settings;
use crate::input::toggle_key::ToggleKey;
use crate::persist::saved::SavedState;
use crate::tree::panel::TreePanel;
use stats_ui::theme::Appearance;
use stats_ui::theme::Theme;

/// How often the registry is asked for problems, in seconds.
const PROBLEMS_SECS: f64 = 1.0;

/// What lies over the views, when it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sheet {
    Help,
    Settings,
}

/// The state of the views.
#[derive(Debug)]
pub(crate) struct Views {
    pub(crate) mode: Mode,
    pub(crate) settings: Settings,
    pub(crate) panes: Panes,
    /// What all panes share.
    pub(crate) linked: Linked,
    /// Spikes and extremes of everything that is shown.
    pub(crate) tracks: Tracks,
    pub(crate) spike_pause: SpikePause,
    /// What is shown while the views stand still.
    pub(crate) paused: Option<Snapshot>,
    /// Paused by a call that came without a source; the snapshot is taken with the next frame.
    pub(crate) pause_pending: bool,
    /// What was asked for without a source at hand.
    pub(crate) queue: Vec<Action>,
    pub(crate) tree: TreePanel,
    /// The share of the panel's width that the tree has.
    pub(crate) tree_share: f32,
    /// What lies over the panes.
    pub(crate) sheet: Option<Sheet>,
    pub(crate) presets: Presets,
    /// What is being typed as the name of a preset.
    pub(crate) preset_name: String,
    /// What was restored last, with what was not understood of that.
    pub(crate) restored: SavedState,
    /// Where files are saved.
    pub(crate) export_folder: PathBuf,
    /// What is to be copied with the next pass.
    pub(crate) clipboard: Option<String>,
    /// What is said for a few seconds.
    pub(crate) notice: Notice,
    /// What the core refused or repaired, as text.
    pub(crate) problems: Vec<String>,
    /// The frames that are shown: from the first that was not cleared away to the newest when the
    /// picture was last made anew.
    pub(crate) frames: Range<u64>,
    pub(crate) cost: CostMeter,
    /// The mode that was drawn last.
    drawn: Mode,
    toggle_key: ToggleKey,
    /// The generation of the source's listing and the end of its frames, as of the pass before.
    seen: (u64, u64),
    pub(crate) hud: Hud,
    pub(crate) memory: MemoryView,
    pub(crate) refresh: Refresh,
    problems_secs: f64,
    /// The pass that panels were embedded in last, and how many: their widgets need ids of their
    /// own.
    pub(crate) embedded: (u64, u32),
    /// The style of the widgets, and the theme that it was made for.
    style: Option<(Theme, Arc<Style>)>,
}

impl Views {
    pub(crate) fn new() -> Self {
        Self {
            mode: Mode::Hidden,
            settings: Settings::default(),
            panes: Panes::new(),
            linked: Linked::default(),
            tracks: Tracks::default(),
            spike_pause: SpikePause::default(),
            paused: None,
            pause_pending: false,
            queue: Vec::new(),
            tree: TreePanel::default(),
            tree_share: 0.28,
            sheet: None,
            presets: Presets::default(),
            preset_name: String::new(),
            restored: SavedState::default(),
            export_folder: PathBuf::from("."),
            clipboard: None,
            notice: Notice::default(),
            problems: Vec::new(),
            frames: 0..u64::MAX,
            cost: CostMeter::default(),
            drawn: Mode::Hidden,
            toggle_key: ToggleKey::default(),
            seen: (0, 0),
            hud: Hud::default(),
            memory: MemoryView::default(),
            refresh: Refresh::default(),
            problems_secs: f64::NEG_INFINITY,
            embedded: (0, 0),
            style: None,
        }
    }

    /// Everything that happens in one pass of a host that shows the overlay over its own picture.
    pub(crate) fn show(&mut self, ctx: &Context, source: &mut dyn Source) {
        if let Some(key) = self.settings.key {
            let presses = self.toggle_key.take(ctx, key);
            // Three lead back to where it was.
            (0..presses % 3).for_each(|_| self.mode = self.mode.next());
        }
        self.settle(source, ctx.input(|input| input.time));
        if self.mode == Mode::Full && self.drawn != Mode::Full {
            // What the host's widgets were being dragged by is the panel's from now on.
            ctx.stop_dragging();
        }
        if std::mem::replace(&mut self.drawn, self.mode) != self.mode {
            // Nothing of what was shown when it was shown last.
            self.cost.set_full();
        }
        match self.mode {
            Mode::Hidden => {}
            Mode::Hud => show_hud(self, ctx, source),
            Mode::Full => show_full(self, ctx, source),
        }
        if self.mode != Mode::Hidden {
            // The picture is live: it changes with every frame.
            ctx.request_repaint();
        }
    }

    /// Forgets what belongs to one source before another one is drawn.
    pub(crate) fn detach(&mut self) {
        self.panes.selections_mut().for_each(Selection::detach);
        self.tree.detach();
        self.tracks.clear();
        self.spike_pause.detach();
        self.paused = None;
        self.frames = 0..u64::MAX;
        self.deselect();
        self.linked.forget_frames();
        self.panes.list_mut().iter_mut().for_each(|pane| {
            pane.table.forget_frames();
            pane.statistics.forget_frames();
        });
        self.seen = (0, 0);
        self.refresh.at_once();
    }

    /// Selects nothing; returns whether anything was selected.
    pub(crate) fn deselect(&mut self) -> bool {
        let mut any = self.linked.selected_range.take().is_some();
        for pane in self.panes.list_mut() {
            any |= pane.table.unpick();
        }
        any
    }

    /// The style of the overlay's own widgets for a theme, made once.
    pub(crate) fn style(&mut self, theme: &Theme) -> Arc<Style> {
        match &self.style {
            Some((of, style)) if of == theme => Arc::clone(style),
            _ => {
                let style = theme.style();
                self.style = Some((*theme, Arc::clone(&style)));
                style
            }
        }
    }

    /// Asks the core for problems once in [`PROBLEMS_SECS`].
    pub(crate) fn read_problems(&mut self, now_secs: f64) {
        let since = now_secs - self.problems_secs;
        if !(0.0..PROBLEMS_SECS).contains(&since) {
            self.problems_secs = now_secs;
            self.problems = stats_core::problems()
                .iter()
                .map(ToString::to_string)
                .collect();
        }
    }

    /// Notices another source, and applies what was asked for without one at hand.
    pub(crate) fn settle(&mut self, source: &mut dyn Source, now_secs: f64) {
        self.memory.settle(&mut self.notice);
        let seen = (source.generation(), source.frames().end);
        // Neither ever goes back in one source.
        if seen.0 < self.seen.0 || seen.1 < self.seen.1 {
            self.detach();
        }
        self.seen = seen;
        let budget_ms = self.settings.frame_budget_ms;
        for selection in self.panes.selections_mut() {
            selection.set_frame_budget(budget_ms);
            selection.resolve(source);
        }
        self.panes.deal_colors(self.settings.palette);
        self.pause_on_spike(source, now_secs);
        if std::mem::take(&mut self.pause_pending) {
            self.cost.set_full();
            self.set_paused(true, Some(source));
        }
        if !self.queue.is_empty() {
            self.cost.set_full();
        }
        for at in 0..self.queue.len() {
            self.perform(self.queue[at], source);
        }
        self.queue.clear();
    }

    /// Takes in what is new of everything that is shown, once a pass; where the overlay is to spare
    /// time, only in some of them.
    pub(crate) fn update_tracks(&mut self, source: &dyn Source) {
        if !self.cost.is_full() {
            return;
        }
        self.frames.end = source.frames().end;
        if let Some(snapshot) = &mut self.paused {
            snapshot.catch_up(ALLOWANCE);
        }
        self.tracks.update_all(
            source,
            self.panes.selections().flat_map(Selection::selected),
            ALLOWANCE,
        );
    }

    /// Brings the tree up to date.
    pub(crate) fn update_tree(&mut self, source: &mut dyn Source, now_secs: f64) {
        self.tree.refresh_secs = 1.0 / f64::from(self.settings.refresh_hz);
        self.tree
            .update(source, &self.panes.active().selection, now_secs);
    }

    /// Reads units and budgets of everything that is shown.
    pub(crate) fn read_facts(&mut self, source: &dyn Source, refresh: bool) {
        self.panes
            .selections_mut()
            .for_each(|selection| selection.read_facts(source, refresh));
    }

    /// The colours, as the settings want them.
    pub(crate) fn theme(&self, ctx: &Context) -> Theme {
        let dark = match self.settings.appearance {
            Appearance::Host => ctx.global_style().visuals.dark_mode,
            Appearance::Dark => true,
            Appearance::Light => false,
        };
        Theme::with(dark, self.settings.palette, self.settings.opacity)
    }
}

/// Calls `draw` with the snapshot, or with the source where there is none; of that only `frames`
/// are there.
pub(crate) fn with_data<R>(
    paused: Option<&Snapshot>,
    source: &dyn Source,
    selected: &[SelectedSeries],
    tracks: &Tracks,
    frames: Range<u64>,
    draw: impl FnOnce(&dyn Data) -> R,
) -> R {
    match paused {
        // What stands still does so in all of its frames.
        Some(snapshot) => draw(&Part {
            data: &Frozen { snapshot, selected },
            frames: frames.start..u64::MAX,
        }),
        None => draw(&Part {
            data: &Live {
                source,
                selected,
                tracks,
            },
            frames,
        }),
    }
}
