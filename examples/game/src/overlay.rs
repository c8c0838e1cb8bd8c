//! All contact with the statistics overlay: showing it, sharing the input with it, its presets and what it remembers.
mod histories;
mod keeper;
mod presets;

use std::path::PathBuf;

use stats_core::Timer;
use stats_overlay::{Action, Mode, StatsOverlay};
use winit::event::WindowEvent;

use histories::Histories;
use keeper::Keeper;

static SHOW: Timer = Timer::new("frame/overlay").budget(2.0).describe("the overlay, as the game sees it");

/// What of the overlay is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    Hidden,
    Hud,
    /// Full, with a search typed into the tree.
    Tree,
    Graph,
    Table,
}

impl View {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "hidden" => Some(Self::Hidden),
            "hud" => Some(Self::Hud),
            "tree" => Some(Self::Tree),
            "graph" => Some(Self::Graph),
            "table" => Some(Self::Table),
            _ => None,
        }
    }
}

/// The overlay of this game.
pub(crate) struct Overlay {
    overlay: StatsOverlay,
    keeper: Keeper,
    histories: Histories,
}

impl Overlay {
    /// The overlay as the file remembers it; without one, with the first of the game's presets. Begins with the HUD.
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        let mut overlay = StatsOverlay::new();
        presets::register(&mut overlay);
        overlay.show_preset(presets::FIRST);
        overlay.set_mode(Mode::Hud);
        let keeper = Keeper::restored(file, &mut overlay);
        Self { overlay, keeper, histories: Histories::of(presets::paths()) }
    }

    /// Ends the recorder's frame and draws what is to be seen; once a frame, within the egui pass.
    pub(crate) fn show(&mut self, ctx: &egui::Context) {
        {
            let _show = SHOW.scope();
            self.overlay.show(ctx);
        }
        self.histories.begin(self.overlay.recorder_mut());
        self.keeper.keep(&self.overlay);
    }

    /// Saves what is to be remembered, and waits until it is written: at the end.
    pub(crate) fn finish(&mut self) {
        self.keeper.finish(&self.overlay);
    }

    /// Whether an event of the window is the overlay's, so that the game must not see it. Told of every event, in order.
    pub(crate) fn consumes(&mut self, event: &WindowEvent) -> bool {
        self.overlay.consumes(event)
    }

    /// All that is to be remembered.
    #[cfg(all(test, feature = "enabled"))]
    pub(crate) fn saved(&self) -> stats_overlay::Saved {
        self.overlay.saved()
    }

    /// Shows it as the command line asks for.
    pub(crate) fn set_view(&mut self, view: View) {
        let overlay = &mut self.overlay;
        overlay.set_mode(match view {
            View::Hidden => Mode::Hidden,
            View::Hud => Mode::Hud,
            View::Tree | View::Graph | View::Table => Mode::Full,
        });
        overlay.set_search(if view == View::Tree { "paths" } else { "" });
        match view {
            View::Hidden | View::Hud => {}
            View::Tree | View::Graph => overlay.set_view(stats_overlay::View::Graph),
            View::Table => overlay.set_view(stats_overlay::View::Table),
        }
    }

    pub(crate) fn set_search(&mut self, terms: &str) {
        self.overlay.set_search(terms);
    }

    pub(crate) fn set_paused(&mut self, paused: bool) {
        self.overlay.set_paused(paused);
    }

    /// Lets the frame under way begin now: what went by, the writing of a picture say, was no frame of the game.
    pub(crate) fn restart_frame(&mut self) {
        self.overlay.recorder_mut().restart_frame();
    }

    /// What the overlay took of a frame lately, in milliseconds: the median; `None` where that was not recorded.
    pub(crate) fn median_ms(&mut self) -> Option<f64> {
        let recorder = self.overlay.recorder_mut();
        let watch = recorder.watch(SHOW.id());
        let mut ms: Vec<f64> = recorder.window(&watch, 600).iter().collect();
        ms.sort_by(f64::total_cmp);
        ms.get(ms.len() / 2).copied()
    }

    /// The series that presets name and that do not exist.
    pub(crate) fn missing(&self) -> &[String] {
        self.histories.missing()
    }

    /// Says how long a frame may take.
    pub(crate) fn set_frame_budget(&mut self, ms: f64) {
        let mut settings = self.overlay.settings().clone();
        settings.frame_budget_ms = Some(ms);
        self.overlay.set_settings(&settings);
    }

    /// Selects the frames from `from` to `to` frames before the newest, or none.
    pub(crate) fn select_last(&mut self, frames: Option<(u64, u64)>) {
        let newest = self.overlay.recorder().frames().end;
        let before = |age: u64| newest.saturating_sub(age);
        self.overlay.select_frames(frames.map(|(from, to)| before(from)..before(to)));
    }

    pub(crate) fn set_pinned(&mut self, path: &str, pinned: bool) {
        self.overlay.set_pinned(path, pinned);
    }

    /// Shows one of the game's presets.
    pub(crate) fn show_preset(&mut self, name: &str) {
        self.overlay.show_preset(name);
    }

    /// Shows four panes, of graphs and of a table: as many as fit well.
    pub(crate) fn show_four_panes(&mut self) {
        self.overlay.show_panes(&presets::four_panes());
    }

    /// Shows searches for paths as a graph, and below it the frames with the most of them.
    pub(crate) fn show_searches(&mut self) {
        self.overlay.show_panes(&presets::searches());
    }

    /// Opens or closes the help.
    pub(crate) fn toggle_help(&mut self) {
        self.overlay.act(Action::ToggleHelp);
    }

    /// Opens or closes the settings.
    pub(crate) fn toggle_settings(&mut self) {
        self.overlay.act(Action::ToggleSettings);
    }
}
