//! All records, and the batches of those that are free.

use super::record::{Live, Record};
use super::sync::{AtomicU32, AtomicU64, Ordering, fence};
use super::{BATCH, CHUNK, CHUNKS, Slot};

/// Neighbouring records.
#[derive(Debug)]
pub(crate) struct Chunk(pub(super) [Record; CHUNK]);

/// Records by number, in chunks. Record 0 stays unused: it means none.
#[derive(Debug)]
pub(crate) struct Table {
    pub(super) directory: [Slot<Chunk>; CHUNKS],
    /// The first record that nobody had yet.
    pub(super) next: AtomicU32,
    /// The first record of the topmost batch below, and above a number that changes with every
    /// taking, so that a thread which slept meanwhile does not take the batch's place for its own.
    pub(super) batches: AtomicU64,
}

impl Table {
    /// A record; `None` of number 0.
    #[inline(always)]
    pub(crate) fn record(&self, number: u32) -> Option<&'static Record> {
        if number == 0 {
            return None;
        }
        let chunk = self.directory[number as usize / CHUNK % CHUNKS].get()?;
        Some(&chunk.0[number as usize % CHUNK])
    }

    /// Takes a batch over, or new records: the first of them. `None` where there is no memory, or
    /// no number, left.
    pub(crate) fn take(&self) -> Option<u32> {
        self.pop_batch().or_else(|| self.new_batch())
    }

    /// Leaves a chain of free records to the others, by its first.
    pub(crate) fn push_batch(&self, first: u32) {
        let Some(record) = self.record(first) else {
            return;
        };
        let next = record.next();
        // Relaxed: a first guess, which the exchange confirms.
        let mut top = self.batches.load(Ordering::Relaxed);
        loop {
            record.set_next(next, top as u32);
            let new = (top & !u64::from(u32::MAX)) | u64::from(first);
            // Release: whoever takes the batch sees its chain.
            match self
                .batches
                .compare_exchange_weak(top, new, Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) => return,
                Err(now) => top = now,
            }
        }
    }

    /// Takes a batch over, if there is one: its first record.
    fn pop_batch(&self) -> Option<u32> {
        // Acquire: as below.
        let mut top = self.batches.load(Ordering::Acquire);
        loop {
            let first = self.record(top as u32)?;
            // Another thread may have taken it and written here; then the number above has changed,
            // and the exchange fails.
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

    /// A batch of records that nobody had yet.
    fn new_batch(&self) -> Option<u32> {
        let take = |next: u32| {
            next.checked_add(BATCH)
                .filter(|end| *end as usize <= CHUNK * CHUNKS)
        };
        // Relaxed: numbers that nobody else gets are all that is asked.
        let first = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .ok()?;
        // A batch lies in one chunk, since its size divides the chunk's. The last of it has no next
        // one.
        let chunk = self.directory[first as usize / CHUNK].get_or_make(|_| {})?;
        let batch = &chunk.0[first as usize % CHUNK..][..BATCH as usize];
        (first + 1..first + BATCH)
            .zip(batch)
            .for_each(|(next, record)| record.set_next(next, 0));
        Some(first)
    }

    /// Takes one record, without a stash; 0 where none can be had.
    pub(crate) fn take_one(&self) -> u32 {
        let Some(first) = self.take() else { return 0 };
        if let Some(next) = self.record(first).map(Record::next) {
            self.push_batch(next);
        }
        first
    }

    /// Frees one record, without a stash.
    pub(crate) fn free_one(&self, number: u32) {
        if let Some(record) = self.record(number) {
            record.empty();
            // Release: see `Record::set_next`.
            fence(Ordering::Release);
            record.set_next(0, 0);
            self.push_batch(number);
        }
    }

    /// Calls `visit` with what is live, in no order. What comes and goes meanwhile is visited or
    /// not.
    pub(crate) fn for_each<E>(
        &self,
        mut visit: impl FnMut(Live) -> Result<(), E>,
    ) -> Result<(), E> {
        // Relaxed: what is made just now is seen the next time.
        for number in BATCH..self.next.load(Ordering::Relaxed) {
            if let Some(live) = self.record(number).and_then(Record::read) {
                visit(live)?;
            }
        }
        Ok(())
    }

    /// Whether there ever was a record.
    pub(crate) fn is_used(&self) -> bool {
        // Relaxed: whoever saw an allocation counted, by Acquire, sees that it took a record
        // before.
        self.next.load(Ordering::Relaxed) > BATCH
    }
}
