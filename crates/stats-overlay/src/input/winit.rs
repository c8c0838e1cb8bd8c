//! Which events of a winit window are the overlay's, and which the game's.
//!
//! What is pressed belongs to whoever had the input when it went down, and its release goes there
//! too, whatever was opened or closed in between: no key of the game sticks, and none of the
//! overlay's comes up in the game without having gone down. The same goes for fingers and gestures.

use winit::event::{ElementState, Ime, MouseButton, TouchPhase, WindowEvent};
use winit::keyboard::{Key, ModifiersState, PhysicalKey};

use crate::input::mode::Mode;

/// How many inputs can be down at a time. Of more, the release of the first goes to the game.
const MAX_DOWN: usize = 64;

/// Something that goes down and comes up again.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Held {
    Key(PhysicalKey),
    Button(MouseButton),
    Touch(u64),
    Wheel,
    Pinch,
    Pan,
    Rotation,
    Ime,
}

/// What an event does to the gate.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Input {
    Down {
        held: Held,
        repeat: bool,
        /// Whether it is the key that shows and hides the overlay.
        toggles: bool,
    },
    /// It goes on; by itself, or as part of what is down.
    Move(Option<Held>),
    Up(Held),
    Modifiers(ModifiersState),
    FocusLost,
    /// Not input of the user.
    Other,
}

/// Sorts the events of one window into the overlay's and the game's.
#[derive(Debug, Default)]
pub(crate) struct InputGate {
    /// What is down, and whether that is the overlay's.
    down: Vec<(Held, bool)>,
    modifiers: ModifiersState,
}

impl InputGate {
    /// Whether the event is the overlay's, so that the game must not see it. Pass every event of
    /// the window, in order, with the overlay's mode and toggle key as they are.
    ///
    /// - In full mode: keys, buttons, the wheel, the cursor's movement, touches, gestures, what an
    ///   input method writes.
    /// - In the other modes: the toggle key without modifiers.
    /// - In every mode: what goes on with an input that went down as the overlay's, up to its
    ///   release.
    ///
    /// Never: the release of what went down as the game's; the window's size, focus, scale, theme
    /// and closing; the modifiers; the cursor's entering and leaving; dropped files.
    pub(crate) fn takes(
        &mut self,
        event: &WindowEvent,
        mode: Mode,
        key: Option<egui::Key>,
    ) -> bool {
        stats_core::ENABLED
            && self.takes_input(classified(event, key, self.modifiers), mode == Mode::Full)
    }

    fn takes_input(&mut self, input: Input, is_full: bool) -> bool {
        match input {
            Input::Down {
                held,
                repeat,
                toggles,
            } => {
                let before = self.owned(held).filter(|_| repeat);
                let ours = before.unwrap_or(is_full || toggles);
                self.set_down(held, ours);
                // The repetitions of what the game holds are nothing that it could miss.
                ours || is_full
            }
            Input::Move(held) => is_full || held.and_then(|held| self.owned(held)) == Some(true),
            Input::Up(held) => {
                let ours = self.owned(held);
                self.down.retain(|(of, _)| *of != held);
                // What went down before anything was known of it was the game's.
                ours == Some(true)
            }
            Input::Modifiers(modifiers) => {
                self.modifiers = modifiers;
                false
            }
            Input::FocusLost => {
                // Not every platform tells of releases in other windows.
                self.down.clear();
                false
            }
            Input::Other => false,
        }
    }

    /// Whether what is down is the overlay's; `None` where it is not down.
    fn owned(&self, held: Held) -> Option<bool> {
        self.down
            .iter()
            .find(|(of, _)| *of == held)
            .map(|(_, ours)| *ours)
    }

    fn set_down(&mut self, held: Held, ours: bool) {
        self.down.retain(|(of, _)| *of != held);
        if self.down.len() == MAX_DOWN {
            self.down.remove(0);
        }
        self.down.push((held, ours));
    }
}

fn classified(event: &WindowEvent, key: Option<egui::Key>, modifiers: ModifiersState) -> Input {
    match event {
        WindowEvent::KeyboardInput { event, .. } => {
            let toggles = key.is_some()
                && no_modifiers(modifiers)
                && key_of(event.physical_key, &event.logical_key) == key;
            key_input(event.physical_key, event.state, event.repeat, toggles)
        }
        WindowEvent::MouseInput {
            state: ElementState::Pressed,
            button,
            ..
        } => down(Held::Button(*button)),
        WindowEvent::MouseInput {
            state: ElementState::Released,
            button,
            ..
        } => Input::Up(Held::Button(*button)),
        WindowEvent::Touch(touch) => phased(Held::Touch(touch.id), touch.phase),
        WindowEvent::MouseWheel { phase, .. } => phased(Held::Wheel, *phase),
        WindowEvent::PinchGesture { phase, .. } => phased(Held::Pinch, *phase),
        WindowEvent::PanGesture { phase, .. } => phased(Held::Pan, *phase),
        WindowEvent::RotationGesture { phase, .. } => phased(Held::Rotation, *phase),
        WindowEvent::Ime(Ime::Enabled) => down(Held::Ime),
        WindowEvent::Ime(Ime::Preedit(..) | Ime::Commit(_)) => Input::Move(Some(Held::Ime)),
        WindowEvent::Ime(Ime::Disabled) => Input::Up(Held::Ime),
        WindowEvent::CursorMoved { .. }
        | WindowEvent::DoubleTapGesture { .. }
        | WindowEvent::TouchpadPressure { .. }
        | WindowEvent::AxisMotion { .. } => Input::Move(None),
        WindowEvent::ModifiersChanged(modifiers) => Input::Modifiers(modifiers.state()),
        WindowEvent::Focused(false) => Input::FocusLost,
        _ => Input::Other,
    }
}

const fn down(held: Held) -> Input {
    Input::Down {
        held,
        repeat: false,
        toggles: false,
    }
}

const fn key_input(key: PhysicalKey, state: ElementState, repeat: bool, toggles: bool) -> Input {
    let held = Held::Key(key);
    match state {
        ElementState::Pressed => Input::Down {
            held,
            repeat,
            toggles,
        },
        ElementState::Released => Input::Up(held),
    }
}

const fn phased(held: Held, phase: TouchPhase) -> Input {
    match phase {
        TouchPhase::Started => down(held),
        TouchPhase::Moved => Input::Move(Some(held)),
        TouchPhase::Ended | TouchPhase::Cancelled => Input::Up(held),
    }
}

/// Whether none is held of what egui calls a modifier.
fn no_modifiers(modifiers: ModifiersState) -> bool {
    let command = cfg!(target_os = "macos") && modifiers.super_key();
    !(modifiers.shift_key() || modifiers.control_key() || modifiers.alt_key() || command)
}

/// The key that egui takes it for: what it types, or where that is no key of egui's, the key at its
/// place on an American keyboard.
fn key_of(physical: PhysicalKey, logical: &Key) -> Option<egui::Key> {
    let logical = match logical {
        Key::Named(named) => key_named(&format!("{named:?}")),
        Key::Character(text) => egui::Key::from_name(text),
        Key::Unidentified(_) | Key::Dead(_) => None,
    };
    logical.or_else(|| match physical {
        PhysicalKey::Code(code) => key_named(&format!("{code:?}")),
        PhysicalKey::Unidentified(_) => None,
    })
}

/// winit and egui both name keys after the web's; these are the ones that differ.
fn key_named(name: &str) -> Option<egui::Key> {
    egui::Key::from_name(match name {
        "ContextMenu" => "Menu",
        "LaunchApplication1" => "LaunchApp1",
        "LaunchApplication2" => "LaunchApp2",
        "Standby" => "Sleep",
        name => name,
    })
}

#[cfg(test)]
#[path = "winit_tests.rs"]
mod tests;
