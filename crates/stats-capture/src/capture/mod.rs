//! The part of a capture that runs on the game thread.
//!
//! - [`capture`](mod@capture): the public type.
//! - [`row`]: copies frames from the recorder to a block.
//! - [`deferred`]: values that become known a few frames after the frame they belong to.

mod capture;
mod deferred;
mod row;

pub use capture::Capture;
