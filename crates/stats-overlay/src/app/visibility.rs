//! Whether the overlay is hidden, a HUD or full, and the key that changes it.

use egui::{Context, Key};

use crate::input::mode::Mode;
use crate::input::toggle_key::ToggleKey;

/// The mode of the overlay.
#[derive(Debug, Default)]
pub(crate) struct Visibility {
    pub(crate) mode: Mode,
    /// The mode of the previous pass.
    drawn: Mode,
    toggle_key: ToggleKey,
}

impl Visibility {
    /// Takes the toggle key out of the input and changes the mode once for each press.
    pub(super) fn take_toggle_key(&mut self, ctx: &Context, key: Option<Key>) {
        let presses = key.map_or(0, |key| self.toggle_key.take(ctx, key));
        // Three presses lead back to the same mode.
        (0..presses % 3).for_each(|_| self.mode = self.mode.next());
    }

    /// Begins to draw the current mode. Returns whether the previous pass drew another one.
    pub(crate) fn begin_pass(&mut self, ctx: &Context) -> bool {
        if self.mode == Mode::Full && self.drawn != Mode::Full {
            // A drag that began in a widget of the host ends here: the panel has the pointer now.
            ctx.stop_dragging();
        }
        std::mem::replace(&mut self.drawn, self.mode) != self.mode
    }
}
