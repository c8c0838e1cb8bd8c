//! One record: two words, written by the owner of the allocation and read at the same time by
//! others.

use crate::sync::{AtomicU64, Ordering, fence};

/// The maximum number of bytes that a record can express. Larger allocations are recorded with this
/// size.
const MAX_BYTES: u64 = (1 << 48) - 1;

#[derive(Debug)]
pub(super) struct Record {
    what: AtomicU64,
    size: AtomicU64,
}

/// The content of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) address: u64,
    pub(crate) tag: u32,
    pub(crate) bytes: u64,
    pub(crate) thread: u32,
}

impl Record {
    /// Creates a free record.
    #[cfg(all(test, loom))]
    pub(super) fn new() -> Self {
        Self {
            what: AtomicU64::new(0),
            size: AtomicU64::new(0),
        }
    }

    /// Records a live allocation. Called by its owner.
    #[inline(always)]
    pub(super) fn fill(&self, address: usize, tag: u32, bytes: usize, thread: u32) {
        // Release: a reader that sees this size also sees that the record was free in between.
        fence(Ordering::Release);
        self.size.store(
            (bytes as u64).min(MAX_BYTES) << 16 | u64::from(thread as u16),
            Ordering::Relaxed,
        );
        // Release: a reader that sees the address also sees its size.
        self.what.store(
            (address as u64) << 16 | u64::from(tag as u16),
            Ordering::Release,
        );
    }

    /// Hides the record of an allocation that is about to move. Returns its thread, which stays in
    /// the record. Called by the allocation's owner.
    pub(super) fn hide(&self) -> u32 {
        self.empty();
        // Relaxed, here and in the two below: written by the owner, or by its predecessor, which
        // handed the record over.
        self.size.load(Ordering::Relaxed) as u32 & 0xffff
    }

    /// Marks the record as free. Called by its owner.
    #[inline(always)]
    pub(super) fn empty(&self) {
        // Relaxed: the next write to the other word has a fence before it.
        self.what.store(0, Ordering::Relaxed);
    }

    /// Reads the record. `None` if nothing is live here, or if it is being written.
    pub(super) fn read(&self) -> Option<Live> {
        // Acquire: the address comes with its size, or with a later one.
        let what = self.what.load(Ordering::Acquire);
        let size = self.size.load(Ordering::Relaxed);
        // Acquire: the second load of the first word does not move before the load of the second
        // word.
        fence(Ordering::Acquire);
        let is_whole = what == self.what.load(Ordering::Relaxed);
        let live = Live {
            address: what >> 16,
            tag: what as u32 & 0xffff,
            bytes: size >> 16,
            thread: size as u32 & 0xffff,
        };
        (is_whole && live.address != 0).then_some(live)
    }

    /// Returns the next record of the batch, if this one is free.
    #[inline(always)]
    pub(super) fn next(&self) -> u32 {
        self.size.load(Ordering::Relaxed) as u32
    }

    /// Returns the next batch, if this record is free and the first of its batch.
    pub(super) fn next_batch(&self) -> u32 {
        (self.size.load(Ordering::Relaxed) >> 32) as u32
    }

    /// Sets the next record and the next batch. A record that was live needs a fence before this: a
    /// reader that sees these numbers must also see that it is free.
    #[inline(always)]
    pub(super) fn set_next(&self, next: u32, next_batch: u32) {
        self.size.store(
            u64::from(next_batch) << 32 | u64::from(next),
            Ordering::Relaxed,
        );
    }
}
