//! The occupancy of a pool.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How much of a pool is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occupancy {
    /// The blocks that are taken.
    pub blocks: usize,
    /// Their bytes, each block rounded up to what the pool provides.
    pub bytes: usize,
    /// The bytes that the pool has in total; for a growing pool, so far.
    pub capacity_bytes: usize,
}

/// Counts the blocks that are taken. Shared by all threads. Relaxed: these are only numbers.
#[derive(Debug)]
pub(super) struct TakenBlocks {
    blocks: AtomicUsize,
    bytes: AtomicUsize,
}

impl TakenBlocks {
    pub(super) const fn new() -> Self {
        Self {
            blocks: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
        }
    }

    pub(super) fn add(&self, bytes: usize) {
        self.blocks.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn sub(&self, bytes: usize) {
        self.blocks.fetch_sub(1, Ordering::Relaxed);
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(super) fn occupancy(&self, capacity_bytes: usize) -> Occupancy {
        Occupancy {
            blocks: self.blocks.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            capacity_bytes,
        }
    }
}
