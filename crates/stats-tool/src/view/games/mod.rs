//! Several running games on one axis.
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
