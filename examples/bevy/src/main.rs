//! The overlay in a Bevy game: about a thousand bouncing balls, with Bevy's diagnostics, render
//! passes and states among the counters.
//!
//! F3 cycles the overlay from hidden to HUD to the panes over the game to full. The arrow keys push
//! the balls, a click adds a hundred, Space pauses them, and `S` saves the game, which is a hitch; but
//! only while the overlay does not have the input. `V` in the overlay records a run. With
//! `--pictures`, the overlay has pictures of hitches.
#![forbid(unsafe_code)]

mod balls;
mod gpu;

use bevy::prelude::*;
use stats_bevy::stats_overlay::Mode;
use stats_bevy::{MarkStates, Overlay, StatsOverlayPlugin};

fn main() -> AppExit {
    let window = Window {
        title: "Bevy with stats-overlay".to_owned(),
        resolution: (1280, 800).into(),
        ..default()
    };
    let plugins = DefaultPlugins.set(WindowPlugin {
        primary_window: Some(window),
        ..default()
    });
    #[cfg(feature = "systems")]
    let plugins = plugins.set(bevy::log::LogPlugin {
        custom_layer: stats_bevy::system_timers,
        ..default()
    });
    let mut app = App::new();
    app.add_plugins((
        plugins,
        StatsOverlayPlugin {
            mode: Mode::Hud,
            pictures: std::env::args_os().any(|word| word == "--pictures"),
            ..default()
        },
        balls::BallsPlugin,
        gpu::GpuTimePlugin,
    ));
    app.mark_states::<balls::GameState>();
    app.world_mut().resource_mut::<Overlay>().preset(
        "Balls",
        [
            "frame time",
            "gpu/frame",
            "balls/bounces",
            "balls/move",
            "bevy/entities",
        ],
    );
    app.run()
}
