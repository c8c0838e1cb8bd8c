//! Recordings of a running game in its viewer: captures of what arrives.
//!
//! - [`recordings`]: begins them, takes in what arrived, and ends them.
//! - [`control`]: the keys of the overlay, and what it shows.
//! - [`columns`]: which series are recorded.
//! - [`rows`]: the frames that are not written yet.
//! - [`part`]: frames on their way to a file.

mod columns;
mod control;
mod part;
mod recordings;
mod rows;
#[cfg(test)]
mod tests;

pub(super) use recordings::{Origin, Recordings};
