//! Who holds which history.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use crate::SeriesId;

/// Keeps the history of a series alive in the [`Source`](crate::Source) that made it; clones share
/// it.
///
/// When the last one is dropped the history ends: the source frees it with its next frame or its
/// next watch.
#[derive(Clone, Debug)]
pub struct Watch {
    hold: Arc<Hold>,
}

#[derive(Debug)]
struct Hold {
    id: SeriesId,
    /// Where the history is in the source's list; moved only by the source.
    index: AtomicUsize,
    /// Tells the source that there is something to free.
    dropped: Arc<AtomicBool>,
}

impl Drop for Hold {
    fn drop(&mut self) {
        // Release, paired with the Acquire in `sweep`: by then the strong count reads 0.
        self.dropped.store(true, Ordering::Release);
    }
}

impl Watch {
    /// The series that is watched.
    #[must_use]
    pub fn id(&self) -> SeriesId {
        self.hold.id
    }
}

/// The histories of a source and their holders: the bookkeeping behind
/// [`Source::watch`](crate::Source::watch), for those who implement it. `T` is whatever a history
/// is.
#[derive(Debug)]
pub struct WatchList<T> {
    entries: Vec<Entry<T>>,
    /// Where the entry of a series is.
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
            positions: HashMap::new(),
            dropped: Arc::default(),
        }
    }
}

impl<T> WatchList<T> {
    /// Joins the holders of a series, or begins with the history that `begin` makes.
    pub fn watch(&mut self, id: SeriesId, begin: impl FnOnce() -> T) -> Watch {
        self.sweep();
        let existing = self
            .positions
            .get(&id)
            .and_then(|at| self.entries[*at].hold.upgrade());
        if let Some(hold) = existing {
            return Watch { hold };
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
        Watch { hold }
    }

    /// Drops the histories that nobody holds any more: one load where there are none, else a pass
    /// over all entries, without allocating.
    pub fn sweep(&mut self) {
        // Acquire: see `Hold::drop`. A swap, so that a drop right after it is seen by the next
        // sweep.
        if !self.dropped.load(Ordering::Relaxed) || !self.dropped.swap(false, Ordering::Acquire) {
            return;
        }
        self.entries.retain(|entry| entry.hold.strong_count() > 0);
        self.positions.clear();
        for (index, entry) in self.entries.iter().enumerate() {
            self.positions.insert(entry.id, index);
            if let Some(hold) = entry.hold.upgrade() {
                // Relaxed: only this list writes and reads it, and it is borrowed exclusively here.
                hold.index.store(index, Ordering::Relaxed);
            }
        }
    }

    /// The history that a watch holds; `None` for a watch of another source.
    #[must_use]
    pub fn get(&self, watch: &Watch) -> Option<&T> {
        let entry = self.entries.get(watch.hold.index.load(Ordering::Relaxed))?;
        std::ptr::eq(entry.hold.as_ptr(), Arc::as_ptr(&watch.hold)).then_some(&entry.history)
    }

    /// All histories, in no order that matters.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|entry| &mut entry.history)
    }

    /// How many series are watched.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is watched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
