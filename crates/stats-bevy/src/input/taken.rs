//! Keys, buttons, the mouse and fingers, which the game does not see while the overlay has the
//! input.

use std::collections::HashSet;
use std::hash::Hash;

use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy_input::mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll, MouseButton};
use bevy_input::touch::{TouchInput, TouchPhase, Touches};

/// Which side gets the input of a frame, and the keys and fingers that the game must not see until
/// they are released.
#[derive(Resource, Debug, Default)]
pub(super) struct TakenInput {
    /// Whether this frame's input belongs to the overlay.
    now: bool,
    /// Whether the previous frame's input did.
    before: bool,
    /// Pressed keys that belong to the overlay. The game does not see their repeats.
    keys: HashSet<KeyCode>,
    /// Fingers that belong to the overlay. The game does not see them lifted.
    fingers: HashSet<u64>,
}

impl TakenInput {
    pub(super) fn begin_frame(&mut self, by_overlay: bool) {
        self.before = std::mem::replace(&mut self.now, by_overlay);
    }

    /// Returns whether this frame's input belongs to the overlay.
    pub(super) fn by_overlay(&self) -> bool {
        self.now
    }

    /// Returns whether the overlay has the input from this frame on.
    pub(super) fn opens(&self) -> bool {
        self.now && !self.before
    }

    /// Returns whether the game has the input again from this frame on.
    pub(super) fn closes(&self) -> bool {
        self.before && !self.now
    }
}

/// Empties the game's input while the overlay has it.
pub(super) fn divide(
    mut taken: ResMut<TakenInput>,
    mut key_events: MessageReader<KeyboardInput>,
    mut touch_events: MessageReader<TouchInput>,
    mut keys: ResMut<ButtonInput<KeyCode>>,
    mut logical_keys: ResMut<ButtonInput<Key>>,
    mut buttons: ResMut<ButtonInput<MouseButton>>,
    mut motion: ResMut<AccumulatedMouseMotion>,
    mut scroll: ResMut<AccumulatedMouseScroll>,
    mut touches: ResMut<Touches>,
) {
    if taken.by_overlay() {
        let opens = taken.opens();
        taken.keys.extend(keys.get_pressed());
        taken.fingers.extend(touches.iter().map(|touch| touch.id()));
        empty(&mut keys, opens);
        empty(&mut logical_keys, opens);
        empty(&mut buttons, opens);
        empty_touches(&mut touches, opens);
        *motion = AccumulatedMouseMotion::default();
        *scroll = AccumulatedMouseScroll::default();
    }
    for event in key_events.read() {
        if !event.state.is_pressed() || !(event.repeat || taken.by_overlay()) {
            taken.keys.remove(&event.key_code);
        } else if taken.keys.contains(&event.key_code) {
            keys.reset(event.key_code);
            logical_keys.reset(event.logical_key.clone());
        }
    }
    for event in touch_events.read() {
        match event.phase {
            TouchPhase::Moved => {}
            TouchPhase::Started if taken.by_overlay() => {}
            TouchPhase::Started => _ = taken.fingers.remove(&event.id),
            TouchPhase::Ended | TouchPhase::Canceled => {
                if taken.fingers.remove(&event.id) {
                    touches.clear_just_released(event.id);
                    touches.clear_just_canceled(event.id);
                }
            }
        }
    }
}

/// Empties buttons. When the overlay `opens`, those that the game has seen pressed are released.
pub(super) fn empty<T>(input: &mut ButtonInput<T>, opens: bool)
where
    T: Clone + Eq + Hash + Send + Sync + 'static,
{
    if !opens {
        return input.reset_all();
    }
    let new: Vec<T> = input.get_just_pressed().cloned().collect();
    for pressed in new {
        input.reset(pressed);
    }
    input.release_all();
}

fn empty_touches(touches: &mut Touches, opens: bool) {
    if !opens {
        return touches.reset_all();
    }
    let new: Vec<u64> = touches
        .iter_just_pressed()
        .map(|touch| touch.id())
        .collect();
    touches.release_all();
    for id in new {
        touches.clear_just_pressed(id);
        touches.clear_just_released(id);
    }
}
