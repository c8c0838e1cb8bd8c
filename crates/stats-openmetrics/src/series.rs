//! The totals of all series.

use std::collections::{HashMap, HashSet};

use stats_core::{
    Distribution, FRAME_TIME, Recorder, SeriesId, SeriesKind, for_each_series, snapshot_of_all_runs,
};

use crate::bounds;
use crate::metric::{Data, Metric, MetricUnit, Point};
use crate::samples::Samples;

/// The maximum number of series that are exported.
pub const MAX_SERIES: usize = 2_000;

/// Not exported: in the recorder below, they would be those of the exports and of their thread.
const OF_FRAMES: [&str; 8] = [
    FRAME_TIME,
    "stats/fps",
    "frame/running",
    "frame/ready",
    "frame/blocked",
    "frame/page-faults",
    "frame/major-page-faults",
    "frame/preemptions",
];

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
    /// The numbers of the series on the last page; `None` before the first page.
    on_page: Option<HashSet<u32>>,
    /// The bounds that replace those of the unit, by path.
    bounds: HashMap<String, Vec<f64>>,
    /// By the number of the series, the samples of its histogram.
    samples: HashMap<u32, Samples>,
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
    /// Returns the series, with totals that begin now. `bounds` replace those of some histograms.
    pub(crate) fn new(bounds: &[(String, Vec<f64>)]) -> Self {
        let mut recorder = Recorder::with_history(1);
        // A survey of many series takes several frames to know all of them.
        for _ in 0..32 {
            recorder.survey();
            recorder.end_frame();
        }
        let mut series = Self {
            recorder,
            totals: Vec::new(),
            newest: Vec::new(),
            exported: Vec::new(),
            over_limit: 0,
            generation: None,
            on_page: None,
            bounds: bounds.iter().cloned().collect(),
            samples: HashMap::new(),
        };
        // Histograms that are registered later have no samples yet.
        series.list(|id| snapshot_of_all_runs(id).unwrap_or_default());
        series
    }

    /// Returns the totals up to now as metrics, with the time at which they began.
    #[cfg(feature = "otlp")]
    pub(crate) fn metrics(&mut self) -> [Metric<'_>; 6] {
        self.update();
        self.metrics_except(&HashSet::new())
    }

    /// Returns the totals up to now as metrics of a page. A series that is new since the last page
    /// has the total 0 on this one, and all of its total on the next one. The collector does not
    /// know when it began, and would otherwise not count what it begins with.
    pub(crate) fn page_metrics(&mut self) -> [Metric<'_>; 6] {
        self.update();
        let numbers = self.exported.iter().map(|series| series.id.number());
        let now: HashSet<u32> = numbers
            .filter(|number| (*number as usize) < self.totals.len())
            .collect();
        let before = self.on_page.replace(now.clone());
        let new = before.map_or_else(HashSet::new, |before| &now - &before);
        self.metrics_except(&new)
    }

    fn update(&mut self) {
        self.list(|_| Distribution::default());
        self.recorder.end_frame();
        self.add_up();
    }

    /// Returns the totals as metrics. Those of some series are 0.
    fn metrics_except(&mut self, zero: &HashSet<u32>) -> [Metric<'_>; 6] {
        let is_zero = |series: &Exported| zero.contains(&series.id.number());
        let samples: Vec<_> = self
            .exported
            .iter()
            .filter_map(|series| {
                let samples = self.samples.get_mut(&series.id.number())?;
                let value = match is_zero(series) {
                    true => samples.totals(),
                    false => samples.update(series.id),
                };
                Some(Point {
                    labels: &series.labels[..],
                    value,
                })
            })
            .collect();
        let total = |series: &Exported, id| {
            let total = at(&self.totals, id)?;
            Some(if is_zero(series) { 0.0 } else { total })
        };
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
                Data::Counter(
                    self.points(of(SeriesKind::Counter), |series| total(series, series.id)),
                ),
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
                    total(series, series.id).map(|ms| ms / 1e3)
                })),
            ),
            metric(
                "stats.timer_calls",
                MetricUnit::Other,
                "Calls of the timers of the game.",
                Data::Counter(
                    self.points(of(SeriesKind::Timer), |series| total(series, series.calls?)),
                ),
            ),
            metric(
                "stats.samples",
                MetricUnit::Other,
                "Histograms of the game.",
                Data::Histogram(samples),
            ),
            metric(
                "stats.series_over_limit",
                MetricUnit::Other,
                "Series that are not exported.",
                Data::Gauge(Point::only(self.over_limit as f64)),
            ),
        ]
    }

    /// Lists the series, if there are new ones. `before` returns the samples of a new histogram
    /// that are not exported.
    fn list(&mut self, before: impl Fn(SeriesId) -> Distribution) {
        let generation = stats_core::generation();
        if self.generation.replace(generation) == Some(generation) {
            return;
        }
        self.exported.clear();
        self.over_limit = 0;
        for_each_series(|series| {
            if series.is_deferred || OF_FRAMES.contains(&series.path) {
                return;
            }
            if self.exported.len() == MAX_SERIES {
                self.over_limit += 1;
                return;
            }
            if series.kind == SeriesKind::Histogram {
                let bounds = || {
                    let own = self.bounds.get(series.path).cloned();
                    own.unwrap_or_else(|| bounds::of_unit(series.unit))
                };
                self.samples
                    .entry(series.id.number())
                    .and_modify(|samples| samples.set_unit(series.unit, bounds))
                    .or_insert_with(|| Samples::new(series.unit, bounds(), before(series.id)));
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
        let survey = self.recorder.survey().unwrap_or_default();
        self.newest.extend_from_slice(survey.values());
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
