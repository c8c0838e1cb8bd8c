//! Messages about input.

use bevy_ecs::prelude::*;
use bevy_input::gamepad::{
    GamepadAxisChangedEvent, GamepadButtonChangedEvent, GamepadButtonStateChangedEvent,
    GamepadEvent,
};
use bevy_input::gestures::{DoubleTapGesture, PanGesture, PinchGesture, RotationGesture};
use bevy_input::keyboard::KeyboardInput;
use bevy_input::mouse::{MouseButtonInput, MouseMotion, MouseWheel};
use bevy_input::touch::TouchInput;
use bevy_window::{CursorMoved, Ime};

use crate::input::taken::TakenInput;

/// Clears the messages about input while the overlay has it.
pub(super) fn clear_messages(world: &mut World) {
    if !world.resource::<TakenInput>().by_overlay() {
        return;
    }
    clear::<KeyboardInput>(world);
    clear::<MouseButtonInput>(world);
    clear::<MouseMotion>(world);
    clear::<MouseWheel>(world);
    clear::<CursorMoved>(world);
    clear::<TouchInput>(world);
    clear::<Ime>(world);
    clear::<PinchGesture>(world);
    clear::<RotationGesture>(world);
    clear::<DoubleTapGesture>(world);
    clear::<PanGesture>(world);
    clear::<GamepadEvent>(world);
    clear::<GamepadButtonChangedEvent>(world);
    clear::<GamepadButtonStateChangedEvent>(world);
    clear::<GamepadAxisChangedEvent>(world);
}

fn clear<M: Message>(world: &mut World) {
    if let Some(mut messages) = world.get_resource_mut::<Messages<M>>() {
        messages.clear();
    }
}
