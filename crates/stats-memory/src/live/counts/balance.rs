//! The live memory: what all threads have reported, and the changes that each has not reported yet.
//!
//! A number that all threads change with every allocation would make them wait for one another. So
//! each thread counts the change of its live memory, and reports it when it reaches a threshold, a
//! *step*. The peak is the highest sum of all reports, to within one step per thread.
//!
//! A reader cannot add up totals of allocations and of frees: while it reads one thread after the
//! other, any amount of memory may be allocated on one and freed on another. It reads the sum of
//! all reports, which is one number and thus true at one moment, and adds the unreported changes.
//! Each of these is less than a step, no matter when it is read, so the result is right to within
//! two steps per thread, and exact if nothing happens in parallel.
//!
//! For allocations, a thread also remembers the highest change since its last report, and adds it
//! to the sum in the next report. So the peak of allocations is exact if only one thread allocates
//! and frees. (The changes of several threads need not have been highest at the same moment.) A
//! change is highest right before a free, so only frees check for it; an allocation only adds
//! twice, and compares with a constant.

use crate::sync::{AtomicI64, Ordering, const_fn};

/// A change of this many bytes is reported.
#[cfg(not(all(test, loom)))]
const BYTES: i64 = 32 * 1024;

/// A change of this many allocations is reported. With allocations of 64 bytes, this limit is
/// reached as often as that of bytes.
#[cfg(not(all(test, loom)))]
const ALLOCATIONS: i64 = 512;

/// Small steps, to keep the loom models small.
#[cfg(all(test, loom))]
const BYTES: i64 = 2;
#[cfg(all(test, loom))]
const ALLOCATIONS: i64 = 2;

/// The changes that one thread has not reported yet. All Relaxed: apart from a reset there is one
/// writer, and the list of shards orders a thread that adopts it.
#[derive(Debug)]
pub(super) struct Balance {
    /// The changes since the last report.
    bytes: AtomicI64,
    allocations: AtomicI64,
    /// The highest change of allocations since then, plus a step.
    most_allocations: AtomicI64,
}

/// The sums of all threads' reports.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) bytes: Reported,
    pub(super) allocations: Reported,
}

/// The sum of bytes or of allocations that all threads reported.
#[derive(Debug)]
pub(super) struct Reported {
    live: AtomicI64,
    peak: AtomicI64,
}

impl Balance {
    /// Creates a balance without changes.
    #[cfg(all(test, loom))]
    pub(super) fn new() -> Self {
        Self {
            bytes: AtomicI64::new(0),
            allocations: AtomicI64::new(0),
            most_allocations: AtomicI64::new(0),
        }
    }

    /// Notes an allocation. Called by the owner.
    #[inline(always)]
    pub(super) fn allocated(&self, bytes: usize, known: &Known) {
        self.allocations
            .store(self.allocations() + 1, Ordering::Relaxed);
        let now = self.bytes().wrapping_add(bytes as i64);
        self.bytes.store(now, Ordering::Relaxed);
        if now >= BYTES {
            self.report(known);
        }
    }

    /// Notes a free. Called by the owner.
    #[inline(always)]
    pub(super) fn freed(&self, bytes: usize, known: &Known) {
        let allocations = self.allocations();
        // One comparison covers both ends: below minus a step, this wraps to a very large number.
        let biased = (allocations + ALLOCATIONS) as u64;
        if biased > self.most_allocations.load(Ordering::Relaxed) as u64 {
            return self.freed_after_most(bytes, known);
        }
        self.subtract(bytes, allocations, known);
    }

    #[inline(always)]
    fn subtract(&self, bytes: usize, allocations: i64, known: &Known) {
        self.allocations.store(allocations - 1, Ordering::Relaxed);
        let now = self.bytes().wrapping_sub(bytes as i64);
        self.bytes.store(now, Ordering::Relaxed);
        if now <= -BYTES {
            self.report(known);
        }
    }

    #[inline(never)]
    fn freed_after_most(&self, bytes: usize, known: &Known) {
        self.raise_most(known);
        self.subtract(bytes, self.allocations(), known);
    }

    /// Updates the highest change of allocations, and reports a change by a step.
    fn raise_most(&self, known: &Known) {
        if self.allocations().abs() >= ALLOCATIONS {
            self.report(known);
        } else {
            self.set_most(self.most());
        }
    }

    /// Reports the changes. Called by the owner.
    #[cold]
    #[inline(never)]
    pub(super) fn report(&self, known: &Known) {
        let (bytes, allocations, most) = (self.bytes(), self.allocations(), self.most());
        self.bytes.store(0, Ordering::Relaxed);
        self.allocations.store(0, Ordering::Relaxed);
        self.set_most(0);
        known.bytes.change(bytes, bytes);
        known.allocations.change(allocations, most);
    }

    #[inline(always)]
    fn bytes(&self) -> i64 {
        self.bytes.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn allocations(&self) -> i64 {
        self.allocations.load(Ordering::Relaxed)
    }

    /// Returns the highest change of allocations, the current one included.
    fn most(&self) -> i64 {
        let most = self.most_allocations.load(Ordering::Relaxed) - ALLOCATIONS;
        most.max(self.allocations())
    }

    fn set_most(&self, most: i64) {
        // Never negative, so that all changes can be compared with it.
        self.most_allocations
            .store((most + ALLOCATIONS).max(0), Ordering::Relaxed);
    }

    /// Returns the bytes and allocations that are not reported yet.
    pub(super) fn unreported(&self) -> (i64, i64) {
        // A change by a step or more is being reported: a reader may see it here and in the sum of
        // all reports. An allocation has at least one byte, so a step of bytes limits allocations.
        (
            self.bytes().clamp(-BYTES, BYTES),
            self.allocations().clamp(-ALLOCATIONS, BYTES),
        )
    }

    /// Returns the maximum by which the thread's live allocations have exceeded the current number
    /// since its last report.
    pub(super) fn excess(&self) -> i64 {
        // An allocation has at least one byte, so an unreported change has at most a step of bytes
        // in allocations. A reader that runs in parallel with the owner may read numbers of two
        // moments, whose difference can be larger than it ever was.
        (self.most() - self.allocations()).min(BYTES + ALLOCATIONS)
    }

    /// Resets the excess to 0. May be called by any thread.
    pub(super) fn reset_excess(&self) {
        // If the owner stores more at the same moment, either order is right: both numbers were
        // true during the reset. If the owner reports at the same moment, this is at most a step
        // too much.
        self.set_most(self.allocations());
    }
}

/// The change of one thread's live bytes in one group that it has not reported yet. Relaxed: as in
/// [`Balance`].
#[derive(Debug)]
pub(super) struct GroupBalance(AtomicI64);

impl GroupBalance {
    /// Creates a balance without changes.
    #[cfg(all(test, loom))]
    pub(super) fn new() -> Self {
        Self(AtomicI64::new(0))
    }

    /// Notes an allocation. Called by the owner.
    #[inline(always)]
    pub(super) fn allocated(&self, bytes: usize, known: &AtomicI64) {
        let now = self.bytes().wrapping_add(bytes as i64);
        self.0.store(now, Ordering::Relaxed);
        if now >= BYTES {
            self.report(known);
        }
    }

    /// Notes a free. Called by the owner.
    #[inline(always)]
    pub(super) fn freed(&self, bytes: usize, known: &AtomicI64) {
        let now = self.bytes().wrapping_sub(bytes as i64);
        self.0.store(now, Ordering::Relaxed);
        if now <= -BYTES {
            self.report(known);
        }
    }

    #[cold]
    #[inline(never)]
    fn report(&self, known: &AtomicI64) {
        let bytes = self.bytes();
        self.0.store(0, Ordering::Relaxed);
        known.fetch_add(bytes, Ordering::Relaxed);
    }

    #[inline(always)]
    fn bytes(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the bytes that are not reported yet.
    pub(super) fn unreported(&self) -> i64 {
        self.bytes().clamp(-BYTES, BYTES)
    }
}

impl Known {
    const_fn! {
        /// Creates empty sums.
        pub(super) fn new() -> Self {
            Self {
                bytes: Reported::new(),
                allocations: Reported::new(),
            }
        }
    }

    /// Returns the bytes and allocations that are live according to all reports.
    pub(super) fn live(&self) -> (i64, i64) {
        (self.bytes.live(), self.allocations.live())
    }

    /// Raises the peaks of bytes and allocations to at least these numbers, and returns them.
    pub(super) fn raise_peaks(&self, bytes: i64, allocations: i64) -> (i64, i64) {
        (
            self.bytes.raise_peak(bytes),
            self.allocations.raise_peak(allocations),
        )
    }

    /// Returns the peaks of bytes and allocations.
    pub(super) fn peaks(&self) -> (i64, i64) {
        (self.bytes.peak(), self.allocations.peak())
    }

    /// Restarts the peaks from the current totals.
    pub(super) fn reset_peaks(&self, bytes: i64, allocations: i64) {
        // Not below the reported sum: a thread whose memory shrank since its report reports again
        // only after a change by a whole step.
        let reported = self.bytes.live();
        self.bytes
            .peak
            .store(bytes.max(reported), Ordering::Relaxed);
        self.allocations.peak.store(allocations, Ordering::Relaxed);
    }

    /// Notes an allocation of a thread without a balance.
    pub(super) fn allocated(&self, bytes: usize) {
        self.bytes.change(bytes as i64, bytes as i64);
        self.allocations.change(1, 1);
    }

    /// Notes a free of a thread without a balance.
    pub(super) fn freed(&self, bytes: usize) {
        let bytes = (bytes as i64).wrapping_neg();
        self.bytes.change(bytes, bytes);
        self.allocations.change(-1, 0);
    }
}

impl Reported {
    const_fn! {
        /// Creates a sum of nothing.
        pub(super) fn new() -> Self {
            Self {
                live: AtomicI64::new(0),
                peak: AtomicI64::new(0),
            }
        }
    }

    /// Returns the sum.
    fn live(&self) -> i64 {
        self.live.load(Ordering::Relaxed)
    }

    /// Adds `change`, and raises the peak to the previous sum plus `most`.
    fn change(&self, change: i64, most: i64) {
        // Relaxed: a single number that all threads add to. A thread sees the sum that its own
        // addition is added to.
        let live = self.live.fetch_add(change, Ordering::Relaxed);
        let highest = live.wrapping_add(most);
        if highest > self.peak.load(Ordering::Relaxed) {
            self.peak.fetch_max(highest, Ordering::Relaxed);
        }
    }

    /// Raises the peak to at least `highest`, and returns it.
    fn raise_peak(&self, highest: i64) -> i64 {
        // Relaxed: as in `change`.
        self.peak.fetch_max(highest, Ordering::Relaxed).max(highest)
    }

    fn peak(&self) -> i64 {
        self.peak.load(Ordering::Relaxed)
    }
}
