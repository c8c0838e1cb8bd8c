//! The plugin.

use bevy_app::{App, Plugin, PostUpdate, PreUpdate};
use bevy_asset::AssetEventSystems;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_egui::{EguiPlugin, EguiPostUpdateSet, EguiPreUpdateSet, EguiPrimaryContextPass};
use stats_overlay::{Mode, StatsOverlay};

use crate::overlay::{Overlay, follow_camera, show};
use crate::{frame, input, lists};

/// Adds the overlay, in the window of the primary egui context. That context belongs to the first
/// camera. If this camera despawns, the context moves to another camera on screen, unless
/// `EguiGlobalSettings::auto_create_primary_context` is off.
///
/// Add it after `DefaultPlugins`, and after [`EguiPlugin`] if the game adds that itself; otherwise
/// this plugin adds it. The resource [`Overlay`] exists as soon as the plugin is added, and has all
/// other settings:
///
/// ```no_run
/// # use bevy_app::App;
/// use stats_bevy::stats_overlay::Mode;
/// use stats_bevy::{Overlay, StatsOverlayPlugin};
///
/// # let mut app = App::new();
/// app.add_plugins(StatsOverlayPlugin {
///     mode: Mode::Hud,
///     ..Default::default()
/// });
/// app.world_mut()
///     .resource_mut::<Overlay>()
///     .select("bevy/entities");
/// ```
#[derive(Clone, Debug)]
pub struct StatsOverlayPlugin {
    /// How much of the overlay is on screen at first. Default: [`Mode::Hidden`].
    pub mode: Mode,
    /// Whether the overlay takes the game's input while it is full. Default: true. Otherwise both
    /// get it, and the game uses the run condition [`game_has_input`](crate::game_has_input).
    pub takes_input: bool,
    /// Whether to measure the CPU and GPU time of render passes, with Bevy's
    /// `RenderDiagnosticsPlugin`. Default: true. Costs two timestamps for each pass, and reading
    /// them back.
    #[cfg(feature = "render")]
    pub render_passes: bool,
    /// Whether to take screenshots of hitches for the [list of
    /// hitches](stats_overlay::StatsOverlay::add_picture). Default: false, because each picture makes
    /// two frames longer, and either can be the next hitch: the GPU copies the whole window in one of
    /// the frames after the hitch, and the main thread converts the copy in a later one. Until then
    /// the window exists up to three more times, with 4 bytes for each pixel. The picture is that of
    /// the frame after the hitch, or a later one, which the overlay says.
    ///
    /// Nothing is taken while the primary window is missing or closed, and in a frame in which the
    /// game takes a [`Screenshot`](bevy_render::view::screenshot::Screenshot) itself, because Bevy
    /// takes only one of a window. A window with high dynamic range has no pictures.
    #[cfg(feature = "render")]
    pub pictures: bool,
    /// How runs are recorded. Default: `None`, which reads the environment as
    /// [`Recordings::from_env`](stats_capture::Recordings::from_env) does: nothing is recorded
    /// until the overlay's key is pressed, unless the variable `STATS_CAPTURE` names a file.
    #[cfg(feature = "capture")]
    pub recordings: Option<stats_capture::RecordingOptions>,
}

impl Default for StatsOverlayPlugin {
    fn default() -> Self {
        Self {
            mode: Mode::Hidden,
            takes_input: true,
            #[cfg(feature = "render")]
            render_passes: true,
            #[cfg(feature = "render")]
            pictures: false,
            #[cfg(feature = "capture")]
            recordings: None,
        }
    }
}

impl Plugin for StatsOverlayPlugin {
    fn build(&self, app: &mut App) {
        let mut overlay = StatsOverlay::new();
        overlay.set_mode(self.mode);
        app.insert_resource(Overlay(overlay));
        if !stats_core::ENABLED {
            return;
        }
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        app.add_systems(EguiPrimaryContextPass, show);
        app.add_systems(PreUpdate, crate::overlay::follow_monitor);
        app.add_systems(
            PreUpdate,
            follow_camera
                .after(EguiPreUpdateSet::InitContexts)
                .before(EguiPreUpdateSet::ProcessInput),
        );
        // Otherwise, textures that bevy_egui changes may be drawn one frame late: graphs and letters
        // would be those of the frame before.
        app.configure_sets(
            PostUpdate,
            EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
        );
        #[cfg(not(feature = "render"))]
        {
            use bevy_ecs::prelude::*;
            let discard = crate::overlay::discard_textures;
            app.add_systems(PostUpdate, discard.after(EguiPostUpdateSet::ProcessOutput));
        }
        frame::add(app);
        lists::add(app);
        input::add(app, self.takes_input);
        #[cfg(feature = "capture")]
        crate::recording::add(app, self.recordings.as_ref());
    }

    #[cfg(feature = "render")]
    fn finish(&self, app: &mut App) {
        use bevy_render::diagnostic::RenderDiagnosticsPlugin;
        // In `finish`, because the game may add it after this plugin. Plugins that are added this
        // late are not finished by the app.
        if stats_core::ENABLED
            && self.render_passes
            && !app.is_plugin_added::<RenderDiagnosticsPlugin>()
        {
            app.add_plugins(RenderDiagnosticsPlugin);
            RenderDiagnosticsPlugin.finish(app);
        }
        if stats_core::ENABLED
            && self.pictures
            && app.is_plugin_added::<bevy_render::RenderPlugin>()
        {
            crate::pictures::add(app);
        }
    }
}
