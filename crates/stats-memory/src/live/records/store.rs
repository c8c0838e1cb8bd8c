//! The records of the process.

use super::record::{Live, Record};
use super::stash::Stash;
use super::table::Table;

static TABLE: Table = Table::new();

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

/// Calls `visit` with each live record, in no particular order. Records that come and go at the
/// same time may be visited or not.
pub(crate) fn for_each<E>(visit: impl FnMut(Live) -> Result<(), E>) -> Result<(), E> {
    TABLE.for_each(visit)
}

/// Returns whether there ever was a record.
pub(crate) fn are_used() -> bool {
    TABLE.is_used()
}
