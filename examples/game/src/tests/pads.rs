//! Game pads: which buttons drive the overlay, and which reach the game.
use gilrs::{Axis, Button};
use stats_overlay::{Action, Mode, RowAction};

use super::alone;
use crate::args::Args;
use crate::game::Game;
use crate::overlay::Start;
use crate::pads::{Pad, action};
use crate::sim::Vec2;
use crate::sim::player::Controls;

/// All buttons that pads have.
const BUTTONS: [Button; 17] = [
    Button::South,
    Button::East,
    Button::North,
    Button::West,
    Button::LeftTrigger,
    Button::LeftTrigger2,
    Button::RightTrigger,
    Button::RightTrigger2,
    Button::Select,
    Button::Start,
    Button::Mode,
    Button::LeftThumb,
    Button::RightThumb,
    Button::DPadUp,
    Button::DPadDown,
    Button::DPadLeft,
    Button::DPadRight,
];

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
fn one_button_cycles_the_modes_one_marks_and_the_others_act_only_in_modes_that_show_panes() {
    for button in BUTTONS {
        for mode in [Mode::Hidden, Mode::Hud] {
            let expected = match button {
                Button::Select => Some(Action::CycleMode),
                Button::LeftThumb => Some(Action::MarkMoment),
                _ => None,
            };
            assert_eq!(action(button, mode), expected, "{button:?} in {mode:?}");
        }
    }
    let of_watch: Vec<Button> = BUTTONS
        .into_iter()
        .filter(|&button| action(button, Mode::Watch).is_some())
        .collect();
    let expected = [
        Button::LeftTrigger,
        Button::RightTrigger,
        Button::Select,
        Button::Start,
        Button::LeftThumb,
    ];
    assert_eq!(of_watch, expected);
    assert_eq!(
        action(Button::DPadDown, Mode::Full),
        Some(Action::Rows(RowAction::Down))
    );
    assert_eq!(
        action(Button::RightTrigger, Mode::Full),
        Some(Action::NextSpike)
    );
}

#[test]
fn no_two_buttons_perform_the_same_action() {
    let all: Vec<Action> = BUTTONS
        .iter()
        .filter_map(|&button| action(button, Mode::Full))
        .collect();
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one), "{one:?}");
    }
}

#[test]
fn pressing_the_button_four_times_shows_every_mode_and_hides_the_overlay() {
    let _alone = alone();
    let mut game = game();
    game.overlay.set_start(Start::Hidden);
    let mut pad = Pad::default();
    for mode in [Mode::Hud, Mode::Watch, Mode::Full, Mode::Hidden] {
        pad.press(Button::Select, &mut game.overlay);
        pad.release(Button::Select);
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
