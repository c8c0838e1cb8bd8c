//! What the core promises, by behavior. The process has one registry, so every test has paths of its
//! own.
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
mod parts;
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
use std::collections::HashMap;

use stats_core::source::SurveyValue;
use stats_core::{Recorder, SeriesId, Source, Watch};

/// Returns all values in the history of a watch.
fn values(recorder: &Recorder, watch: &Watch) -> Vec<f64> {
    recorder.history(watch, usize::MAX).iter().collect()
}

/// Keeps a survey armed.
fn survey(recorder: &mut Recorder) {
    assert!(recorder.survey(&mut |_, _| {}));
}

/// Returns the survey of every series that has a value.
fn surveyed(recorder: &mut Recorder) -> HashMap<SeriesId, SurveyValue> {
    let mut values = HashMap::new();
    assert!(recorder.survey(&mut |id, value| {
        values.insert(id, value);
    }));
    values
}

/// Returns the value of one series in a survey.
fn surveyed_value(recorder: &mut Recorder, id: SeriesId) -> Option<f64> {
    let mut found = None;
    assert!(recorder.survey(&mut |other, survey| {
        if other == id {
            found = Some(survey.value);
        }
    }));
    found
}
