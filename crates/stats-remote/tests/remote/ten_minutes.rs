//! Ten minutes of a game, in which the viewer stands still now and then.

use std::time::Duration;

use stats_core::{Counter, Gauge, Recorder, Source, Timer};

use super::Game;

/// Ten minutes at 60 frames per second.
const FRAMES: u64 = 36_000;

/// When the viewer stands still, and for how many frames: fewer than the recorder keeps.
const STALLS: [(u64, u64); 3] = [(5_000, 700), (17_000, 3_000), (30_000, 2_000)];

static COUNTER: Counter = Counter::new("minutes/counter");
static GAUGE: Gauge = Gauge::new("minutes/gauge");
static TIMER: Timer = Timer::new("minutes/timer");

fn play(frame: u64) {
    COUNTER.add(frame % 7);
    GAUGE.set((frame as f64).sqrt());
    TIMER.record(Duration::from_nanos(1000 * frame + 7));
}

#[test]
fn each_frame_of_ten_minutes_has_the_values_of_the_game_after_gaps_that_heal() {
    let mut game = Game::start(play);
    // Whatever gets no processor for how long, the game keeps what the viewer asks for.
    game.recorder = Recorder::with_history(1 << 14);
    play(0);
    let paths = ["minutes/counter", "minutes/gauge", "minutes/timer"];
    let own = paths.map(|path| {
        let id = stats_core::find(path).expect("it counted");
        game.recorder.watch(id)
    });
    let mut viewer = game.viewer();
    let watches = paths.map(|path| {
        let id = game.listed(&mut viewer, path);
        viewer.watch(id)
    });
    let (mut stalls, mut checked) = (STALLS.into_iter().peekable(), 0);
    // Each minute may take as long as anything else.
    for minute in (0..=FRAMES).step_by(3_600) {
        game.play_until(|game| {
            if let Some((_, frames)) = stalls.next_if(|(begin, _)| game.frames >= *begin) {
                // The viewer acknowledges nothing, so it is sent 32 blocks of three frames at most.
                (0..frames).for_each(|_| game.frame());
            }
            // As fast as the viewer follows.
            while game.frames < checked + 90 && game.frames < FRAMES {
                game.frame();
            }
            viewer.pump();
            let ends = watches
                .each_ref()
                .map(|watch| viewer.history(watch, usize::MAX).frames().end);
            let end = ends.into_iter().min().unwrap_or(0).min(viewer.frames().end);
            for frame in checked..end {
                assert_eq!(viewer.frame(frame), game.recorder.frame(frame), "{frame}");
                for (watch, own) in watches.iter().zip(&own) {
                    let shown = viewer.history(watch, usize::MAX).at(frame);
                    let expected = game.recorder.history(own, usize::MAX).at(frame);
                    assert!(
                        shown.is_some() && shown == expected,
                        "{frame}: {shown:?}, {expected:?}"
                    );
                }
            }
            checked = checked.max(end);
            checked >= minute
        });
    }
    assert!(viewer.status().gaps >= STALLS.len() as u64);
    assert_eq!((stalls.next(), viewer.status().refused), (None, 0));
}
