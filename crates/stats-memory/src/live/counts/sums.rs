//! Sums over all threads.

use super::cell::{Cell, Sum};
use super::shard::{self, KNOWN, PAGE_TAGS, Shard};
use super::shared;

/// Calls `visit` with each tag whose counts changed since the last call, and its sum. `seen` has
/// the number of events of each tag at the last call.
///
/// The numbers of events suffice to find these tags. Nothing else is read for a tag that did not
/// change.
pub(crate) fn for_each_changed(seen: &mut [u64], mut visit: impl FnMut(u32, Sum)) {
    for (page, seen) in seen.chunks_mut(PAGE_TAGS).enumerate() {
        let (first, mut events) = (page * PAGE_TAGS, [0; PAGE_TAGS]);
        shard::for_each(|shard| shard.add_events(page, &mut events));
        let cells = shared::cells().iter().skip(first);
        cells
            .zip(&mut events)
            .for_each(|(cell, events)| *events = events.wrapping_add(cell.events()));
        for ((tag, seen), now) in (first as u32..).zip(seen).zip(events) {
            if *seen != now {
                *seen = now;
                visit(tag, of_tag(tag));
            }
        }
    }
}

/// Returns the sum of one tag.
pub(crate) fn of_tag(tag: u32) -> Sum {
    let mut sum = shared::cells()
        .get(tag as usize)
        .map(Cell::read)
        .unwrap_or_default();
    shard::for_each(|shard| {
        if tag == 0 {
            sum.add(&shard.total.read());
        }
        if let Some(page) = shard.page(tag) {
            sum.add(&page.cell(tag).read());
        }
    });
    sum
}

/// Returns the sum of all tags.
pub(crate) fn total() -> Sum {
    let mut sum = Sum::default();
    shard::for_each(|shard| sum.add(&shard.sum()));
    shared::cells()
        .iter()
        .for_each(|cell| sum.add(&cell.read()));
    sum
}

/// Returns the peaks of bytes and allocations, given the current sum.
pub(crate) fn peaks(now: &Sum) -> (i64, i64) {
    let mut excess = 0;
    shard::for_each(|shard| excess = excess.max(shard.excess()));
    KNOWN.peaks(now.live_bytes(), now.live().saturating_add(excess))
}

/// Restarts the peaks from the current sum.
pub(crate) fn reset_peaks() {
    shard::for_each(Shard::reset_excess);
    let now = total();
    KNOWN.reset_peaks(now.live_bytes(), now.live());
}
