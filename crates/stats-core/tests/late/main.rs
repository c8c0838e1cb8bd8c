//! The behavior that deferred values promise. The tests run in their own process, one after the
//! other.
//!
//! Ending a frame never waits: while another thread delivers or registers a series, deliveries are
//! taken one frame later. Tests that check in which frame a value is complete must exclude that, so
//! all other tests are in another binary.
#![cfg(feature = "enabled")]

#[expect(dead_code, reason = "shared with the other tests")]
#[path = "../core/allocator.rs"]
mod allocator;
mod model;
mod threads;
mod values;

use std::sync::{Mutex, MutexGuard, PoisonError};

use stats_core::{Recorder, Watch, counter};
use stats_testing::Random;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

/// Lets only one test run at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns all values in the history of a watch.
fn values(recorder: &Recorder, watch: &Watch) -> Vec<f64> {
    let history = recorder.history(watch, usize::MAX);
    let kept = recorder.frames();
    // Frames at both ends of those that are kept, and a clone of the watch.
    let begin = kept.start.saturating_sub(2)..kept.start + 3;
    let other = watch.clone();
    for frame in begin.chain(kept.end.saturating_sub(9)..kept.end + 2) {
        let value = history.at(frame).unwrap_or(f64::NAN).to_bits();
        let read = recorder.values_in(frame, [watch, &other]);
        assert!(read.map(f64::to_bits).eq([value; 2]), "frame {frame}");
    }
    history.iter().collect()
}

/// Returns all values in the history of a watch; `None` for an unknown one.
fn known(recorder: &Recorder, watch: &Watch) -> Vec<Option<f64>> {
    let history = recorder.history(watch, usize::MAX);
    history.frames().map(|frame| history.at(frame)).collect()
}

/// Returns the number of values that arrived too late during `work`.
fn dropped(work: impl FnOnce()) -> f64 {
    let mut recorder = Recorder::new();
    let watch = recorder.watch(counter("stats/late-dropped").id());
    work();
    recorder.end_frame();
    values(&recorder, &watch)[0]
}
