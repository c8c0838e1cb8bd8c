//! The overlay as a plugin: the two lines, and who has the input.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};
use stats_overlay::{Mode, StatsOverlay};

/// The overlay.
#[derive(Resource)]
pub(crate) struct Overlay(StatsOverlay);

/// Shows the overlay over everything.
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
    overlay.0.show(contexts.ctx_mut()?); // 2: once in every frame
    Ok(())
}

/// Whether the game has keyboard and pointer: the run condition of every system that reads input.
pub(crate) fn game_has_input(overlay: Res<Overlay>) -> bool {
    !overlay.0.wants_input()
}
