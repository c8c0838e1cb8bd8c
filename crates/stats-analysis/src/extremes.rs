//! The smallest and the largest of several values.
//!
//! Plain comparisons, here and in [`buckets`](crate::buckets), compile to selects, which are faster
//! than `f64::min` and `f64::max`.

use stats_core::FrameSlice;

/// Returns the smallest and the largest of `values`; (∞, −∞) if there are none. Skips NaN.
pub fn extremes(values: &[f64]) -> (f64, f64) {
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for &value in values {
        min = if value < min { value } else { min };
        max = if value > max { value } else { max };
    }
    (min, max)
}

/// The extremes, the first and last value, and the sum of the known values of consecutive frames.
/// NaN stands for an unknown value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extremes {
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// The oldest known value. Both this and `last` are NaN if there is none.
    pub(crate) first: f64,
    pub(crate) last: f64,
    /// Infinite if the sum of huge values overflows.
    pub(crate) sum: f64,
    /// The number of known values.
    pub(crate) count: usize,
}

impl Extremes {
    /// The extremes of no values.
    pub(crate) const NONE: Self = Self {
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
        first: f64::NAN,
        last: f64::NAN,
        sum: 0.0,
        count: 0,
    };

    /// Returns the extremes of a window.
    pub(crate) fn of_window(window: FrameSlice<'_>) -> Self {
        let (older, newer) = window.as_slices();
        Self::of(older).followed_by(&Self::of(newer))
    }

    /// Returns the extremes of `values`.
    fn of(values: &[f64]) -> Self {
        let (min, max) = extremes(values);
        let (mut sum, mut count) = (0.0, 0);
        for &value in values {
            let is_known = !value.is_nan();
            sum += if is_known { value } else { 0.0 };
            count += usize::from(is_known);
        }
        let known = |value: &&f64| !value.is_nan();
        Self {
            min,
            max,
            first: values.iter().find(known).copied().unwrap_or(f64::NAN),
            last: values.iter().rfind(known).copied().unwrap_or(f64::NAN),
            sum,
            count,
        }
    }

    /// Merges these extremes with those of the frames that follow.
    pub(crate) fn followed_by(&self, after: &Self) -> Self {
        let min = if after.min < self.min {
            after.min
        } else {
            self.min
        };
        let max = if after.max > self.max {
            after.max
        } else {
            self.max
        };
        Self {
            min,
            max,
            first: if self.count > 0 {
                self.first
            } else {
                after.first
            },
            last: if after.count > 0 {
                after.last
            } else {
                self.last
            },
            sum: self.sum + after.sum,
            count: self.count + after.count,
        }
    }

    /// Returns the extremes unless no value is known.
    pub(crate) fn known(self) -> Option<Self> {
        (self.count > 0).then_some(self)
    }
}
