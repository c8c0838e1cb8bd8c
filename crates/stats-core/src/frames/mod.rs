//! Frames of a clock, their values, and their marks.
//!
//! - [`frame`]: a frame, and the time at which it ends.
//! - [`frame_slice`]: the values of a series in consecutive frames.
//! - [`mark`]: labels of frames.

mod frame;
mod frame_slice;
mod mark;

pub use frame::{Frame, FrameTime};
pub use frame_slice::FrameSlice;
#[cfg(all(feature = "enabled", not(loom)))]
pub(crate) use mark::UNNAMED;
pub(crate) use mark::kept_name;
pub use mark::{Mark, MarkEvent};
