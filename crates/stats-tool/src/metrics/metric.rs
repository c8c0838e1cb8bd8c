//! One figure of a run.

use serde::Serialize;
use stats_capture::Better;

/// One figure of a run, under a name that never changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Metric {
    /// The name: segments separated by `/`, such as `frame/p99-by-time`.
    pub(crate) name: String,
    /// The value; finite.
    pub(crate) value: f64,
    /// The symbol of the unit; empty for plain numbers.
    pub(crate) unit: String,
    /// Which values are better.
    pub(crate) better: Better,
}

impl Metric {
    /// Returns a metric; `None` if the value is not finite.
    pub(crate) fn new(
        name: impl Into<String>,
        value: f64,
        unit: &str,
        better: Better,
    ) -> Option<Self> {
        value.is_finite().then(|| Self {
            name: name.into(),
            value,
            unit: unit.to_owned(),
            better,
        })
    }
}
