//! The values of consecutive frames, borrowed from a history.

use std::ops::Range;

/// Consecutive values of one series, one for each frame, oldest first, borrowed from its history.
///
/// If the history is shorter than requested, so is the slice: it has no zeros for missing frames.
/// The known values are finite. NaN stands for an unknown one: in a frame that a
/// [`DeferredSource`](crate::DeferredSource) did not measure, in a capture on disk, and in values
/// that the caller passed to [`watch_with_past`](crate::Recorder::watch_with_past).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameSlice<'a> {
    first_frame: u64,
    older: &'a [f64],
    newer: &'a [f64],
}

impl<'a> FrameSlice<'a> {
    /// Creates a slice of the values `older` followed by `newer`. The first value belongs to frame
    /// `first_frame`.
    #[must_use]
    pub const fn new(first_frame: u64, older: &'a [f64], newer: &'a [f64]) -> Self {
        Self {
            first_frame,
            older,
            newer,
        }
    }

    /// Returns the index of the first value's frame. For an empty slice, it is the frame that would
    /// come first.
    #[must_use]
    pub const fn first_frame(&self) -> u64 {
        self.first_frame
    }

    /// Returns the indices of the frames.
    #[must_use]
    pub const fn frames(&self) -> Range<u64> {
        self.first_frame..self.first_frame + self.len() as u64
    }

    /// Returns the number of frames.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.older.len() + self.newer.len()
    }

    /// Returns whether there are no frames.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the values without a copy: the older part, then the newer. A ring buffer gives two
    /// slices; either may be empty.
    #[must_use]
    pub const fn as_slices(&self) -> (&'a [f64], &'a [f64]) {
        (self.older, self.newer)
    }

    /// Returns the values, oldest first.
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = f64> + ExactSizeIterator + Clone + use<'a> {
        let (older, newer) = (self.older, self.newer);
        (0..older.len() + newer.len()).map(move |at| match at.checked_sub(older.len()) {
            None => older[at],
            Some(at) => newer[at],
        })
    }

    /// Returns the newest value; `None` if it is not known.
    #[must_use]
    pub fn last(&self) -> Option<f64> {
        let newest = self.newer.last().or(self.older.last()).copied();
        newest.filter(|value| !value.is_nan())
    }

    /// Returns the value of a frame; `None` if the frame is not in the slice, or if its value is
    /// not known.
    #[must_use]
    pub fn at(&self, frame: u64) -> Option<f64> {
        let at = usize::try_from(frame.checked_sub(self.first_frame)?).ok()?;
        match at.checked_sub(self.older.len()) {
            None => self.older.get(at),
            Some(at) => self.newer.get(at),
        }
        .copied()
        .filter(|value| !value.is_nan())
    }

    /// Returns the part of the slice that lies within `frames`.
    #[must_use]
    pub fn within(&self, frames: Range<u64>) -> Self {
        let held = self.frames();
        let start = frames.start.clamp(held.start, held.end);
        let end = frames.end.clamp(start, held.end);
        let (skip, keep) = ((start - held.start) as usize, (end - start) as usize);
        let split = self.older.len();
        let older = &self.older[skip.min(split)..(skip + keep).min(split)];
        let newer = &self.newer[skip.saturating_sub(split)..(skip + keep).saturating_sub(split)];
        Self {
            first_frame: start,
            older,
            newer,
        }
    }
}
