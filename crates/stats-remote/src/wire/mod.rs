//! The bytes that a game and a viewer exchange: [`bytes`] has numbers and texts, [`column`](mod@column) the
//! values of consecutive frames, [`to_game`] and [`to_viewer`] the messages, and [`reading`] reads those
//! of a game. [`listing`] has the entries of the series, [`distribution`] the samples of
//! histograms, [`scopes`] the calls of a frame.
//!
//! Each message is a binary message of a WebSocket: a byte for its type, and its fields. Decoders
//! trust nothing: they check each length before they take memory, and return [`Malformed`] instead
//! of a partial message.

pub(crate) mod bytes;
pub(crate) mod column;
pub(crate) mod distribution;
pub(crate) mod listing;
mod reading;
pub(crate) mod scopes;
#[cfg(test)]
mod tests;
pub(crate) mod to_game;
pub(crate) mod to_viewer;

/// The version of the protocol. A game refuses viewers of another version. The greeting up to the
/// token, and the last message of a game, are the same in all versions.
pub(crate) const VERSION: u64 = 4;

/// Bytes that are not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;
