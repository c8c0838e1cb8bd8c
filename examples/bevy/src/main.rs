//! The overlay in a Bevy game: some thousand balls that bounce, and Bevy's own diagnostics among
//! the counters.
//!
//! F3 cycles hidden → HUD → full. Arrow keys blow the balls about, the mouse button adds a hundred,
//! both only while the overlay does not have the input.

mod balls;
mod diagnostics;
mod overlay;

use bevy::prelude::*;

fn main() -> AppExit {
    let window = Window {
        title: "Bevy with stats-overlay".to_owned(),
        resolution: (1280, 800).into(),
        ..default()
    };
    App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        }))
        .add_plugins((
            balls::BallsPlugin,
            diagnostics::DiagnosticsPlugin,
            overlay::OverlayPlugin,
        ))
        .run()
}
