//! Tracks which watches keep a history alive.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use crate::SeriesId;

/// Keeps the history of a series alive in the [`Source`](crate::Source) that returned it. Clones
/// share the history.
///
/// The history ends when the last clone is dropped: the source frees it at its next frame or its
/// next watch.
#[derive(Debug)]
pub struct Watch {
    hold: Arc<Hold>,
    /// Where the history was last found. Unlike `Hold::index`, it is read without a further cache miss.
    found: AtomicUsize,
}

#[derive(Debug)]
struct Hold {
    id: SeriesId,
    /// The position of the history in the source's list. Only the source changes it.
    index: AtomicUsize,
    /// Set when the source has something to free.
    dropped: Arc<AtomicBool>,
}

impl Drop for Hold {
    fn drop(&mut self) {
        // Release, paired with the Acquire in `sweep`: a thread that sees the flag sees a strong
        // count of 0.
        self.dropped.store(true, Ordering::Release);
    }
}

impl Clone for Watch {
    fn clone(&self) -> Self {
        Self::new(Arc::clone(&self.hold))
    }
}

impl Watch {
    fn new(hold: Arc<Hold>) -> Self {
        // Relaxed, as everywhere: any number is right, because `WatchList::get` checks it.
        let found = AtomicUsize::new(hold.index.load(Ordering::Relaxed));
        Self { hold, found }
    }

    /// Returns the id of the watched series.
    #[must_use]
    pub fn id(&self) -> SeriesId {
        self.hold.id
    }
}

/// The histories of a source, and the watches that keep them alive: for implementors of
/// [`Source::watch`](crate::Source::watch). `T` is one history.
#[derive(Debug)]
pub struct WatchList<T> {
    entries: Vec<Entry<T>>,
    /// How often entries moved.
    moves: u64,
    /// The position of each series' entry.
    positions: HashMap<SeriesId, usize>,
    dropped: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Entry<T> {
    hold: Weak<Hold>,
    id: SeriesId,
    history: T,
}

impl<T> Default for WatchList<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            moves: 0,
            positions: HashMap::new(),
            dropped: Arc::default(),
        }
    }
}

impl<T> WatchList<T> {
    /// Returns a watch on a series. If it is not watched yet, `begin` creates its history.
    pub fn watch(&mut self, id: SeriesId, begin: impl FnOnce() -> T) -> Watch {
        self.sweep();
        let existing = self
            .positions
            .get(&id)
            .and_then(|at| self.entries[*at].hold.upgrade());
        if let Some(hold) = existing {
            return Watch::new(hold);
        }
        self.positions.insert(id, self.entries.len());
        let index = AtomicUsize::new(self.entries.len());
        let hold = Arc::new(Hold {
            id,
            index,
            dropped: Arc::clone(&self.dropped),
        });
        self.entries.push(Entry {
            hold: Arc::downgrade(&hold),
            id,
            history: begin(),
        });
        Watch::new(hold)
    }

    /// Drops the histories that are no longer watched. Costs one load if there are none, and
    /// otherwise a pass over all entries. Never allocates.
    pub fn sweep(&mut self) {
        // Acquire: see `Hold::drop`. A swap, so that a later drop sets the flag for the next
        // sweep.
        if !self.dropped.load(Ordering::Relaxed) || !self.dropped.swap(false, Ordering::Acquire) {
            return;
        }
        self.entries.retain(|entry| entry.hold.strong_count() > 0);
        self.positions.clear();
        self.moves += 1;
        for (index, entry) in self.entries.iter().enumerate() {
            self.positions.insert(entry.id, index);
            if let Some(hold) = entry.hold.upgrade() {
                // Relaxed: only this list writes and reads it, and it is borrowed exclusively here.
                hold.index.store(index, Ordering::Relaxed);
            }
        }
    }

    /// Returns the history of a watch; `None` for a watch of another source.
    #[inline]
    #[must_use]
    pub fn get(&self, watch: &Watch) -> Option<&T> {
        let at = watch.found.load(Ordering::Relaxed);
        self.history_at(at, watch).or_else(|| self.find(watch))
    }

    /// Returns the history of a watch that has moved.
    #[cold]
    fn find(&self, watch: &Watch) -> Option<&T> {
        let at = watch.hold.index.load(Ordering::Relaxed);
        watch.found.store(at, Ordering::Relaxed);
        self.history_at(at, watch)
    }

    /// Returns what changes when histories move, and differs from that of other lists.
    #[inline]
    pub(super) fn state(&self) -> (usize, u64) {
        // No other list has the address as long as one of its watches exists.
        (Arc::as_ptr(&self.dropped).addr(), self.moves)
    }

    /// Returns the history of a watch with its position; `None` for a watch of another source.
    pub(super) fn place(&self, watch: &Watch) -> Option<(usize, &T)> {
        let at = watch.hold.index.load(Ordering::Relaxed);
        Some((at, self.history_at(at, watch)?))
    }

    #[inline]
    fn history_at(&self, at: usize, watch: &Watch) -> Option<&T> {
        let entry = self.entries.get(at)?;
        std::ptr::eq(entry.hold.as_ptr(), Arc::as_ptr(&watch.hold)).then_some(&entry.history)
    }

    /// Returns each series with the number of its watches and its history, in no particular order.
    pub(crate) fn holds(&self) -> impl Iterator<Item = (SeriesId, usize, &T)> {
        let entries = self.entries.iter();
        entries.map(|entry| (entry.id, entry.hold.strong_count(), &entry.history))
    }

    /// Visits all histories, in no particular order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|entry| &mut entry.history)
    }

    /// Returns the number of watched series.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether nothing is watched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
