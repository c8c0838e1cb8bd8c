//! Nothing of the input leaks: neither from the overlay to the game, nor from the game to the
//! overlay.

use bevy_input::keyboard::{Key, KeyCode};
use bevy_input::touch::TouchPhase;
use bevy_math::Vec2;
use stats_bevy::StatsOverlayPlugin;
use stats_bevy::stats_overlay::Mode;

use crate::game::{Game, Seen};

const SPACE: (KeyCode, Key) = (KeyCode::Space, Key::Space);

/// The input that a game sees if nothing is pressed or moved.
fn nothing() -> Seen {
    Seen {
        has_input: true,
        ..Seen::default()
    }
}

fn press_everything(game: &mut Game) {
    game.key(SPACE.0, SPACE.1, true);
    game.button(true);
    game.mouse();
    game.touch(7, TouchPhase::Started);
    game.pad_button(true);
    game.stick(1.0);
}

fn release_everything(game: &mut Game) {
    game.key(SPACE.0, SPACE.1, false);
    game.button(false);
    game.touch(7, TouchPhase::Ended);
    game.pad_button(false);
    game.stick(0.0);
}

#[test]
fn the_game_has_all_input_while_the_overlay_is_not_full() {
    for mode in [Mode::Hidden, Mode::Hud, Mode::Watch] {
        let mut game = Game::new();
        game.overlay_mut().set_mode(mode);
        game.frame();
        press_everything(&mut game);
        let seen = game.frame();
        assert_eq!(seen.just_pressed, [KeyCode::Space], "{mode:?}");
        for other in ["Space", "Left", "South"] {
            assert!(seen.others.contains(&other.to_owned()), "{other}, {mode:?}");
        }
        assert_eq!(seen.touches, [7]);
        assert_eq!((seen.moved, seen.scrolled), (Vec2::ONE, Vec2::Y));
        assert_eq!(seen.stick, Vec2::X);
        // The key, the button, three of the mouse, the finger, and two of the pad.
        assert_eq!(seen.messages, 8);
        assert!(seen.has_input);
        assert!(!game.overlay().paused(), "Space is the game's");
        assert_eq!(game.overlay().mode(), mode);
    }
}

#[test]
fn the_game_has_no_input_while_the_overlay_is_full() {
    let mut game = Game::new();
    game.overlay_mut().set_mode(Mode::Full);
    game.frame();
    press_everything(&mut game);
    assert_eq!(*game.frame(), Seen::default());
    assert!(game.overlay().paused(), "Space is the overlay's");
    assert_eq!(*game.frame(), Seen::default());
    release_everything(&mut game);
    assert_eq!(*game.frame(), Seen::default());
}

#[test]
fn held_input_is_released_once_when_the_overlay_opens() {
    let mut game = Game::new();
    press_everything(&mut game);
    game.frame();
    game.overlay_mut().set_mode(Mode::Full);
    let seen = game.frame();
    assert_eq!(seen.pressed, []);
    assert_eq!(seen.just_released, [KeyCode::Space]);
    assert_eq!(
        seen.others,
        ["Space released", "Left released", "South released"]
    );
    assert_eq!(seen.touches, [7], "the finger is lifted");
    assert_eq!((seen.stick, seen.messages), (Vec2::ZERO, 0));
    assert_eq!(*game.frame(), Seen::default());
}

#[test]
fn input_pressed_in_the_overlay_does_not_reach_the_game_when_it_closes() {
    let mut game = Game::new();
    game.overlay_mut().set_mode(Mode::Full);
    game.frame();
    press_everything(&mut game);
    game.frame();
    game.overlay_mut().set_mode(Mode::Hidden);
    let seen = game.frame();
    assert_eq!(seen.stick, Vec2::X, "a stick is where it is");
    let stick = nothing();
    assert_eq!(
        *seen,
        Seen {
            stick: Vec2::X,
            ..stick
        }
    );
    // A key that is still held repeats.
    game.repeat(SPACE.0, SPACE.1);
    let seen = game.frame();
    assert_eq!((seen.pressed.len(), seen.just_pressed.len()), (0, 0));
    assert!(seen.others.is_empty());
    release_everything(&mut game);
    let seen = game.frame();
    assert!(seen.just_released.is_empty() && seen.others.is_empty() && seen.touches.is_empty());
    // The next press is the game's.
    game.key(SPACE.0, SPACE.1, true);
    game.touch(7, TouchPhase::Started);
    let seen = game.frame();
    assert_eq!((seen.just_pressed.len(), seen.touches.len()), (1, 1));
}

#[test]
fn a_stick_that_moves_while_the_overlay_is_full_returns_to_its_new_position() {
    let mut game = Game::new();
    game.stick(1.0);
    game.frame();
    game.overlay_mut().set_mode(Mode::Full);
    game.frame();
    game.stick(-1.0);
    assert_eq!(game.frame().stick, Vec2::ZERO);
    assert_eq!(game.frame().stick, Vec2::ZERO);
    game.overlay_mut().set_mode(Mode::Hidden);
    assert_eq!(game.frame().stick, Vec2::NEG_X);
    game.stick(0.0);
    assert_eq!(game.frame().stick, Vec2::ZERO);
}

#[test]
fn the_toggle_key_never_reaches_the_game() {
    let mut game = Game::new();
    for mode in [Mode::Hud, Mode::Watch, Mode::Full, Mode::Hidden, Mode::Hud] {
        game.key(KeyCode::F3, Key::F3, true);
        let seen = game.frame();
        assert!(seen.pressed.is_empty() && seen.just_pressed.is_empty());
        assert!(seen.others.is_empty() && seen.pressing.is_empty());
        assert_eq!(game.overlay().mode(), mode, "once");
        // Held.
        game.repeat(KeyCode::F3, Key::F3);
        let seen = game.frame();
        assert!(seen.pressed.is_empty() && seen.pressing.is_empty());
        game.key(KeyCode::F3, Key::F3, false);
        let seen = game.frame();
        assert!(seen.just_released.is_empty() && seen.others.is_empty());
        assert_eq!(game.overlay().mode(), mode);
    }
}

#[test]
fn no_key_toggles_if_none_is_set() {
    let mut game = Game::new();
    let mut settings = game.overlay().settings().clone();
    settings.key = None;
    game.overlay_mut().set_settings(&settings);
    for (code, key) in [(KeyCode::F3, Key::F3), (KeyCode::CapsLock, Key::CapsLock)] {
        game.key(code, key, true);
        assert_eq!(game.frame().just_pressed, [code]);
        assert_eq!(game.overlay().mode(), Mode::Hidden);
    }
}

#[test]
fn a_trigger_that_is_held_while_the_overlay_closes_stays_released() {
    let mut game = Game::new();
    game.pad_value(0.9);
    assert!(game.frame().others.contains(&"South".to_owned()));
    game.overlay_mut().set_mode(Mode::Full);
    game.frame();
    game.overlay_mut().set_mode(Mode::Hidden);
    for value in [0.86, 0.95, 0.8, 0.3] {
        game.pad_value(value);
        assert_eq!(game.frame().others, [""; 0], "{value}");
    }
    game.pad_value(0.9);
    assert!(game.frame().others.contains(&"South pressed".to_owned()));
}

#[test]
fn the_overlay_moves_to_another_camera_and_without_one_takes_no_input() {
    let mut game = Game::new();
    game.overlay_mut().set_mode(Mode::Full);
    game.frame();
    assert!(!game.frame().has_input);
    let camera = game.camera;
    game.app.world_mut().despawn(camera);
    game.frame();
    game.key(SPACE.0, SPACE.1, true);
    let seen = game.frame();
    assert!(seen.has_input);
    assert_eq!(seen.just_pressed, [KeyCode::Space]);
    assert!(!game.overlay().paused());
    game.key(SPACE.0, SPACE.1, false);
    game.app.world_mut().spawn(bevy_camera::Camera::default());
    game.frame();
    assert!(!game.frame().has_input);
    game.key(SPACE.0, SPACE.1, true);
    assert_eq!(game.frame().just_pressed, []);
    assert!(
        game.overlay().paused(),
        "the overlay is drawn, and has the input"
    );
}

#[test]
fn the_toggle_key_with_a_modifier_is_the_games() {
    let mut game = Game::new();
    game.key(KeyCode::ShiftLeft, Key::Shift, true);
    game.toggle();
    let seen = game.frame();
    assert!(seen.just_pressed.contains(&KeyCode::F3));
    assert_eq!(game.overlay().mode(), Mode::Hidden);
    game.key(KeyCode::ShiftLeft, Key::Shift, false);
    game.toggle();
    game.frame();
    assert_eq!(game.overlay().mode(), Mode::Hud);
}

#[test]
fn keys_in_the_frame_that_opens_the_overlay_are_not_the_games() {
    let mut game = Game::new();
    game.overlay_mut().set_mode(Mode::Watch);
    game.frame();
    game.toggle();
    press_everything(&mut game);
    assert_eq!(*game.frame(), Seen::default());
    assert_eq!(game.overlay().mode(), Mode::Full);
    assert!(game.overlay().paused());
}

#[test]
fn a_game_can_keep_its_input() {
    let mut game = Game::with(StatsOverlayPlugin {
        takes_input: false,
        ..StatsOverlayPlugin::default()
    });
    game.overlay_mut().set_mode(Mode::Full);
    game.frame();
    press_everything(&mut game);
    let seen = game.frame();
    assert_eq!(seen.just_pressed, [KeyCode::Space]);
    assert!(!seen.has_input, "the run condition still works");
}
