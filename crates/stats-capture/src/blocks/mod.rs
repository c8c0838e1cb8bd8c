//! The data that goes from the game thread to the writer thread.
//!
//! - [`block`]: the rows of some frames, and all news since the previous block.
//! - [`mod@lane`]: the channels that carry full blocks there, and empty ones back.

mod block;
mod lane;

pub(crate) use block::{Block, FrameRow, LateValue, Note, Notes, Picture};
pub(crate) use lane::{Ended, Incoming, Outgoing, Slot, lane};
