//! Once its spans and events are known, a thread allocates nothing.
#![cfg(feature = "enabled")]
#![expect(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use stats_tracing::StatsLayer;
use tracing::{Level, info_span, warn};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

thread_local! {
    static MADE: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator; the thread-local has no
// destructor and does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MADE.set(MADE.get() + 1);
        // SAFETY: the caller's obligations are those of the system allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn frame() {
    for _ in 0..10 {
        let _update = info_span!("update").entered();
        for name in ["move", "draw"] {
            let system = info_span!("system", name);
            system.in_scope(|| warn!(target: "test", "moved"));
        }
    }
}

#[test]
fn known_spans_and_events_allocate_nothing() {
    let layer = StatsLayer::new()
        .name_field("name")
        .keep_log(Targets::new().with_default(Level::WARN));
    let subscriber = tracing_subscriber::registry().with(layer);
    tracing::subscriber::with_default(subscriber, || {
        frame();
        let before = MADE.get();
        (0..100).for_each(|_| frame());
        assert_eq!(MADE.get() - before, 0);
        // A reader of the lines must not be what makes room for them.
        let mut recorder = stats_core::Recorder::new();
        frame();
        recorder.end_frame();
        assert_eq!(recorder.marks().len(), 20);
    });
}
