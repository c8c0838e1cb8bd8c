//! The behavior that deferred values promise. The tests run in their own process, one after the
//! other.
//!
//! Ending a frame never waits: while another thread delivers or registers a series, deliveries are
//! taken one frame later. Tests that check in which frame a value is complete must exclude that, so
//! all other tests are in another binary.
#![cfg(feature = "enabled")]

#[path = "../core/history.rs"]
mod history;
mod model;
mod threads;
mod values;

use history::{known, values};
use stats_core::{Recorder, counter};
use stats_testing::{Random, alone};

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

/// Returns the number of values that arrived too late during `work`.
fn dropped(work: impl FnOnce()) -> f64 {
    let mut recorder = Recorder::new();
    let watch = recorder.watch(counter("stats/late-dropped").id());
    work();
    recorder.end_frame();
    values(&recorder, &watch)[0]
}
