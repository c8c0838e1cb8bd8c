//! The overlay as a resource, and the system that draws it.

use std::ops::{Deref, DerefMut};

use bevy_camera::{Camera, RenderTarget};
use bevy_ecs::prelude::*;
use bevy_egui::{EguiContext, EguiGlobalSettings, PrimaryEguiContext};
use bevy_window::{Monitor, OnMonitor, PrimaryWindow};
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

/// The primary egui context, if there is one.
pub(crate) type PrimaryContexts<'w, 's> = Query<'w, 's, (), With<PrimaryEguiContext>>;

/// Gives the primary egui context to another camera if the one that had it is gone. bevy_egui gives
/// it only to the program's first camera.
pub(crate) fn follow_camera(
    settings: Res<EguiGlobalSettings>,
    contexts: PrimaryContexts,
    cameras: Query<(Entity, &Camera, &RenderTarget), Without<EguiContext>>,
    mut commands: Commands,
) {
    if !settings.auto_create_primary_context || !contexts.is_empty() {
        return;
    }
    let on_screen = cameras.iter().filter(|(_, camera, target)| {
        camera.is_active && matches!(target, RenderTarget::Window(_))
    });
    // The picture of the camera with the highest order is on top.
    if let Some((camera, ..)) = on_screen.max_by_key(|(_, camera, _)| camera.order) {
        let context = (EguiContext::default(), PrimaryEguiContext);
        commands.entity(camera).insert(context);
    }
}

/// Tells all readers the refresh rate of the monitor that shows the primary window, if it changed.
pub(crate) fn follow_monitor(
    window: Query<&OnMonitor, With<PrimaryWindow>>,
    monitors: Query<&Monitor>,
    mut known: Local<Option<u32>>,
) {
    let monitor = window.single().ok().and_then(|on| monitors.get(on.0).ok());
    let millihertz = monitor.and_then(|monitor| monitor.refresh_rate_millihertz);
    if millihertz.is_some() && *known != millihertz {
        *known = millihertz;
        stats_core::set_refresh_hz(millihertz.map(|millihertz| f64::from(millihertz) / 1e3));
    }
}

/// Draws the overlay. Drawing ends no frame, so egui may repeat a pass.
pub(crate) fn show(
    mut context: Single<&mut EguiContext, With<PrimaryEguiContext>>,
    mut overlay: ResMut<Overlay>,
) {
    // If Cargo chooses a newer egui for the overlay than for bevy_egui, this line is an error:
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
