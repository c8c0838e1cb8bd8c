//! Which values are times, for viewers that are sent whole nanoseconds.

use std::collections::HashMap;
use std::ops::ControlFlow;

use stats_core::source::Listed;
use stats_core::{Recorder, SeriesId, Source};

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
        // A self time is not listed by itself: it follows its timer and the calls of that.
        let numbers = series.saturating_sub(2)..series.saturating_add(1);
        listing.list(Listed::Numbers(numbers), &mut |info| {
            if [Some(info.id), info.self_time].contains(&Some(SeriesId::new(series))) {
                self.0
                    .extend(nanoseconds_in(info.unit).map(|steps| (series, steps)));
            }
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

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use stats_core::{Gauge, Timer};

    use super::*;

    static TIMER: Timer = Timer::new("rounding/timer");
    static GAUGE: Gauge = Gauge::new("rounding/gauge");

    #[test]
    fn a_timer_and_its_self_time_are_times_and_its_calls_are_none() {
        drop(TIMER.scope());
        GAUGE.set(1.0);
        let (recorder, mut rounding) = (Recorder::new(), Rounding::new());
        let mut found = Vec::new();
        stats_core::for_each_series(|info| match info.path {
            "rounding/timer" => {
                found.push((Some(info.id), Some(1e6)));
                found.push((info.calls, None));
                found.push((info.self_time, Some(1e6)));
            }
            "rounding/gauge" => found.push((Some(info.id), None)),
            _ => {}
        });
        assert_eq!(found.len(), 4);
        for (id, expected) in found {
            let series = id.expect("a timer has it").number();
            rounding.learn(&recorder, series);
            assert_eq!(rounding.steps(series), expected, "{series}");
        }
    }
}
