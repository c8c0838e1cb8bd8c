//! The metrics of many runs, and the runs at which they changed.
//!
//! - [`history`](mod@history): the changes of all metrics.
//! - [`since_release`]: whether metrics are better or worse than at the last release.
//! - [`graphs`]: graphs of the metrics that may fail.

mod graphs;
mod history;
mod since_release;

pub(crate) use history::{Event, History, MetricChange};
pub(crate) use since_release::{Course, Direction, SinceRelease};
