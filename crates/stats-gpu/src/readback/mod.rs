//! How the ticks of a frame get back from the GPU: a ring of slots, and the device's side of it.

mod queries;
mod ring;

pub(crate) use queries::{MAX_QUERIES, Queries};
pub(crate) use ring::{Fate, Ring};
