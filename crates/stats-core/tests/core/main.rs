//! What the core promises, by behaviour. The registry is one for the whole process: every test has
//! paths of its own.
#![cfg(feature = "enabled")]

mod allocator;
mod counted_allocations;
mod differences;
mod frame_metrics;
mod frame_statistics;
mod frames;
mod histograms;
mod histories;
mod levels;
mod listing;
mod marks;
mod memory;
mod mersenne;
mod numbers;
mod own_series;
mod peeks;
mod percentiles;
mod problems;
mod quantiles;
mod random;
mod surveys;
mod threads;
mod timers;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

use random::Random;
use stats_core::{Recorder, Watch};

/// All values that a recorder holds of a watch.
fn values(recorder: &Recorder, watch: &Watch) -> Vec<f64> {
    recorder.history(watch, usize::MAX).iter().collect()
}
