//! Units of metrics as units of series.

use stats_core::Unit;

/// Returns the unit of a series for that of a metric.
pub(crate) fn unit(unit: metrics::Unit) -> Unit {
    match unit {
        metrics::Unit::Count => Unit::Count,
        metrics::Unit::Percent => Unit::Percent,
        metrics::Unit::Seconds => Unit::Seconds,
        metrics::Unit::Milliseconds => Unit::Milliseconds,
        metrics::Unit::Microseconds => Unit::Microseconds,
        metrics::Unit::Bytes => Unit::Bytes,
        metrics::Unit::CountPerSecond => Unit::Hertz,
        other => Unit::Custom(other.as_canonical_label()),
    }
}
