//! Recordings of a running game in its viewer: captures of what arrives.
//!
//! Values may arrive later than their frames, and series may be registered later. So a recording keeps its
//! frames in memory until it ends, and only then writes the file, on another thread. If the frames take
//! too much memory, the oldest are written as a part, and the recording goes on in a further file.
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
