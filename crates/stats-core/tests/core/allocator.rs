//! The test program's allocator: it counts for each thread, and for one test it counts with a counter of the core itself.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use stats_core::{Counter, Recorder};

static ALLOCATIONS: Counter = Counter::new("test/allocator/allocations");

thread_local! {
    static MADE: Cell<u64> = const { Cell::new(0) };
    static LIVE_BYTES: Cell<i64> = const { Cell::new(0) };
    static USES_COUNTER: Cell<bool> = const { Cell::new(false) };
}

pub(crate) struct Counting;

// SAFETY: every call is handed on to the system's allocator as it is; the thread-locals have no destructor and allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MADE.set(MADE.get() + 1);
        LIVE_BYTES.set(LIVE_BYTES.get() + layout.size() as i64);
        if USES_COUNTER.get() {
            ALLOCATIONS.increment();
        }
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE_BYTES.set(LIVE_BYTES.get() - layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// How many allocations this thread makes during `work`.
pub(crate) fn allocations(work: impl FnOnce()) -> u64 {
    let before = MADE.get();
    work();
    MADE.get() - before
}

/// By how many bytes this thread's live allocations grow during `work`.
pub(crate) fn grown_bytes(work: impl FnOnce()) -> i64 {
    let before = LIVE_BYTES.get();
    work();
    LIVE_BYTES.get() - before
}

#[test]
fn a_global_allocator_may_count_with_a_counter() {
    // On a thread of its own, so that the very first add, which registers and makes a block, comes from inside an allocation.
    let thread = std::thread::spawn(|| {
        USES_COUNTER.set(true);
        let first: Vec<Box<u32>> = (0..10).map(Box::new).collect();
        let mut recorder = Recorder::new();
        let watch = recorder.watch(ALLOCATIONS.id());
        recorder.push_frame();
        let rest: Vec<Box<u32>> = (0..1000).map(Box::new).collect();
        USES_COUNTER.set(false);
        recorder.push_frame();
        assert_eq!((first.len(), rest.len()), (10, 1000));
        recorder.window(&watch, 1).last()
    });
    // The thousand boxes and the vector that holds them.
    assert_eq!(thread.join().unwrap(), Some(1001.0));
}

/// Runs work on a new thread that counts its allocations.
fn counting_allocations(work: impl FnOnce() + Send + 'static) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            USES_COUNTER.set(true);
            work();
            USES_COUNTER.set(false);
        });
    });
}

#[test]
fn listing_finding_and_peeking_allocate_without_waiting_for_themselves() {
    counting_allocations(|| {
        let _generation = stats_core::generation();
        let _found = stats_core::find("test/allocator/none");
        let _problems = stats_core::problems();
        let mut listed = 0;
        stats_core::for_each_series(|_| listed += 1);
        assert!(listed > 0);
        let mut recorder = Recorder::new();
        recorder.peek(ALLOCATIONS.id());
        recorder.survey();
        recorder.push_frame();
    });
}
