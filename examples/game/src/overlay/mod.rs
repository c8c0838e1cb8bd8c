//! All contact with the statistics overlay: showing it, sharing the input with it, its presets and
//! what it remembers.
mod histories;
mod keeper;
mod presets;

use std::path::PathBuf;

use stats_core::{Histogram, Mark, MarkEvent, Precision, Recorder, Timer, Unit};
use stats_overlay::{Action, Mode, Settings, StatsOverlay};
use winit::event::WindowEvent;

use crate::events::LOADING;
use crate::memory::{self, UI};
use histories::Histories;
use keeper::Keeper;
pub(crate) use presets::{DISTRIBUTIONS, GPU, MEMORY, STATISTICS};

static SHOW: Timer = Timer::new("frame/overlay")
    .budget(2.0)
    .describe("the overlay, as the game sees it");
static FRAME: Histogram = Histogram::new("frame/time")
    .unit(Unit::Milliseconds)
    .precision(Precision::FourDigits)
    .describe("every frame of the run but those of loading, as the overlay's recorder measures it");

/// What of the overlay is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    Hidden,
    Hud,
    /// Full, with a search typed into the tree.
    Tree,
    Graph,
    Table,
    Distribution,
    Statistics,
}

impl View {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "hidden" => Some(Self::Hidden),
            "hud" => Some(Self::Hud),
            "tree" => Some(Self::Tree),
            "graph" => Some(Self::Graph),
            "table" => Some(Self::Table),
            "distribution" => Some(Self::Distribution),
            "statistics" => Some(Self::Statistics),
            _ => None,
        }
    }
}

/// The overlay of this game.
pub(crate) struct Overlay {
    overlay: StatsOverlay,
    keeper: Keeper,
    histories: Histories,
    /// How many frames were ended when it was last shown.
    ended: u64,
}

impl Overlay {
    /// The overlay as the file remembers it; without one, with the first of the game's presets and
    /// pins. Begins with the HUD.
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        let _memory = stats_memory::scope!("overlay", group: UI);
        let mut overlay = StatsOverlay::new();
        overlay.set_memory_dump(stats_memory::dump);
        presets::register(&mut overlay);
        overlay.show_preset(presets::FIRST);
        presets::PINNED
            .into_iter()
            .for_each(|path| overlay.set_pinned(path, true));
        overlay.set_mode(Mode::Hud);
        let keeper = Keeper::restored(file, &mut overlay);
        Self {
            overlay,
            keeper,
            histories: Histories::of(presets::paths()),
            ended: 0,
        }
    }

    /// Ends the recorder's frame and draws what is to be seen; once a frame, within the egui pass.
    pub(crate) fn show(&mut self, ctx: &egui::Context) {
        let _memory = stats_memory::scope!("overlay", group: UI);
        memory::publish();
        {
            let _show = SHOW.scope();
            self.overlay.show(ctx);
        }
        self.count_frame();
        let _name = stats_memory::alloc_name!("histories");
        self.histories.begin(self.overlay.recorder_mut());
        self.keeper.keep(&self.overlay);
    }

    /// Records how long the frame took that was ended last, each once; not where a level was
    /// loading.
    fn count_frame(&mut self) {
        let recorder = self.overlay.recorder();
        let ended = recorder.frames().end;
        let is_new = std::mem::replace(&mut self.ended, ended) != ended;
        let is_newest = |mark: &&Mark| mark.frames.contains(&ended.saturating_sub(1));
        if is_new
            && !recorder
                .marks()
                .iter()
                .filter(is_newest)
                .any(|mark| mark.name == LOADING)
        {
            recorder
                .frame_times(1)
                .iter()
                .for_each(|ms| FRAME.record(ms));
        }
    }

    /// Says something of the frame under way.
    pub(crate) fn mark(&mut self, name: &str, event: MarkEvent) {
        self.overlay.recorder_mut().mark(name, event);
    }

    /// The frames of the run.
    pub(crate) fn recorder(&self) -> &Recorder {
        self.overlay.recorder()
    }

    /// The same, to ask for the history of a series.
    pub(crate) fn recorder_mut(&mut self) -> &mut Recorder {
        self.overlay.recorder_mut()
    }

    /// How the overlay is set, which says what a frame may take.
    pub(crate) fn settings(&self) -> &Settings {
        self.overlay.settings()
    }

    /// Saves what is to be remembered, and waits until it is written: at the end.
    pub(crate) fn finish(&mut self) {
        self.keeper.finish(&self.overlay);
    }

    /// Whether an event of the window is the overlay's, so that the game must not see it. Told of
    /// every event, in order.
    pub(crate) fn consumes(&mut self, event: &WindowEvent) -> bool {
        self.overlay.consumes(event)
    }

    /// All that is to be remembered.
    #[cfg(all(test, feature = "enabled"))]
    pub(crate) fn saved(&self) -> stats_overlay::SavedState {
        self.overlay.saved()
    }

    /// Shows it as the command line asks for.
    pub(crate) fn set_view(&mut self, view: View) {
        let overlay = &mut self.overlay;
        overlay.set_mode(match view {
            View::Hidden => Mode::Hidden,
            View::Hud => Mode::Hud,
            View::Tree | View::Graph | View::Table | View::Distribution | View::Statistics => {
                Mode::Full
            }
        });
        overlay.set_search(if view == View::Tree { "paths" } else { "" });
        match view {
            View::Hidden | View::Hud => {}
            View::Tree | View::Graph => overlay.set_view(stats_overlay::PaneView::Graph),
            View::Table => overlay.set_view(stats_overlay::PaneView::Table),
            View::Distribution => overlay.set_view(stats_overlay::PaneView::Distribution),
            View::Statistics => overlay.set_view(stats_overlay::PaneView::Statistics),
        }
    }

    pub(crate) fn set_search(&mut self, terms: &str) {
        self.overlay.set_search(terms);
    }

    pub(crate) fn set_paused(&mut self, paused: bool) {
        self.overlay.set_paused(paused);
    }

    /// Lets the frame under way begin now: what went by, the writing of a picture say, was no frame
    /// of the game.
    pub(crate) fn restart_frame(&mut self) {
        self.overlay.recorder_mut().restart_frame();
    }

    /// What the overlay took of a frame lately, in milliseconds: the median; `None` where that was
    /// not recorded.
    pub(crate) fn median_ms(&mut self) -> Option<f64> {
        let recorder = self.overlay.recorder_mut();
        let watch = recorder.watch(SHOW.id());
        let mut ms: Vec<f64> = recorder.history(&watch, 600).iter().collect();
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
        self.overlay
            .select_frames(frames.map(|(from, to)| before(from)..before(to)));
    }

    #[cfg(all(test, feature = "enabled"))]
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

    /// Opens or closes the memory view.
    pub(crate) fn toggle_memory(&mut self) {
        self.overlay.act(Action::ToggleMemory);
    }

    /// Compares the snapshot that the memory view shows with what is held now.
    pub(crate) fn compare_memory(&mut self) {
        self.overlay.act(Action::CompareMemory);
    }
}
