//! Which values are times, for viewers that are sent whole nanoseconds.

use std::collections::HashMap;
use std::ops::ControlFlow;

use stats_core::source::Listed;
use stats_core::{Recorder, Source};

use crate::wire::column::{nanoseconds_in, rounded};
use crate::wire::to_game::CLOCK;
use crate::wire::to_viewer::Past;

/// The nanoseconds in the unit of each series of times.
#[derive(Debug)]
pub(super) struct Rounding(HashMap<u32, f64>);

impl Rounding {
    /// The nanoseconds in the unit of the durations of frames: milliseconds.
    pub(super) const DURATIONS: f64 = 1e6;

    pub(super) fn new() -> Self {
        // The clock has the starts of frames in seconds.
        Self(HashMap::from([(CLOCK, 1e9)]))
    }

    /// Looks up the unit of a series.
    pub(super) fn learn(&mut self, listing: &Recorder, series: u32) {
        let number = Listed::Numbers(series..series.saturating_add(1));
        listing.list(number, &mut |info| {
            self.0
                .extend(nanoseconds_in(info.unit).map(|steps| (series, steps)));
            ControlFlow::Continue(())
        });
    }

    /// Returns the nanoseconds in the unit of a series; `None` if its values are no times.
    pub(super) fn steps(&self, series: u32) -> Option<f64> {
        self.0.get(&series).copied()
    }

    pub(super) fn value(&self, series: u32, value: f64) -> f64 {
        match self.steps(series) {
            Some(steps) => rounded(value, steps),
            None => value,
        }
    }

    pub(super) fn past(&self, past: &Past) -> Past {
        let mut past = past.clone();
        for value in &mut past.values {
            *value = self.value(past.series, *value);
        }
        for duration in &mut past.durations_ms {
            *duration = rounded(*duration, Self::DURATIONS);
        }
        past
    }
}
