//! Bindings that the user changes.

use egui::Key;

use super::*;
use crate::input::press::PadButton;
use crate::input::settings::Settings;
use stats_testing::Random;

fn key(key: Key) -> Press {
    Press::key(key)
}

#[test]
fn a_press_of_another_action_is_refused_and_nothing_changes() {
    let mut bindings = Bindings::default();
    let error = bindings.bind(key(Key::R), Action::Hide);
    let taken = BindError::Taken {
        press: key(Key::R),
        by: Action::ResetView,
    };
    assert_eq!(error, Err(taken));
    assert_eq!(
        bindings.replace(key(Key::R), Action::TogglePause),
        Err(taken)
    );
    assert_eq!(bindings.bind(PASTE, Action::Hide), Err(BindError::Pastes));
    assert_eq!(bindings, Bindings::default());
    assert_eq!(bindings.action(key(Key::R)), Some(Action::ResetView));
}

#[test]
fn a_key_in_place_of_another_leaves_pads_as_they_are() {
    let mut bindings = Bindings::default();
    bindings
        .replace(key(Key::F5), Action::TogglePause)
        .expect("F5 is free");
    assert_eq!(bindings.action(key(Key::Space)), None);
    assert_eq!(bindings.key_text(Action::TogglePause), "F5");
    let pad = Press::Pad(PadButton::Start);
    assert_eq!(bindings.action(pad), Some(Action::TogglePause));
    bindings.remove_presses(Action::TogglePause);
    assert_eq!(bindings.presses(Action::TogglePause).next(), None);
    bindings.reset(Action::TogglePause);
    assert_eq!(bindings, Bindings::default());
}

#[test]
fn a_button_in_place_of_another_leaves_the_tap_as_it_is() {
    let mut bindings = Bindings::default();
    let [select, mode] = [PadButton::Select, PadButton::Mode].map(Press::Pad);
    bindings
        .replace(mode, Action::CycleMode)
        .expect("it is free");
    assert_eq!(bindings.action(select), None);
    assert_eq!(bindings.action(mode), Some(Action::CycleMode));
    assert_eq!(
        bindings.action(Press::ThreeFingers),
        Some(Action::CycleMode)
    );
}

#[test]
fn a_press_with_two_actions_performs_none_of_them_and_is_listed() {
    let text = r#"{ "Hide": ["K"], "TogglePin": ["Shift+P", "K"] }"#;
    let mut bindings: Bindings = serde_json::from_str(text).expect("a conflict is no damage");
    assert_eq!(bindings.action(key(Key::K)), None);
    let conflicts = bindings.conflicts();
    assert_eq!(conflicts.len(), 1);
    assert_eq!(conflicts[0].press, key(Key::K));
    assert_eq!(conflicts[0].actions.len(), 3);
    let said = conflicts[0].to_string();
    for part in [
        "K performs nothing",
        "previous pane",
        "hide the overlay",
        "pin to the HUD",
    ] {
        assert!(said.contains(part), "{said}");
    }
    bindings.unbind(key(Key::K));
    assert_eq!(bindings.conflicts(), []);
    assert_eq!(
        bindings.action(Press::shift(Key::P)),
        Some(Action::TogglePin)
    );
}

#[test]
fn the_key_that_shows_the_overlay_conflicts_with_the_keys_of_actions() {
    let mut settings = Settings::default();
    assert_eq!(settings.conflicts(), []);
    settings.key = Some(Key::F1);
    let conflicts = settings.conflicts();
    assert_eq!(conflicts.len(), 1);
    assert_eq!(
        conflicts[0].to_string(),
        "F1 shows and hides the overlay, so it does not perform “this help”: bind another key"
    );
}

#[test]
fn changes_are_saved_by_name_and_nothing_else_is() {
    let mut settings = Settings::default();
    let save = |settings: &Settings| serde_json::to_value(settings).expect("settings are JSON");
    assert_eq!(save(&settings).get("bindings"), None);
    let bindings = &mut settings.bindings;
    bindings
        .bind(Press::command(Key::K), Action::ToggleTable)
        .expect("it is free");
    bindings.unbind(key(Key::T));
    let saved = save(&settings);
    assert_eq!(
        saved["bindings"],
        serde_json::json!({ "ToggleTable": ["Ctrl+K"] })
    );
    let read: Settings = serde_json::from_value(saved).expect("it was written");
    assert_eq!(read, settings);
}

#[test]
fn an_unknown_name_is_an_error_that_says_what_is_known() {
    for (text, part) in [
        (
            r#"{ "TogglePuase": ["K"] }"#,
            "there is no action \"TogglePuase\"",
        ),
        (
            r#"{ "TogglePause": ["Hyper+K"] }"#,
            "\"Hyper+K\" names no key",
        ),
        (r#"{ "TogglePause": ["Ctrl+V"] }"#, "cannot be bound"),
    ] {
        let error = serde_json::from_str::<Bindings>(text).expect_err(text);
        assert!(error.to_string().contains(part), "{error}");
    }
}

/// Binding and unbinding at random never makes a conflict, and what is saved is read again.
#[test]
fn no_sequence_of_changes_makes_a_press_perform_two_actions() {
    let mut random = Random::new(7);
    let actions: Vec<Action> = Action::all().collect();
    let mut bindings = Bindings::default();
    for _ in 0..3000 {
        let action = actions[random.below(actions.len() as u64) as usize];
        let press = Press::Key {
            key: Key::ALL[random.below(Key::ALL.len() as u64) as usize],
            shift: random.below(2) == 0,
            command: random.below(4) == 0,
        };
        let before = bindings.clone();
        let changed = match random.below(4) {
            0 => bindings.bind(press, action),
            1 => bindings.replace(press, action),
            2 => {
                bindings.unbind(press);
                Ok(())
            }
            _ => {
                bindings.remove_presses(action);
                Ok(())
            }
        };
        if changed.is_err() {
            assert_eq!(bindings, before);
        }
        assert_eq!(bindings.conflicts(), []);
        let text = serde_json::to_string(&bindings).expect("bindings are JSON");
        assert_eq!(
            serde_json::from_str::<Bindings>(&text).expect(&text),
            bindings
        );
    }
}
