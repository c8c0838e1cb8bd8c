//! The records of all allocations, kept apart from the allocations: out of the reach of an overrun,
//! and within that of a signal handler.
#![expect(
    unsafe_code,
    reason = "records lie in memory of the system, which the compiler does not know"
)]

use std::ptr::with_exposed_provenance;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::record::Record;
use crate::stomp::live::system;

/// The size of a record in bytes.
const RECORD_BYTES: usize = size_of::<Record>();

/// The number of bytes of the table that are made usable at a time, on systems that require it.
const STEP: usize = 1 << 20;

/// The records of a reservation, one for each slot.
#[derive(Debug)]
pub(crate) struct Table {
    start: AtomicUsize,
    slots: AtomicUsize,
    /// The number of usable bytes.
    backed: AtomicUsize,
}

impl Table {
    pub(super) const fn new() -> Self {
        Self {
            start: AtomicUsize::new(0),
            slots: AtomicUsize::new(0),
            backed: AtomicUsize::new(0),
        }
    }

    /// Reserves address space for this many slots.
    pub(super) fn reserve(&self, slots: usize) -> bool {
        let Some(start) = slots.checked_mul(RECORD_BYTES).and_then(system::reserve) else {
            return false;
        };
        // Relaxed: visible to a thread that sees the start.
        self.slots.store(slots, Ordering::Relaxed);
        // Release: the number of slots comes with the start.
        self.start.store(start, Ordering::Release);
        true
    }

    /// Makes the records of the slots below `slot` usable.
    pub(super) fn back(&self, slot: usize) -> bool {
        // Acquire: pairs with the Release below.
        let (end, backed) = (slot * RECORD_BYTES, self.backed.load(Ordering::Acquire));
        if end <= backed {
            return true;
        }
        // Two threads may do the same at once, which is harmless.
        let end = end.next_multiple_of(STEP).min(
            (self.slots.load(Ordering::Relaxed) * RECORD_BYTES)
                .next_multiple_of(system::page_bytes()),
        );
        // Acquire: pairs with `reserve`.
        let start = self.start.load(Ordering::Acquire);
        if !system::open(start + backed, end - backed) {
            return false;
        }
        // Release: a thread that sees the number may touch that much. Everything below was made
        // usable before, or just now.
        self.backed.fetch_max(end, Ordering::Release);
        true
    }

    /// Returns the record of a slot. `None` beyond the slots in use.
    pub(crate) fn get(&self, slot: usize) -> Option<&'static Record> {
        let end = (slot + 1).checked_mul(RECORD_BYTES)?;
        // Acquire: what is backed may be touched, and the start and the number of slots were set
        // before.
        if end > self.backed.load(Ordering::Acquire) || slot >= self.slots.load(Ordering::Relaxed) {
            return None;
        }
        let start = with_exposed_provenance::<Record>(self.start.load(Ordering::Acquire));
        // SAFETY: within the table, which is never given back. Zeroes are valid, and so is what
        // other threads store atomically.
        Some(unsafe { &*start.add(slot) })
    }
}
