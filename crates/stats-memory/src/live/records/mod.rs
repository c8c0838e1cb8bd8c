//! Records of live allocations: 16 bytes each, in chunks that are never freed.
//!
//! ```text
//!              63              16 15        0
//! first word  | address, 48 bits | tag       |   0 if the record is free
//! second word | bytes, 48 bits   | thread    |   if it is free: the next record of its batch, and the next batch
//! ```
//!
//! A free record is in the stash of the thread that freed it, or in a batch that any thread may
//! take. So a thread that only allocates lives on what a thread that only frees leaves behind.

mod record;
mod stash;
mod table;

pub(crate) use record::{Live, Record};
pub(crate) use stash::Stash;
pub(crate) use table::Chunk;

use std::sync::atomic::{AtomicU32, AtomicU64};

use super::slot::Slot;
use super::sync;
use table::Table;

/// Records in a chunk, which is 1 MiB.
const CHUNK: usize = 1 << 16;

/// The most chunks there can be: about a thousand million live allocations.
const CHUNKS: usize = 1 << 14;

/// Records in a full stash.
const STASH: usize = 512;

/// Records that a thread takes or leaves at a time: a page of memory. The first batch is never
/// used.
const BATCH: u32 = 256;

static TABLE: Table = Table {
    directory: [const { Slot::new() }; CHUNKS],
    next: AtomicU32::new(BATCH),
    batches: AtomicU64::new(0),
};

/// Takes a record for an allocation and fills it. Returns 0 if there is none. Called by the stash's
/// owner.
#[inline(always)]
pub(crate) fn put(stash: &Stash, address: usize, tag: u32, bytes: usize, thread: u32) -> u32 {
    let number = stash.pop(&TABLE);
    fill(number, address, tag, bytes, thread);
    number
}

/// Takes a record without a stash. Returns 0 if there is none.
#[cold]
pub(crate) fn put_shared(address: usize, tag: u32, bytes: usize) -> u32 {
    let number = TABLE.take_one();
    fill(number, address, tag, bytes, 0);
    number
}

/// Fills a record. Does nothing for number 0.
#[inline(always)]
pub(crate) fn fill(number: u32, address: usize, tag: u32, bytes: usize, thread: u32) {
    if let Some(record) = TABLE.record(number) {
        record.fill(address, tag, bytes, thread);
    }
}

/// Hides a record whose allocation is about to move. Returns its thread.
pub(crate) fn hide(number: u32) -> u32 {
    TABLE.record(number).map_or(0, Record::hide)
}

/// Frees a record into a stash. Called by the stash's owner.
#[inline(always)]
pub(crate) fn take(stash: &Stash, number: u32) {
    if let Some(record) = TABLE.record(number) {
        record.empty();
        stash.push(&TABLE, number);
    }
}

/// Frees a record without a stash.
#[cold]
pub(crate) fn take_shared(number: u32) {
    TABLE.free_one(number);
}

/// Calls `visit` with each live record, in no order. Records that come and go at the same time may
/// be visited or not.
pub(crate) fn for_each<E>(visit: impl FnMut(Live) -> Result<(), E>) -> Result<(), E> {
    TABLE.for_each(visit)
}

/// Returns whether there ever was a record.
pub(crate) fn are_used() -> bool {
    TABLE.is_used()
}
