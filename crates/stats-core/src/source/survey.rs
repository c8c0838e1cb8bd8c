//! The values of all series in a frame, as a source lends them.

use crate::series::{SeriesId, SurveyValue};

/// The frame of a change that never happened.
pub(crate) const NEVER: u32 = u32::MAX;

/// The value of every series in the newest frame, borrowed from a
/// [`Source`](crate::Source::survey).
#[derive(Clone, Copy, Debug, Default)]
pub struct Survey<'a> {
    values: &'a [f64],
    changes: &'a [u32],
    end: u64,
    earlier: &'a [(SeriesId, SurveyValue)],
    still: &'a [bool],
}

impl<'a> Survey<'a> {
    /// Creates a survey from the values of the frame before `end`, by the
    /// [number](SeriesId::number) of each series, with NaN for a number without a value. For
    /// implementors of [`Source`](crate::Source).
    ///
    /// `changes` has the frame of the last change of each series: the low 32 bits of its index, or
    /// `u32::MAX` if there was none. A change that is 2³² frames old seems new.
    #[must_use]
    pub const fn new(values: &'a [f64], changes: &'a [u32], end: u64) -> Self {
        Self {
            values,
            changes,
            end,
            earlier: &[],
            still: &[],
        }
    }

    /// Adds the values of earlier frames that became known at the end of the newest one.
    #[must_use]
    pub const fn with_earlier(self, earlier: &'a [(SeriesId, SurveyValue)]) -> Self {
        Self { earlier, ..self }
    }

    /// Says for each group of [`SURVEY_GROUP`](crate::limits::SURVEY_GROUP) consecutive numbers
    /// whether every value is the same as in the frame before. A reader that knows these values skips the
    /// group, so say so only if it is certain.
    #[must_use]
    pub const fn with_still_groups(self, still: &'a [bool]) -> Self {
        Self { still, ..self }
    }

    /// Returns for each group of [`SURVEY_GROUP`](crate::limits::SURVEY_GROUP) consecutive numbers,
    /// counted from 0, whether every value is that of the frame before: the same number, or none in
    /// both frames. A group that is not in the list may have changed. A source that does not
    /// know returns an empty list.
    #[must_use]
    pub const fn still_groups(&self) -> &'a [bool] {
        self.still
    }

    /// Returns the values by the [number](SeriesId::number) of each series. A number without a
    /// value has NaN.
    #[must_use]
    pub const fn values(&self) -> &'a [f64] {
        self.values
    }

    /// Returns every series that has a value, in the order of their ids. If several frames of a
    /// [deferred](crate::DeferredSource) series became complete at the last frame's end, their
    /// values other than 0 come before all others, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (SeriesId, SurveyValue)> + use<'a> {
        let end = self.end;
        let changes = self.changes.iter().chain(std::iter::repeat(&NEVER));
        let newest = (0..).zip(self.values.iter().zip(changes));
        let newest = newest.filter(|(_, (value, _))| !value.is_nan());
        let newest = newest.map(move |(number, (&value, &change))| {
            let last_change = (change != NEVER).then(|| whole(change, end));
            let value = SurveyValue::new(value, last_change);
            (SeriesId::new(number), value)
        });
        self.earlier.iter().copied().chain(newest)
    }

    /// Returns the value of one series; `None` if it has none.
    #[must_use]
    pub fn value(&self, id: SeriesId) -> Option<f64> {
        let value = self.values.get(id.number() as usize).copied();
        value.filter(|value| !value.is_nan())
    }
}

/// Returns the whole index of a frame before `end` from its low bits.
fn whole(frame: u32, end: u64) -> u64 {
    end - u64::from((end as u32).wrapping_sub(frame))
}
