//! Sums over all threads.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError, TryLockError};

use super::cell::{Cell, Sum};
use super::shard::{self, KNOWN, PAGE_TAGS, Shard, known_group};
use super::shared;

/// The live memory of all threads, right to within two steps of each thread that allocates or frees
/// at the same time, and exact if none does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) bytes: i64,
    pub(crate) allocations: i64,
}

/// Locked while the peaks restart. A reader raises them to what it read only if they cannot restart
/// in between, which would leave them at what was live before.
static PEAKS: Mutex<()> = Mutex::new(());

/// Calls `visit` with each tag whose counts changed since the last call. `seen` has the number of
/// events of each tag at the last call.
///
/// The numbers of events suffice to find these tags. Nothing else is read for a tag that did not
/// change.
pub(crate) fn for_each_changed(seen: &mut [u64], mut visit: impl FnMut(u32)) {
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
                visit(tag);
            }
        }
    }
}

/// Returns the sum of one tag. If it changes while it is read, several live numbers are possible. The
/// result has those nearest to `near`.
pub(crate) fn of_tag(tag: u32, near: &Sum) -> Sum {
    read_tag(tag).until(&read_tag(tag), near)
}

fn read_tag(tag: u32) -> Sum {
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

/// Returns the live memory of all threads.
pub(crate) fn live() -> Live {
    // The reports come first. Relaxed loads suffice: any unreported change is below a step.
    let (mut bytes, mut allocations) = KNOWN.live();
    shard::for_each(|shard| {
        let unreported = shard.unreported();
        bytes = bytes.wrapping_add(unreported.0);
        allocations = allocations.wrapping_add(unreported.1);
    });
    Live { bytes, allocations }
}

/// Returns the live bytes of a group, as exact as those of [`live`].
pub(crate) fn live_bytes_of(group: u32) -> i64 {
    let mut group = [(group, 0)];
    live_bytes_of_all(&mut group);
    group[0].1
}

/// Replaces the second number of each pair by the live bytes of the group in the first, as exact as
/// those of [`live`].
///
/// They include all events that [`for_each_changed`] saw before. So a group needs to be read again
/// only if a tag of it changes: whatever made this inexact is seen as an event later.
pub(crate) fn live_bytes_of_all(groups: &mut [(u32, i64)]) {
    if groups.is_empty() {
        return;
    }
    for (group, bytes) in &mut *groups {
        *bytes = known_group(*group).load(Ordering::Relaxed);
    }
    shard::for_each(|shard| {
        for (group, bytes) in &mut *groups {
            *bytes = bytes.wrapping_add(shard.unreported_of(*group));
        }
    });
}

/// Returns the allocations of all tags ever made, and their bytes.
pub(crate) fn made() -> (u64, u64) {
    let mut sum = Sum::default();
    shard::for_each(|shard| sum.add(&shard.sum()));
    shared::cells()
        .iter()
        .for_each(|cell| sum.add(&cell.read()));
    (sum.allocations, sum.bytes)
}

/// Returns the live memory, and the peaks of bytes and allocations.
pub(crate) fn live_and_peaks() -> (Live, Live) {
    let raises = match PEAKS.try_lock() {
        Ok(raises) => Some(raises),
        Err(TryLockError::Poisoned(raises)) => Some(raises.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    };
    let (now, mut excess) = (live(), 0);
    shard::for_each(|shard| excess = excess.max(shard.excess()));
    let (bytes, allocations) = (now.bytes, now.allocations.saturating_add(excess));
    let (bytes, allocations) = match raises {
        Some(_) => KNOWN.raise_peaks(bytes, allocations),
        None => {
            let peaks = KNOWN.peaks();
            (peaks.0.max(bytes), peaks.1.max(allocations))
        }
    };
    (now, Live { bytes, allocations })
}

/// Restarts the peaks from the live memory.
pub(crate) fn reset_peaks() {
    let _restarts = PEAKS.lock().unwrap_or_else(PoisonError::into_inner);
    shard::for_each(Shard::reset_excess);
    let now = live();
    KNOWN.reset_peaks(now.bytes, now.allocations);
}
