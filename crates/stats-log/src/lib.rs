//! Hands the report of a run to whatever logger the program has, through the [`log`](mod@log)
//! facade.
//!
//! ```
//! stats_log::report(log::Level::Info); // at the end of a level, or of the run
//! ```
//!
//! logs what [`stats_core::report()`] prints, a record for each line, columns aligned:
//!
//! ```text
//! INFO stats: histogram       sum  average  deviation  count  minimum   median   maximum
//! INFO stats: ai/delta          0        0         ±3      2       -3 <     -3 <       3
//! INFO stats: io/pack [ms]  836.9      279     ±384.8      3      5.5 <   8.25 <   823.2
//! ```
//!
//! # Features
//!
//! - `enabled` (default): without it nothing is recorded, and [`report`] says so.

#![cfg_attr(docsrs, feature(doc_cfg))]

use log::{Level, log, log_enabled};

/// The target of all records, for loggers that sort by it.
pub const TARGET: &str = "stats";

/// Logs every histogram of the run under way: a record with the headings, and one for each
/// histogram, by path. Where nothing was recorded, a single record says so.
///
/// Where the logger does not want this level of the target [`TARGET`], nothing is done at all.
/// Otherwise it copies all buckets that were hit and makes the text: for the end of a level, not
/// for every frame.
pub fn report(level: Level) {
    if !log_enabled!(target: TARGET, level) {
        return;
    }
    for line in stats_core::report().to_string().lines() {
        log!(target: TARGET, level, "{line}");
    }
}
