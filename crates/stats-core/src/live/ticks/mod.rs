//! Second clocks, whose ticks are read in the frames of other recorders.
//!
//! The series of a clock are computed ones without inputs. Each reader of one has a place in the
//! sequence of ticks, and at the end of its frame it reads the ticks after that place from the history
//! that the clock's recorder keeps. So a tick is in exactly one frame of each reader.
//!
//! - [`clock`]: the clocks by name, and the series that they show.
//! - [`figure`]: one such series, and its readers.

mod clock;
mod figure;

pub(crate) use clock::TickClock;
