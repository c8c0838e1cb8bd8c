//! The counts of one thread under one tag.

use crate::sync::{AtomicU64, Ordering, const_fn};

/// The counts of one thread under one tag: totals, which are never reset.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Cell {
    bytes: AtomicU64,
    allocations: AtomicU64,
    freed_bytes: AtomicU64,
    frees: AtomicU64,
}

/// The four numbers of a [`Cell`], or a sum of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) allocations: u64,
    pub(crate) bytes: u64,
    pub(super) frees: u64,
    pub(super) freed_bytes: u64,
}

impl Sum {
    /// The sum of nothing.
    pub(crate) const NONE: Self = Self {
        allocations: 0,
        bytes: 0,
        frees: 0,
        freed_bytes: 0,
    };

    /// Returns the live bytes. In a sum over threads, wrong by any amount if memory crosses threads
    /// while it is read; see [`until`](Self::until).
    pub(crate) fn live_bytes(&self) -> i64 {
        self.bytes.wrapping_sub(self.freed_bytes) as i64
    }

    /// Replaces the live bytes.
    pub(crate) fn set_live_bytes(&mut self, bytes: i64) {
        self.freed_bytes = self.bytes.wrapping_sub(bytes as u64);
    }

    /// Returns the live allocations; see [`live_bytes`](Self::live_bytes).
    pub(crate) fn live(&self) -> i64 {
        self.allocations.wrapping_sub(self.frees) as i64
    }

    /// Returns the difference from an earlier sum.
    #[inline(always)]
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        Self {
            allocations: self.allocations.wrapping_sub(earlier.allocations),
            bytes: self.bytes.wrapping_sub(earlier.bytes),
            frees: self.frees.wrapping_sub(earlier.frees),
            freed_bytes: self.freed_bytes.wrapping_sub(earlier.freed_bytes),
        }
    }

    /// Returns this sum with the live numbers that are possible between two reads, `self` and
    /// `later`, and nearest to those of `near`.
    ///
    /// A moment lies between the two reads. What was allocated and freed until then is at least the
    /// first read and at most the second, each by itself.
    pub(super) fn until(&self, later: &Self, near: &Self) -> Self {
        let live = |low: u64, high_freed: u64, high: u64, low_freed: u64, near: i64| {
            let least = low.wrapping_sub(high_freed) as i64;
            let most = high.wrapping_sub(low_freed) as i64;
            near.max(least).min(most)
        };
        let bytes = live(
            self.bytes,
            later.freed_bytes,
            later.bytes,
            self.freed_bytes,
            near.live_bytes(),
        );
        let allocations = live(
            self.allocations,
            later.frees,
            later.allocations,
            self.frees,
            near.live(),
        );
        Self {
            allocations: later.allocations,
            bytes: later.bytes,
            frees: later.allocations.wrapping_sub(allocations as u64),
            freed_bytes: later.bytes.wrapping_sub(bytes as u64),
        }
    }

    /// Adds another sum.
    #[inline(always)]
    pub(crate) fn add(&mut self, other: &Self) {
        self.allocations = self.allocations.wrapping_add(other.allocations);
        self.bytes = self.bytes.wrapping_add(other.bytes);
        self.frees = self.frees.wrapping_add(other.frees);
        self.freed_bytes = self.freed_bytes.wrapping_add(other.freed_bytes);
    }
}

/// Returns a number increased by `n`, for its only writer to store. Relaxed: nobody else writes it.
#[inline(always)]
fn more(number: &AtomicU64, n: u64) -> u64 {
    number.load(Ordering::Relaxed).wrapping_add(n)
}

impl Cell {
    const_fn! {
        /// Creates a cell with nothing counted.
        pub(super) fn new() -> Self {
            Self {
                bytes: AtomicU64::new(0),
                allocations: AtomicU64::new(0),
                freed_bytes: AtomicU64::new(0),
                frees: AtomicU64::new(0),
            }
        }
    }

    /// Counts an allocation. Called by the owner.
    #[inline(always)]
    pub(super) fn allocated(&self, bytes: usize) {
        // Release, all of these: see `read`.
        self.bytes
            .store(more(&self.bytes, bytes as u64), Ordering::Release);
        self.allocations
            .store(more(&self.allocations, 1), Ordering::Release);
    }

    /// Counts a free. Called by the owner.
    #[inline(always)]
    pub(super) fn freed(&self, bytes: usize) {
        self.freed_bytes
            .store(more(&self.freed_bytes, bytes as u64), Ordering::Release);
        self.frees.store(more(&self.frees, 1), Ordering::Release);
    }

    /// Counts an allocation, from any thread.
    pub(super) fn allocated_shared(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Release);
        self.allocations.fetch_add(1, Ordering::Release);
    }

    /// Counts a free, from any thread.
    pub(super) fn freed_shared(&self, bytes: usize) {
        self.freed_bytes.fetch_add(bytes as u64, Ordering::Release);
        self.frees.fetch_add(1, Ordering::Release);
    }

    /// Returns how many allocations and frees were counted.
    #[inline(always)]
    pub(super) fn events(&self) -> u64 {
        // Acquire: a thread that reads the bytes afterward sees those of every event counted here.
        // Otherwise it might see them late, or never if nothing more is counted.
        self.allocations
            .load(Ordering::Acquire)
            .wrapping_add(self.frees.load(Ordering::Acquire))
    }

    /// Reads the numbers.
    #[inline(always)]
    pub(super) fn read(&self) -> Sum {
        // All are acquire, and frees come first. So a thread that sees a free, or its bytes, also sees
        // its allocation, and a thread that sees an allocation sees what came before it: its record, and
        // frees on other threads.
        let frees = self.frees.load(Ordering::Acquire);
        let freed_bytes = self.freed_bytes.load(Ordering::Acquire);
        let allocations = self.allocations.load(Ordering::Acquire);
        Sum {
            allocations,
            bytes: self.bytes.load(Ordering::Acquire),
            frees,
            freed_bytes,
        }
    }
}
