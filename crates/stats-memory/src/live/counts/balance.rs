//! What all threads hold, as far as they told: for the peak between frames.

use crate::sync::{AtomicI64, Ordering, const_fn};

/// How many bytes a thread's balance moves before the thread tells the others.
#[cfg(not(all(test, loom)))]
const STEP: i64 = 64 * 1024;

/// The same in models.
#[cfg(all(test, loom))]
const STEP: i64 = 2;

/// What the others know of a thread's balance.
#[derive(Debug)]
pub(crate) struct Told {
    /// The balance above which, and below which, they are told.
    pub(super) high: AtomicI64,
    pub(super) low: AtomicI64,
    /// The balance that they know.
    pub(super) balance: AtomicI64,
}

/// What all threads told.
#[derive(Debug)]
pub(crate) struct Known {
    /// Bytes that are held.
    pub(super) live: AtomicI64,
    /// The most that they ever were.
    pub(super) peak: AtomicI64,
}

impl Told {
    /// Creates a balance of 0.
    #[cfg(all(test, loom))]
    pub(super) fn new() -> Self {
        Self {
            high: AtomicI64::new(0),
            low: AtomicI64::new(0),
            balance: AtomicI64::new(0),
        }
    }

    /// After the balance moved up. Owner only.
    #[inline(always)]
    pub(crate) fn rise(&self, balance: i64, known: &Known) {
        // Relaxed, all of these: one writer, and nobody else reads them but whoever adopts them,
        // which orders them.
        if balance > self.high.load(Ordering::Relaxed) {
            self.tell(balance, known);
        }
    }

    /// After the balance moved down. Owner only.
    #[inline(always)]
    pub(crate) fn fall(&self, balance: i64, known: &Known) {
        // Relaxed, here and in `tell`: as above.
        if balance < self.low.load(Ordering::Relaxed) {
            self.tell(balance, known);
        }
    }

    /// Tells the others of the balance. Owner only.
    #[cold]
    #[inline(never)]
    pub(crate) fn tell(&self, balance: i64, known: &Known) {
        let step = balance.wrapping_sub(self.balance.load(Ordering::Relaxed));
        self.balance.store(balance, Ordering::Relaxed);
        self.high
            .store(balance.saturating_add(STEP), Ordering::Relaxed);
        self.low
            .store(balance.saturating_sub(STEP), Ordering::Relaxed);
        known.change(step);
    }
}

impl Known {
    const_fn! {
        /// Nothing told yet.
        pub(super) fn new() -> Self {
            Self {
                live: AtomicI64::new(0),
                peak: AtomicI64::new(0),
            }
        }
    }

    /// Returns what is known to be held.
    #[cfg(all(test, loom))]
    pub(super) fn live(&self) -> i64 {
        self.live.load(Ordering::Relaxed)
    }

    /// Moves what is known to be held, and the peak with it.
    pub(crate) fn change(&self, bytes: i64) {
        // Relaxed: one number, which all add to; each sum that it ever was is seen by whoever made
        // it.
        let live = self
            .live
            .fetch_add(bytes, Ordering::Relaxed)
            .wrapping_add(bytes);
        if live > self.peak.load(Ordering::Relaxed) {
            self.peak.fetch_max(live, Ordering::Relaxed);
        }
    }

    /// The most bytes that were held at a time; `now` are those held now, known exactly.
    pub(crate) fn peak(&self, now: i64) -> i64 {
        // Relaxed, here and below: as above.
        self.peak.fetch_max(now, Ordering::Relaxed).max(now)
    }

    /// Begins the peak anew from what is held now.
    pub(crate) fn reset_peak(&self, now: i64) {
        // Not below what threads told: one that told of more than it holds tells the next time when
        // it is a step above that.
        self.peak.store(
            now.max(self.live.load(Ordering::Relaxed)),
            Ordering::Relaxed,
        );
    }
}
