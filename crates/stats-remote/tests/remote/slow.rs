//! A viewer that does not read changes nothing for the game and for others.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use stats_core::{Counter, Source};
use tungstenite::{Message, WebSocket};

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
    let _slow = ask(&game);
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
    let end = end(game);
    assert!(end < Duration::from_secs(5), "{end:?}");
}

/// Connects a viewer that asks for everything again and again, and reads nothing.
fn ask(game: &Game) -> WebSocket<TcpStream> {
    let mut slow = greet(&game.remote);
    for request in 0..150_u32 {
        let id = COUNTER.id().number() as u8;
        let message = match request {
            0 => vec![1, 1, id << 1],
            _ => vec![4, 0, 0xff, 0xff, 0x7f, 1, id],
        };
        slow.send(Message::binary(message)).expect("it reads");
    }
    slow
}

/// Ends a game, and returns how long that takes.
fn end(game: Game) -> Duration {
    let begun = Instant::now();
    drop(game);
    begun.elapsed()
}

#[test]
fn a_game_ends_soon_whatever_eight_viewers_do() {
    play(0);
    let mut ends: Vec<_> = (0..9)
        .map(|_| {
            let mut game = Game::start(play);
            let _slow: Vec<_> = (0..8).map(|_| ask(&game)).collect();
            let begun = Instant::now();
            game.play_until(|_| begun.elapsed() > Duration::from_millis(100));
            end(game)
        })
        .collect();
    ends.sort_unstable();
    println!("the median of nine ends takes {:?}", ends[4]);
    // Ten times the bar: a busy machine gives the thread of the viewers no processor for a while.
    assert!(ends[4] <= Duration::from_secs(2), "{ends:?}");
}
