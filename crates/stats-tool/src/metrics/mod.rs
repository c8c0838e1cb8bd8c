//! The metrics of a run, computed exactly from its capture.
//!
//! - [`rules`]: what is judged, and what is left out.
//! - [`metric`]: one figure with a name that never changes.
//! - [`run_metrics`]: all figures of a run.

mod metric;
mod rules;
mod run_metrics;

pub(crate) use metric::Metric;
pub(crate) use rules::Rules;
pub(crate) use run_metrics::RunMetrics;
