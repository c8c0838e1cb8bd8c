//! Game pads.

use std::collections::{HashMap, HashSet};

use bevy_ecs::prelude::*;
use bevy_input::gamepad::{Gamepad, GamepadButton, GamepadInput};

use crate::input::taken::{TakenInput, empty};

/// The value up to which a button counts as released, which is Bevy's default.
const RELEASED: f32 = 0.65;

/// Empties game pads while the overlay has the input. Positions of sticks and triggers are kept,
/// and restored when the game has it again: a pad reports only changes. Buttons that are still held
/// then stay released until they are pressed again.
pub(super) fn divide_pads(
    taken: Res<TakenInput>,
    mut pads: Query<(Entity, &mut Gamepad)>,
    mut positions: Local<HashMap<(Entity, GamepadInput), f32>>,
    mut held: Local<HashSet<(Entity, GamepadButton)>>,
) {
    if taken.by_overlay() {
        for (entity, mut pad) in &mut pads {
            let pressed = pad.digital().get_pressed().copied();
            held.extend(pressed.map(|button| (entity, button)));
            empty(pad.digital_mut(), taken.opens());
            let moved: Vec<GamepadInput> = pad.analog().all_axes().copied().collect();
            for input in moved {
                if let Some(position) = pad.analog_mut().remove(input) {
                    positions.insert((entity, input), position);
                }
            }
        }
        return;
    }
    if taken.closes() {
        for ((entity, input), position) in positions.drain() {
            // A position that is already set was reported in this frame.
            if let Ok((_, mut pad)) = pads.get_mut(entity)
                && pad.analog().get_unclamped(input).is_none()
            {
                pad.analog_mut().set(input, position);
            }
        }
    }
    // Bevy presses a held trigger again whenever it moves.
    held.retain(|(entity, button)| {
        let Ok((_, mut pad)) = pads.get_mut(*entity) else {
            return false;
        };
        let value = pad.analog().get_unclamped(*button).unwrap_or_default();
        if value > RELEASED {
            pad.digital_mut().reset(*button);
        }
        value > RELEASED
    });
}
