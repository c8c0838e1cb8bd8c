//! Several running games on one axis.
//!
//! The frames of the first game are the axis. The other games have clocks of their own, whose distance
//! is measured, and each of their frames counts in the frame of the first game in which it ended. What
//! was counted is added up, and of levels the last one stays. A frame therefore waits, for at most two
//! seconds, until the other games have sent the frames that end in it.
//!
//! - [`joined`]: the games as one source.
//! - [`games`](mod@games): one game, or several, in a window.
//! - [`mod@column`]: the values of a series of another game, in the frames of the first.
//! - [`surveyed`]: the values of all series of the first game in a frame.

mod column;
mod games;
mod joined;
mod surveyed;
#[cfg(test)]
mod tests;

pub(super) use games::{Games, address, is_address};
