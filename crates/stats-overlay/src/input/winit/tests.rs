//! Tests of [`InputGate`] with single events and with sequences of events.

use egui::Key as K;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event::{DeviceId, Modifiers, MouseScrollDelta, Touch};
use winit::keyboard::{KeyCode, NamedKey, NativeKey, NativeKeyCode};

use super::*;

const TOGGLE: Option<egui::Key> = Some(egui::Key::F3);

fn button(state: ElementState) -> WindowEvent {
    WindowEvent::MouseInput {
        device_id: DeviceId::dummy(),
        state,
        button: MouseButton::Left,
    }
}

fn moved() -> WindowEvent {
    WindowEvent::CursorMoved {
        device_id: DeviceId::dummy(),
        position: PhysicalPosition::default(),
    }
}

fn wheel(phase: TouchPhase) -> WindowEvent {
    WindowEvent::MouseWheel {
        device_id: DeviceId::dummy(),
        delta: MouseScrollDelta::LineDelta(0.0, 1.0),
        phase,
    }
}

fn touch(id: u64, phase: TouchPhase) -> WindowEvent {
    WindowEvent::Touch(Touch {
        device_id: DeviceId::dummy(),
        phase,
        location: PhysicalPosition::default(),
        force: None,
        id,
    })
}

/// Returns the input of a key. F3 is the toggle key.
fn key(code: KeyCode, state: ElementState, repeat: bool) -> Input {
    key_input(PhysicalKey::Code(code), state, repeat, code == KeyCode::F3)
}

const PRESS: ElementState = ElementState::Pressed;
const RELEASE: ElementState = ElementState::Released;

/// Asserts which events belong to the overlay.
fn check(events: &[(Mode, WindowEvent, bool)]) {
    let mut gate = InputGate::default();
    for (at, (mode, event, ours)) in events.iter().enumerate() {
        assert_eq!(
            gate.takes(event, *mode, TOGGLE),
            *ours && stats_core::ENABLED,
            "{at}: {event:?}"
        );
    }
    assert!(gate.down.len() <= MAX_DOWN);
}

#[test]
fn the_full_overlay_has_the_input_and_leaves_the_window_to_the_game() {
    let device_id = DeviceId::dummy();
    let phase = TouchPhase::Moved;
    for event in [
        button(PRESS),
        moved(),
        wheel(phase),
        touch(1, TouchPhase::Started),
        WindowEvent::PinchGesture {
            device_id,
            delta: 0.1,
            phase,
        },
        WindowEvent::PanGesture {
            device_id,
            delta: PhysicalPosition::default(),
            phase,
        },
        WindowEvent::RotationGesture {
            device_id,
            delta: 0.1,
            phase,
        },
        WindowEvent::DoubleTapGesture { device_id },
        WindowEvent::TouchpadPressure {
            device_id,
            pressure: 1.0,
            stage: 1,
        },
        WindowEvent::AxisMotion {
            device_id,
            axis: 0,
            value: 1.0,
        },
        WindowEvent::Ime(Ime::Enabled),
        WindowEvent::Ime(Ime::Commit("a".to_owned())),
    ] {
        for mode in [Mode::Full, Mode::Watch, Mode::Hud, Mode::Hidden] {
            check(&[(mode, event.clone(), mode == Mode::Full)]);
        }
    }
    for event in [
        WindowEvent::Resized(PhysicalSize::new(1, 1)),
        WindowEvent::Moved(PhysicalPosition::default()),
        WindowEvent::CloseRequested,
        WindowEvent::Destroyed,
        WindowEvent::DroppedFile("a".into()),
        WindowEvent::Focused(true),
        WindowEvent::Focused(false),
        WindowEvent::ModifiersChanged(Modifiers::default()),
        WindowEvent::CursorEntered { device_id },
        WindowEvent::CursorLeft { device_id },
        WindowEvent::ThemeChanged(winit::window::Theme::Dark),
        WindowEvent::Occluded(true),
        WindowEvent::RedrawRequested,
    ] {
        check(&[
            (Mode::Full, event.clone(), false),
            (Mode::Hidden, event, false),
        ]);
    }
}

#[test]
fn an_input_pressed_in_the_game_is_released_to_the_game() {
    check(&[
        (Mode::Hud, button(PRESS), false),
        (Mode::Full, moved(), true),
        (Mode::Full, button(RELEASE), false),
        (Mode::Full, button(PRESS), true),
        (Mode::Full, button(RELEASE), true),
    ]);
    check(&[
        (Mode::Hidden, touch(7, TouchPhase::Started), false),
        (Mode::Full, touch(7, TouchPhase::Moved), true),
        (Mode::Full, touch(8, TouchPhase::Started), true),
        (Mode::Full, touch(7, TouchPhase::Cancelled), false),
        (Mode::Full, touch(8, TouchPhase::Ended), true),
    ]);
    check(&[
        (Mode::Hidden, WindowEvent::Ime(Ime::Enabled), false),
        (
            Mode::Full,
            WindowEvent::Ime(Ime::Preedit("a".to_owned(), None)),
            true,
        ),
        (Mode::Full, WindowEvent::Ime(Ime::Disabled), false),
    ]);
    check(&[(Mode::Full, button(RELEASE), false)]);
}

#[test]
fn the_game_never_sees_the_release_of_an_input_pressed_in_the_overlay() {
    check(&[
        (Mode::Full, button(PRESS), true),
        (Mode::Hidden, moved(), false),
        (Mode::Hidden, button(RELEASE), true),
        (Mode::Hidden, button(PRESS), false),
        (Mode::Hidden, button(RELEASE), false),
    ]);
    check(&[
        (Mode::Full, wheel(TouchPhase::Started), true),
        (Mode::Hidden, wheel(TouchPhase::Moved), true),
        (Mode::Hidden, wheel(TouchPhase::Ended), true),
        (Mode::Hidden, wheel(TouchPhase::Moved), false),
    ]);
    check(&[
        (Mode::Full, touch(7, TouchPhase::Started), true),
        (Mode::Hud, touch(7, TouchPhase::Moved), true),
        (Mode::Hud, touch(7, TouchPhase::Ended), true),
    ]);
}

#[test]
fn the_toggle_key_is_taken_in_every_mode_with_its_repeats_and_its_release() {
    let mut gate = InputGate::default();
    for is_full in [false, true, false] {
        assert!(gate.takes_input(key(KeyCode::F3, PRESS, false), is_full));
        assert!(gate.takes_input(key(KeyCode::F3, PRESS, true), !is_full));
        assert!(gate.takes_input(key(KeyCode::F3, RELEASE, false), !is_full));
        assert!(gate.down.is_empty());
    }
    // With a modifier, F3 is an ordinary key until its release.
    let other = key_input(PhysicalKey::Code(KeyCode::F3), PRESS, false, false);
    assert!(!gate.takes_input(other, false));
    assert!(!gate.takes_input(key(KeyCode::F3, PRESS, true), false));
    assert!(!gate.takes_input(key(KeyCode::F3, RELEASE, false), true));
}

#[test]
fn a_key_held_while_the_overlay_opens_does_not_stick() {
    let mut gate = InputGate::default();
    assert!(!gate.takes_input(key(KeyCode::KeyW, PRESS, false), false));
    assert!(gate.takes_input(key(KeyCode::F3, PRESS, false), false));
    assert!(gate.takes_input(key(KeyCode::KeyW, PRESS, true), true));
    assert!(gate.takes_input(key(KeyCode::KeyA, PRESS, false), true));
    assert!(!gate.takes_input(key(KeyCode::KeyW, RELEASE, false), true));
    assert!(gate.takes_input(key(KeyCode::F3, RELEASE, false), true));
    assert!(gate.takes_input(key(KeyCode::KeyA, PRESS, true), false));
    assert!(gate.takes_input(key(KeyCode::KeyA, RELEASE, false), false));
    assert!(gate.down.is_empty());
    assert!(gate.takes_input(key(KeyCode::KeyA, PRESS, false), true));
    assert!(!gate.takes_input(Input::FocusLost, true));
    assert!(!gate.takes_input(key(KeyCode::KeyA, RELEASE, false), true));
}

#[test]
fn lost_releases_do_not_accumulate() {
    let mut gate = InputGate::default();
    for id in 0..1000 {
        assert!(!gate.takes_input(down(Held::Touch(id)), false));
    }
    assert_eq!(gate.down.len(), MAX_DOWN);
}

#[test]
fn the_gate_has_the_same_modifiers_as_egui() {
    assert!(no_modifiers(ModifiersState::empty()));
    for held in [
        ModifiersState::SHIFT,
        ModifiersState::CONTROL,
        ModifiersState::ALT,
    ] {
        assert!(!no_modifiers(held));
    }
    let event = WindowEvent::ModifiersChanged(Modifiers::from(ModifiersState::SHIFT));
    let mut gate = InputGate::default();
    gate.takes(&event, Mode::Full, TOGGLE);
    assert_eq!(gate.modifiers == ModifiersState::SHIFT, stats_core::ENABLED);
}

/// Typed characters, and the keys of egui that they stand for.
const TYPED: &[(&str, K)] = &[
    ("a", K::A),
    ("Z", K::Z),
    ("7", K::Num7),
    ("`", K::Backtick),
    ("/", K::Slash),
    ("+", K::Plus),
    ("?", K::Questionmark),
];

/// Named keys, and the keys of egui that they stand for.
const NAMED: &[(NamedKey, K)] = &[
    (NamedKey::F1, K::F1),
    (NamedKey::F3, K::F3),
    (NamedKey::F12, K::F12),
    (NamedKey::F35, K::F35),
    (NamedKey::Escape, K::Escape),
    (NamedKey::Space, K::Space),
    (NamedKey::Tab, K::Tab),
    (NamedKey::Enter, K::Enter),
    (NamedKey::Backspace, K::Backspace),
    (NamedKey::Insert, K::Insert),
    (NamedKey::Delete, K::Delete),
    (NamedKey::Home, K::Home),
    (NamedKey::End, K::End),
    (NamedKey::PageUp, K::PageUp),
    (NamedKey::PageDown, K::PageDown),
    (NamedKey::ArrowUp, K::ArrowUp),
    (NamedKey::ArrowDown, K::ArrowDown),
    (NamedKey::ArrowLeft, K::ArrowLeft),
    (NamedKey::ArrowRight, K::ArrowRight),
    (NamedKey::Copy, K::Copy),
    (NamedKey::Cut, K::Cut),
    (NamedKey::Paste, K::Paste),
    (NamedKey::BrowserBack, K::BrowserBack),
];

/// Places on the keyboard, and the keys of egui that they stand for if egui does not know the typed
/// character.
const PLACED: &[(KeyCode, K)] = &[
    (KeyCode::Backquote, K::Backtick),
    (KeyCode::KeyA, K::A),
    (KeyCode::KeyZ, K::Z),
    (KeyCode::Digit0, K::Num0),
    (KeyCode::Numpad9, K::Num9),
    (KeyCode::NumpadEnter, K::Enter),
    (KeyCode::NumpadAdd, K::Plus),
    (KeyCode::NumpadSubtract, K::Minus),
    (KeyCode::NumpadDivide, K::Slash),
    (KeyCode::BracketLeft, K::OpenBracket),
    (KeyCode::BracketRight, K::CloseBracket),
    (KeyCode::Semicolon, K::Semicolon),
    (KeyCode::Quote, K::Quote),
    (KeyCode::Backslash, K::Backslash),
    (KeyCode::Minus, K::Minus),
    (KeyCode::Equal, K::Equals),
    (KeyCode::Comma, K::Comma),
    (KeyCode::Period, K::Period),
    (KeyCode::F3, K::F3),
    (KeyCode::F24, K::F24),
    (KeyCode::ShiftLeft, K::ShiftLeft),
    (KeyCode::SuperRight, K::SuperRight),
    (KeyCode::IntlBackslash, K::IntlBackslash),
];

#[test]
fn a_key_is_identified_by_its_character_or_else_by_its_position() {
    const UNKNOWN: PhysicalKey = PhysicalKey::Unidentified(NativeKeyCode::Unidentified);
    for &(text, key) in TYPED {
        assert_eq!(
            key_of(UNKNOWN, &Key::Character(text.into())),
            Some(key),
            "{text}"
        );
    }
    for &(named, key) in NAMED {
        assert_eq!(key_of(UNKNOWN, &Key::Named(named)), Some(key), "{named:?}");
    }
    for &(code, key) in PLACED {
        let unidentified = Key::Unidentified(NativeKey::Unidentified);
        assert_eq!(
            key_of(PhysicalKey::Code(code), &unidentified),
            Some(key),
            "{code:?}"
        );
    }
    // On a Cyrillic layout, this key types a character that egui does not know, so its place
    // counts. On AZERTY, the typed character counts.
    assert_eq!(
        key_of(
            PhysicalKey::Code(KeyCode::KeyF),
            &Key::Character("а".into())
        ),
        Some(K::F)
    );
    assert_eq!(
        key_of(
            PhysicalKey::Code(KeyCode::KeyQ),
            &Key::Character("a".into())
        ),
        Some(K::A)
    );
    assert_eq!(
        key_of(PhysicalKey::Code(KeyCode::Backquote), &Key::Dead(Some('^'))),
        Some(K::Backtick)
    );
    assert_eq!(key_of(UNKNOWN, &Key::Named(NamedKey::Hyper)), None);
}
