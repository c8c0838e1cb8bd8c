//! The recorder.

use std::fmt;

use metrics::{
    Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SetRecorderError, SharedString,
    Unit,
};

use crate::families::Families;

/// Records metrics as series; see the [documentation of the crate](crate).
///
/// One is usually [installed](Self::install) for the whole program. To record into an exporter as
/// well, pass both to the `Fanout` of the crate `metrics-util`.
pub struct StatsRecorder {
    max_label_sets: usize,
    /// Boxed, since an error of `install` contains the recorder.
    metrics: Box<Metrics>,
}

#[derive(Default)]
struct Metrics {
    counters: Families<Counter>,
    gauges: Families<Gauge>,
    histograms: Families<Histogram>,
}

impl Default for StatsRecorder {
    fn default() -> Self {
        Self::new()
    }
}

impl StatsRecorder {
    /// Creates a recorder without metrics.
    #[must_use]
    pub fn new() -> Self {
        Self {
            max_label_sets: 256,
            metrics: Box::default(),
        }
    }

    /// Sets how many sets of labels of each name have series of their own. Further ones share
    /// `metrics/<name>/over-limit`. Default: 256.
    #[must_use]
    pub fn max_label_sets(mut self, count: usize) -> Self {
        self.max_label_sets = count;
        self
    }

    /// Makes this the recorder of the program.
    ///
    /// # Errors
    ///
    /// Returns an error, which contains this recorder, if one is already installed.
    pub fn install(self) -> Result<(), SetRecorderError<Self>> {
        metrics::set_global_recorder(self)
    }
}

impl fmt::Debug for StatsRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatsRecorder")
            .field("max_label_sets", &self.max_label_sets)
            .finish_non_exhaustive()
    }
}

impl Recorder for StatsRecorder {
    fn describe_counter(&self, name: KeyName, unit: Option<Unit>, description: SharedString) {
        if stats_core::ENABLED {
            self.metrics
                .counters
                .describe(name.as_str(), unit, &description);
        }
    }

    fn describe_gauge(&self, name: KeyName, unit: Option<Unit>, description: SharedString) {
        if stats_core::ENABLED {
            self.metrics
                .gauges
                .describe(name.as_str(), unit, &description);
        }
    }

    fn describe_histogram(&self, name: KeyName, unit: Option<Unit>, description: SharedString) {
        if stats_core::ENABLED {
            self.metrics
                .histograms
                .describe(name.as_str(), unit, &description);
        }
    }

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        if !stats_core::ENABLED {
            return Counter::noop();
        }
        self.metrics.counters.handle(key, self.max_label_sets)
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        if !stats_core::ENABLED {
            return Gauge::noop();
        }
        self.metrics.gauges.handle(key, self.max_label_sets)
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        if !stats_core::ENABLED {
            return Histogram::noop();
        }
        self.metrics.histograms.handle(key, self.max_label_sets)
    }
}
