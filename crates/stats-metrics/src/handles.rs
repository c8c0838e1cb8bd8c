//! The handles of metrics, which write to series.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use metrics::{CounterFn, GaugeFn, HistogramFn};
use stats_core::{CounterHandle, GaugeHandle, HistogramHandle, Unit, counter, gauge, histogram};

/// A kind of metric, as the recorder keeps it.
pub(crate) trait Handle: Clone + Send + Sync + 'static {
    /// The series of the metric.
    type Series: Copy;

    /// The name of the kind, in paths.
    const KIND: &'static str;

    /// A handle that drops its values.
    const DROPPED: Self;

    /// Returns the series of a path, registering it if it is new.
    fn series(path: &str) -> Self::Series;

    /// Returns a handle that writes to a series.
    fn of(series: Self::Series) -> Self;

    fn set_unit(series: Self::Series, unit: Unit);

    fn describe(series: Self::Series, description: &str);
}

/// Implements `Handle` for a type of metrics, by the handle and the function of the core.
macro_rules! handle {
    ($metric:ident, $kind:literal, $series:ident, $new:ident, $write:expr) => {
        impl Handle for metrics::$metric {
            type Series = $series;

            const KIND: &'static str = $kind;

            const DROPPED: Self = Self::noop();

            fn series(path: &str) -> $series {
                $new(path)
            }

            fn of(series: $series) -> Self {
                Self::from_arc(Arc::new($write(series)))
            }

            fn set_unit(series: $series, unit: Unit) {
                series.unit(unit);
            }

            fn describe(series: $series, description: &str) {
                series.describe(description);
            }
        }
    };
}

handle!(Counter, "counter", CounterHandle, counter, Count::new);
handle!(Gauge, "gauge", GaugeHandle, gauge, Level);
handle!(Histogram, "histogram", HistogramHandle, histogram, Samples);

/// The smallest integer that the core takes for one that wrapped around; see
/// [`stats_core::Counter::add`].
const WRAPPED: u64 = 1 << 53;

struct Count {
    series: CounterHandle,
    /// The highest absolute value.
    absolute: AtomicU64,
}

impl Count {
    fn new(series: CounterHandle) -> Self {
        Self {
            series,
            absolute: AtomicU64::new(0),
        }
    }
}

impl CounterFn for Count {
    #[inline]
    fn increment(&self, value: u64) {
        self.series.add(value);
    }

    fn absolute(&self, value: u64) {
        if value >= WRAPPED {
            // The core refuses and reports it. As the highest value, it would hide all later ones.
            return self.series.add(value);
        }
        // Relaxed: `fetch_max` returns each maximum to one thread only, so the differences add up.
        let before = self.absolute.fetch_max(value, Ordering::Relaxed);
        self.series.add(value.saturating_sub(before));
    }
}

struct Level(GaugeHandle);

impl GaugeFn for Level {
    fn increment(&self, value: f64) {
        self.0.add(value);
    }

    fn decrement(&self, value: f64) {
        self.0.add(-value);
    }

    #[inline]
    fn set(&self, value: f64) {
        self.0.set(value);
    }
}

struct Samples(HistogramHandle);

impl HistogramFn for Samples {
    #[inline]
    fn record(&self, value: f64) {
        self.0.record(value);
    }
}
