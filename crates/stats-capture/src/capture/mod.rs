//! The part of a capture that runs on the thread of the game.
//!
//! - [`capture`](mod@capture): the public type.
//! - [`row`]: from the recorder to a block.
//! - [`deferred`]: values that are known frames later.

mod capture;
mod deferred;
mod row;

pub use capture::Capture;
