//! Decides which slots of a reservation are taken next: first each slot once, in order; then the
//! freed ones, in rounds.

use super::record::{Record, State};
use super::table::Table;
use crate::stomp::live::lock::Lock;
use crate::stomp::live::system;
use crate::sync::{AtomicUsize, Ordering, const_fn};

/// The number of slots that a search examines in about the time that a guarded allocation takes.
pub(super) const STEPS_PER_TAKE: usize = 1024;

/// The number of slots of a large span: a MiB of addresses if pages have 4 KiB.
pub(super) const LARGE: usize = 128;

/// How many records a search for a large span examines, in addition to the length of the span, so
/// that no allocation waits for a search of all records.
pub(super) const STEPS: usize = 1 << 16;

/// Slots that were taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TakenSlots {
    pub(crate) slot: usize,
    /// Whether they were never taken before.
    pub(super) is_fresh: bool,
}

/// The slots of a reservation.
#[derive(Debug)]
pub(super) struct Slots {
    /// The first slot that was never taken.
    next: AtomicUsize,
    /// Where the next search for freed slots starts. Belongs to the holder of the lock.
    hand: AtomicUsize,
    /// The same for large spans, which skip more slots: small spans should not lose those.
    far_hand: AtomicUsize,
    lock: Lock,
    /// The number of neighboring slots for which the last search was unsuccessful.
    missing: AtomicUsize,
    /// The number of takes and frees until that number of slots is searched for again. So all searches
    /// together take no longer than the allocations do.
    pub(super) pause: AtomicUsize,
}

impl Slots {
    const_fn! {
        /// Creates slots that were never taken.
        pub(super) fn new() -> Self {
            Self {
                next: AtomicUsize::new(0),
                hand: AtomicUsize::new(0),
                far_hand: AtomicUsize::new(0),
                lock: Lock::new(),
                missing: AtomicUsize::new(0),
                pause: AtomicUsize::new(0),
            }
        }
    }

    /// Takes neighboring slots. `None` if there are not that many.
    pub(super) fn take(&self, count: usize, all: usize, table: &Table) -> Option<TakenSlots> {
        // Relaxed: exactly one thread gets each number, and nobody has touched the contents of
        // these slots.
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                next.checked_add(count).filter(|end| *end <= all)
            });
        match taken {
            Ok(slot) => Some(TakenSlots {
                slot,
                is_fresh: true,
            }),
            Err(_) => self.recycle(count, table).map(|slot| TakenSlots {
                slot,
                is_fresh: false,
            }),
        }
    }

    /// Takes freed slots: the next ones in order, so that all others are kept for a whole round.
    #[cold]
    fn recycle(&self, count: usize, table: &Table) -> Option<usize> {
        // Relaxed: a thread that reads an old number searches one time too many, or too few.
        if count >= self.missing.load(Ordering::Relaxed) && self.pass() {
            return None;
        }
        while !self.lock.try_lock() {
            system::yield_now();
        }
        let found = self.find(count, table);
        self.lock.unlock();
        found
    }

    /// Counts a take that skips the search. Returns false if the search is due again.
    fn pass(&self) -> bool {
        // Relaxed: it is only a number.
        self.pause
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |pause| {
                pause.checked_sub(1)
            })
            .is_ok()
    }

    /// Notes a free, after which a search may succeed again.
    pub(super) fn freed(&self) {
        // Relaxed: a first look; it changes nothing unless a search failed.
        if self.pause.load(Ordering::Relaxed) != 0 {
            self.pass();
        }
    }

    /// Searches for a run of freed slots, once around or as far as it may, and marks them as taken.
    /// Called with the lock held.
    fn find(&self, count: usize, table: &Table) -> Option<usize> {
        let (hand, most) = if count < LARGE {
            (&self.hand, usize::MAX)
        } else {
            (&self.far_hand, STEPS + count)
        };
        // Relaxed, both: slots that are taken for the first time right now are not freed, and the
        // hands belong to the holder of the lock.
        let end = self.next.load(Ordering::Relaxed);
        let from = hand.load(Ordering::Relaxed);
        if count > end {
            return None;
        }
        // A run across the place where the search started is found when the search comes back to
        // it.
        let (mut slot, mut run, mut looked, mut steps) = (from, 0, 0, 0);
        while looked <= end + count && steps < most {
            if slot >= end {
                (slot, run) = (0, 0);
                looked += 1;
            }
            let (state, slots) = table.get(slot).map_or((State::None, 1), Record::state);
            // Slots without a record are just being taken by another thread.
            let slots = if state == State::None { 1 } else { slots };
            run = if matches!(state, State::Dead | State::Forgotten) {
                run + slots
            } else {
                0
            };
            (slot, looked, steps) = (slot + slots, looked + slots, steps + 1);
            if run >= count {
                let first = slot - run;
                split(first, count, run, table);
                // Relaxed: the lock is held.
                hand.store(first + count, Ordering::Relaxed);
                return Some(first);
            }
        }
        // The next search starts where the last run did, and looks at more slots than that run can
        // have. Relaxed: the lock is held.
        if steps == most {
            hand.store(slot - run, Ordering::Relaxed);
        }
        // Relaxed, both: see `recycle`.
        self.missing.store(count, Ordering::Relaxed);
        self.pause.store(steps / STEPS_PER_TAKE, Ordering::Relaxed);
        None
    }
}

/// Turns a run of freed slots into a span of `count` slots. The rest of the run becomes a span
/// without a record.
///
/// A child forked in the middle of this finds slots that are freed, or that belong to nobody and
/// are lost.
fn split(first: usize, count: usize, run: usize, table: &Table) {
    if run > count
        && let Some(rest) = table.get(first + count)
    {
        rest.forget(run - count);
    }
    (first + 1..first + count)
        .filter_map(|slot| table.get(slot))
        .for_each(Record::clear);
    if let Some(record) = table.get(first) {
        // It no longer belongs to a freed span, and does not describe the new one yet.
        record.clear();
    }
}
