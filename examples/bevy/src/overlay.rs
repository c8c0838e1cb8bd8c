//! The overlay as a Bevy plugin: the two lines that every host needs, and a run condition for
//! systems that read input.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};
use stats_overlay::{Mode, StatsOverlay};

/// The overlay, as a resource.
#[derive(Resource)]
pub(crate) struct Overlay(StatsOverlay);

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
    }
}

fn show(mut contexts: EguiContexts, mut overlay: ResMut<Overlay>) -> Result {
    overlay.0.show(contexts.ctx_mut()?); // 2: once per frame
    Ok(())
}

/// Returns whether keyboard and pointer belong to the game. It is the run condition of every system
/// that reads input.
pub(crate) fn game_has_input(overlay: Res<Overlay>) -> bool {
    !overlay.0.wants_input()
}
