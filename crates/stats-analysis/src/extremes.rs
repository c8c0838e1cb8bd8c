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

/// The extremes, the ends and the sum of consecutive frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extremes {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) first: f64,
    pub(crate) last: f64,
    /// Infinite if the sum of huge values overflows.
    pub(crate) sum: f64,
}

impl Extremes {
    /// Returns the extremes of a window; `None` if it is empty.
    pub(crate) fn of_window(window: FrameSlice<'_>) -> Option<Self> {
        let (older, newer) = window.as_slices();
        match (Self::of(older), Self::of(newer)) {
            (Some(older), Some(newer)) => Some(older.followed_by(&newer)),
            (older, newer) => older.or(newer),
        }
    }

    /// Returns the extremes of `values`; `None` if there are none.
    fn of(values: &[f64]) -> Option<Self> {
        let (&first, &last) = (values.first()?, values.last()?);
        let (mut min, mut max, mut sum) = (first, first, 0.0);
        for &value in values {
            min = if value < min { value } else { min };
            max = if value > max { value } else { max };
            sum += value;
        }
        Some(Self {
            min,
            max,
            first,
            last,
            sum,
        })
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
            first: self.first,
            last: after.last,
            sum: self.sum + after.sum,
        }
    }
}
