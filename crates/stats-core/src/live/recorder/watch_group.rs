//! Watches whose values are read together.

use std::ops::Range;

use super::watch::{Watch, WatchList};

/// Watches of one recorder whose values are read together, frame by frame:
/// [`values_in`](crate::Recorder::values_in).
///
/// The group remembers where the values are, until histories end. So a value is read without its watch,
/// which would be in a cache line that nothing else needs.
#[derive(Debug, Default)]
pub struct WatchGroup {
    watches: Vec<Watch>,
    /// Empty after a change of the watches.
    runs: Vec<Run>,
    /// The [state](WatchList::state) of the list in which the runs were found.
    found: Option<(usize, u64)>,
}

/// Watches that follow each other, and whose histories do.
#[derive(Debug)]
pub(super) struct Run {
    /// The position of the first history; `usize::MAX` if the newest values do not have those of these
    /// watches.
    first: usize,
    /// The position of the first watch.
    start: usize,
    len: usize,
}

impl Run {
    /// Returns the positions of the values among the newest ones.
    #[inline]
    pub(super) fn places(&self) -> Range<usize> {
        self.first..self.first.saturating_add(self.len)
    }
}

impl WatchGroup {
    /// Returns an empty group with room for that number of watches.
    #[must_use]
    pub fn with_capacity(watches: usize) -> Self {
        Self {
            watches: Vec::with_capacity(watches),
            runs: Vec::with_capacity(watches),
            found: None,
        }
    }

    /// Adds a watch as the last one. Allocates if there is no room.
    pub fn push(&mut self, watch: Watch) {
        self.watches.push(watch);
        self.forget_runs();
        // Each may be a run of its own.
        self.runs.reserve(self.watches.len());
    }

    /// Drops the watches for which `is_kept` is false. The others keep their order.
    pub fn retain(&mut self, is_kept: impl FnMut(&Watch) -> bool) {
        self.watches.retain(is_kept);
        self.forget_runs();
    }

    fn forget_runs(&mut self) {
        self.runs.clear();
        self.found = None;
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

    /// Brings the runs up to date. Costs two comparisons unless histories ended or the group changed. Never
    /// allocates.
    ///
    /// `is_newest` tells whether the newest values have that of a history.
    #[inline]
    pub(super) fn find<T>(&mut self, list: &WatchList<T>, is_newest: fn(&T) -> bool) {
        let state = list.state();
        if self.found != Some(state) {
            self.find_runs(list, is_newest);
            self.found = Some(state);
        }
    }

    #[cold]
    fn find_runs<T>(&mut self, list: &WatchList<T>, is_newest: fn(&T) -> bool) {
        self.runs.clear();
        for (start, watch) in self.watches.iter().enumerate() {
            let place = list.place(watch).filter(|(_, history)| is_newest(history));
            let first = place.map_or(usize::MAX, |(at, _)| at);
            match self.runs.last_mut() {
                Some(run) if run.places().end == first => run.len += 1,
                _ => self.runs.push(Run {
                    first,
                    start,
                    len: 1,
                }),
            }
        }
    }

    #[inline]
    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    pub(super) fn of_run(&self, run: &Run) -> &[Watch] {
        &self.watches[run.start..][..run.len]
    }
}

impl FromIterator<Watch> for WatchGroup {
    fn from_iter<T: IntoIterator<Item = Watch>>(watches: T) -> Self {
        let mut group = Self::default();
        watches.into_iter().for_each(|watch| group.push(watch));
        group
    }
}
