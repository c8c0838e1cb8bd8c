//! The sink that puffin calls at the end of each of its frames.
//!
//! - [`stamps`]: which frame of the recorder a puffin frame belongs to;
//! - [`feed`]: hands frames to the thread that reads them.

mod feed;
mod stamps;

pub(crate) use feed::{DROPPED_FRAMES, Feed, Job, Reader};
pub(crate) use stamps::{AFTER_GAP, Stamps};
