use stats_core::{Counter, Recorder};

use crate::allocator::COUNTER;
use crate::survey;

static ALLOCATIONS: Counter = Counter::new("test/allocator/allocations");

#[test]
fn a_global_allocator_may_count_with_a_counter() {
    // On a separate thread, so that the first add, which registers the counter and claims a block,
    // comes from inside an allocation.
    let thread = std::thread::spawn(|| {
        COUNTER.set(Some(&ALLOCATIONS));
        let first: Vec<Box<u32>> = (0..10).map(Box::new).collect();
        let mut recorder = Recorder::new();
        let watch = recorder.watch(ALLOCATIONS.id());
        recorder.end_frame();
        let rest: Vec<Box<u32>> = (0..1000).map(Box::new).collect();
        COUNTER.set(None);
        recorder.end_frame();
        assert_eq!((first.len(), rest.len()), (10, 1000));
        recorder.history(&watch, 1).last()
    });
    // The thousand boxes and their vector.
    assert_eq!(thread.join().unwrap(), Some(1001.0));
}

/// Runs `work` on a new thread. Its first allocation is the first use of `counter`.
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
fn the_registry_allocates_without_deadlock() {
    let _surveys = crate::with_surveys();
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
        survey(&mut recorder);
        recorder.end_frame();
    });
}
