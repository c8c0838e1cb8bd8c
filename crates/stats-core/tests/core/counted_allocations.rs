use std::cell::Cell;
use std::hint::black_box;

use stats_core::{Counter, Recorder};
use stats_testing::{at_each_allocation, most_grown_bytes};

use crate::survey;

static ALLOCATIONS: Counter = Counter::new("test/allocator/allocations");

#[test]
fn a_global_allocator_may_count_with_a_counter() {
    // On a separate thread, so that the first add, which registers the counter and claims a block,
    // comes from inside an allocation.
    let thread = std::thread::spawn(|| {
        let count = |_| ALLOCATIONS.increment();
        let (mut recorder, watch, first, rest) = at_each_allocation(count, || {
            let first: Vec<Box<u32>> = (0..10).map(Box::new).collect();
            let mut recorder = Recorder::new();
            let watch = recorder.watch(ALLOCATIONS.id());
            recorder.end_frame();
            let rest: Vec<Box<u32>> = (0..1000).map(Box::new).collect();
            (recorder, watch, first, rest)
        });
        recorder.end_frame();
        assert_eq!((first.len(), rest.len()), (10, 1000));
        recorder.history(&watch, 1).last()
    });
    // The thousand boxes and their vector.
    assert_eq!(thread.join().unwrap(), Some(1001.0));
}

/// Runs `work` on a new thread, whose first allocation is the first use of a counter.
fn counting_with(count: fn(usize), work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        scope.spawn(|| at_each_allocation(count, work));
    });
}

#[test]
fn the_registry_allocates_without_deadlock() {
    let _surveys = crate::with_surveys();
    static UNUSED: [Counter; 4] = [
        Counter::new("test/allocator/listing"),
        Counter::new("test/allocator/problems"),
        Counter::new("test/allocator/path"),
        Counter::new("test/allocator/survey"),
    ];
    let _one_problem = stats_core::counter("/test/allocator");
    counting_with(
        |_| UNUSED[0].increment(),
        || stats_core::for_each_series(|_| ()),
    );
    counting_with(
        |_| UNUSED[1].increment(),
        || assert!(!stats_core::problems().is_empty()),
    );
    counting_with(
        |_| UNUSED[2].increment(),
        || {
            let _new = stats_core::counter(&"test/allocator/".repeat(1000));
        },
    );
    counting_with(
        |_| UNUSED[3].increment(),
        || {
            let mut recorder = Recorder::new();
            survey(&mut recorder);
            recorder.end_frame();
        },
    );
}

#[test]
fn a_resized_allocation_counts_with_its_old_size_while_it_may_be_copied() {
    let most = most_grown_bytes(|| {
        let mut bytes = black_box(Vec::<u8>::with_capacity(1 << 20));
        bytes.reserve_exact(3 << 20);
        drop(black_box(bytes));
    });
    assert_eq!(most, 4 << 20);
}

#[test]
fn nothing_is_called_for_allocations_after_work_that_panics() {
    thread_local! {
        static COUNT: Cell<u64> = const { Cell::new(0) };
    }
    let work = || at_each_allocation(|_| COUNT.set(COUNT.get() + 1), || panic!("stop"));
    let stopped = std::panic::catch_unwind(work);
    assert!(stopped.is_err());
    let before = COUNT.get();
    drop(black_box(vec![0; 99]));
    assert_eq!(COUNT.get(), before);
}
