//! A lake: a folder with the captures of many runs, and a summary of them.
//!
//! ```text
//! build=1.2.0/platform=linux-x86_64/scenario=smoke/20261122T031500Z-001.parquet
//! summary/parts.json
//! summary/runs/00001.parquet
//! summary/metrics/00001.parquet
//! summary/hitches/00001.parquet
//! ```
//!
//! - [`layout`]: files captures, and lists them.
//! - [`summary`](mod@summary): the parts of the summary.
//! - [`unsummarized`](mod@unsummarized): the captures that it lacks.
//! - [`rows`]: the rows of a part.
//! - [`table`]: tables as Parquet files.

mod layout;
mod rows;
mod summary;
mod table;
mod unsummarized;

pub(crate) use layout::{Stamp, captures, file_capture, hash};
pub(crate) use rows::{HitchRow, MetricRow, RunRow};
pub(crate) use summary::{Lock, Summary};
pub(crate) use unsummarized::{left_out, unsummarized};
