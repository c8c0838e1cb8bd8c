//! The free records of one thread.

use super::table::Table;
use super::{BATCH, STASH};
use crate::sync::{AtomicU32, Ordering, fence};

/// The free records of one thread. Relaxed throughout: only that thread reads and writes them, and
/// the list of shards orders a thread that adopts them.
#[derive(Debug)]
pub(crate) struct Stash {
    len: AtomicU32,
    free: [AtomicU32; STASH],
}

impl Stash {
    /// Creates an empty stash.
    #[cfg(all(test, loom))]
    pub(super) fn new() -> Self {
        Self {
            len: AtomicU32::new(0),
            free: std::array::from_fn(|_| AtomicU32::new(0)),
        }
    }

    /// Takes a free record. Returns 0 if there is none. Called by the owner.
    #[inline(always)]
    pub(super) fn pop(&self, table: &Table) -> u32 {
        let mut len = self.len.load(Ordering::Relaxed);
        if len == 0 {
            len = self.refill(table);
            if len == 0 {
                return 0;
            }
        }
        self.len.store(len - 1, Ordering::Relaxed);
        self.free[(len - 1) as usize % STASH].load(Ordering::Relaxed)
    }

    /// Puts back a free record. Called by the owner.
    #[inline(always)]
    pub(super) fn push(&self, table: &Table, number: u32) {
        let mut len = self.len.load(Ordering::Relaxed);
        if len as usize >= STASH {
            len = self.spill(table);
        }
        self.free[len as usize % STASH].store(number, Ordering::Relaxed);
        self.len.store(len + 1, Ordering::Relaxed);
    }

    /// Takes a batch, or new records. Returns the number of records in the stash.
    #[cold]
    #[inline(never)]
    fn refill(&self, table: &Table) -> u32 {
        let mut len = 0;
        let mut number = table.take().unwrap_or(0);
        while let Some(record) = table.record(number).filter(|_| (len as usize) < STASH) {
            self.free[len as usize].store(number, Ordering::Relaxed);
            len += 1;
            number = record.next();
        }
        self.len.store(len, Ordering::Relaxed);
        len
    }

    /// Leaves a batch to other threads. Returns the number of records that remain.
    #[cold]
    #[inline(never)]
    fn spill(&self, table: &Table) -> u32 {
        let len = STASH as u32 - BATCH;
        let mut next = 0;
        // Release: see `Record::set_next`.
        fence(Ordering::Release);
        for free in self.free[len as usize..].iter().rev() {
            let number = free.load(Ordering::Relaxed);
            if let Some(record) = table.record(number) {
                record.set_next(next, 0);
                next = number;
            }
        }
        table.push_batch(next);
        self.len.store(len, Ordering::Relaxed);
        len
    }
}
