//! The toggle key, which acts before the input is divided: a frame in which it opens the overlay
//! belongs to the overlay. Without an egui context, the overlay cannot be drawn and takes no input.

use bevy_ecs::prelude::*;
use bevy_egui::egui;
use bevy_egui::helpers::{bevy_to_egui_key, bevy_to_egui_physical_key};
use bevy_input::keyboard::{
    Key, KeyCode, KeyboardFocusLost, KeyboardInput, NativeKey, NativeKeyCode,
};
use bevy_input::{ButtonInput, ButtonState};
use stats_overlay::Action;

use crate::input::taken::TakenInput;
use crate::overlay::{Overlay, PrimaryContexts};

/// Changes the mode for each press of the toggle key, hides the key from the game and from egui,
/// and decides who gets the input of this frame.
pub(super) fn toggle(
    mut events: MessageMutator<KeyboardInput>,
    contexts: PrimaryContexts,
    mut focus_lost: MessageReader<KeyboardFocusLost>,
    mut keys: ResMut<ButtonInput<KeyCode>>,
    mut logical_keys: ResMut<ButtonInput<Key>>,
    mut modifiers: Local<Vec<KeyCode>>,
    mut overlay: ResMut<Overlay>,
    mut taken: ResMut<TakenInput>,
) {
    let was_full = overlay.wants_input();
    let key = overlay.settings().key;
    for event in events.read() {
        if is_modifier(&event.logical_key) {
            modifiers.retain(|&down| down != event.key_code);
            if event.state.is_pressed() {
                modifiers.push(event.key_code);
            }
        } else if key.is_some() && key == key_of(event) && modifiers.is_empty() {
            if event.state.is_pressed() && !event.repeat {
                overlay.act(Action::CycleMode);
            }
            keys.reset(event.key_code);
            logical_keys.reset(event.logical_key.clone());
            hide(event);
        }
    }
    if focus_lost.read().count() > 0 {
        modifiers.clear();
    }
    let is_full = was_full || overlay.wants_input();
    taken.begin_frame(is_full && !contexts.is_empty());
}

/// Turns a message into the release of an unknown key, because a message cannot be removed.
fn hide(event: &mut KeyboardInput) {
    event.key_code = KeyCode::Unidentified(NativeKeyCode::Unidentified);
    event.logical_key = Key::Unidentified(NativeKey::Unidentified);
    event.state = ButtonState::Released;
    (event.text, event.repeat) = (None, false);
}

/// Returns the key as bevy_egui reports it: the logical key, or else the physical one.
fn key_of(event: &KeyboardInput) -> Option<egui::Key> {
    bevy_to_egui_key(&event.logical_key).or_else(|| bevy_to_egui_physical_key(&event.key_code))
}

fn is_modifier(key: &Key) -> bool {
    matches!(
        key,
        Key::Shift | Key::Control | Key::Alt | Key::Super | Key::Meta
    )
}
