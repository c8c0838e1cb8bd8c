//! The film: play, a hitch, the card that names its culprits, a key, and the culprits selected.
use std::path::Path;

use super::{Event, Stop};
use crate::game::{FRAMES_PER_SECOND, Game};
use crate::overlay::Start;
use crate::sim::faults::Fault;

/// The number of pictures in a second of the film.
const PICTURES_PER_SECOND: u32 = 10;
/// When the film begins, and when it ends, in seconds. The two systems take long at 9.17 s.
const FILM: (f64, f64) = (8.4, 13.4);
/// When the key is shown, and when it is pressed.
const KEY: (f64, f64) = (10.9, 11.5);

/// Returns the stops of the film. Its pictures, `000.png` and so on, are written to `folder`.
pub(super) fn reel(folder: &Path) -> Vec<Stop> {
    let frame = 1.0 / f64::from(FRAMES_PER_SECOND);
    let mut stops = vec![
        stop(0.0, |game| game.overlay.set_start(Start::Hud)),
        // The first frame waits until the device has created everything.
        stop(frame + 0.01, |game| game.overlay.restart_frame()),
        stop(7.0, |game| game.sim.faults.set(Fault::TwoSystems, true)),
        stop(KEY.0, |game| game.key = Some("Q")),
        stop(KEY.1, |game| {
            game.key = None;
            game.overlay.set_start(Start::Graph);
            game.overlay.go_to_hitch();
        }),
    ];
    let pictures = ((FILM.1 - FILM.0) * f64::from(PICTURES_PER_SECOND)) as u32;
    stops.extend((0..pictures).map(|number| Stop {
        at: FILM.0 + f64::from(number) / f64::from(PICTURES_PER_SECOND),
        event: Event::Picture(folder.join(format!("{number:03}.png"))),
    }));
    stops
}

fn stop(at: f64, change: fn(&mut Game)) -> Stop {
    Stop {
        at,
        event: Event::Do(change),
    }
}
