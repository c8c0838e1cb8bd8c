//! The behavior that the core promises. The process has only one registry, so every test uses its
//! own paths.
#![cfg(feature = "enabled")]

mod allocator;
mod computed;
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
mod parts;
mod peeks;
mod percentiles;
mod prefixes;
mod problems;
mod quantiles;
mod self_times;
mod threads;
mod ticks;
mod timers;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

use stats_core::{Recorder, SeriesId, Watch};
use stats_testing::Random;

/// Returns all values in the history of a watch.
fn values(recorder: &Recorder, watch: &Watch) -> Vec<f64> {
    recorder.history(watch, usize::MAX).iter().collect()
}

/// Keeps a survey armed.
fn survey(recorder: &mut Recorder) {
    assert!(recorder.survey().is_some());
}

/// Returns the value of one series in a survey.
fn surveyed_value(recorder: &mut Recorder, id: SeriesId) -> Option<f64> {
    let survey = recorder.survey().unwrap_or_default();
    let mut all = survey.iter();
    let found = all.find(|(other, _)| *other == id);
    let found = found.map(|(_, survey)| survey.value);
    assert_eq!(found, survey.value(id));
    found
}
