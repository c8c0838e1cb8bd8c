//! Measures the cost of the overlay itself, and limits it.
//!
//! A tool that measures frames must not slow them down unnoticed. The overlay measures itself in
//! every frame. If it takes more than its budget, it refreshes less often and says so.
//!
//! In reading order:
//!
//! - `frame_clock`: counts each frame once, however often the overlay is drawn;
//! - `sleep`: the time in which the host slept, which belongs to no frame;
//! - `stopwatch`: the clock that measures the cost of drawing;
//! - `meter`: the cost of a frame, and the decision to refresh less often;
//! - `slowdown`: the refresh rates.

pub(crate) mod frame_clock;
pub(crate) mod meter;
pub(crate) mod sleep;
mod slowdown;
pub(crate) mod stopwatch;
