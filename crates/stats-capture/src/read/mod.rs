//! Reads captures and journals.
//!
//! - [`capture_file`]: the public type, a source like a recorder.
//! - [`content`]: what both kinds of files say when they are opened.
//! - [`parquet_columns`], [`page_guard`]: columns of a Parquet file.
//! - [`frames`](mod@frames): the clock, and the rows of frames.
//! - [`column`](mod@column): the values of a series.
//! - [`cache`]: the columns in memory.
//! - [`listing`]: the series.

mod cache;
mod capture_file;
mod column;
mod content;
mod frames;
mod listing;
mod page_guard;
mod parquet_columns;

pub use capture_file::CaptureFile;
pub use column::Column;
pub use listing::unit_of;
