//! The record of one allocation, which the thread that frees it, the next owner of its slots, and a
//! signal handler read.

use std::alloc::Layout;

use crate::stomp::live::thread_identity::ThreadIdentity;
use crate::sync::{AtomicU64, Ordering};

/// The record at the first slot of a span. The other slots have zeroes.
#[derive(Debug)]
pub(crate) struct Record {
    /// State, binary logarithm of the alignment, and slots: 8, 8 and 48 bits. Stored last, with
    /// Release.
    head: AtomicU64,
    size: AtomicU64,
    /// The tag, and the names of the threads that allocated and freed the memory: 32, 16 and 16
    /// bits.
    tag_and_names: AtomicU64,
    /// The system's ids of these threads: 32 bits each.
    threads: AtomicU64,
}

/// The state of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// No span starts here.
    None,
    Live,
    /// Being freed.
    Freeing,
    Dead,
    /// Dead, and nothing is known about its allocation.
    Forgotten,
}

/// The content of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) state: State,
    pub(crate) slots: usize,
    pub(crate) size: usize,
    pub(crate) align: usize,
    pub(crate) tag: u32,
    pub(crate) allocated_by: ThreadIdentity,
    pub(crate) freed_by: ThreadIdentity,
}

const fn head(state: State, align_log2: u32, slots: usize) -> u64 {
    state as u64 | (align_log2 as u64) << 8 | (slots as u64) << 16
}

const fn state_of(head: u64) -> State {
    match head as u8 {
        0 => State::None,
        1 => State::Live,
        2 => State::Freeing,
        3 => State::Dead,
        _ => State::Forgotten,
    }
}

impl Record {
    /// Creates the record of a slot in which no span starts.
    #[cfg(all(test, loom))]
    pub(super) fn new() -> Self {
        Self {
            head: AtomicU64::new(0),
            size: AtomicU64::new(0),
            tag_and_names: AtomicU64::new(0),
            threads: AtomicU64::new(0),
        }
    }

    /// Returns the state and the number of slots.
    pub(crate) fn state(&self) -> (State, usize) {
        // Acquire: the rest comes with the head.
        let head = self.head.load(Ordering::Acquire);
        (state_of(head), (head >> 16) as usize)
    }

    /// Reads the record.
    pub(crate) fn read(&self) -> Entry {
        // Acquire: as in `state`. If another thread starts an allocation here at the same time, the
        // result may mix both.
        let head = self.head.load(Ordering::Acquire);
        let (tag, threads) = (
            self.tag_and_names.load(Ordering::Relaxed),
            self.threads.load(Ordering::Relaxed),
        );
        Entry {
            state: state_of(head),
            slots: (head >> 16) as usize,
            size: self.size.load(Ordering::Relaxed) as usize,
            align: 1 << (head >> 8 & 63),
            tag: tag as u32,
            allocated_by: ThreadIdentity {
                name: (tag >> 32) as u16,
                id: threads as u32,
            },
            freed_by: ThreadIdentity {
                name: (tag >> 48) as u16,
                id: (threads >> 32) as u32,
            },
        }
    }

    /// Records the start of an allocation.
    pub(crate) fn begin(&self, slots: usize, layout: Layout, tag: u32, who: ThreadIdentity) {
        // Relaxed, all of these: visible to a thread that sees the head.
        self.size.store(layout.size() as u64, Ordering::Relaxed);
        self.tag_and_names.store(
            u64::from(tag) | u64::from(who.name) << 32,
            Ordering::Relaxed,
        );
        self.threads.store(u64::from(who.id), Ordering::Relaxed);
        // Release: a thread that sees the head sees the rest.
        self.head.store(
            head(State::Live, layout.align().trailing_zeros(), slots),
            Ordering::Release,
        );
    }

    /// Claims a live allocation, to free it. Returns false if another thread did so, or if it is
    /// not alive.
    pub(crate) fn begin_free(&self, entry: &Entry, who: ThreadIdentity) -> bool {
        let (log2, slots) = (entry.align.trailing_zeros(), entry.slots);
        let (from, to) = (
            head(State::Live, log2, slots),
            head(State::Freeing, log2, slots),
        );
        // AcqRel: of two threads one wins, and sees what the other one wrote.
        if self
            .head
            .compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed)
            .is_err()
        {
            return false;
        }
        // Relaxed, both: visible to a thread that sees the head that `end_free` stores. A fault
        // report may see them earlier.
        self.tag_and_names
            .fetch_or(u64::from(who.name) << 48, Ordering::Relaxed);
        self.threads
            .fetch_or(u64::from(who.id) << 32, Ordering::Relaxed);
        true
    }

    /// Records that the memory is freed: its slots may be taken again.
    pub(crate) fn end_free(&self, entry: &Entry) {
        // Release: a thread that takes the slots finds them closed.
        self.head.store(
            head(State::Dead, entry.align.trailing_zeros(), entry.slots),
            Ordering::Release,
        );
    }

    /// Records dead slots about which nothing is known.
    pub(crate) fn forget(&self, slots: usize) {
        // Release, here and below: as in `end_free`.
        self.head
            .store(head(State::Forgotten, 0, slots), Ordering::Release);
    }

    /// Records that no span starts here.
    pub(super) fn clear(&self) {
        self.head.store(0, Ordering::Release);
    }
}
