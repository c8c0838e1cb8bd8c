//! Screenshots of hitches for the overlay.

use bevy_app::{App, Last};
use bevy_camera::RenderTarget;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_render::view::screenshot::{Capturing, Screenshot, ScreenshotCaptured};
use bevy_window::{PrimaryWindow, RawHandleWrapper};

use crate::overlay::Overlay;

/// Adds the screenshots. Call it if Bevy renders: otherwise nothing takes them.
pub(crate) fn add(app: &mut App) {
    app.add_systems(Last, request.run_if(can_take));
}

/// Returns whether Bevy can take a screenshot of the primary window in this frame.
fn can_take(
    // A window without a handle is not on a screen.
    windows: Query<(), (With<PrimaryWindow>, With<RawHandleWrapper>)>,
    requested: Query<&Screenshot, Without<Capturing>>,
) -> bool {
    // Without a window, Bevy would keep the request, and warn in each frame. Of two requests of a
    // window in a frame it drops one, which may be the game's.
    let is_of_window = |request: &Screenshot| matches!(request.0, RenderTarget::Window(_));
    !windows.is_empty() && !requested.iter().any(is_of_window)
}

/// Requests a screenshot of the current frame if the overlay wants a picture: the hitch itself was on
/// the screen before the overlay could notice it.
fn request(overlay: Res<Overlay>, mut requested: Local<Option<u64>>, mut commands: Commands) {
    let wanted = overlay.wanted_picture();
    if wanted.is_none() || wanted == *requested {
        return;
    }
    *requested = wanted;
    // The current frame ends before the next run of the main schedule.
    let frame = overlay.recorder().frames().end;
    let hand_over = move |captured: On<ScreenshotCaptured>, mut overlay: ResMut<Overlay>| {
        if let Some((width, height, rgba)) = pixels(&captured.image) {
            overlay.add_picture(frame, width, height, &rgba);
        }
    };
    commands
        .spawn(Screenshot::primary_window())
        .observe(hand_over);
}

/// Returns the width, the height and the pixels of an image; `None` for a format that has no eight
/// bits for each color.
fn pixels(image: &Image) -> Option<(u32, u32, Vec<u8>)> {
    let image = image.clone().try_into_dynamic().ok()?.into_rgba8();
    Some((image.width(), image.height(), image.into_raw()))
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::{Context, RawInput};
    use bevy_window::Window;
    use stats_overlay::{Mode, StatsOverlay};

    use super::*;

    /// Returns an overlay that wants the picture of a hitch.
    fn wanting() -> Overlay {
        let mut overlay = StatsOverlay::new();
        overlay.set_mode(Mode::Hud);
        overlay.end_frame();
        let ctx = Context::default();
        let mut time_secs = 60.0;
        for frame in 0..200 {
            time_secs += if frame == 198 { 0.1 } else { 0.016 };
            overlay.recorder_mut().end_frame_at(time_secs);
            ctx.begin_pass(RawInput::default());
            overlay.show(&ctx);
            let mut output = ctx.end_pass();
            output.textures_delta.clear();
        }
        assert!(overlay.wanted_picture().is_some());
        Overlay(overlay)
    }

    fn requests(world: &mut World) -> Vec<Entity> {
        let mut requests = world.query_filtered::<Entity, With<Screenshot>>();
        requests.iter(world).collect()
    }

    #[test]
    fn a_picture_is_requested_once_and_handed_over() {
        let mut world = World::new();
        world.insert_resource(wanting());
        let request = world.register_system(request);
        for _ in 0..3 {
            world.run_system(request).expect("it is registered");
        }
        let [entity] = *requests(&mut world) else {
            panic!("one for each hitch");
        };
        world.trigger(ScreenshotCaptured {
            entity,
            image: Image::default(),
        });
        assert_eq!(world.resource::<Overlay>().wanted_picture(), None);
    }

    #[test]
    fn nothing_is_requested_without_a_window_on_a_screen() {
        let mut app = App::new();
        app.insert_resource(wanting());
        add(&mut app);
        app.update();
        app.world_mut().spawn((Window::default(), PrimaryWindow));
        app.update();
        assert_eq!(requests(app.world_mut()), []);
    }
}
