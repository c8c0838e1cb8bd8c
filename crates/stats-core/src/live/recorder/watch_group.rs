//! Watches whose values are read together.

use super::watch::Watch;

/// Watches of one recorder whose values are read together, frame by frame:
/// [`values_in`](crate::Recorder::values_in).
///
/// The group remembers where the values are, until histories end. So a value is read without its watch,
/// which would be in a cache line that nothing else needs.
#[derive(Debug, Default)]
pub struct WatchGroup {
    watches: Vec<Watch>,
    pub(super) runs: Vec<Run>,
    /// The [state](super::WatchList) of the list in which the runs were found.
    pub(super) found: Option<(usize, u64)>,
}

/// Watches that follow each other, and whose histories do.
#[derive(Debug)]
pub(super) struct Run {
    /// The position of the first history; `usize::MAX` if there is none, which is a run of its own.
    pub(super) first: usize,
    /// The position of the first watch.
    pub(super) start: usize,
    pub(super) len: usize,
}

impl WatchGroup {
    /// Adds a watch as the last one. Only this allocates.
    pub fn push(&mut self, watch: Watch) {
        self.watches.push(watch);
        self.found = None;
        self.runs.clear();
        // Each may be a run of its own.
        self.runs.reserve(self.watches.len());
    }

    /// Drops the watches for which `is_kept` is false. The others keep their order.
    pub fn retain(&mut self, is_kept: impl FnMut(&Watch) -> bool) {
        self.watches.retain(is_kept);
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

    /// Visits the position of the history of each watch, and the watch.
    pub(super) fn places(&self) -> impl Iterator<Item = (usize, &Watch)> {
        self.runs.iter().flat_map(|run| {
            let watches = &self.watches[run.start..run.start + run.len];
            let places = watches.iter().enumerate();
            places.map(|(at, watch)| (run.first.wrapping_add(at), watch))
        })
    }
}

impl FromIterator<Watch> for WatchGroup {
    fn from_iter<T: IntoIterator<Item = Watch>>(watches: T) -> Self {
        let mut group = Self::default();
        watches.into_iter().for_each(|watch| group.push(watch));
        group
    }
}
