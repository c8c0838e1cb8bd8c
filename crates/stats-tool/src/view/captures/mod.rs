//! Captures in a window: the overlay, showing one capture, or two side by side.
//!
//! - [`window`]: the overlay, and errors while reading.
//! - [`content`]: one capture, or two.
//! - [`alignment`], [`pair`]: two captures on one axis.

mod alignment;
mod content;
mod pair;
mod window;

pub(super) use content::Content;
pub(super) use window::Window;
