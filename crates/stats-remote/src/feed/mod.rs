//! The game's side: what [`publish`](crate::Remote::publish) does in a frame.
//!
//! [`feed`] copies values from the recorder into a queue of words, and obeys the [`command`]s that come
//! back; [`scopes`] copies those of frames that viewers ask for. [`record`] describes the words. The thread
//! of the hub reads them.

pub(crate) mod command;
pub(crate) mod feed;
pub(crate) mod record;
mod scopes;

pub(crate) use command::Command;
pub(crate) use feed::Feed;

#[cfg(all(test, feature = "enabled"))]
mod tests;
