//! Records every counter of a run, frame by frame, into a Parquet file, and reads it back.
//!
//! ```no_run
//! # fn is_running() -> bool { false }
//! // Records if the environment variable STATS_CAPTURE names a file.
//! let mut capture = stats_capture::from_env()?;
//! while is_running() {
//!     // … the frame …
//!     if let Some(capture) = &mut capture {
//!         capture.end_frame();
//!     }
//! }
//! # Ok::<(), stats_capture::CaptureError>(())
//! ```
//!
//! [`Capture`] records; dropping it completes the file. [`Recordings`] records on demand, as a key of
//! an overlay asks for it, and saves the last minute after the fact. [`CaptureFile`] reads a capture, and is a
//! [`Source`](stats_core::Source), so that an overlay shows it as it shows a running game.
//! [`recover()`] completes what a killed run left behind. pandas, DuckDB, Polars and DataFusion read
//! a capture as any Parquet file.
//!
//! # The file
//!
//! | column | type | content |
//! |---|---|---|
//! | `frame` | INT64 | the index of the frame, from 0 |
//! | `start_ns`, `duration_ns` | INT64 | the clock of the frame, in nanoseconds since the capture began |
//! | one for each series, named by its path | INT64 or DOUBLE | the value of the frame; null if the series did not exist or its value is not known |
//!
//! A value is the stored number multiplied by the series' `scale`. A series is INT64 if all its
//! values are whole numbers: counts and bytes with the scale 1, and timers, rounded to whole
//! nanoseconds, with the scale 10⁻⁶. A series with any other value is DOUBLE, for the whole run.
//!
//! The calls of a timer and the samples of a histogram are the column `PATH/calls`. If another
//! series has that path, the column is `PATH/calls (timer)` or `PATH/calls (histogram)`. A series
//! with the name of a column of the clock is `frame (series)`.
//!
//! The key-value metadata of the file are JSON: `stats.run` is [`Run`], `stats.series` a list of
//! [`SeriesRecord`], `stats.marks` of [`MarkRecord`], `stats.histograms` of [`HistogramRecord`],
//! and `stats.memory` is [`MemoryRecord`].
//!
//! # Features
//!
//! - `enabled` (default): without it, [`Capture`] has size zero and records nothing, [`from_env`]
//!   returns `None`, and nothing reads files.
//!
//! # Internals
//!
//! [`Capture::end_frame`] ends a frame of its own recorder and copies the values of all series, a
//! *survey*, as one row into a *block*. Twice a second, or after 600 frames, the block goes to a
//! thread, and an empty one comes back. If there is no empty block, the frame is dropped and
//! counted.
//!
//! The thread turns rows into columns and appends them to the *journal*, a sequence of Arrow IPC
//! streams beside the capture. When the capture ends, the thread reads the
//! journal again, writes the Parquet file, and removes the journal. A stream has a fixed set of
//! columns, so a series that appears later begins another stream, and so does a series whose values
//! stop being whole numbers. The Parquet file has the columns of all streams.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod error;
mod options;

#[cfg(feature = "enabled")]
mod blocks;
#[cfg(feature = "enabled")]
mod capture;
#[cfg(feature = "enabled")]
mod checksums;
#[cfg(feature = "enabled")]
mod compact;
#[cfg(feature = "enabled")]
mod environment;
#[cfg(feature = "enabled")]
mod journal;
#[cfg(feature = "enabled")]
mod metadata;
#[cfg(feature = "enabled")]
mod paths;
#[cfg(feature = "enabled")]
mod read;
mod recordings;
#[cfg(feature = "enabled")]
mod recover;
#[cfg(feature = "enabled")]
mod writer;

#[cfg(not(feature = "enabled"))]
mod off;

#[cfg(feature = "enabled")]
pub use capture::Capture;
#[cfg(feature = "enabled")]
pub use environment::from_env;
#[cfg(not(feature = "enabled"))]
pub use off::{Capture, Recordings, from_env};

pub use error::{CaptureError, ReadError};
pub use options::{CaptureOptions, SpanFrames};
pub use recordings::RecordingOptions;
#[cfg(feature = "enabled")]
pub use recordings::Recordings;

#[cfg(feature = "enabled")]
pub use metadata::{
    Better, Cost, Ended, GroupRecord, HistogramRecord, Machine, MarkKind, MarkRecord, MemoryRecord,
    RecordedKind, Run, SeriesRecord,
};
#[cfg(feature = "enabled")]
pub use read::{CaptureFile, Column, unit_of};
#[cfg(feature = "enabled")]
pub use recover::{Recovered, recover};
