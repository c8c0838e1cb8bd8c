//! Typing into the overlay's search box.

use bevy_input::keyboard::{Key, KeyCode};
use stats_bevy::stats_overlay::{Mode, PaneView};

use crate::game::Game;

const TYPED: [(KeyCode, &str); 6] = [
    (KeyCode::Slash, "/"),
    (KeyCode::KeyB, "b"),
    (KeyCode::KeyA, "a"),
    (KeyCode::KeyL, "l"),
    (KeyCode::KeyL, "l"),
    (KeyCode::KeyS, "s"),
];

fn type_key(game: &mut Game, (code, character): (KeyCode, &str)) {
    let key = Key::Character(character.into());
    game.key(code, key.clone(), true);
    game.key(code, key, false);
}

fn assert_searched(game: &Game, how: &str) {
    let overlay = game.overlay();
    assert_eq!(overlay.search(), "balls", "{how}");
    assert_eq!(overlay.mode(), Mode::Full, "{how}");
    assert_eq!(overlay.view(), PaneView::Graph, "{how}");
    assert!(!overlay.paused(), "{how}");
}

#[test]
fn letters_typed_after_the_slash_are_searched_for_in_however_many_frames_they_arrive() {
    for in_first in 1..=TYPED.len() {
        let mut game = Game::new();
        game.overlay_mut().set_mode(Mode::Full);
        game.frame();
        for (at, key) in TYPED.into_iter().enumerate() {
            type_key(&mut game, key);
            if at + 1 >= in_first {
                game.frame();
            }
        }
        game.frame();
        assert_searched(&game, &format!("{in_first} keys in the first frame"));
    }
}

#[test]
fn the_frame_that_opens_the_overlay_can_also_search() {
    let mut game = Game::new();
    game.overlay_mut().set_mode(Mode::Watch);
    game.frame();
    game.toggle();
    for key in TYPED {
        type_key(&mut game, key);
    }
    let seen = game.frame();
    assert_eq!((seen.just_pressed.len(), seen.messages), (0, 0));
    game.frame();
    assert_searched(&game, "opened and searched in one frame");
}
