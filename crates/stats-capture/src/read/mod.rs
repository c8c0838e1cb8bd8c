//! Reads captures and journals.
//!
//! A file is not trusted: it may be truncated, damaged, or written by another program. When it is opened,
//! only its metadata and its clock are read. The clock says which rows have which frames, and a dropped
//! frame has no row. The values of a series are read as a whole when they are first asked for, because
//! `Source` lends slices, and are then kept in a cache.
//!
//! - [`capture_file`]: the public type, a source like a recorder.
//! - [`content`]: the common content of captures and journals.
//! - [`parquet_columns`], [`numbers`], [`page_guard`]: columns of a Parquet file.
//! - [`document`]: the documents of its metadata.
//! - [`frames`](mod@frames): the clock, and the mapping from rows to frames; [`doubts`]: what is
//!   implausible about it.
//! - [`column`](mod@column): the values of a series.
//! - [`cache`]: the most recently used columns.
//! - [`listing`]: the series.
//! - [`span_file`]: the file of scopes; [`span_timeline`]: the timeline that it is read into.

mod cache;
mod capture_file;
mod column;
mod content;
mod document;
mod doubts;
mod frames;
mod listing;
mod numbers;
mod page_guard;
mod parquet_columns;
mod span_file;
mod span_timeline;

pub use capture_file::{CaptureFile, ScopeCount};
pub use column::Column;
pub(crate) use span_file::SpanFile;
