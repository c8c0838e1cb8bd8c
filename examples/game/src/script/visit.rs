//! The visit: loads both levels twice, and goes back to the menu after each.
use super::{Event, Stop};
use crate::game::{FRAMES_PER_SECOND, Game};
use crate::sim::level::{LEVELS, MENU};

/// How often each level is loaded.
const LOADS: usize = 2;

/// Returns the stops of the visit, which stays `seconds` in each level, and as long in the menu
/// after it. The frame in which something is loaded is the first of its stay.
pub(super) fn visit(seconds: f64) -> Vec<Stop> {
    let frame = 1.0 / f64::from(FRAMES_PER_SECOND);
    let stay = seconds.max(4.0 * frame);
    let mut stops = vec![stop(0.0, |game| game.sim.load(MENU))];
    for load in 0..LOADS * LEVELS {
        let begin = (1 + 2 * load) as f64 * stay;
        stops.push(match load % LEVELS {
            0 => stop(begin, |game| game.sim.load(0)),
            _ => stop(begin, |game| game.sim.load(1)),
        });
        stops.push(stop(begin + stay, |game| game.sim.load(MENU)));
    }
    // The end of the last stay in the menu.
    let end = (1 + 2 * LOADS * LEVELS) as f64 * stay;
    stops.push(stop(end, |_| {}));
    stops
}

fn stop(at: f64, change: fn(&mut Game)) -> Stop {
    Stop {
        at,
        event: Event::Do(change),
    }
}
