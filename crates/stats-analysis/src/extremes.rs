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

/// Returns the first and the last known value; `None` if there is none.
pub(crate) fn known_ends(values: &[f64]) -> Option<(f64, f64)> {
    let known = |value: &&f64| !value.is_nan();
    Some((*values.iter().find(known)?, *values.iter().rfind(known)?))
}

/// The extremes, the ends and the sum of the known values of consecutive frames. NaN stands for a
/// value that is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extremes {
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// The first known value; NaN if there is none.
    pub(crate) first: f64,
    pub(crate) last: f64,
    /// Infinite if the sum of huge values overflows.
    pub(crate) sum: f64,
    /// The number of known values.
    pub(crate) known: u32,
}

impl Extremes {
    /// Those of frames without known values.
    pub(crate) const NONE: Self = Self {
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
        first: f64::NAN,
        last: f64::NAN,
        sum: 0.0,
        known: 0,
    };

    /// Returns the extremes of a window; [`NONE`](Self::NONE) if no value in it is known.
    pub(crate) fn of_window(window: FrameSlice<'_>) -> Self {
        let (older, newer) = window.as_slices();
        Self::of(older).followed_by(&Self::of(newer))
    }

    /// Returns the extremes if any value is known.
    pub(crate) fn if_known(self) -> Option<Self> {
        (self.known > 0).then_some(self)
    }

    fn of(values: &[f64]) -> Self {
        let Some((first, last)) = known_ends(values) else {
            return Self::NONE;
        };
        let (mut min, mut max, mut sum, mut known) = (first, first, 0.0, 0);
        for &value in values {
            min = if value < min { value } else { min };
            max = if value > max { value } else { max };
            sum += if value.is_nan() { 0.0 } else { value };
            known += u32::from(!value.is_nan());
        }
        Self {
            min,
            max,
            first,
            last,
            sum,
            known,
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
            first: if self.known > 0 {
                self.first
            } else {
                after.first
            },
            last: if after.known > 0 {
                after.last
            } else {
                self.last
            },
            sum: self.sum + after.sum,
            known: self.known + after.known,
        }
    }
}
