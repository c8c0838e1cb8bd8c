//! The state of the overlay: one field for each part.
//!
//! Each part changes only its own state, and none uses [`App`]. The files of this folder change
//! several parts at once.

use std::ops::Range;

use egui::Context;
use stats_core::Source;
use stats_ui::theme::{Appearance, Theme};

use crate::app::export::Export;
use crate::app::flight_recorder::FlightRecorder;
use crate::app::formulas::HandFormulas;
use crate::app::hand_budgets::HandBudgets;
use crate::app::memory::MemoryView;
use crate::app::moments::Moments;
use crate::app::notice::Notice;
use crate::app::panel::state::PanelState;
use crate::app::presets::Presets;
use crate::app::program::Program;
use crate::app::recording::Recording;
use crate::app::refresh::RefreshRate;
use crate::app::spike_pause::SpikePause;
use crate::app::visibility::Visibility;
use crate::baseline::marked::MarkedBaseline;
use crate::baseline::marking::Marking;
use crate::baseline::moved::Moved;
use crate::card::model::Card;
use crate::data::budget_offer::BudgetOffer;
use crate::data::frame_axis::FrameAxis;
use crate::data::kept_histories::KeptHistories;
use crate::data::playback::Playback;
use crate::data::selection::Selection;
use crate::data::shown_scopes::ShownScopes;
use crate::data::snapshot::Snapshot;
use crate::data::wanted_frames::WantedFrames;
use crate::hud::numbers::Hud;
use crate::input::action::Action;
use crate::input::press::PadButton;
use crate::input::settings::Settings;
use crate::insight::watcher::Hitches;
use crate::panes::list::Panes;
use crate::panes::shared::Shared;
use crate::persist::saved::SavedState;
use crate::search::together::Together;
use crate::tree::panel::TreePanel;

/// Everything in the overlay that outlives a frame, except the recorder.
#[derive(Default)]
pub(crate) struct App {
    pub(crate) settings: Settings,
    /// The frame budget from [`stats_core::set_budgets`] that the settings last adopted.
    pub(super) adopted_budget_ms: Option<f64>,
    /// The budgets that the user set by hand.
    pub(crate) budgets: HandBudgets,
    /// The series that the user computes from others.
    pub(crate) formulas: HandFormulas,
    /// The refresh rate from [`stats_core::set_refresh_hz`] that the settings last adopted.
    pub(super) adopted_refresh_hz: Option<f64>,
    /// The mode: hidden, HUD, watch or full.
    pub(crate) visibility: Visibility,
    /// The actions requested by the program, to be performed in the next pass.
    pub(crate) queue: Vec<Action>,
    /// The data on screen: live, or the snapshot of a pause.
    pub(crate) playback: Playback,
    pub(super) spike_pause: SpikePause,
    /// The scopes that are kept without a view of them.
    pub(crate) flight: FlightRecorder,
    /// The scopes of the frames that timelines show.
    pub(super) scopes: ShownScopes,
    /// The frames whose scopes each view wants, to reuse the memory.
    pub(super) wanted_scopes: Vec<WantedFrames>,
    /// The hitches and their causes.
    pub(crate) hitches: Hitches,
    /// The budget offered to a program that is over its own most of the time.
    pub(crate) budget_offer: BudgetOffer,
    /// The visible frames, the cursor and the selected range, which all panes share.
    pub(crate) frame_axis: FrameAxis,
    pub(crate) panes: Panes,
    /// Baseline A, with which graphs are compared.
    pub(super) baseline: MarkedBaseline,
    /// The part of the baseline that is still being computed.
    pub(super) marking: Option<Marking>,
    /// The series whose mean has left the band of the baseline.
    pub(super) moved: Moved,
    /// The search for what moved together with a series.
    pub(super) together: Together,
    pub(super) kept_histories: KeptHistories,
    pub(crate) tree: TreePanel,
    pub(crate) hud: Hud,
    /// The card of the newest finding.
    pub(super) card: Card,
    pub(crate) memory: MemoryView,
    pub(crate) recording: Recording,
    pub(crate) panel: PanelState,
    /// The pressed buttons of game pads that belong to the overlay. Pads share them: a press on
    /// another pad is a press of the same button.
    pub(crate) held_pads: Vec<PadButton>,
    pub(crate) presets: Presets,
    pub(crate) moments: Moments,
    /// The name and the build of the program.
    pub(crate) program: Program,
    pub(crate) export: Export,
    pub(super) notice: Notice,
    /// When numbers and graphs are refreshed, and what drawing costs.
    pub(crate) refresh_rate: RefreshRate,
    /// The state that was last restored, including unknown fields.
    pub(super) restored: SavedState,
}

impl App {
    /// Forgets everything about the current source, before another one is shown.
    pub(crate) fn detach(&mut self) {
        self.panes.detach();
        self.kept_histories.detach();
        self.tree.detach();
        self.playback.detach();
        self.scopes.forget();
        self.spike_pause.detach();
        self.hitches.detach();
        self.marking = None;
        self.moved = Moved::default();
        self.together = Together::default();
        self.card = Card::default();
        self.budget_offer.clear();
        self.deselect();
        self.frame_axis.forget_frames();
        self.refresh_rate.refresh_at_once();
    }

    /// Pauses the views, or resumes them and follows the newest frames. A pause shows a snapshot of
    /// `source`; if that is `None`, the next pass takes the snapshot.
    pub(crate) fn set_paused(&mut self, paused: bool, source: Option<&dyn Source>) {
        if paused == self.playback.is_paused() {
            return;
        }
        match source {
            _ if !paused => {
                self.playback.resume();
                self.frame_axis.follow();
                self.panes.each_view(|view| view.follow());
            }
            Some(source) => {
                let shown = self.panes.selections().flat_map(Selection::selected);
                self.playback.pause(source, shown);
                let paused_end = self.playback.snapshot().map(Snapshot::end);
                self.hitches.follow(source, paused_end);
            }
            None => self.playback.is_pending = true,
        }
        self.refresh_rate.refresh_at_once();
    }

    /// Selects frames in all panes, or none. An empty range selects none.
    pub(crate) fn select_frames(&mut self, frames: Option<Range<u64>>) {
        self.deselect();
        self.frame_axis.selected_range = frames.filter(|frames| !frames.is_empty());
    }

    /// Deselects all frames. Returns whether any was selected.
    pub(super) fn deselect(&mut self) -> bool {
        let had_range = self.frame_axis.selected_range.take().is_some();
        self.panes.deselect() || had_range
    }

    /// Returns what the strip and the panes share, and the panes.
    pub(super) fn with_shared<'a>(
        &'a mut self,
        source: &'a dyn Source,
        (theme, refresh): (&'a Theme, bool),
    ) -> (Shared<'a>, &'a mut Panes) {
        let shared = Shared {
            theme,
            playback: &self.playback,
            source,
            scopes: &self.scopes,
            frame_axis: &mut self.frame_axis,
            settings: &self.settings,
            hitches: self.hitches.found(),
            limit: self.hitches.frame_limit(),
            baseline: &self.baseline,
            search: self.tree.query(),
            budget_offer: self.budget_offer.get(),
            cost: &self.refresh_rate.cost,
            refresh,
        };
        (shared, &mut self.panes)
    }

    /// Returns the colors that the settings select.
    pub(super) fn theme(&self, ctx: &Context) -> Theme {
        let dark = match self.settings.appearance {
            Appearance::Dark => true,
            Appearance::Light => false,
            _ => ctx.global_style().visuals.dark_mode,
        };
        Theme::with(dark, self.settings.palette, self.settings.opacity)
    }
}
