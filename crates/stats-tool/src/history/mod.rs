//! The metrics of many runs, and the runs at which they changed.
//!
//! - [`history`](mod@history): the changes of all metrics.
//! - [`pictures`]: graphs of the metrics that may fail.

mod history;
mod pictures;

pub(crate) use history::{Event, History, MetricChange};
