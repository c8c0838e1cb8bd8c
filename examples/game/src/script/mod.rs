//! What happens by itself in a run: pictures at their times, the tour's stops, and the end.
use std::path::PathBuf;
use std::time::{Duration, Instant};

use stats_core::Counter;

use crate::args::{Args, Screenshot};
use crate::game::{FRAMES_PER_SECOND, Game};
use crate::sim::STEPS_PER_SECOND;
use crate::tour;

static STOPS: Counter =
    Counter::new("frame/script-stops").describe("scripted things that happened");

/// A run's plan, and how far it has come.
pub(crate) struct Script {
    stops: Vec<Stop>,
    next: usize,
    end: Option<u64>,
    /// When the next frame is due, where the run has a pace.
    due: Option<Instant>,
    took_picture: bool,
}

/// One scripted thing.
pub(crate) struct Stop {
    /// Game time in seconds.
    pub(crate) at: f64,
    pub(crate) action: Action,
}

/// What is done at a stop.
pub(crate) enum Action {
    Picture(PathBuf),
    Do(fn(&mut Game)),
}

impl Script {
    /// The plan that a command line asks for.
    pub(crate) fn new(args: &Args) -> Self {
        let pictures = args.screenshots.iter().map(|Screenshot { file, at }| Stop {
            at: *at,
            action: Action::Picture(file.clone()),
        });
        let mut stops: Vec<Stop> = pictures.collect();
        if let Some(folder) = &args.tour {
            stops.extend(tour::tour(folder));
        }
        // Stable: what is planned for one time happens in the order it was given.
        stops.sort_by(|a, b| a.at.total_cmp(&b.at));
        let last = stops.last().map(|stop| stop.at);
        let needs_end = args.headless || args.tour.is_some();
        let seconds = args
            .smoke
            .or(last.filter(|_| needs_end).map(|last| last + 0.1));
        let end = seconds.map(|seconds| (seconds * f64::from(STEPS_PER_SECOND)).round() as u64);
        Self {
            stops,
            next: 0,
            end,
            due: args.tour.is_some().then(Instant::now),
            took_picture: false,
        }
    }

    /// The number of steps after which the run is over.
    pub(crate) const fn end(&self) -> Option<u64> {
        self.end
    }

    /// Waits until the frame is due: a tour goes as fast as its game's clock, or as the machine
    /// can.
    pub(crate) fn wait(&mut self) {
        let Some(due) = &mut self.due else { return };
        let period = Duration::from_secs(1) / FRAMES_PER_SECOND;
        if std::mem::take(&mut self.took_picture) {
            // The frame began when the picture was written.
            *due = Instant::now() + period;
        }
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        *due = Instant::now().max(*due) + period;
    }

    /// Does what is due; the picture to take of this frame, if there is one. At most one picture a
    /// frame.
    pub(crate) fn follow(&mut self, game: &mut Game) -> Option<PathBuf> {
        while let Some(stop) = self
            .stops
            .get(self.next)
            .filter(|stop| stop.at <= game.sim.seconds() + 1e-6)
        {
            self.next += 1;
            STOPS.increment();
            match &stop.action {
                Action::Picture(path) => {
                    self.took_picture = true;
                    return Some(path.clone());
                }
                Action::Do(change) => change(game),
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
        self.stops
            .get(self.next)
            .is_none_or(|stop| stop.at > end + 1e-6)
    }
}
