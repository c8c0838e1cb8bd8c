//! A series that spiked, and its place in the ranking.
//!
//! Times come first, ordered by their largest excess over the usual value in milliseconds. All
//! other series follow, ordered by the highest multiple of their usual value.

use std::cmp::Ordering;

use stats_core::Unit;

/// A series that spiked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spiked {
    pub(crate) unit: Unit,
    /// The value of the worst spike, and the usual value before it.
    pub(crate) peak: f64,
    pub(super) usual: f64,
    /// The number of spikes since the series was listed.
    pub(crate) count: u32,
    /// The time of the last spike.
    pub(super) last_secs: f64,
}

impl Spiked {
    /// Returns the excess of the worst spike over the usual value, in the series' unit.
    pub(crate) fn excess(&self) -> f64 {
        self.peak - self.usual
    }

    /// Returns the peak as a multiple of the usual value; `None` for a time, or if the usual value
    /// is not positive.
    pub(crate) fn times(&self) -> Option<f64> {
        let is_multiple = self.usual > 0.0 && ms_per(self.unit).is_none();
        is_multiple.then(|| self.peak / self.usual)
    }

    /// Returns the importance of the spike: first whether it is a time, then its size.
    pub(super) fn weight(&self) -> (bool, f64) {
        match ms_per(self.unit) {
            Some(ms) => (true, self.excess() * ms),
            None => (false, self.times().unwrap_or(f64::MAX)),
        }
    }

    /// Returns the order in the ranking: the spike that matters most comes first.
    pub(super) fn rank(&self, other: &Self) -> Ordering {
        let ((is_time, weight), (is_other_time, other_weight)) = (self.weight(), other.weight());
        let by_weight = other_weight.total_cmp(&weight);
        is_other_time.cmp(&is_time).then(by_weight)
    }
}

/// Returns the milliseconds in a unit of time.
pub(super) fn ms_per(unit: Unit) -> Option<f64> {
    match unit {
        Unit::Seconds => Some(1000.0),
        Unit::Milliseconds => Some(1.0),
        Unit::Microseconds => Some(0.001),
        _ => None,
    }
}
