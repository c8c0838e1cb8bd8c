//! The totals of all series.

use stats_core::{Bucket, Distribution, Recorder, SeriesId, SeriesKind, for_each_series, snapshot};

use crate::metric::{Buckets, Data, Metric, MetricUnit, Point};

/// The maximum number of series that are exported.
pub const MAX_SERIES: usize = 2_000;

/// Not exported: in the recorder below, it would be the rate of the exports.
const FRAME_RATE: &str = "stats/fps";

/// The series of the process, and their totals since this value was created.
///
/// Its recorder ends one frame per export, so the value of a counter is the sum of the adds between
/// two exports.
#[derive(Debug)]
pub(crate) struct Series {
    recorder: Recorder,
    /// Indexed by the number of the series, like the values of the newest frame.
    totals: Vec<f64>,
    newest: Vec<f64>,
    exported: Vec<Exported>,
    over_limit: usize,
    generation: Option<u64>,
}

#[derive(Debug)]
struct Exported {
    id: SeriesId,
    calls: Option<SeriesId>,
    kind: SeriesKind,
    /// The path, and the unit unless it is in the names of the metrics.
    labels: Vec<(&'static str, String)>,
}

impl Series {
    /// Returns the series, with totals that begin now.
    pub(crate) fn new() -> Self {
        let mut recorder = Recorder::with_history(1);
        // A survey of many series takes several frames to know all of them.
        for _ in 0..32 {
            recorder.survey_values();
            recorder.end_frame();
        }
        Self {
            recorder,
            totals: Vec::new(),
            newest: Vec::new(),
            exported: Vec::new(),
            over_limit: 0,
            generation: None,
        }
    }

    /// Returns the totals up to now as metrics.
    pub(crate) fn metrics(&mut self) -> [Metric<'_>; 6] {
        self.list();
        self.recorder.end_frame();
        self.add_up();
        let total = |id| at(&self.totals, id);
        let of = |kind| move |series: &Exported| series.kind == kind;
        let metric = |name, unit, help, data| Metric {
            name,
            unit,
            help,
            data,
        };
        [
            metric(
                "stats.counter",
                MetricUnit::Other,
                "Counters of the game.",
                Data::Counter(self.points(of(SeriesKind::Counter), |series| total(series.id))),
            ),
            metric(
                "stats.level",
                MetricUnit::Other,
                "Levels and gauges of the game.",
                Data::Gauge(self.points(is_level, |series| at(&self.newest, series.id))),
            ),
            metric(
                "stats.timer",
                MetricUnit::Seconds,
                "Time of the timers of the game.",
                Data::Counter(self.points(of(SeriesKind::Timer), |series| {
                    total(series.id).map(|ms| ms / 1e3)
                })),
            ),
            metric(
                "stats.timer_calls",
                MetricUnit::Other,
                "Calls of the timers of the game.",
                Data::Counter(self.points(of(SeriesKind::Timer), |series| total(series.calls?))),
            ),
            metric(
                "stats.samples",
                MetricUnit::Other,
                "Histograms of the game.",
                Data::Histogram(self.points(of(SeriesKind::Histogram), |series| {
                    snapshot(series.id).map(|run| buckets(&run))
                })),
            ),
            metric(
                "stats.series_over_limit",
                MetricUnit::Other,
                "Series that are not exported.",
                Data::Gauge(Point::only(self.over_limit as f64)),
            ),
        ]
    }

    /// Lists the series, if there are new ones.
    fn list(&mut self) {
        let generation = stats_core::generation();
        if self.generation.replace(generation) == Some(generation) {
            return;
        }
        self.exported.clear();
        self.over_limit = 0;
        for_each_series(|series| {
            if series.is_deferred || series.path == FRAME_RATE {
                return;
            }
            if self.exported.len() == MAX_SERIES {
                self.over_limit += 1;
                return;
            }
            let mut labels = vec![("path", series.path.to_owned())];
            // The metrics of a timer have their units in their names.
            if series.kind != SeriesKind::Timer {
                labels.push(("unit", series.unit.symbol().to_owned()));
            }
            self.exported.push(Exported {
                id: series.id,
                calls: series.calls,
                kind: series.kind,
                labels,
            });
        });
    }

    /// Adds the values of the newest frame to the totals: of all series, since one that is not
    /// listed yet may be with the next export.
    fn add_up(&mut self) {
        self.newest.clear();
        self.newest.extend_from_slice(self.recorder.survey_values());
        self.totals
            .resize(self.newest.len().max(self.totals.len()), 0.0);
        for (total, value) in self.totals.iter_mut().zip(&self.newest) {
            // NaN stands for a series without a value.
            if value.is_finite() {
                *total += value;
            }
        }
    }

    /// Returns the points of all series of some kinds that have a value.
    fn points<T>(
        &self,
        is_of_kind: impl Fn(&Exported) -> bool,
        value: impl Fn(&Exported) -> Option<T>,
    ) -> Vec<Point<'_, T>> {
        let series = self.exported.iter().filter(|series| is_of_kind(series));
        series
            .filter_map(|series| {
                Some(Point {
                    labels: &series.labels,
                    value: value(series)?,
                })
            })
            .collect()
    }
}

fn is_level(series: &Exported) -> bool {
    matches!(series.kind, SeriesKind::UpDownCounter | SeriesKind::Gauge)
}

/// Returns the number of a series; `None` if it has none yet.
fn at(numbers: &[f64], id: SeriesId) -> Option<f64> {
    let number = numbers.get(id.number() as usize).copied();
    number.filter(|number| number.is_finite())
}

/// Returns the samples of a run, in buckets that end at 1, 2 and 5 × 10ⁿ, from the smallest sample
/// to the largest. Those two only move apart in a run, so that bounds are never taken away.
fn buckets(run: &Distribution) -> Buckets {
    let (min, max) = (run.min().unwrap_or(0.0), run.max().unwrap_or(0.0));
    let mut of_run = run.buckets().peekable();
    let mut buckets = Buckets {
        sum: run.sum(),
        min,
        ..Buckets::default()
    };
    for bound in bounds().filter(|bound| *bound >= min) {
        let mut count = 0;
        while let Some(bucket) = of_run.next_if(|bucket| end(bucket) <= bound * (1.0 + 1e-9)) {
            count += bucket.count;
        }
        buckets.bounds.push(bound);
        buckets.counts.push(count);
        if bound >= max {
            break;
        }
    }
    let above = of_run.map(|bucket| bucket.count).sum();
    buckets.counts.push(above);
    buckets
}

/// Returns the upper bound of a bucket; 0 for the one around zero.
fn end(bucket: &Bucket) -> f64 {
    if bucket.from < 0.0 && bucket.to > 0.0 {
        0.0
    } else {
        bucket.to
    }
}

/// Returns 0, and 1, 2 and 5 × 10ⁿ from 10⁻⁹ to 5 × 10¹⁵.
fn bounds() -> impl Iterator<Item = f64> {
    let positive = (-9..=15).flat_map(|exponent| {
        // Read as a decimal number, so that the bounds are those that people write.
        [1, 2, 5].map(|digit| {
            format!("{digit}e{exponent}")
                .parse::<f64>()
                .unwrap_or(f64::MAX)
        })
    });
    std::iter::once(0.0).chain(positive)
}
