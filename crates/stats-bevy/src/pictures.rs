//! Screenshots of hitches for the overlay.

use bevy_app::{App, Last};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_render::view::screenshot::{Screenshot, ScreenshotCaptured};

use crate::overlay::Overlay;

/// Adds the screenshots. Call it if Bevy renders: otherwise nothing takes them.
pub(crate) fn add(app: &mut App) {
    app.add_systems(Last, request);
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
