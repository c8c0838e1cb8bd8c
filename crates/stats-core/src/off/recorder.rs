//! Recorder, listing and watches without the feature `enabled`.

use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};

use super::Instant;
use crate::limits::DEFAULT_HISTORY;
use crate::source::{Listed, Survey};
use crate::{
    Distribution, Frame, FrameSlice, FrameTime, Mark, MarkEvent, Problem, Report, SeriesId,
    SeriesInfo, Source, Unit,
};

/// A recorder that records nothing, because the feature `enabled` is off.
#[derive(Debug, Default)]
pub struct Recorder;

/// A watch that keeps nothing alive, because the feature `enabled` is off.
#[derive(Clone, Debug)]
pub struct Watch;

/// A list that is always empty, because the feature `enabled` is off.
#[derive(Debug)]
pub struct WatchList<T> {
    _history: PhantomData<T>,
}

impl<T> Default for WatchList<T> {
    fn default() -> Self {
        Self {
            _history: PhantomData,
        }
    }
}

impl<T> WatchList<T> {
    /// Returns a watch on nothing.
    pub fn watch(&mut self, _: SeriesId, _: impl FnOnce() -> T) -> Watch {
        Watch
    }

    /// Does nothing.
    pub fn sweep(&mut self) {}

    /// Returns `None`.
    #[must_use]
    pub fn get(&self, _: &Watch) -> Option<&T> {
        None
    }

    /// Returns no histories.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        std::iter::empty()
    }

    /// Returns 0.
    #[must_use]
    pub fn len(&self) -> usize {
        0
    }

    /// Returns `true`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        true
    }
}

impl Watch {
    /// Returns the id of no series.
    #[must_use]
    pub fn id(&self) -> SeriesId {
        SeriesId::new(0)
    }
}

/// Watches without values, because the feature `enabled` is off.
#[derive(Debug, Default)]
pub struct WatchGroup {
    watches: Vec<Watch>,
}

impl WatchGroup {
    /// Returns an empty group.
    #[must_use]
    pub fn with_capacity(_: usize) -> Self {
        Self::default()
    }

    /// Adds a watch.
    pub fn push(&mut self, watch: Watch) {
        self.watches.push(watch);
    }

    /// Drops the watches for which `is_kept` is false.
    pub fn retain(&mut self, is_kept: impl FnMut(&Watch) -> bool) {
        self.watches.retain(is_kept);
    }

    /// Returns the watches in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, Watch> {
        self.watches.iter()
    }

    /// Returns the number of watches.
    #[must_use]
    pub fn len(&self) -> usize {
        self.watches.len()
    }

    /// Returns whether there are no watches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.watches.is_empty()
    }
}

impl FromIterator<Watch> for WatchGroup {
    fn from_iter<T: IntoIterator<Item = Watch>>(watches: T) -> Self {
        let watches = watches.into_iter().collect();
        Self { watches }
    }
}

impl Recorder {
    /// Returns a recorder that records nothing.
    #[must_use]
    pub fn new() -> Self {
        Self
    }

    /// Returns a recorder that records nothing.
    #[must_use]
    pub fn with_history(_: usize) -> Self {
        Self
    }

    /// Returns [`DEFAULT_HISTORY`](crate::limits::DEFAULT_HISTORY).
    #[must_use]
    pub fn history_capacity(&self) -> usize {
        DEFAULT_HISTORY
    }

    /// Does nothing.
    pub fn set_history(&mut self, _: usize) {}

    /// Does nothing.
    #[inline(always)]
    pub fn restart_frame(&mut self) {}

    /// Does nothing.
    #[inline(always)]
    pub fn end_frame(&mut self) {}

    /// Does nothing.
    #[inline(always)]
    pub fn end_frame_at(&mut self, _: impl Into<FrameTime>) {}

    /// Returns a watch on nothing.
    #[must_use]
    pub fn watch(&mut self, _: SeriesId) -> Watch {
        Watch
    }

    /// Returns a watch on nothing.
    #[must_use]
    pub fn watch_with_past(&mut self, _: SeriesId, _: FrameSlice<'_>) -> Watch {
        Watch
    }

    /// Returns `None`.
    pub fn survey(&mut self) -> Option<Survey<'_>> {
        None
    }

    /// Returns 0.
    #[must_use]
    pub fn watched(&self) -> usize {
        0
    }

    /// Returns an empty slice.
    #[must_use]
    pub fn history(&self, _: &Watch, _: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }

    /// Visits NaN for each watch.
    pub fn values_in(&self, _: u64, group: &mut WatchGroup, mut visit: impl FnMut(&[f64])) {
        group.iter().for_each(|_| visit(&[f64::NAN]));
    }

    /// Returns `None`.
    #[must_use]
    pub fn ended_at(&self) -> Option<Instant> {
        None
    }

    /// Returns `None`.
    pub fn peek(&mut self, _: SeriesId) -> Option<f64> {
        None
    }

    /// Does nothing.
    #[inline(always)]
    pub fn mark(&mut self, _: &str, _: MarkEvent) {}

    /// Does nothing.
    #[inline(always)]
    pub fn mark_frames(&mut self, _: &str, _: Range<u64>) {}

    /// Returns no marks.
    #[must_use]
    pub fn marks(&self) -> &[Mark] {
        &[]
    }

    /// Returns an empty range.
    #[must_use]
    pub fn frames(&self) -> Range<u64> {
        0..0
    }

    /// Returns `None`.
    #[must_use]
    pub fn frame(&self, _: u64) -> Option<Frame> {
        None
    }

    /// Returns an empty slice.
    #[must_use]
    pub fn frame_times(&self, _: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }
}

impl Source for Recorder {
    fn generation(&self) -> u64 {
        0
    }

    fn list(&self, _: Listed, _: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>) -> Option<u32> {
        Some(0)
    }

    fn find(&self, _: &str) -> Option<SeriesId> {
        None
    }

    fn watch(&mut self, _: SeriesId) -> Watch {
        Watch
    }

    fn history(&self, _: &Watch, _: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }

    fn peek(&mut self, _: SeriesId) -> Option<f64> {
        None
    }

    fn frames(&self) -> Range<u64> {
        0..0
    }

    fn frame(&self, _: u64) -> Option<Frame> {
        None
    }

    fn frame_times(&self, _: usize) -> FrameSlice<'_> {
        FrameSlice::default()
    }
}

/// Does nothing and returns an empty report.
pub fn begin_run() -> Report {
    Report::default()
}

/// Returns `None`.
#[must_use]
pub fn snapshot(_: SeriesId) -> Option<Distribution> {
    None
}

/// Returns `None`.
#[must_use]
pub fn snapshot_of_all_runs(_: SeriesId) -> Option<Distribution> {
    None
}

/// Returns an empty report.
pub(crate) fn report() -> Report {
    Report::of(|_| (), |_| ())
}

/// Visits nothing.
pub fn for_each_histogram(_: impl FnMut(SeriesInfo<'static>, Distribution)) {}

/// Returns 0.
#[must_use]
pub fn generation() -> u64 {
    0
}

/// Visits nothing.
pub fn for_each_series(_: impl FnMut(SeriesInfo<'static>)) {}

/// Visits nothing.
pub fn for_each_change(_: u64, _: impl FnMut(SeriesInfo<'static>)) {}

/// Returns `None`.
#[must_use]
pub fn find(_: &str) -> Option<SeriesId> {
    None
}

/// Does nothing, and returns true for every call, not only for the first: no code remains.
pub fn set_clock(_: fn() -> std::time::Duration) -> bool {
    true
}

/// Returns 0: there are no samples whose run matters.
pub(crate) const fn current_run() -> u32 {
    0
}

/// Does nothing.
pub fn set_budgets(_: impl FnMut(&str, Unit) -> Result<Option<f64>, Problem> + Send + 'static) {}

/// Does nothing.
pub fn set_budget(_: &str, _: Option<f64>) {}

/// Returns `None`.
#[must_use]
pub fn budget_set_for(_: &str) -> Option<f64> {
    None
}

/// Returns 0.
#[must_use]
pub fn budget_changes() -> u64 {
    0
}

/// Returns `None`.
#[must_use]
pub fn frame_budget_ms() -> Option<f64> {
    None
}

/// Does nothing.
pub fn set_unavailable(_: SeriesId, _: Option<&'static str>) {}

/// Returns no problems.
#[must_use]
pub fn problems() -> Vec<Problem> {
    Vec::new()
}

/// Does nothing.
pub fn report_reserved_path(_: &str, _: &str) {}

/// Does nothing.
pub fn report_over_limit(_: &str, _: usize) {}

/// Returns 0.
#[must_use]
pub fn cell_block_sets() -> usize {
    0
}
