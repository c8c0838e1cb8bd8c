//! The automatic events of a run: pictures at given times, the stops of the tour, and the end.
mod reel;
mod tour;
mod visit;

use std::path::PathBuf;

use stats_core::Counter;

use crate::args::Args;
use crate::game::{FRAMES_PER_SECOND, Game};
use crate::limiter::Limiter;
use crate::sim::STEPS_PER_SECOND;

static STOPS: Counter =
    Counter::new("frame/script-stops").describe("stops of the script that were reached");

/// The plan of a run, and its progress.
pub(crate) struct Script {
    stops: Vec<Stop>,
    next: usize,
    /// The number of simulation steps after which the run is over.
    end: Option<u64>,
    /// A tour runs at the speed of the game's clock, or slower if the machine cannot keep up.
    limiter: Option<Limiter>,
    took_picture: bool,
}

/// One scripted event.
struct Stop {
    /// When it happens, in seconds of game time.
    at: f64,
    event: Event,
}

/// The event at a stop.
enum Event {
    Picture(PathBuf),
    Do(fn(&mut Game)),
}

impl Script {
    /// Returns the plan that a command line asks for.
    pub(crate) fn new(args: &Args) -> Self {
        let pictures = args.screenshots().map(|(file, at)| Stop {
            at,
            event: Event::Picture(file.clone()),
        });
        let mut stops: Vec<Stop> = pictures.collect();
        if let Some(seconds) = args.visit {
            stops.extend(visit::visit(seconds));
        }
        if let Some(folder) = &args.tour {
            stops.extend(tour::tour(folder));
        }
        if let Some(folder) = &args.reel {
            stops.extend(reel::reel(folder));
        }
        // The sort is stable: stops at the same time keep their order.
        stops.sort_by(|a, b| a.at.total_cmp(&b.at));
        let last = stops.last().map(|stop| stop.at);
        let needs_end = args.headless || args.has_folder() || args.visit.is_some();
        let seconds = args
            .smoke
            .or(last.filter(|_| needs_end).map(|last| last + 0.1));
        let end = seconds.map(|seconds| (seconds * f64::from(STEPS_PER_SECOND)).round() as u64);
        Self {
            stops,
            next: 0,
            end,
            limiter: fps(args).map(Limiter::new),
            took_picture: false,
        }
    }

    /// Returns the number of simulation steps after which the run is over; `None` if it does not
    /// end by itself.
    pub(crate) const fn end(&self) -> Option<u64> {
        self.end
    }

    /// Waits until the next frame is due, if the frame rate is limited.
    pub(crate) fn wait(&mut self) {
        let Some(limiter) = &mut self.limiter else {
            return;
        };
        if std::mem::take(&mut self.took_picture) {
            // The time that writing the picture took belongs to no frame.
            limiter.restart();
        }
        limiter.wait();
    }

    /// Carries out the stops that are due. Returns the file for a picture of this frame, if one is
    /// due; a second one waits for the next frame.
    pub(crate) fn follow(&mut self, game: &mut Game) -> Option<PathBuf> {
        while let Some(stop) = self
            .stops
            .get(self.next)
            .filter(|stop| stop.at <= game.sim.seconds() + 1e-6)
        {
            self.next += 1;
            STOPS.increment();
            match &stop.event {
                Event::Picture(path) => {
                    self.took_picture = true;
                    return Some(path.clone());
                }
                Event::Do(change) => change(game),
            }
        }
        None
    }

    /// Returns whether the run is over: all its steps are simulated and its pictures taken.
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

/// Returns the largest number of frames per second: that of the command line, and the game's own in a
/// tour or a film.
fn fps(args: &Args) -> Option<f64> {
    let tour = args.has_folder().then_some(f64::from(FRAMES_PER_SECOND));
    [args.fps_cap, tour].into_iter().flatten().reduce(f64::min)
}
