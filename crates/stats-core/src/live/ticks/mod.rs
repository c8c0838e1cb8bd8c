//! Second clocks, whose ticks are read in the frames of other recorders.
//!
//! The series of a clock are computed ones without inputs. The clock's recorder keeps a history of its
//! ticks, and each reader has a place in it. At the end of its frame, a reader reads the ticks after that
//! place. So a tick is in exactly one frame of each reader.
//!
//! - [`clock`]: the clocks by name, and the series that they show.
//! - [`figure`]: one such series, and its readers.

mod clock;
mod figure;

pub(crate) use clock::TickClock;
