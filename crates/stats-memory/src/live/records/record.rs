//! One record: two words, written by whoever has the allocation, and read beside that.

use super::sync::{AtomicU64, Ordering, fence};

/// The most bytes that a record can say; larger allocations say so much.
const MAX_BYTES: u64 = (1 << 48) - 1;

#[derive(Debug)]
pub(crate) struct Record {
    pub(super) what: AtomicU64,
    pub(super) size: AtomicU64,
}

/// A record as it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) address: u64,
    pub(crate) tag: u32,
    pub(crate) bytes: u64,
    pub(crate) thread: u32,
}

impl Record {
    /// Says what is live. Owner only.
    #[inline(always)]
    pub(crate) fn fill(&self, address: usize, tag: u32, bytes: usize, thread: u32) {
        // Release: a reader that sees this size sees that the record was free in between.
        fence(Ordering::Release);
        self.size.store(
            (bytes as u64).min(MAX_BYTES) << 16 | u64::from(thread as u16),
            Ordering::Relaxed,
        );
        // Release: a reader that sees the address sees its size.
        self.what.store(
            (address as u64) << 16 | u64::from(tag as u16),
            Ordering::Release,
        );
    }

    /// Hides what is live, which is about to move; its thread stays, and is what this gives. Owner
    /// only.
    pub(crate) fn hide(&self) -> u32 {
        self.empty();
        // Relaxed, here and in the two below: written by the owner, or by the one before, who
        // handed the record on.
        self.size.load(Ordering::Relaxed) as u32 & 0xffff
    }

    /// Says that nothing is live here. Owner only.
    #[inline(always)]
    pub(crate) fn empty(&self) {
        // Relaxed: whoever writes the other word next has a fence before.
        self.what.store(0, Ordering::Relaxed);
    }

    /// What is live; `None` where nothing is, or where somebody writes to it meanwhile.
    pub(crate) fn read(&self) -> Option<Live> {
        // Acquire: with the address comes its size, or a later one.
        let what = self.what.load(Ordering::Acquire);
        let size = self.size.load(Ordering::Relaxed);
        // Acquire: the second look at the first word is not before the look at the second.
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

    /// Of a free record: the next of its batch.
    #[inline(always)]
    pub(crate) fn next(&self) -> u32 {
        self.size.load(Ordering::Relaxed) as u32
    }

    /// Of a free record that is the first of its batch: the next batch.
    pub(crate) fn next_batch(&self) -> u32 {
        (self.size.load(Ordering::Relaxed) >> 32) as u32
    }

    /// Says what is next. After a fence, if it was live before: a reader that sees these numbers
    /// has to see that it is not.
    #[inline(always)]
    pub(crate) fn set_next(&self, next: u32, next_batch: u32) {
        self.size.store(
            u64::from(next_batch) << 32 | u64::from(next),
            Ordering::Relaxed,
        );
    }
}
