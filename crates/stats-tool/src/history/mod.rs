//! The metrics of many runs, and the runs at which they changed.
//!
//! - [`history`](mod@history): the changes of all metrics.
//! - [`graphs`]: graphs of the metrics that may fail.

mod graphs;
mod history;

pub(crate) use history::{Event, History, MetricChange};
