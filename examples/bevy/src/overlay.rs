//! The overlay as a Bevy plugin: the two lines that every host needs, and a run condition for
//! systems that read input.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};
use stats_capture::Capture;
use stats_overlay::{Mode, StatsOverlay};

/// The overlay, as a resource.
#[derive(Resource)]
pub(crate) struct Overlay(StatsOverlay);

/// Records the run into the file that the environment variable `STATS_CAPTURE` names.
#[derive(Resource)]
struct Recording(Capture);

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
        app.add_plugins(EguiPlugin::default());
        app.insert_resource(Overlay(overlay));
        app.add_systems(EguiPrimaryContextPass, show);
        match stats_capture::from_env() {
            Ok(Some(capture)) => {
                app.insert_resource(Recording(capture));
                app.add_systems(Last, record);
            }
            Ok(None) => {}
            Err(error) => eprintln!("the run is not recorded: {error}"),
        }
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
