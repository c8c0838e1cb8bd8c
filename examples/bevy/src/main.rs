//! The overlay in a Bevy game: about a thousand bouncing balls, and Bevy's own diagnostics among
//! the counters.
//!
//! F3 cycles the overlay from hidden to HUD to the panes over the game to full. The arrow keys push
//! the balls, and a click adds a hundred, but only while the overlay does not take the input.
//!
//! Your own game needs only `overlay.rs`; `diagnostics.rs` is optional.
#![forbid(unsafe_code)]

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
