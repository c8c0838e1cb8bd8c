//! The scopes that egui, egui-winit, egui-wgpu and wgpu carry, as series: what `--puffin` switches
//! on.

use stats_puffin::PuffinSource;

/// Scopes are recorded for as long as this lives.
#[derive(Debug)]
pub(crate) struct Scopes(Option<PuffinSource>);

impl Scopes {
    /// Begins to record, or does nothing. What is off costs a scope one atomic load.
    pub(crate) fn new(on: bool) -> Self {
        puffin::set_scopes_on(on);
        Self(on.then(PuffinSource::install))
    }

    /// Ends the frame of the scopes and begins the next: first in each frame, so that drawing,
    /// which comes after the overlay, counts for the frame that it draws.
    pub(crate) fn begin_frame(&self) {
        if self.0.is_some() {
            puffin::GlobalProfiler::lock().new_frame();
        }
    }
}

impl Drop for Scopes {
    fn drop(&mut self) {
        puffin::set_scopes_on(false);
    }
}
