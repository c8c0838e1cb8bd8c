//! A global allocator that counts, for benches that measure allocations.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]
#![allow(
    dead_code,
    reason = "each bench that shares this file uses a part of it"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static LIVE_BYTES: Cell<i64> = const { Cell::new(0) };
}

/// Whether the bytes of all threads are counted, and how many are allocated since. Nothing depends
/// on their order.
static IS_HELD_COUNTED: AtomicBool = AtomicBool::new(false);
static HELD_BYTES: AtomicI64 = AtomicI64::new(0);

pub(crate) struct Counting;

/// Counts the bytes that a thread allocated, or freed if negative.
fn add_bytes(bytes: i64) {
    LIVE_BYTES.set(LIVE_BYTES.get() + bytes);
    if IS_HELD_COUNTED.load(Ordering::Relaxed) {
        HELD_BYTES.fetch_add(bytes, Ordering::Relaxed);
    }
}

// SAFETY: every call is forwarded unchanged to the system's allocator. The thread-locals have no
// destructor and allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        add_bytes(layout.size() as i64);
        // SAFETY: the caller upholds the contract, which is the same as the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        add_bytes(layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        add_bytes(size as i64 - layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        add_bytes(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the number of allocations that this thread makes during `work`.
pub(crate) fn allocations_in(work: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

/// Returns the number of bytes by which this thread's live allocations grow during `work`.
pub(crate) fn grown_bytes(work: impl FnOnce()) -> i64 {
    let before = LIVE_BYTES.get();
    work();
    LIVE_BYTES.get() - before
}

/// Begins to count the bytes that all threads allocate and free.
pub(crate) fn count_held_bytes() {
    IS_HELD_COUNTED.store(true, Ordering::Relaxed);
}

/// Returns the number of bytes that all threads have allocated and not freed since
/// [`count_held_bytes`].
pub(crate) fn held_bytes() -> i64 {
    HELD_BYTES.load(Ordering::Relaxed)
}
