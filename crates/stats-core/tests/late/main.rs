//! What late values promise: in a process of their own, one test after the other.
//!
//! Ending a frame waits for nobody: while another thread delivers, or looks a series up, what came
//! is taken a frame later. So tests that say in which frame a value is known need that no other
//! thread does either, and those of all else run in another binary.
#![cfg(feature = "enabled")]

#[expect(dead_code, reason = "shared with the other tests")]
#[path = "../core/allocator.rs"]
mod allocator;
mod model;
#[path = "../core/random.rs"]
mod random;
mod threads;
mod values;

use std::sync::{Mutex, MutexGuard, PoisonError};

use random::Random;
use stats_core::{Recorder, Watch, counter};

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

/// Lets one test after the other run.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All values that a recorder holds of a watch.
fn values(recorder: &Recorder, watch: &Watch) -> Vec<f64> {
    recorder.history(watch, usize::MAX).iter().collect()
}

/// How many values came too late while `work` ran.
fn dropped(work: impl FnOnce()) -> f64 {
    let mut recorder = Recorder::new();
    let watch = recorder.watch(counter("stats/late-dropped").id());
    work();
    recorder.end_frame();
    values(&recorder, &watch)[0]
}
