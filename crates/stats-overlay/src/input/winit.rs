//! Decides which events of a winit window belong to the overlay and which to the game.
//!
//! A press belongs to the side that has the input at that moment. Its release goes to the same
//! side, even if the overlay opens or closes in between, so no key sticks in the game, and the game
//! never sees a release without a press. The same applies to touches and gestures.

use winit::event::{ElementState, Ime, MouseButton, TouchPhase, WindowEvent};
use winit::keyboard::{Key, ModifiersState, PhysicalKey};

use crate::input::mode::Mode;

/// The maximum number of inputs that can be down at a time. If more go down, the game gets the
/// release of the oldest one.
const MAX_DOWN: usize = 64;

/// Something that is pressed and released.
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

/// An event, reduced to what the gate needs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Input {
    Down {
        held: Held,
        repeat: bool,
        /// Whether it is the key that shows and hides the overlay.
        toggles: bool,
    },
    /// Movement, by itself or as part of an input that is down.
    Move(Option<Held>),
    Up(Held),
    Modifiers(ModifiersState),
    FocusLost,
    /// An event that is not an input of the user.
    Other,
}

/// Divides the events of one window between the overlay and the game.
#[derive(Debug, Default)]
pub(crate) struct InputGate {
    /// The inputs that are down, and whether each belongs to the overlay.
    down: Vec<(Held, bool)>,
    modifiers: ModifiersState,
}

impl InputGate {
    /// Returns whether the event belongs to the overlay, so that the game must not see it. Pass
    /// every event of the window, in order, with the overlay's current mode and toggle key.
    ///
    /// - In full mode: keys, buttons, the wheel, cursor movement, touches, gestures, and the text
    ///   of an input method.
    /// - In the other modes: the toggle key without modifiers.
    /// - In every mode: everything about an input that belonged to the overlay when it was pressed,
    ///   up to its release.
    ///
    /// Never: the release of an input that belonged to the game when it was pressed; the window's
    /// size, focus, scale, theme and closing; the modifiers; the cursor entering and leaving;
    /// dropped files.
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
                // The game does not need the repeats of a key that it saw go down.
                ours || is_full
            }
            Input::Move(held) => is_full || held.and_then(|held| self.owned(held)) == Some(true),
            Input::Up(held) => {
                let ours = self.owned(held);
                self.down.retain(|(of, _)| *of != held);
                // An input that was pressed before the first event belongs to the game.
                ours == Some(true)
            }
            Input::Modifiers(modifiers) => {
                self.modifiers = modifiers;
                false
            }
            Input::FocusLost => {
                // Not every platform reports releases while another window has the focus.
                self.down.clear();
                false
            }
            Input::Other => false,
        }
    }

    /// Returns whether an input belongs to the overlay; `None` if it is not down.
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

/// Returns whether none of egui's modifiers is held.
fn no_modifiers(modifiers: ModifiersState) -> bool {
    let command = cfg!(target_os = "macos") && modifiers.super_key();
    !(modifiers.shift_key() || modifiers.control_key() || modifiers.alt_key() || command)
}

/// Returns the key that egui reports: the one that types this character or, if egui has none, the
/// one at this place on a US keyboard.
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

/// Returns egui's key for winit's name. Both name keys as the web does, except for a few.
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
mod tests;
