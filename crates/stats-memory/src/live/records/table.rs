//! All records, and the batches of free ones.

use super::record::{Live, Record};
use super::{BATCH, CHUNK, CHUNKS};
use crate::live::own::Slot;
use crate::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// Neighboring records.
#[derive(Debug)]
pub(crate) struct Chunk(pub(super) [Record; CHUNK]);

/// Records by number, in chunks. Record 0 is never used: it means none.
#[derive(Debug)]
pub(super) struct Table {
    directory: [Slot<Chunk>; CHUNKS],
    /// The first record that nobody has used yet.
    next: AtomicU32,
    /// The first record of the topmost batch, and in the upper half a number that changes whenever
    /// a batch is taken. It solves the ABA problem: a thread that slept in between cannot mistake a
    /// batch that came back for one that never left.
    batches: AtomicU64,
}

impl Table {
    /// Creates a table without records.
    #[cfg(not(all(test, loom)))]
    pub(super) const fn new() -> Self {
        Self {
            directory: [const { Slot::new() }; CHUNKS],
            next: AtomicU32::new(BATCH),
            batches: AtomicU64::new(0),
        }
    }

    /// Creates a table with all its chunks, so that what readers see depends only on the batches.
    #[cfg(all(test, loom))]
    pub(super) fn new() -> Self {
        let directory = std::array::from_fn(|_| Slot::new());
        directory.iter().for_each(|slot: &Slot<Chunk>| {
            slot.get_or_make(|_| {});
        });
        Self {
            directory,
            next: AtomicU32::new(BATCH),
            batches: AtomicU64::new(0),
        }
    }

    /// Returns a record. `None` for number 0.
    #[inline(always)]
    pub(super) fn record(&self, number: u32) -> Option<&'static Record> {
        if number == 0 {
            return None;
        }
        let chunk = self.directory[number as usize / CHUNK % CHUNKS].get()?;
        Some(&chunk.0[number as usize % CHUNK])
    }

    /// Takes a batch, or new records, and returns the first. `None` if there is no memory, or no
    /// number, left.
    pub(super) fn take(&self) -> Option<u32> {
        self.pop_batch().or_else(|| self.new_batch())
    }

    /// Leaves a chain of free records to other threads, given its first.
    pub(super) fn push_batch(&self, first: u32) {
        let Some(record) = self.record(first) else {
            return;
        };
        let next = record.next();
        // Relaxed: a first guess, which the exchange confirms.
        let mut top = self.batches.load(Ordering::Relaxed);
        loop {
            record.set_next(next, top as u32);
            let new = (top & !u64::from(u32::MAX)) | u64::from(first);
            // Release: the thread that takes the batch sees its chain.
            match self
                .batches
                .compare_exchange_weak(top, new, Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) => return,
                Err(now) => top = now,
            }
        }
    }

    /// Takes a batch, if there is one, and returns its first record.
    fn pop_batch(&self) -> Option<u32> {
        // Acquire: as in the exchange below.
        let mut top = self.batches.load(Ordering::Acquire);
        loop {
            let first = self.record(top as u32)?;
            // Another thread may have taken the record and written to it. Then the number in the
            // upper half has changed, and the exchange fails.
            let new = ((top >> 32).wrapping_add(1) << 32) | u64::from(first.next_batch());
            // Acquire: see `push_batch`.
            match self
                .batches
                .compare_exchange_weak(top, new, Ordering::Acquire, Ordering::Acquire)
            {
                Ok(_) => return Some(top as u32),
                Err(now) => top = now,
            }
        }
    }

    /// Takes a batch of records that nobody has used yet.
    fn new_batch(&self) -> Option<u32> {
        let take = |next: u32| {
            next.checked_add(BATCH)
                .filter(|end| *end as usize <= CHUNK * CHUNKS)
        };
        // Relaxed: the numbers only have to be unique.
        let first = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .ok()?;
        // A batch lies in one chunk, since its size divides the chunk's. Its last record has no
        // next one.
        let chunk = self.directory[first as usize / CHUNK].get_or_make(|_| {})?;
        let batch = &chunk.0[first as usize % CHUNK..][..BATCH as usize];
        (first + 1..first + BATCH)
            .zip(batch)
            .for_each(|(next, record)| record.set_next(next, 0));
        Some(first)
    }

    /// Takes one record without a stash. Returns 0 if there is none.
    pub(super) fn take_one(&self) -> u32 {
        let Some(first) = self.take() else { return 0 };
        if let Some(next) = self.record(first).map(Record::next) {
            self.push_batch(next);
        }
        first
    }

    /// Frees one record without a stash.
    pub(super) fn free_one(&self, number: u32) {
        if let Some(record) = self.record(number) {
            record.empty();
            // Release: see `Record::set_next`.
            fence(Ordering::Release);
            record.set_next(0, 0);
            self.push_batch(number);
        }
    }

    /// Calls `visit` with each live record, in no particular order. Records that come and go at the
    /// same time may be visited or not.
    pub(super) fn for_each<E>(
        &self,
        mut visit: impl FnMut(Live) -> Result<(), E>,
    ) -> Result<(), E> {
        // Relaxed: a record created right now is seen the next time.
        for number in BATCH..self.next.load(Ordering::Relaxed) {
            if let Some(live) = self.record(number).and_then(Record::read) {
                visit(live)?;
            }
        }
        Ok(())
    }

    /// Returns whether there ever was a record.
    pub(super) fn is_used(&self) -> bool {
        // Relaxed: a thread that saw, by Acquire, that an allocation was counted also sees that it
        // took a record before.
        self.next.load(Ordering::Relaxed) > BATCH
    }
}
