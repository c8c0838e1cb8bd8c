//! A viewer that does not read changes nothing for the game and for others.

use std::time::{Duration, Instant};

use stats_core::{Counter, Source};
use tungstenite::Message;

use super::Game;
use super::raw::greet;

static COUNTER: Counter = Counter::new("slow/counter");

fn play(frame: u64) {
    COUNTER.add(frame);
}

#[test]
fn a_viewer_that_does_not_read_takes_nothing_from_another_and_holds_up_no_end() {
    let mut game = Game::start(play);
    play(0);
    let own = game.recorder.watch(COUNTER.id());
    let mut slow = greet(&game.remote);
    // It asks for everything again and again.
    for request in 0..150_u32 {
        let id = COUNTER.id().number() as u8;
        let message = match request {
            0 => vec![1, 1, id << 1],
            _ => vec![4, 0, 0xff, 0xff, 0x7f, 1, id],
        };
        slow.send(Message::binary(message)).expect("it reads");
    }
    let mut viewer = game.viewer();
    let id = game.listed(&mut viewer, "slow/counter");
    let watch = viewer.watch(id);
    game.play_until(|game| {
        viewer.pump();
        let history = viewer.history(&watch, usize::MAX);
        let of_game = game.recorder.history(&own, usize::MAX);
        for (frame, value) in history.frames().zip(history.iter()) {
            assert_eq!(Some(value), of_game.at(frame), "{frame}");
        }
        history.len() > 2000
    });
    let begun = Instant::now();
    drop(game);
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
}
