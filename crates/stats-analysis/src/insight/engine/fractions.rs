//! Which series have fractions.

use std::ops::Range;

use super::super::facts::grow;

/// Which series have fractions. Examines a few series in each frame, because a series that has
/// fractions nearly always has one.
#[derive(Clone, Debug, Default)]
pub(super) struct Fractions {
    /// By the number of the series.
    pub(super) has: Vec<bool>,
    /// The next series to examine.
    next: usize,
}

impl Fractions {
    /// The number of series that are examined in a frame.
    const CHUNK: usize = 128;

    pub(super) fn take(&mut self, values: &[f64]) {
        let begin = if self.next < values.len() {
            self.next
        } else {
            0
        };
        self.next = values.len().min(begin + Self::CHUNK);
        self.examine(begin..self.next, values);
    }

    pub(super) fn examine(&mut self, part: Range<usize>, values: &[f64]) {
        if self.has.len() < values.len() {
            grow(&mut self.has, values.len(), false);
        }
        for (has, value) in self.has[part.clone()].iter_mut().zip(&values[part]) {
            *has |= value.is_finite() && value.fract() != 0.0;
        }
    }
}
