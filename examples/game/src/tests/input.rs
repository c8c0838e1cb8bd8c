//! The player's input: which events reach the game, and which the overlay consumes.
use winit::event::{DeviceId, MouseScrollDelta, TouchPhase, WindowEvent};
#[cfg(feature = "enabled")]
use winit::event::{ElementState, MouseButton};

use super::alone;
use crate::args::Args;
use crate::game::Game;
use crate::input::{Command, Input};
#[cfg(feature = "enabled")]
use crate::overlay::Start;

#[cfg(feature = "enabled")]
#[test]
fn a_click_reaches_the_game_with_the_hud_but_not_with_the_full_overlay() {
    let _alone = alone();
    let mut game = Game::new(
        &Args {
            headless: true,
            ..Args::default()
        },
        false,
    );
    let mut input = Input::default();
    let click = |game: &mut Game, input: &mut Input, state| {
        let event = WindowEvent::MouseInput {
            device_id: DeviceId::dummy(),
            state,
            button: MouseButton::Left,
        };
        assert_eq!(input.take(&event, &mut game.overlay), None);
        input.controls(&game.camera).fire
    };
    for (start, reaches) in [
        (Start::Hidden, true),
        (Start::Hud, true),
        (Start::Graph, false),
        (Start::Table, false),
    ] {
        game.overlay.set_start(start);
        assert_eq!(
            click(&mut game, &mut input, ElementState::Pressed),
            reaches,
            "{start:?}"
        );
        assert!(
            !click(&mut game, &mut input, ElementState::Released),
            "{start:?}"
        );
    }
    game.overlay.set_start(Start::Hud);
    assert!(click(&mut game, &mut input, ElementState::Pressed));
    game.overlay.set_start(Start::Graph);
    assert!(
        !click(&mut game, &mut input, ElementState::Released),
        "the game sees the release of a button whose press it saw"
    );
}

#[test]
fn moving_the_mouse_aims_and_the_wheel_zooms() {
    let _alone = alone();
    let mut game = Game::new(
        &Args {
            headless: true,
            ..Args::default()
        },
        false,
    );
    let mut input = Input::default();
    let before = input.controls(&game.camera).aim;
    let device_id = DeviceId::dummy();
    let moved = WindowEvent::CursorMoved {
        device_id,
        position: (640.0, 400.0).into(),
    };
    assert_eq!(input.take(&moved, &mut game.overlay), None);
    assert!(input.controls(&game.camera).aim.x > before.x);
    let delta = MouseScrollDelta::LineDelta(0.0, 2.0);
    let wheel = WindowEvent::MouseWheel {
        device_id,
        delta,
        phase: TouchPhase::Moved,
    };
    assert_eq!(
        input.take(&wheel, &mut game.overlay),
        Some(Command::Zoom(2.0))
    );
}
