//! A game and a viewer in two processes, in two networks with a slow and lossy line between them:
//! `scripts/far` runs both.

use std::time::{Duration, Instant};

use stats_core::{Counter, Gauge, Source};
use stats_remote::{RemoteOptions, RemoteSource};

use super::{Game, wait_until};

/// How long a packet is on the way from one to the other at least.
const ONE_WAY: Duration = Duration::from_millis(20);

/// The frames that are compared, and how long the viewer stands still after a third of them: longer than
/// the game sends without an answer.
const FRAMES: u64 = 1_500;
const STALL: Duration = Duration::from_secs(5);

static COUNTER: Counter = Counter::new("far/counter");
static GAUGE: Gauge = Gauge::new("far/gauge");

fn play(frame: u64) {
    COUNTER.add(frame % 7);
    GAUGE.set((frame as f64).sqrt());
}

#[test]
#[ignore = "needs two networks: scripts/far"]
fn a_viewer_far_away_has_each_frame_after_a_gap_that_heals() {
    let which = std::env::var("STATS_TEST_FAR").expect("scripts/far sets it");
    match which.as_str() {
        "game" => be_watched(),
        address => watch(address),
    }
}

/// Plays until a viewer has come and gone.
fn be_watched() {
    let mut options = RemoteOptions::default();
    options.address = "0.0.0.0".parse().expect("it is an address");
    options.token = "0123456789abcdef0123456789abcdef".parse().ok();
    let mut game = Game::with(options, play);
    let (begun, mut was_watched) = (Instant::now(), false);
    while game.remote.is_watched() || !was_watched {
        assert!(begun.elapsed() < Duration::from_secs(600), "nobody watches");
        game.frame();
        was_watched |= game.remote.is_watched();
        std::thread::sleep(Duration::from_micros(16_667));
    }
}

fn watch(address: &str) {
    let address = address.parse().expect("it is an address");
    // The game may begin a moment later.
    let mut viewer = RemoteSource::open(&address).expect("there is a thread for it");
    let paths = ["far/counter", "far/gauge"];
    wait_until(|| {
        viewer.pump();
        paths.iter().all(|path| viewer.find(path).is_some())
    });
    let watches = paths.map(|path| {
        let id = viewer.find(path).expect("it is listed");
        viewer.watch(id)
    });
    let mut first = None;
    wait_until(|| {
        viewer.pump();
        let history = viewer.history(&watches[1], usize::MAX);
        first = (!history.is_empty()).then(|| history.first_frame() + 1);
        first.is_some()
    });
    let first = first.expect("it is there");
    let mut checked = first;
    // No wait is longer than that of a test for anything: each hundred frames are one.
    for goal in (first..=first + FRAMES).step_by(100) {
        if goal - first == FRAMES / 3 {
            std::thread::sleep(STALL);
        }
        wait_until(|| {
            viewer.pump();
            let histories = watches
                .each_ref()
                .map(|watch| viewer.history(watch, usize::MAX));
            let ends = histories.map(|history| history.frames().end);
            let end = ends[0].min(ends[1]);
            for frame in checked..end {
                let shown = histories.map(|history| history.at(frame));
                let expected = [(frame % 7) as f64, (frame as f64).sqrt()];
                assert_eq!(shown, expected.map(Some), "frame {frame}");
            }
            checked = checked.max(end);
            checked >= goal
        });
    }
    let status = viewer.status();
    assert!(status.gaps > 0, "{status}");
    assert!(
        status.round_trip.is_some_and(|time| time >= 2 * ONE_WAY),
        "{status}"
    );
}
