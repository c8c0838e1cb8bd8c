//! That the steady state allocates nothing, counted by the program's own allocator.
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use stats_bench::{Bar, Table};
use stats_core::{Counter, Gauge, Recorder, Timer};

thread_local! {
    static MADE: Cell<u64> = const { Cell::new(0) };
    static LIVE_BYTES: Cell<i64> = const { Cell::new(0) };
}

pub(crate) struct Counting;

// SAFETY: every call is handed on to the system's allocator as it is; the thread-locals have no destructor and allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MADE.set(MADE.get() + 1);
        LIVE_BYTES.set(LIVE_BYTES.get() + layout.size() as i64);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE_BYTES.set(LIVE_BYTES.get() - layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// By how many bytes this thread's live allocations grow during `work`.
pub(crate) fn grown_bytes(work: impl FnOnce()) -> i64 {
    let before = LIVE_BYTES.get();
    work();
    LIVE_BYTES.get() - before
}

pub(crate) fn measure(table: &mut Table) {
    static COUNTER: Counter = Counter::new("bench/allocations/counter");
    static GAUGE: Gauge = Gauge::new("bench/allocations/gauge");
    static TIMER: Timer = Timer::new("bench/allocations/timer");
    let mut recorder = Recorder::new();
    let watches = [COUNTER.id(), GAUGE.id(), TIMER.id(), TIMER.calls_id()].map(|id| recorder.watch(id));
    let mut frame = || {
        COUNTER.add(1);
        GAUGE.set(2.0);
        TIMER.time(|| COUNTER.add(0.5));
        recorder.push_frame();
        assert!(!recorder.window(&watches[0], 600).is_empty());
    };
    frame();
    let before = MADE.get();
    (0..10_000).for_each(|_| frame());
    let made = MADE.get() - before;
    table.row("allocations in 10,000 frames of adds and `push_frame`", &[], made as f64, "", Bar::AtMost(0.0));
}
