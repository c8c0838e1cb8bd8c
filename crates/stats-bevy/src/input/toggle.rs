//! The toggle key, which acts before the input is divided: a frame in which it opens the overlay
//! belongs to the overlay.

use bevy_ecs::prelude::*;
use bevy_egui::helpers::{bevy_to_egui_key, bevy_to_egui_physical_key};
use bevy_egui::{EguiInput, egui};
use bevy_input::ButtonInput;
use bevy_input::keyboard::{Key, KeyCode, KeyboardFocusLost, KeyboardInput};
use stats_overlay::Action;

use crate::input::taken::TakenInput;
use crate::overlay::Overlay;

/// Changes the mode for each press of the toggle key, hides the key from the game, and decides who
/// gets the input of this frame.
pub(super) fn toggle(
    mut events: MessageReader<KeyboardInput>,
    mut focus_lost: MessageReader<KeyboardFocusLost>,
    mut keys: ResMut<ButtonInput<KeyCode>>,
    mut logical_keys: ResMut<ButtonInput<Key>>,
    mut modifiers: Local<Vec<KeyCode>>,
    mut overlay: ResMut<Overlay>,
    mut taken: ResMut<TakenInput>,
) {
    let was_full = overlay.wants_input();
    for event in events.read() {
        if is_modifier(&event.logical_key) {
            modifiers.retain(|&down| down != event.key_code);
            if event.state.is_pressed() {
                modifiers.push(event.key_code);
            }
        } else if overlay.settings().key == key_of(event) && modifiers.is_empty() {
            if event.state.is_pressed() && !event.repeat {
                overlay.act(Action::CycleMode);
            }
            keys.reset(event.key_code);
            logical_keys.reset(event.logical_key.clone());
        }
    }
    if focus_lost.read().count() > 0 {
        modifiers.clear();
    }
    taken.begin_frame(was_full || overlay.wants_input());
}

/// Removes the toggle key, and the character that it types, from egui's input: it has acted
/// already.
pub(super) fn take_toggle_key(mut inputs: Query<&mut EguiInput>, overlay: Res<Overlay>) {
    let Some(key) = overlay.settings().key else {
        return;
    };
    for mut input in &mut inputs {
        if input.events.iter().any(|event| is_key(event, key)) {
            let mut kept: Vec<egui::Event> = Vec::with_capacity(input.events.len());
            for event in input.events.drain(..) {
                // bevy_egui reports a character directly before its key.
                if !is_key(&event, key) {
                    kept.push(event);
                } else if kept.last().is_some_and(|last| types(last, key)) {
                    kept.pop();
                }
            }
            input.events = kept;
        }
    }
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

fn is_key(event: &egui::Event, key: egui::Key) -> bool {
    matches!(
        event,
        egui::Event::Key { key: of, modifiers, .. }
            if *of == key && *modifiers == egui::Modifiers::NONE
    )
}

fn types(event: &egui::Event, key: egui::Key) -> bool {
    matches!(event, egui::Event::Text(text) if egui::Key::from_name(text) == Some(key))
}
