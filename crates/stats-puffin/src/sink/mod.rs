//! The sink that puffin calls at the end of each of its frames.

mod feed;
mod stamps;

pub(crate) use feed::{DROPPED_FRAMES, Feed, Job, Reader};
pub(crate) use stamps::{AFTER_GAP, Stamps};
