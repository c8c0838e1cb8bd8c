//! The interface through which every view reads its values.
//!
//! A view reads a [`Data`]. It does not know whether this is the live source or the copy that was
//! taken when the user paused.

use std::ops::Range;

use stats_analysis::extremes::extremes;
use stats_analysis::format::NumberStyle;
use stats_analysis::track::Track;
use stats_core::{Distribution, Frame, FrameSlice, Mark, Unit};

/// Frames, and the values of the selected series in them.
///
/// A series is identified by its index among the selected ones.
pub(crate) trait Data {
    /// Returns the indices of the frames that can be read.
    fn frames(&self) -> Range<u64>;
    /// Returns one frame, or `None` if it is no longer kept.
    fn frame(&self, index: u64) -> Option<Frame>;
    /// Returns the values of a selected series; empty if it has none.
    fn values(&self, selected: usize) -> FrameSlice<'_>;
    /// Returns the durations of the frames in milliseconds.
    fn frame_times(&self) -> FrameSlice<'_>;
    /// Returns the track of a selected series, with its spikes and the pyramid of its extremes;
    /// `None` if it has no track.
    fn track(&self, _selected: usize) -> Option<&Track> {
        None
    }
    /// Returns the track of the frame time, selected or not.
    fn frame_time_track(&self) -> Option<&Track> {
        None
    }
    /// Returns the marks of all frames.
    fn marks(&self) -> &[Mark] {
        &[]
    }
    /// Returns the distribution of the samples of a selected histogram; `None` for any other
    /// series.
    fn distribution(&self, _selected: usize) -> Option<Distribution> {
        None
    }
}

/// Returns the number style of the values of a slice, and the smallest and the largest value;
/// `None` if no value is known.
pub(crate) fn style_of(
    window: FrameSlice<'_>,
    unit: Unit,
    previous: Option<NumberStyle>,
) -> Option<(NumberStyle, (f64, f64))> {
    let (older, newer) = window.as_slices();
    let ((min_a, max_a), (min_b, max_b)) = (extremes(older), extremes(newer));
    let range = (min_a.min(min_b), max_a.max(max_b));
    if range.0 > range.1 {
        return None;
    }
    let mut known = older.iter().chain(newer).filter(|value| !value.is_nan());
    let whole = known.all(|value| value.fract() == 0.0);
    Some((NumberStyle::steady(previous, unit, range, whole), range))
}
