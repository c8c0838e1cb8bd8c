//! The overlay as a Bevy plugin: the two lines that every host needs, and a run condition for
//! systems that read input.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};
use stats_capture::{RecordingOptions, Recordings};
use stats_overlay::{Mode, StatsOverlay};

/// The overlay, as a resource.
#[derive(Resource)]
pub(crate) struct Overlay(StatsOverlay);

/// Records the run between two presses of a key, and into the file named by the variable
/// `STATS_CAPTURE`.
#[derive(Resource)]
struct Recording(Recordings);

/// Draws the overlay over the game.
pub(crate) struct OverlayPlugin;

impl Plugin for OverlayPlugin {
    fn build(&self, app: &mut App) {
        let mut overlay = StatsOverlay::new(); // 1
        overlay.set_mode(Mode::Hud);
        overlay.preset(
            "Balls",
            [
                "frame time",
                "balls/bounces",
                "balls/move",
                "bevy/entity_count",
            ],
        );
        let recordings = Recordings::from_env().unwrap_or_else(|error| {
            eprintln!("the run is not recorded: {error}");
            Recordings::new(RecordingOptions::default())
        });
        overlay.set_recording(recordings.control());
        app.add_plugins(EguiPlugin::default());
        app.insert_resource(Overlay(overlay));
        app.insert_resource(Recording(recordings));
        app.add_systems(EguiPrimaryContextPass, show);
        app.add_systems(Last, record);
    }
}

fn show(mut contexts: EguiContexts, mut overlay: ResMut<Overlay>) -> Result {
    overlay.0.show(contexts.ctx_mut()?); // 2: once per frame
    Ok(())
}

fn record(mut recording: ResMut<Recording>) {
    recording.0.end_frame();
}

/// Returns whether keyboard and pointer belong to the game. It is the run condition of every system
/// that reads input.
pub(crate) fn game_has_input(overlay: Res<Overlay>) -> bool {
    !overlay.0.wants_input()
}
