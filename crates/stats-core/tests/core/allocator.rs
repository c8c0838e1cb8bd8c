//! The test program's allocator: it counts for each thread, and for one test it counts with a counter of the core itself.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use stats_core::{Counter, Recorder};

static ALLOCATIONS: Counter = Counter::new("test/allocator/allocations");

thread_local! {
    static MADE: Cell<u64> = const { Cell::new(0) };
    static LIVE_BYTES: Cell<i64> = const { Cell::new(0) };
    static COUNTER: Cell<Option<&'static Counter>> = const { Cell::new(None) };
}

pub(crate) struct Counting;

// SAFETY: every call is handed on to the system's allocator as it is; the thread-locals have no destructor and allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MADE.set(MADE.get() + 1);
        LIVE_BYTES.set(LIVE_BYTES.get() + layout.size() as i64);
        if let Some(counter) = COUNTER.get() {
            counter.increment();
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
        COUNTER.set(Some(&ALLOCATIONS));
        let first: Vec<Box<u32>> = (0..10).map(Box::new).collect();
        let mut recorder = Recorder::new();
        let watch = recorder.watch(ALLOCATIONS.id());
        recorder.push_frame();
        let rest: Vec<Box<u32>> = (0..1000).map(Box::new).collect();
        COUNTER.set(None);
        recorder.push_frame();
        assert_eq!((first.len(), rest.len()), (10, 1000));
        recorder.window(&watch, 1).last()
    });
    // The thousand boxes and the vector that holds them.
    assert_eq!(thread.join().unwrap(), Some(1001.0));
}

/// Runs work on a new thread whose first allocation in it is the first use of `counter`.
fn counting_with(counter: &'static Counter, work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            COUNTER.set(Some(counter));
            work();
            COUNTER.set(None);
        });
    });
}

#[test]
fn the_registry_allocates_without_waiting_for_itself() {
    static UNUSED: [Counter; 4] = [
        Counter::new("test/allocator/listing"),
        Counter::new("test/allocator/problems"),
        Counter::new("test/allocator/path"),
        Counter::new("test/allocator/survey"),
    ];
    let _one_problem = stats_core::counter("/test/allocator");
    counting_with(&UNUSED[0], || stats_core::for_each_series(|_| ()));
    counting_with(&UNUSED[1], || assert!(!stats_core::problems().is_empty()));
    counting_with(&UNUSED[2], || {
        let _new = stats_core::counter(&"test/allocator/".repeat(1000));
    });
    counting_with(&UNUSED[3], || {
        let mut recorder = Recorder::new();
        recorder.survey();
        recorder.push_frame();
    });
}
