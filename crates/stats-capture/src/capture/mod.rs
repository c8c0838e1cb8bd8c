//! The part of a capture that runs on the thread of the game.
//!
//! - [`capture`](mod@capture): the public type.
//! - [`row`]: from the recorder to a block.
//! - [`deferred`]: values that are known frames later.
//! - [`block`]: what goes to the thread that writes.
//! - [`lane`]: how it gets there, and back.

mod block;
mod capture;
mod deferred;
mod lane;
mod row;

pub(crate) use block::{Block, FrameRow, Note, Picture};
pub use capture::Capture;
pub(crate) use lane::Incoming;
