//! States as marks.

use bevy_state::app::{AppExtStates, StatesPlugin};
use bevy_state::state::{NextState, States};
use stats_bevy::MarkStates;

use crate::game::Game;

#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Phase {
    #[default]
    Loading,
    Level(u8),
}

#[test]
fn each_state_is_a_span_of_frames() {
    let mut game = Game::new();
    game.app.add_plugins(StatesPlugin);
    game.app.init_state::<Phase>().mark_states::<Phase>();
    let first = game.overlay().recorder().frames().end;
    for _ in 0..3 {
        game.frame();
    }
    let next = NextState::Pending(Phase::Level(2));
    game.app.insert_resource(next);
    game.frame();
    game.frame();
    let overlay = game.overlay();
    let marks: Vec<_> = overlay
        .recorder()
        .marks()
        .iter()
        .map(|mark| (mark.name.to_string(), mark.frames.clone()))
        .collect();
    // The frame that a run begins comes after the frames that have ended.
    assert_eq!(
        marks,
        [
            ("Phase::Loading".to_owned(), first + 1..first + 5),
            ("Phase::Level(2)".to_owned(), first + 4..u64::MAX),
        ]
    );
}
