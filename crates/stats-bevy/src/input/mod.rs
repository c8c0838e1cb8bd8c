//! Divides the user's input between the game and the overlay.
//!
//! Two systems run in `PreUpdate`. [`divide`] runs after Bevy's own input systems, so that systems
//! after `InputSystems` see its result. [`clear_messages`] runs after egui has read the messages.

mod messages;
mod pads;
mod taken;
mod toggle;

use bevy_app::{App, PreUpdate};
use bevy_ecs::prelude::*;
use bevy_egui::EguiPreUpdateSet;
use bevy_input::InputSystems;
use bevy_input::gamepad::gamepad_event_processing_system;
use bevy_input::keyboard::{KeyboardInput, keyboard_input_system};
use bevy_input::mouse::{
    accumulate_mouse_motion_system, accumulate_mouse_scroll_system, mouse_button_input_system,
};
use bevy_input::touch::touch_screen_input_system;

use crate::overlay::{Overlay, PrimaryContexts};
use messages::clear_messages;
use pads::divide_pads;
use taken::{TakenInput, divide};
use toggle::toggle;

/// The systems in `PreUpdate` that take the input from the game while the overlay is full.
///
/// A system in `PreUpdate` that runs after this set sees only the game's input. One that runs
/// before it sees all input.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatsInputSystems;

/// Returns whether the input belongs to the game: the overlay is not full. A run condition for
/// systems that read input that cannot be emptied; see [the crate](crate#input).
///
/// True if there is no [`Overlay`], or no camera that it is drawn on.
pub fn game_has_input(overlay: Option<Res<Overlay>>, contexts: PrimaryContexts) -> bool {
    contexts.is_empty() || !overlay.is_some_and(|overlay| overlay.wants_input())
}

pub(crate) fn add(app: &mut App, takes_input: bool) {
    app.init_resource::<TakenInput>();
    let has_keyboard = resource_exists::<Messages<KeyboardInput>>;
    app.add_systems(
        PreUpdate,
        toggle
            .run_if(has_keyboard)
            .in_set(InputSystems)
            .after(keyboard_input_system),
    );
    if !takes_input {
        return;
    }
    app.add_systems(
        PreUpdate,
        (
            (divide, divide_pads)
                .chain()
                .run_if(has_keyboard)
                .in_set(InputSystems)
                .in_set(StatsInputSystems)
                .after(toggle)
                .after(keyboard_input_system)
                .after(mouse_button_input_system)
                .after(accumulate_mouse_motion_system)
                .after(accumulate_mouse_scroll_system)
                .after(touch_screen_input_system)
                .after(gamepad_event_processing_system),
            clear_messages
                .run_if(has_keyboard)
                .in_set(StatsInputSystems)
                .after(EguiPreUpdateSet::ProcessInput),
        ),
    );
}
