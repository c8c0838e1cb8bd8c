//! Collectors beside a thread that is interrupted while it has a lock.

use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::hub::{self, HUB};
use super::{POOL, SpanCollector, are_spans_collected, other, record_span};
use crate::{SeriesId, Span, timer};

/// Runs `work` while this thread has a lock. Fails if it waits.
fn beside<L, T: Send>(lock: L, work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let (done, is_done) = channel();
        scope.spawn(move || done.send(work()));
        let result = is_done.recv_timeout(Duration::from_secs(60));
        drop(lock);
        result.expect("it waits for a lock")
    })
}

/// Lets only one test collect at a time.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn a_recorder_waits_for_no_interrupted_thread() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let work = timer("spans/beside");
    // As a recorder does it at the end of its frames, with more scopes than one chunk has.
    let frame = || {
        let mut collector = SpanCollector::try_begin().expect("nobody uses the hub");
        (0..1000).for_each(|_| work.time(|| {}));
        move || {
            collector.try_take();
            collector.try_lost();
            drop(collector);
            SpanCollector::try_begin().is_some()
        }
    };
    let of_hub = frame();
    assert!(!beside(HUB.lock(), of_hub));
    let of_new = frame();
    assert!(beside(hub::NEW.lock(), of_new));
    let of_others = frame();
    assert!(beside(other::try_lock(), of_others));
    let of_pool = frame();
    assert!(beside(POOL.lock_as_a_reader(), of_pool));
    assert!(!are_spans_collected());
}

#[test]
fn the_end_of_a_collector_is_left_to_the_thread_that_uses_the_hub() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let begin = || SpanCollector::try_begin().expect("nobody uses the hub");
    let (one, other) = (begin(), begin());
    assert_eq!(HUB.lock().collectors(), 2);
    beside(HUB.lock(), || drop(one));
    assert!(are_spans_collected());
    assert_eq!(HUB.lock().collectors(), 1);
    beside(HUB.lock(), || drop(other));
    assert!(!are_spans_collected());
    assert_eq!(HUB.lock().collectors(), 0);
}

#[test]
fn a_scope_of_another_profiler_is_lost_rather_than_waiting() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let collector = SpanCollector::try_begin().expect("nobody uses the hub");
    let now = Instant::now();
    let record = || record_span(Span::new(SeriesId::new(0), "render", 0, now, now));
    record();
    // Scopes of other tests may be lost, too.
    let before = collector.lost();
    beside(other::try_lock(), record);
    assert!(collector.lost() > before);
}
