//! Reads the ticks of a frame back from the GPU.
//!
//! - [`slots`]: the states of slots, as a pure state machine;
//! - [`queries`]: the query sets and buffers of the slots, on a wgpu device.

mod queries;
mod slots;

pub(crate) use queries::{MAX_QUERIES, Queries};
pub(crate) use slots::{Fate, Slots};
