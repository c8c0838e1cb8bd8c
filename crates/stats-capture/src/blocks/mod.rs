//! The data that goes from the game thread to the writer thread.
//!
//! - [`block`]: the rows of some frames, and everything about them.
//! - [`mod@lane`]: the channels that take blocks to the other thread and back.

mod block;
mod lane;

pub(crate) use block::{Block, FrameRow, LateValue, Note, Notes, Picture};
pub(crate) use lane::{Ended, Incoming, Outgoing, lane};
