//! The journal: a run on disk while it is recorded.
//!
//! ```text
//!  journal = stream*  end?
//!  stream  = schema  batch*  end-of-stream      an Arrow IPC stream
//!  end     = schema without columns  end-of-stream
//!
//!  schema  = columns  frame: INT64, start_ns: INT64, duration_ns: INT64, stats.events: UTF8,
//!                     then one for each series: INT64 or DOUBLE, nullable
//!            metadata stats.series: [[position, SeriesRecord]…], those new or changed since the
//!                     stream before
//!                     stats.run: Run, in the first stream and in the end
//!                     in the end also: stats.histograms, and stats.end: the events of the frame
//!                     that never ended
//! ```
//!
//! Series are identified by their position among the columns, which never changes. A stream has the
//! columns of the previous stream and perhaps more. `stats.events` is a JSON list of [`Event`]s, or
//! null.
//!
//! Each batch is written as a whole, so a journal that is truncated at any byte has all batches
//! before that byte. A reader checks every length against that of the file. Each message and each
//! column of a batch has a checksum, so a damaged value is never mistaken for another value.
//!
//! - [`event`]: the events of a frame.
//! - [`append`]: writes a journal.
//! - [`message`]: finds the messages of a stream in a file.
//! - [`seal`](mod@seal): checksums of messages.
//! - [`layout`]: the positions of the columns of a batch.
//! - [`file`](mod@file): reads a journal.

mod append;
mod event;
mod file;
mod layout;
mod message;
mod seal;
#[cfg(test)]
mod tests;

pub(crate) use append::{Append, StreamColumn};
pub(crate) use event::Event;
pub(crate) use file::{Batch, Journal, JournalColumn, Rest};

/// The name of the column of events.
const EVENTS: &str = "stats.events";

/// The key of the metadata that only the end of a journal has.
const END: &str = "stats.end";

/// The number of columns before those of the series.
const OTHERS: usize = 4;

/// The position of the column of events.
const EVENTS_AT: usize = 3;
