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
//! [`Capture`] records; dropping it completes the file. [`Recordings`] records on demand, for
//! example with a key of an overlay, and saves the last minute after the fact. [`CaptureFile`]
//! reads a capture and is a [`Source`](stats_core::Source), so an overlay can show it like a
//! running game. [`recover()`] completes the capture of a killed run. [`write()`] writes a run that
//! another program measured, and [`redact()`] copies a capture without what tells about persons and
//! machines. pandas, DuckDB, Polars and
//! DataFusion can read a capture, too.
//!
//! # The file
//!
//! | column | type | content |
//! |---|---|---|
//! | `frame` | INT64 | the index of the frame, from 0 |
//! | `start_ns` | INT64 | when the frame began, in nanoseconds since the capture began |
//! | `duration_ns` | INT64 | how long the frame took, in nanoseconds |
//! | one for each series, named by its path | INT64 or DOUBLE | the value of the frame; null if the series did not exist or its value is unknown |
//!
//! A value is the stored number multiplied by the series' `scale`. A series is INT64 if all its
//! values are whole numbers: counts and bytes with the scale 1, and timers, rounded to whole
//! nanoseconds, with the scale 10⁻⁶. Any other value makes the series DOUBLE for the whole run.
//!
//! The column `PATH/calls` contains the calls of a timer, `PATH/self` its self time, and
//! `PATH/samples` the number of samples of a histogram. If another series has that path, `(timer)` or
//! `(histogram)` follows the name. A series with the path of one of the first three columns gets a
//! name such as `frame (series)`.
//!
//! The file's key-value metadata are JSON documents: `stats.run` is a [`Run`], `stats.memory` a
//! [`MemoryRecord`], and `stats.series`, `stats.marks` and `stats.histograms` are lists of
//! [`SeriesRecord`], [`MarkRecord`] and [`HistogramRecord`].
//!
//! # Features
//!
//! - `enabled` (default): without it, [`Capture`] has size zero and records nothing, [`from_env`]
//!   returns `None`, and files cannot be read.
//!
//! # Internals
//!
//! [`Capture::end_frame`] ends a frame of its own recorder and copies the values of all series, a
//! *survey*, as one row into a *block*. Twice a second, or when the block has 128 frames or 262,144
//! values, it goes to the writer thread, which later returns it empty. If no empty block is left,
//! the frame is dropped and counted.
//!
//! The game's thread only copies. The writer thread decides which column a number belongs to and
//! whether it is whole, turns rows into columns, and appends them to the *journal*, a sequence of
//! Arrow IPC streams beside the capture. When the capture ends, the thread reads the journal back,
//! writes the Parquet file, and removes the journal. A stream has a fixed set of columns, so a new
//! series begins another stream, and so does the first fraction in a series of whole numbers. The
//! Parquet file has the columns of all streams.
//!
//! A row flows one way: `capture/` on the thread of the game, `writer/` on a thread of its own,
//! `journal/`, `compact/`, and later `read/`. `blocks/` is what the two threads exchange, and `metadata/`
//! what a file says of its run and its series. `recordings/` starts and stops captures on demand. The
//! documentation of each folder lists its files.
//!
//! - **A slow disk drops frames and never blocks the game.** Up to sixteen blocks can be queued. If
//!   the disk falls further behind, whole frames are dropped and counted. The values of the other
//!   frames stay correct, because totals are subtracted on the game's thread.
//! - **A journal comes first, and Parquet at the end.** The index of a Parquet file is at its end,
//!   so a truncated file is lost. A journal that is truncated at any byte still contains all
//!   batches before that point.
//! - **A column stores integers as long as all its values are integers**, because integers take
//!   half the space of floats. Only times are rounded, to nanoseconds.
//! - **Positions identify columns in the journal; names identify them in the capture.** A series
//!   that is registered later may take the name of a timer's calls; the calls are then renamed.
//! - **The journal has a reader of its own**, because arrow-ipc panics on damaged messages and
//!   allocates whatever size they claim. This reader compares every range with the length of the
//!   body.
//! - **Every value has a checksum.** In a journal, each column has one in the padding of a message,
//!   where other Arrow readers ignore it, and a reader of one column reads nothing else. Parquet's
//!   own checksums do not cover page headers and the footer, so a capture stores checksums of its
//!   own, in the footer.
//! - **Damaged Parquet columns are never decoded.** A column is first compared with its checksum,
//!   `page_guard.rs` refuses pages of impossible sizes, and a panic of the parquet crate becomes an
//!   error.
//! - **zstd is C.** It needs a C compiler to build, but every reader of Parquet supports it, and
//!   the pure-Rust compressors of the parquet crate make larger files.
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
mod freezes;
#[cfg(feature = "enabled")]
mod journal;
#[cfg(feature = "enabled")]
mod metadata;
#[cfg(feature = "enabled")]
mod panics;
#[cfg(feature = "enabled")]
mod paths;
#[cfg(feature = "enabled")]
mod read;
mod recordings;
#[cfg(feature = "enabled")]
mod recover;
#[cfg(feature = "enabled")]
mod redact;
#[cfg(feature = "enabled")]
mod span_lane;
#[cfg(feature = "enabled")]
mod span_rows;
#[cfg(feature = "enabled")]
mod thread;
#[cfg(feature = "enabled")]
mod write;
#[cfg(feature = "enabled")]
mod writer;

#[cfg(not(feature = "enabled"))]
mod off;

#[cfg(feature = "enabled")]
pub use capture::Capture;
#[cfg(feature = "enabled")]
pub use environment::from_env;
#[cfg(not(feature = "enabled"))]
pub use off::{Capture, Recordings, from_env, save_on_panic};
#[cfg(feature = "enabled")]
pub use panics::save_on_panic;

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
pub use paths::unused_path;
#[cfg(feature = "enabled")]
pub use read::{CaptureFile, Column, ScopeCount};
#[cfg(feature = "enabled")]
pub use recover::{Recovered, recover};
#[cfg(feature = "enabled")]
pub use redact::{Redacted, redact};
#[cfg(feature = "enabled")]
pub use write::{write, write_scopes};
#[cfg(feature = "enabled")]
pub use writer::ScopeRecord;
