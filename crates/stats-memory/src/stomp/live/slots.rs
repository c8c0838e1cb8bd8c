//! Which slots of a reservation are taken next: all of them once, in order; then those that were
//! freed, around and around.

use super::lock::Lock;
use super::record::{Record, State};
use super::sync::{AtomicUsize, Ordering};
use super::system;
use super::table::Table;

/// How many slots are looked at in about the time that a guarded allocation takes.
pub(super) const LOOKED: usize = 1024;

/// Slots of a span that is large: a MiB of addresses, where pages have 4 KiB.
pub(super) const LARGE: usize = 128;

/// How many records a search for a large span looks at, and as many more as that has slots: no
/// allocation waits for a look at all of them.
pub(super) const STEPS: usize = 1 << 16;

/// Slots that were taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) slot: usize,
    /// Whether they were never taken before.
    pub(crate) is_fresh: bool,
}

/// Slots of a reservation.
#[derive(Debug)]
pub(crate) struct Slots {
    /// The first one that was never taken.
    pub(super) next: AtomicUsize,
    /// Where the search for freed ones goes on; belongs to who has the lock.
    pub(super) hand: AtomicUsize,
    /// The same for large spans, in whose way are more: the others are not to lose what they pass
    /// by.
    pub(super) far_hand: AtomicUsize,
    pub(super) lock: Lock,
    /// How many neighbours were last looked for in vain.
    pub(super) missing: AtomicUsize,
    /// How many takes and frees pass before so many are looked for again: all in all, searches take
    /// no longer than the allocations do.
    pub(super) pause: AtomicUsize,
}

impl Slots {
    /// Takes neighbouring slots; `None` where there are not as many.
    pub(crate) fn take(&self, count: usize, all: usize, table: &Table) -> Option<Taken> {
        // Relaxed: a number that one thread gets; what is in the slots was never touched.
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                next.checked_add(count).filter(|end| *end <= all)
            });
        match taken {
            Ok(slot) => Some(Taken {
                slot,
                is_fresh: true,
            }),
            Err(_) => self.recycle(count, table).map(|slot| Taken {
                slot,
                is_fresh: false,
            }),
        }
    }

    /// Takes freed slots: those that come next, so that all others are kept for a whole round.
    #[cold]
    fn recycle(&self, count: usize, table: &Table) -> Option<usize> {
        // Relaxed: who reads an old number looks once too often, or once too rarely.
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

    /// Counts a take that does without a search; false where the next one is to search.
    fn pass(&self) -> bool {
        // Relaxed: a number alone.
        self.pause
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |pause| {
                pause.checked_sub(1)
            })
            .is_ok()
    }

    /// After a free: a search in vain may find something the next time.
    pub(crate) fn freed(&self) {
        // Relaxed: a look beforehand, which changes nothing where nobody searched in vain.
        if self.pause.load(Ordering::Relaxed) != 0 {
            self.pass();
        }
    }

    /// Looks for a run of freed slots, once around or as far as it may, and marks them as taken.
    /// Under the lock.
    fn find(&self, count: usize, table: &Table) -> Option<usize> {
        let (hand, most) = if count < LARGE {
            (&self.hand, usize::MAX)
        } else {
            (&self.far_hand, STEPS + count)
        };
        // Relaxed, both: slots that are taken for the first time meanwhile are not freed, and the
        // hands are ours.
        let end = self.next.load(Ordering::Relaxed);
        let from = hand.load(Ordering::Relaxed);
        if count > end {
            return None;
        }
        // A run across the place where the search began is found after it was come back to.
        let (mut slot, mut run, mut looked, mut steps) = (from, 0, 0, 0);
        while looked <= end + count && steps < most {
            if slot >= end {
                (slot, run) = (0, 0);
                looked += 1;
            }
            let (state, slots) = table.get(slot).map_or((State::None, 1), Record::state);
            // Without a record the slots are just being taken by another thread.
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
                // Relaxed: under the lock.
                hand.store(first + count, Ordering::Relaxed);
                return Some(first);
            }
        }
        // The next search begins where the last run did, and goes on for longer than that can be.
        // Relaxed: under the lock.
        if steps == most {
            hand.store(slot - run, Ordering::Relaxed);
        }
        // Relaxed, both: see `recycle`.
        self.missing.store(count, Ordering::Relaxed);
        self.pause.store(steps / LOOKED, Ordering::Relaxed);
        None
    }
}

/// Makes a span of `count` slots out of a run of freed ones; what is left over is a span of which
/// nothing is known.
///
/// Where a fork finds this half done, it finds slots that are freed, or are nobody's and lost.
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
        // Nobody else's any more, and not yet what it will be.
        record.clear();
    }
}
