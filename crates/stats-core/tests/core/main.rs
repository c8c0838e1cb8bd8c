//! The behavior that the core promises. The process has only one registry, so every test uses its
//! own paths.
#![cfg(feature = "enabled")]

mod computed;
mod counted_allocations;
mod differences;
mod frame_metrics;
mod frame_statistics;
mod frames;
mod histograms;
mod histories;
mod history;
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
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use history::{known, values};
use stats_core::{Recorder, SeriesId};
use stats_testing::Random;

/// A survey reads all computed series of the process, and so shuts the ticks of a clock out of a frame
/// when it begins.
static SURVEYS: RwLock<()> = RwLock::new(());

/// Lets no other test keep a survey, for one that knows the ticks of each frame.
fn without_surveys() -> RwLockReadGuard<'static, ()> {
    SURVEYS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Lets a test keep a survey. Drop it after the recorder.
fn with_surveys() -> RwLockWriteGuard<'static, ()> {
    SURVEYS.write().unwrap_or_else(PoisonError::into_inner)
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
