//! Game pads.

use std::collections::HashMap;

use bevy_ecs::prelude::*;
use bevy_input::gamepad::{Gamepad, GamepadInput};

use crate::input::taken::{TakenInput, empty};

/// Empties game pads while the overlay has the input. Positions of sticks and triggers are kept,
/// and restored when the game has it again: a pad reports only changes.
pub(super) fn divide_pads(
    taken: Res<TakenInput>,
    mut pads: Query<(Entity, &mut Gamepad)>,
    mut positions: Local<HashMap<(Entity, GamepadInput), f32>>,
) {
    if taken.by_overlay() {
        for (entity, mut pad) in &mut pads {
            empty(pad.digital_mut(), taken.opens());
            let moved: Vec<GamepadInput> = pad.analog().all_axes().copied().collect();
            for input in moved {
                if let Some(position) = pad.analog_mut().remove(input) {
                    positions.insert((entity, input), position);
                }
            }
        }
    } else if taken.closes() {
        for ((entity, input), position) in positions.drain() {
            // A position that is already set was reported in this frame.
            if let Ok((_, mut pad)) = pads.get_mut(entity)
                && pad.analog().get_unclamped(input).is_none()
            {
                pad.analog_mut().set(input, position);
            }
        }
    }
}
