//! What happens by itself in a run: pictures at their times, the tour's stops, and the end.
use std::path::PathBuf;

use stats_core::Counter;

use crate::args::{Args, Screenshot};
use crate::game::Game;
use crate::overlay::View;
use crate::sim::STEPS_PER_SECOND;

static STOPS: Counter = Counter::new("frame/script-stops").describe("scripted things that happened");

/// A run's plan, and how far it has come.
pub(crate) struct Script {
    stops: Vec<Stop>,
    next: usize,
    end: Option<u64>,
}

/// One scripted thing.
struct Stop {
    at: f64,
    action: Action,
}

enum Action {
    Picture(PathBuf),
    Show(View),
    Theme(egui::Theme),
    Pause(bool),
    NextLevel,
    Tick(&'static str, bool),
}

impl Script {
    /// The plan that a command line asks for.
    pub(crate) fn new(args: &Args) -> Self {
        let pictures =
            args.screenshots.iter().map(|Screenshot { file, at }| Stop { at: *at, action: Action::Picture(file.clone()) });
        let mut stops: Vec<Stop> = pictures.collect();
        if let Some(folder) = &args.tour {
            stops.extend(tour(folder));
        }
        // Stable: what is planned for one time happens in the order it was given.
        stops.sort_by(|a, b| a.at.total_cmp(&b.at));
        let last = stops.last().map(|stop| stop.at);
        let needs_end = args.headless || args.tour.is_some();
        let seconds = args.smoke.or(last.filter(|_| needs_end).map(|last| last + 0.1));
        let end = seconds.map(|seconds| (seconds * f64::from(STEPS_PER_SECOND)).round() as u64);
        Self { stops, next: 0, end }
    }

    /// The number of steps after which the run is over.
    pub(crate) const fn end(&self) -> Option<u64> {
        self.end
    }

    /// Does what is due; the picture to take of this frame, if there is one. At most one picture a frame.
    pub(crate) fn follow(&mut self, game: &mut Game) -> Option<PathBuf> {
        while let Some(stop) = self.stops.get(self.next).filter(|stop| stop.at <= game.sim.seconds() + 1e-6) {
            self.next += 1;
            STOPS.increment();
            match &stop.action {
                Action::Picture(path) => return Some(path.clone()),
                Action::Show(view) => game.overlay.set_view(*view),
                Action::Theme(theme) => game.ctx.set_theme(*theme),
                Action::Pause(paused) => game.overlay.set_paused(*paused),
                Action::NextLevel => game.sim.next_level(),
                Action::Tick(path, ticked) => game.overlay.set_ticked(path, *ticked),
            }
        }
        None
    }

    /// Whether the run is over: its steps are done and its pictures taken.
    pub(crate) fn is_over(&self, game: &Game) -> bool {
        self.end.is_some_and(|end| game.sim.steps() >= end) && self.next_is_out_of_reach()
    }

    fn next_is_out_of_reach(&self) -> bool {
        let end = self.end.unwrap_or(u64::MAX) as f64 / f64::from(STEPS_PER_SECOND);
        self.stops.get(self.next).is_none_or(|stop| stop.at > end + 1e-6)
    }
}

/// The half-minute that shows everything once.
fn tour(folder: &std::path::Path) -> Vec<Stop> {
    use egui::Theme::{Dark, Light};
    let picture = |name: &str| Action::Picture(folder.join(name));
    let plan = [
        (0.0, Action::Show(View::Hidden)),
        (6.0, picture("1-game.png")),
        (6.1, Action::Show(View::Hud)),
        (9.0, picture("2-hud.png")),
        (9.1, Action::Show(View::Tree)),
        (11.0, picture("3-tree.png")),
        (11.1, Action::Show(View::Graph)),
        (14.0, picture("4-graph.png")),
        (14.1, Action::Theme(Light)),
        (15.0, picture("5-graph-light.png")),
        (15.1, Action::Show(View::Table)),
        (16.0, picture("6-table-light.png")),
        (16.1, Action::Theme(Dark)),
        (17.0, Action::Pause(true)),
        (18.0, picture("7-table-paused.png")),
        (18.1, Action::Pause(false)),
        (18.2, Action::Show(View::Hidden)),
        (18.3, Action::NextLevel),
        (25.0, picture("8-level-2.png")),
        (25.1, Action::Show(View::Hud)),
        (25.2, Action::Tick("level/memory/total", true)),
        (28.0, picture("9-level-2-hud.png")),
        (28.1, Action::Show(View::Graph)),
        (30.0, picture("10-level-2-graph.png")),
    ];
    plan.into_iter().map(|(at, action)| Stop { at, action }).collect()
}
