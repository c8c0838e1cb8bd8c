//! The writer thread: turns blocks into the journal, and the journal into the capture.
//!
//! A block has the rows of some frames, in the order of the series' numbers. The thread turns them into
//! columns, which have names. Two things become known only after a frame: deferred values, so that
//! frames wait for them, and whether a hitch is near, which decides which scopes are kept. The capture
//! is written from the journal when the run ends, so a program that is killed leaves the journal.
//!
//! - [`writer`](mod@writer): its loop.
//! - [`columns`]: the series as columns.
//! - [`names`]: the name of each column.
//! - [`hitches`]: notices hitches.
//! - [`recent`]: the last frames, in memory; [`hitch_watch`]: saves them at a hitch.
//! - [`pending`]: frames that wait for values, or for the next batch.
//! - [`samples`]: the histograms.
//! - [`spans`]: the start and end of scopes; [`span_lines`], [`span_file`]: where they are written.
//! - [`pictures`]: the pictures of the slowest frames.

mod columns;
mod hitch_watch;
mod hitches;
mod names;
mod pending;
mod pictures;
mod recent;
mod samples;
mod span_file;
mod span_lines;
mod spans;
mod writer;

pub(crate) use hitch_watch::{HitchWatch, IsWanted};
pub(crate) use recent::{Recent, RecentLimits};
pub use span_file::ScopeRecord;
pub(crate) use span_file::{SPANS, are_spans_left, complete_spans, write_groups, write_spans};
pub(crate) use writer::{Size, Writer};
