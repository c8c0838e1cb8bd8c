//! What a thread has of its own: its shard, and the tag under which it allocates.

use std::cell::Cell as LocalCell;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cell::{Cell, Sum};
pub(crate) use super::entered::tag;
use super::shard::{self, PAGE_TAGS, Shard};
use super::tags::{self, MAX_TAGS};
use super::threads;

/// Releases the thread's shard when the thread ends.
struct Guard;

// The first two have no destructor, so that reaching them needs no check and works until the very
// end of the thread. They are two variables instead of one struct, because `with` and the closure
// it calls would not be inlined.
thread_local! {
    static SHARD: LocalCell<Option<&'static Shard>> = const { LocalCell::new(None) };
    /// Whether the thread has released its shard, in the destructors of its thread-locals.
    static IS_GONE: LocalCell<bool> = const { LocalCell::new(false) };
    static GUARD: Guard = const { Guard };
}

/// What is counted without a shard, by tag: after the thread has released its own, or without
/// memory for one. Not resident until it is touched.
static SHARED: [Cell; MAX_TAGS] = [const { Cell::new() }; MAX_TAGS];

impl Drop for Guard {
    fn drop(&mut self) {
        IS_GONE.set(true);
        if let Some(shard) = SHARD.take() {
            shard.release();
        }
    }
}

/// Returns the thread's shard, if it has one.
#[inline(always)]
pub(crate) fn shard() -> Option<&'static Shard> {
    SHARD.get()
}

/// Returns the thread's shard, and claims one if needed. `None` after the thread has released it,
/// or if there is no memory left.
#[cold]
#[inline(never)]
pub(crate) fn shard_or_claim() -> Option<&'static Shard> {
    if let Some(shard) = SHARD.get() {
        return Some(shard);
    }
    if IS_GONE.get() {
        return None;
    }
    let shard = shard::claim()?;
    // Relaxed, here and below: only the owner accesses it.
    shard.thread.store(0, Ordering::Relaxed);
    // Before everything that may allocate, and so come back here.
    SHARD.set(Some(shard));
    if GUARD.try_with(|_| ()).is_ok() {
        shard
            .thread
            .store(threads::number_of_this(), Ordering::Relaxed);
    }
    Some(shard)
}

/// Whether anything was ever counted without a shard. If not, readers skip these cells.
static IS_SHARED: AtomicBool = AtomicBool::new(false);

/// Returns the cells without a shard, one for each tag, or none if nothing was counted in them.
fn shared() -> &'static [Cell] {
    // Relaxed: what is counted right now is seen by the next reader.
    let used = if IS_SHARED.load(Ordering::Relaxed) {
        tags::count().min(MAX_TAGS)
    } else {
        0
    };
    &SHARED[..used]
}

/// Returns the cell of a tag, which is about to be used.
fn shared_cell(tag: u32) -> &'static Cell {
    // Relaxed: see `shared`.
    IS_SHARED.store(true, Ordering::Relaxed);
    &SHARED[tag as usize % MAX_TAGS]
}

/// Counts an allocation without a shard.
#[cold]
pub(crate) fn allocated_shared(tag: u32, bytes: usize) {
    shared_cell(tag).allocated_shared(bytes);
    shard::KNOWN.change(bytes as i64);
}

/// Counts a free without a shard.
#[cold]
pub(crate) fn freed_shared(tag: u32, bytes: usize) {
    shared_cell(tag).freed_shared(bytes);
    shard::KNOWN.change((bytes as i64).wrapping_neg());
}

/// Calls `visit` with each tag that was counted under since the last call, and its sum. `told` is
/// the number of events of each tag until then.
///
/// Half of the numbers suffice to find these tags. Of a tag that nobody used, nothing else is read.
pub(crate) fn for_each_changed(told: &mut [u64], mut visit: impl FnMut(u32, Sum)) {
    for (page, told) in told.chunks_mut(PAGE_TAGS).enumerate() {
        let (first, mut events) = (page * PAGE_TAGS, [0; PAGE_TAGS]);
        shard::for_each(|shard| shard.add_events(page, &mut events));
        let shared = shared().iter().skip(first);
        shared
            .zip(&mut events)
            .for_each(|(cell, events)| *events = events.wrapping_add(cell.events()));
        for ((tag, told), now) in (first as u32..).zip(told).zip(events) {
            if *told != now {
                *told = now;
                visit(tag, sum(tag));
            }
        }
    }
}

/// Returns what was counted under one tag.
pub(crate) fn sum(tag: u32) -> Sum {
    let mut sum = shared()
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

/// Returns what was counted under all tags.
pub(crate) fn total() -> Sum {
    let mut sum = Sum::default();
    shard::for_each(|shard| sum.add(&shard.sum()));
    shared().iter().for_each(|cell| sum.add(&cell.read()));
    sum
}
