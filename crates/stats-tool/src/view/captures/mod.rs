//! Captures in a window: the overlay, showing one capture, or two side by side.
//!
//! - [`window`]: the overlay, and errors while reading.
//! - [`content`]: one capture, or two.
//! - [`baseline`](mod@baseline): another capture, with which the overlay compares.
//! - [`alignment`], [`pair`]: two captures on one axis.

mod alignment;
mod baseline;
mod content;
mod pair;
mod window;

pub(super) use baseline::baseline;
pub(super) use content::Content;
pub(super) use window::Window;
