//! The puffin scopes of egui, egui-winit, egui-wgpu and wgpu as series below `puffin/`, recorded
//! with `--puffin`.

use stats_puffin::PuffinSource;

/// Records scopes for as long as it lives, if it is on.
#[derive(Debug)]
pub(crate) struct PuffinScopes(Option<PuffinSource>);

impl PuffinScopes {
    /// Starts recording if `on`. While recording is off, a scope costs one atomic load.
    pub(crate) fn new(on: bool) -> Self {
        puffin::set_scopes_on(on);
        Self(on.then(PuffinSource::install))
    }

    /// Ends puffin's frame and begins the next one.
    ///
    /// Call it first in each frame: drawing comes after the overlay, and thus counts toward the
    /// frame that is drawn.
    pub(crate) fn begin_frame(&self) {
        if self.0.is_some() {
            puffin::GlobalProfiler::lock().new_frame();
        }
    }
}

impl Drop for PuffinScopes {
    fn drop(&mut self) {
        puffin::set_scopes_on(false);
    }
}
