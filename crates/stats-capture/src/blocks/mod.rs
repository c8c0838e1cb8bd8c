//! What goes from the thread of the game to the thread that writes.
//!
//! - [`block`]: the rows of some frames, and everything about them.
//! - [`mod@lane`]: how blocks get to the other thread, and back.

mod block;
mod lane;

pub(crate) use block::{Block, FrameRow, LateValue, Note, Notes, Picture};
pub(crate) use lane::{Ended, Incoming, Outgoing, lane};
