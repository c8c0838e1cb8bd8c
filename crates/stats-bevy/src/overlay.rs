//! The overlay as a resource, and the system that draws it.

use std::ops::{Deref, DerefMut};

use bevy_ecs::prelude::*;
use bevy_egui::{EguiContext, PrimaryEguiContext};
use stats_overlay::StatsOverlay;

/// The overlay: selections, panes, marks, settings and actions.
///
/// Its recorder ends a frame before [`First`](bevy_app::First); see [the crate](crate#frames).
#[derive(Resource, Debug, Default)]
pub struct Overlay(pub(crate) StatsOverlay);

impl Deref for Overlay {
    type Target = StatsOverlay;

    fn deref(&self) -> &StatsOverlay {
        &self.0
    }
}

impl DerefMut for Overlay {
    fn deref_mut(&mut self) -> &mut StatsOverlay {
        &mut self.0
    }
}

/// Draws the overlay. egui may run a pass again, which does not end another frame.
pub(crate) fn show(
    mut context: Single<&mut EguiContext, With<PrimaryEguiContext>>,
    mut overlay: ResMut<Overlay>,
) {
    // The compiler shows the next line if the overlay got a newer egui than bevy_egui.
    overlay.show(context.get_mut()); // run: cargo update -p egui@0.37.0 --precise 0.36.2
}

/// Discards texture updates, because nothing draws. In debug builds, egui panics if they are
/// neither used nor cleared.
#[cfg(not(feature = "render"))]
pub(crate) fn discard_textures(mut outputs: Query<&mut bevy_egui::EguiRenderOutput>) {
    for mut output in &mut outputs {
        output.textures_delta.clear();
    }
}
