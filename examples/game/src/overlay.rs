//! All contact with the statistics overlay.
use stats_core::Timer;
use stats_overlay::{Mode, StatsOverlay};

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

/// The series that are watched from the start: what a person would look at first.
const WATCHED: [&str; 5] = ["sim/step", "render/record", "render/draw-calls", "agents/alive", "paths/nodes-expanded"];

/// The overlay of this game.
pub(crate) struct Overlay {
    overlay: StatsOverlay,
}

impl Overlay {
    pub(crate) fn new(view: View) -> Self {
        let mut overlay = Self { overlay: StatsOverlay::new() };
        for path in WATCHED {
            overlay.overlay.set_ticked(path, true);
        }
        overlay.set_view(view);
        overlay
    }

    /// Ends the recorder's frame and draws what is to be seen; once a frame, within the egui pass.
    pub(crate) fn show(&mut self, ctx: &egui::Context) {
        let _show = SHOW.scope();
        self.overlay.show(ctx);
    }

    /// Whether keys and pointer are the overlay's.
    pub(crate) fn wants_input(&self) -> bool {
        self.overlay.wants_input()
    }

    pub(crate) fn set_view(&mut self, view: View) {
        let overlay = &mut self.overlay;
        overlay.set_mode(match view {
            View::Hidden => Mode::Hidden,
            View::Hud => Mode::Hud,
            View::Tree | View::Graph | View::Table => Mode::Full,
        });
        overlay.set_search(if view == View::Tree { "paths" } else { "" });
        overlay.set_view(if view == View::Table { stats_overlay::View::Table } else { stats_overlay::View::Graph });
    }

    pub(crate) fn set_paused(&mut self, paused: bool) {
        self.overlay.set_paused(paused);
    }

    pub(crate) fn set_ticked(&mut self, path: &str, ticked: bool) {
        self.overlay.set_ticked(path, ticked);
    }
}
