//! The journal: a run on disk while it is recorded.
//!
//! ```text
//!  journal = stream*  end?
//!  stream  = schema  batch*  end-of-stream      an Arrow IPC stream
//!  end     = schema without columns  end-of-stream
//!
//!  schema  = columns  frame: INT64, start_ns: INT64, duration_ns: INT64, stats.events: UTF8,
//!                     then one for each series: INT64 or DOUBLE, nullable
//!            metadata stats.series: [[position, SeriesRecord]…], new or changed since the
//!                     previous stream
//!                     stats.run: Run, in the first stream and in the end
//!                     stats.open: events of a frame that had not ended, seldom; void as soon
//!                     as a batch has them again
//!                     only in the end: stats.histograms, and stats.end: the events of the frame
//!                     that never ended
//! ```
//!
//! The position of a series among the columns identifies it and never changes. A stream has the
//! columns of the previous stream, and possibly more. `stats.events` is a JSON list of [`Event`]s,
//! or null.
//!
//! Each batch is written as a whole, so a journal truncated at any byte contains all batches before
//! that byte. A reader checks every length against that of the file. Each message and each column
//! of a batch has a checksum, so damage never becomes a wrong value.
//!
//! - [`event`]: the events of a frame.
//! - [`append`]: writes a journal.
//! - [`message`]: finds the messages in a file.
//! - [`seal`](mod@seal): the checksums of a message.
//! - [`layout`]: finds the columns of a batch.
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

/// The key of the metadata with the events of a frame that had not ended.
const OPEN: &str = "stats.open";

/// The number of columns before those of the series.
const OTHERS: usize = 4;

/// The position of the column of events.
const EVENTS_AT: usize = 3;
