//! Screenshots of hitches. eframe takes one only after the hitch, and copies the whole window, which
//! takes some milliseconds of the next frames. So it is off unless the app is started with
//! `--pictures`.

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui::{ColorImage, Context};
use stats_overlay::StatsOverlay;

/// eframe takes the screenshot in the frame after the one that asks for it.
const LATER: u64 = 1;

/// Hands screenshots of hitches to the overlay.
#[derive(Default)]
pub(crate) struct Screenshots {
    pub(crate) is_on: bool,
    /// The hitch for which a screenshot was requested last.
    requested: Option<u64>,
    arrived: Arc<Mutex<Option<Screenshot>>>,
}

struct Screenshot {
    /// The frame that it shows.
    frame: u64,
    image: Arc<ColorImage>,
}

impl Screenshots {
    /// Requests a screenshot if the overlay wants a picture, and hands over one that has arrived.
    /// Call it once a frame, after the overlay is drawn.
    pub(crate) fn follow(&mut self, overlay: &mut StatsOverlay, ctx: &Context) {
        if !self.is_on {
            return;
        }
        let arrived = (self.arrived.lock())
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(Screenshot { frame, image }) = arrived {
            let [width, height] = image.size.map(|side| side as u32);
            overlay.add_picture(frame, width, height, image.as_raw());
        }
        let wanted = overlay.wanted_picture();
        if wanted.is_some() && wanted != self.requested {
            self.requested = wanted;
            let frame = overlay.recorder().frames().end + LATER;
            let arrived = Arc::clone(&self.arrived);
            ctx.request_screenshot(move |image| {
                let screenshot = Screenshot { frame, image };
                *arrived.lock().unwrap_or_else(PoisonError::into_inner) = Some(screenshot);
            });
            ctx.request_repaint();
        }
    }
}
