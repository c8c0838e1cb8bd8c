//! How full a pool is.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What is taken of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    /// Blocks that are taken.
    pub blocks: usize,
    /// Their bytes, each rounded up to what the pool gives.
    pub bytes: usize,
    /// Bytes that the pool has; one that grows has had so many since it last grew.
    pub capacity_bytes: usize,
}

/// Counts what is taken. Shared by all threads; Relaxed: numbers alone.
#[derive(Debug)]
pub(super) struct Taken {
    blocks: AtomicUsize,
    bytes: AtomicUsize,
}

impl Taken {
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
