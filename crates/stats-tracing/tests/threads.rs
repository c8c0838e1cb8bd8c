//! More threads than there are places. In a process of its own, because the limits apply to the
//! whole process; one test at a time, because running threads share the numbers that tell them
//! apart.
#![cfg(feature = "enabled")]

use std::collections::BTreeMap;
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;

use stats_core::{Problem, Recorder, for_each_series};
use stats_tracing::{MAX_PLACES, StatsLayer};
use tracing::{Dispatch, dispatcher, info_span};
use tracing_subscriber::prelude::*;

/// Held by the test that runs.
static RUNNING: Mutex<()> = Mutex::new(());

/// Returns the calls of all timers of this process, by path.
fn calls(work: impl FnOnce()) -> BTreeMap<&'static str, f64> {
    let mut recorder = Recorder::new();
    // A survey takes several frames to know all of them.
    let survey = |recorder: &mut Recorder| {
        for _ in 0..8 {
            recorder.survey();
            recorder.end_frame();
        }
    };
    survey(&mut recorder);
    work();
    recorder.end_frame();
    let survey = recorder.survey().unwrap_or_default();
    let mut calls = BTreeMap::new();
    for_each_series(|series| {
        if let Some(id) = series.calls {
            calls.insert(series.path, survey.value(id).unwrap_or(0.0));
        }
    });
    calls
}

fn named(name: &str, work: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name(name.to_owned());
        let spawned = thread.spawn_scoped(scope, work).ok();
        // The end of a scope does not wait for the destructors of thread-local values, which give
        // the number of the thread back; `join` does.
        assert!(spawned.is_some_and(|thread| thread.join().is_ok()));
    });
}

#[test]
fn any_number_of_thread_names_leaves_places_for_new_spans() {
    let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let subscriber = Dispatch::new(tracing_subscriber::registry().with(StatsLayer::new()));
    let traced = |work: &dyn Fn()| dispatcher::with_default(&subscriber, work);
    let threads = MAX_PLACES + 10;
    for at in 0..threads {
        named(&format!("worker {at}"), || {
            traced(&|| info_span!("work").in_scope(|| {}));
        });
    }
    // Spans that no thread has entered before, on threads with known and with new names.
    let calls = calls(|| {
        named("worker 3", || {
            traced(&|| info_span!("known").in_scope(|| {}))
        });
        named("late", || traced(&|| info_span!("new").in_scope(|| {})));
        let barrier = Barrier::new(2);
        thread::scope(|scope| {
            for name in ["first", "second"] {
                let thread = thread::Builder::new().name(name.to_owned());
                let spawned = thread.spawn_scoped(scope, || {
                    traced(&|| {
                        info_span!("both").in_scope(|| {
                            barrier.wait();
                        });
                    });
                });
                assert!(spawned.is_ok());
            }
        });
    });
    let expected = [
        ("tracing/worker 3/known", 1.0),
        ("tracing/spans/known", 1.0),
        ("tracing/further-threads/1/new", 1.0),
        ("tracing/spans/new", 1.0),
        ("tracing/further-threads/1/both", 1.0),
        ("tracing/further-threads/2/both", 1.0),
        ("tracing/spans/both", 2.0),
    ];
    for (path, expected) in expected {
        assert_eq!(calls.get(path), Some(&expected), "{path}");
    }
    assert_eq!(calls.get("tracing/over-limit").copied().unwrap_or(0.0), 0.0);
    assert!(calls.len() < MAX_PLACES / 2, "{}", calls.len());
    let reported: Vec<_> = stats_core::problems()
        .into_iter()
        .filter_map(|problem| match problem {
            Problem::OverLimit { path, .. } => Some(path),
            _ => None,
        })
        .collect();
    assert_eq!(reported, ["tracing/further-threads"]);
}

#[test]
fn spans_that_are_never_exited_do_not_end_the_timing_of_others() {
    let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let subscriber = Dispatch::new(tracing_subscriber::registry().with(StatsLayer::new()));
    let traced = |work: &dyn Fn()| dispatcher::with_default(&subscriber, work);
    let calls = calls(|| {
        named("stuck", || {
            traced(&|| {
                (0..100).for_each(|_| std::mem::forget(info_span!("stuck").entered()));
                // Only the end of a frame shows that they are no recursion.
                let mut recorder = Recorder::new();
                for _ in 0..100 {
                    recorder.end_frame();
                    info_span!("outer").in_scope(|| info_span!("inside").in_scope(|| {}));
                }
            });
        });
    });
    let timed = ["outer", "inside"].map(|name| calls[format!("tracing/spans/{name}").as_str()]);
    assert!(timed.iter().all(|calls| *calls >= 97.0), "{timed:?}");
}
