//! What limits the frame rate: the processor, the GPU, the display, or something else that keeps the
//! machine busy.
//!
//! The answer is a share of the time for each [`Limit`]. It comes from what the system tells about the
//! thread that ends the frames, from the times of the GPU's passes, and from the declared wait for
//! the display. It is never a guess: where these are missing, the limit is unknown.
//!
//! # Rule
//!
//! The first row that is true of a frame decides. It gives the frame one limit, or divides the time of
//! the frame among several.
//!
//! | | the time of the frame |
//! |---|---|
//! | The running time is not known, or the times of the thread do not add up to the frame. | unknown |
//! | The frame waited for the display, and frames come at its refresh rate. | waiting for the display |
//! | The GPU was busy for 90 % of the frame, or of it and those beside it, and at least as long as the thread ran. | GPU bound |
//! | The frame waited for the display for more than four periods of the slowest one, and the times of the GPU are not known. | divided, and this wait has its path |
//! | The frame waited for the display, and the times of the GPU are not known. | waiting for the GPU or the display |
//! | It waited for the display for more than four periods longer than the GPU took. | divided, and this wait has its path |
//! | It waited for the display, and these waits are for the GPU. | divided, and this wait is GPU bound |
//! | It waited for the display and missed a refresh, because the GPU took longer than a refresh. | GPU bound |
//! | It waited for the display, and these waits may be for the GPU, and it missed no refresh. | waiting for the GPU or the display |
//! | It waited for the display and missed a refresh, because the thread took longer than a refresh. | divided, without this wait |
//! | It waited for the display. | waiting for the display |
//! | Otherwise. | divided: running is CPU bound, ready is waiting for a processor, and blocked belongs to the declared waits or to none; a wait for the GPU is GPU bound |
//!
//! - A frame *waited for the display* if it was blocked for at least 5 % of its time in declared
//!   waits whose last segment is `present`, `acquire` or `vsync`.
//! - A *wait for the GPU* is a declared wait whose last segment is `gpu` or `fence`. A program that waits
//!   for each frame's own work has such waits: neither the GPU nor the thread is busy all the time.
//! - The waits for the display may *be for the GPU*: the present of a software renderer waits until the
//!   frame is drawn. This is decided for all frames at once, by the first condition that is true:
//!   1. The rate of the display is known, and at least half of the frames take 1 to 4 of its periods,
//!      ± 3 %. The waits are for the display.
//!   2. The waits are longer or shorter than the times of the GPU by more than a quarter. They are for
//!      the display. (Waits for another display are an exception, see below.)
//!   3. No rate is known, and at least half of the frames differ from the frame before by at most 3 %.
//!      The waits *may be for the GPU*.
//!   4. The waits follow the times of the GPU: from frame to frame, the difference of the two changes by
//!      less than 85 % of what the duration changes by. The waits are for the GPU.
//!   5. A display paces the frames, because the waits fill what the thread leaves of a refresh: the
//!      duration changes by less than 85 % of what that difference changes by. The waits are for the
//!      display.
//!   6. Otherwise, the waits *may be for the GPU*.
//! - Frames are those of *another display*, whose rate is not known, if the median frame takes no multiple
//!   of the known period, and three conditions hold:
//!   - At least half of the frames differ from the frame before by at most 3 %, or a display paces the
//!     frames.
//!   - More than half of the frames take less than four periods.
//!   - The frames wait for the display for half of their time, or the waits make the frames more even:
//!     the duration changes by less than 85 % of what the duration without the wait changes by.
//! - Waits for another display *may be for the GPU* if they are shorter than the times of the GPU, and no
//!   display is known to pace the frames.
//! - Frames *come at the refresh rate* if it is known, the median frame differs from its period by at
//!   most 3 %, this frame takes less than 1.5 periods, and the GPU does not take longer than one. A
//!   longer frame *missed a refresh*.
//! - The *busy time of the GPU* is the sum of its outermost passes, but at most `gpu/frame`. A frame
//!   in which it is 0 was not timed, so it is not known.
//! - If the system does not tell the ready time, blocked time in no declared wait is unknown.
//!
//! # Internals
//!
//! `series.rs` finds the series that tell anything, `values.rs` reads their values in a frame,
//! `rule.rs` has the rule, `limit.rs` the limits, and `verdict.rs` adds up the frames. Nothing
//! allocates, so that a panel may ask at any time.

mod limit;
mod rule;
mod series;
#[cfg(test)]
mod tests;
mod values;
mod verdict;

pub use limit::Limit;
pub use series::BottleneckSeries;
pub use verdict::Bottleneck;
