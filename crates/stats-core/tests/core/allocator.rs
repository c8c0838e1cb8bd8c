//! The test program's allocator. It counts allocations for each thread and, if a test sets one,
//! with a counter of the core.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use stats_core::Counter;

thread_local! {
    static MADE: Cell<u64> = const { Cell::new(0) };
    static LIVE_BYTES: Cell<i64> = const { Cell::new(0) };
    pub(crate) static COUNTER: Cell<Option<&'static Counter>> = const { Cell::new(None) };
}

pub(crate) struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator; the thread-locals have no
// destructor and do not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MADE.set(MADE.get() + 1);
        LIVE_BYTES.set(LIVE_BYTES.get() + layout.size() as i64);
        if let Some(counter) = COUNTER.get() {
            counter.increment();
        }
        // SAFETY: the caller's obligations are those of the system allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE_BYTES.set(LIVE_BYTES.get() - layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the number of allocations that this thread makes during `work`.
pub(crate) fn allocations(work: impl FnOnce()) -> u64 {
    let before = MADE.get();
    work();
    MADE.get() - before
}

/// Returns the number of bytes by which this thread's live allocations grow during `work`.
pub(crate) fn grown_bytes(work: impl FnOnce()) -> i64 {
    let before = LIVE_BYTES.get();
    work();
    LIVE_BYTES.get() - before
}
