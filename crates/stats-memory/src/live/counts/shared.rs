//! Counts without a shard: cells that all threads share.

use std::sync::atomic::{AtomicBool, Ordering};

use super::cell::Cell;
use super::shard::{KNOWN, known_group};
use crate::MAX_TAGS;
use crate::live::tags;

/// The counts of threads without a shard, by tag: after the thread has released its own, or if
/// there was no memory for one. Not resident until it is touched.
static CELLS: [Cell; MAX_TAGS] = [const { Cell::new() }; MAX_TAGS];

/// Whether anything was ever counted without a shard. If not, readers skip these cells.
static IS_SHARED: AtomicBool = AtomicBool::new(false);

/// Returns the cells without a shard, one for each tag, or none if nothing was counted in them.
pub(super) fn cells() -> &'static [Cell] {
    // Relaxed: counts that are added right now are seen by the next reader.
    let used = if IS_SHARED.load(Ordering::Relaxed) {
        tags::count().min(MAX_TAGS)
    } else {
        0
    };
    &CELLS[..used]
}

/// Returns the cell of a tag, which is about to be used.
fn cell(tag: u32) -> &'static Cell {
    // Relaxed: see `cells`.
    IS_SHARED.store(true, Ordering::Relaxed);
    &CELLS[tag as usize % MAX_TAGS]
}

/// Counts an allocation without a shard.
#[cold]
pub(crate) fn allocated(tag: u32, bytes: usize) {
    KNOWN.allocated(bytes);
    // Relaxed, here and below: it is only a number. The cell comes last, as in a shard.
    known_group(tags::group_within(tag)).fetch_add(bytes as i64, Ordering::Relaxed);
    cell(tag).allocated_shared(bytes);
}

/// Counts a free without a shard.
#[cold]
pub(crate) fn freed(tag: u32, bytes: usize) {
    KNOWN.freed(bytes);
    known_group(tags::group_within(tag)).fetch_sub(bytes as i64, Ordering::Relaxed);
    cell(tag).freed_shared(bytes);
}
