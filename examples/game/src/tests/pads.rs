//! Game pads: which buttons drive the overlay, and which reach the game.
use gilrs::{Axis, Button};
use stats_overlay::Mode;

use super::alone;
use crate::args::Args;
use crate::game::Game;
use crate::overlay::Start;
use crate::pads::Pad;
use crate::sim::Vec2;
use crate::sim::player::Controls;

fn game() -> Game {
    let args = Args {
        headless: true,
        ..Args::default()
    };
    Game::new(&args, false)
}

/// Returns the controls of a ship that only the pad steers.
fn controls(pad: &Pad) -> Controls {
    pad.controls(Controls::default(), Vec2::ZERO)
}

#[test]
fn pressing_the_button_four_times_shows_every_mode_and_hides_the_overlay() {
    let _alone = alone();
    let mut game = game();
    game.overlay.set_start(Start::Hidden);
    let mut pad = Pad::default();
    for mode in [Mode::Hud, Mode::Watch, Mode::Full, Mode::Hidden] {
        pad.press(Button::Select, &mut game.overlay);
        pad.release(Button::Select, &mut game.overlay);
        assert_eq!(game.overlay.mode(), mode);
    }
}

#[test]
fn the_sticks_and_the_nova_reach_the_game_unless_the_overlay_is_full() {
    let _alone = alone();
    let mut game = game();
    game.overlay.set_start(Start::Watch);
    let mut pad = Pad::default();
    pad.push(Axis::LeftStickX, 1.0);
    pad.push(Axis::RightStickY, 1.0);
    pad.press(Button::South, &mut game.overlay);
    let steered = controls(&pad);
    assert_eq!(steered.thrust, Vec2::X);
    assert!(steered.aim.y < 0.0 && steered.aim.x == 0.0, "up is north");
    assert!(steered.fire && steered.nova);

    pad.press(Button::Select, &mut game.overlay);
    assert_eq!(game.overlay.mode(), Mode::Full);
    assert_eq!(controls(&pad), Controls::default());
    pad.press(Button::South, &mut game.overlay);
    assert_eq!(controls(&pad), Controls::default());

    pad.press(Button::Select, &mut game.overlay);
    let resumed = controls(&pad);
    assert_eq!((resumed.thrust, resumed.fire), (steered.thrust, true));
    assert!(!resumed.nova, "it was pressed in the overlay, and still is");
}

#[test]
fn a_stick_in_the_middle_neither_steers_nor_shoots() {
    let mut pad = Pad::default();
    pad.push(Axis::RightStickX, 0.4);
    pad.push(Axis::LeftZ, 1.0);
    assert_eq!(controls(&pad), Controls::default());
    pad.push(Axis::RightStickX, 0.6);
    assert!(controls(&pad).fire);
}
