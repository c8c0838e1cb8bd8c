//! The values of all series while some work runs.

use std::collections::HashMap;
use std::thread;

use stats_core::limits::SURVEY_GROWTH;
use stats_core::{Recorder, for_each_series};
use stats_tracing::StatsLayer;
use tracing::Dispatch;
use tracing_subscriber::prelude::*;

/// The values of all series in one frame, by path. A timer has `PATH/calls` and `PATH/self`, too.
pub(crate) struct Totals(HashMap<String, f64>);

impl Totals {
    /// Runs `work` in a frame.
    pub(crate) fn of(work: impl FnOnce()) -> Self {
        let mut recorder = Recorder::new();
        let mut timers = 0;
        for_each_series(|_| timers += 1);
        // Each timer has up to four series, and a survey adds a limited number of them in a frame.
        for _ in 0..2 + 4 * timers / SURVEY_GROWTH {
            recorder.survey();
            recorder.end_frame();
        }
        work();
        recorder.end_frame();
        let survey = recorder.survey().unwrap_or_default();
        let mut totals = HashMap::new();
        for_each_series(|series| {
            let mut add = |path: String, id| {
                totals.insert(path, survey.value(id).unwrap_or(0.0));
            };
            add(series.path.to_owned(), series.id);
            if let (Some(calls), Some(own)) = (series.calls, series.self_time) {
                add(format!("{}/calls", series.path), calls);
                add(format!("{}/self", series.path), own);
            }
        });
        Self(totals)
    }

    /// Runs `work` in a frame, on a thread of this name, with a layer of its own.
    pub(crate) fn on_thread(name: &str, work: impl FnOnce() + Send) -> Self {
        Self::of(|| on_thread(name, &dispatch(StatsLayer::new()), work))
    }

    /// Returns the value of a series; 0 if there is no such series.
    pub(crate) fn get(&self, path: &str) -> f64 {
        self.0.get(path).copied().unwrap_or(0.0)
    }

    pub(crate) fn calls(&self, path: &str) -> f64 {
        self.get(&format!("{path}/calls"))
    }

    /// Returns the series that begin with `prefix` and have a value, in order.
    pub(crate) fn below(&self, prefix: &str) -> Vec<(&str, f64)> {
        let mut all: Vec<_> = self
            .0
            .iter()
            .filter(|(path, value)| path.starts_with(prefix) && **value != 0.0)
            .map(|(path, value)| (path.as_str(), *value))
            .collect();
        all.sort_by_key(|(path, _)| *path);
        all
    }
}

/// Returns a subscriber with the layer.
pub(crate) fn dispatch(layer: StatsLayer) -> Dispatch {
    Dispatch::new(tracing_subscriber::registry().with(layer))
}

/// Runs `work` on a new thread with a subscriber, and waits for it.
pub(crate) fn on_thread(name: &str, dispatch: &Dispatch, work: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let run = || tracing::dispatcher::with_default(dispatch, work);
        let thread = thread::Builder::new().name(name.to_owned());
        assert!(thread.spawn_scoped(scope, run).is_ok());
    });
}
