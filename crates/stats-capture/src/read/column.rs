//! The values of a series.

use std::sync::Arc;

use stats_core::FrameSlice;

/// The values of a series in a capture, from the first to the last frame that has one. Clones share
/// the values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    first_frame: u64,
    values: Arc<[f64]>,
}

impl Column {
    /// Creates a column whose first value belongs to the frame `first_frame`. Removes unknown
    /// values at both ends.
    pub(super) fn new(first_frame: u64, mut values: Vec<f64>) -> Self {
        let known = |value: &f64| !value.is_nan();
        let end = values.iter().rposition(known).map_or(0, |last| last + 1);
        values.truncate(end);
        let begin = values.iter().position(known).unwrap_or(0);
        values.drain(..begin);
        Self {
            first_frame: first_frame + begin as u64,
            values: values.into(),
        }
    }

    /// Returns the values; NaN for a frame without one.
    #[must_use]
    pub fn slice(&self) -> FrameSlice<'_> {
        FrameSlice::new(self.first_frame, &self.values, &[])
    }

    /// Returns the memory that the values take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        std::mem::size_of_val(&*self.values)
    }
}
