//! One figure of a run.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use stats_capture::Better;
use stats_core::Unit;

/// One figure of a run, under a name that never changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Metric {
    /// The name: segments separated by `/`, such as `frame/p99-by-time`.
    pub(crate) name: String,
    /// The value; finite.
    pub(crate) value: f64,
    pub(crate) unit: Unit,
    /// Which values are better.
    pub(crate) better: Better,
}

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Metric", 4)?;
        fields.serialize_field("name", &self.name)?;
        fields.serialize_field("value", &self.value)?;
        fields.serialize_field("unit", self.unit.symbol())?;
        fields.serialize_field("better", &self.better)?;
        fields.end()
    }
}

/// A list of metrics under construction. Unknown and non-finite values are left out.
#[derive(Debug, Default)]
pub(super) struct MetricList {
    pub(super) metrics: Vec<Metric>,
}

impl MetricList {
    /// Adds a figure for which lower is better.
    pub(super) fn lower(&mut self, name: String, value: impl Into<Option<f64>>, unit: Unit) {
        self.push(name, value, unit, Better::Lower);
    }

    /// Adds a figure for which higher is better.
    pub(super) fn higher(&mut self, name: String, value: impl Into<Option<f64>>, unit: Unit) {
        self.push(name, value, unit, Better::Higher);
    }

    /// Adds a figure without a better direction.
    pub(super) fn neutral(&mut self, name: String, value: impl Into<Option<f64>>, unit: Unit) {
        self.push(name, value, unit, Better::Neither);
    }

    pub(super) fn push(
        &mut self,
        name: String,
        value: impl Into<Option<f64>>,
        unit: Unit,
        better: Better,
    ) {
        if let Some(value) = value.into().filter(|value| value.is_finite()) {
            self.metrics.push(Metric {
                name,
                value,
                unit,
                better,
            });
        }
    }
}
