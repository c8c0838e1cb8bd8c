//! The totals of all series.

use stats_core::{Distribution, Recorder, SeriesId, SeriesKind, for_each_series, snapshot};

use crate::page::Page;

/// The most series that are exported.
pub const MAX_SERIES: usize = 2_000;

/// Here it would be the rate of the requests.
const FRAME_RATE: &str = "stats/fps";

/// The series of the process, and what they add up to since the server started.
///
/// Its recorder has one frame for each request, so a value is what was added between two of them.
#[derive(Debug)]
pub(crate) struct Series {
    recorder: Recorder,
    /// By the number of the series, as the values of the newest frame.
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
    path: String,
    unit: &'static str,
    kind: SeriesKind,
}

impl Series {
    /// Returns the series, with totals that begin now.
    pub(crate) fn new() -> Self {
        let mut recorder = Recorder::with_history(1);
        // A survey of many series takes some frames to know all of them.
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

    /// Writes the totals up to now.
    pub(crate) fn write(&mut self, page: &mut Page) {
        self.list();
        self.recorder.end_frame();
        self.add_up();
        self.write_counters(page);
        self.write_levels(page);
        self.write_timers(page);
        self.write_histograms(page);
        page.family(
            "stats_series_over_limit",
            "gauge",
            None,
            "Series that are not exported.",
        );
        page.sample("stats_series_over_limit", &[], self.over_limit as f64);
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
            self.exported.push(Exported {
                id: series.id,
                calls: series.calls,
                path: series.path.to_owned(),
                unit: series.unit.symbol(),
                kind: series.kind,
            });
        });
    }

    /// Adds the values of the newest frame to the totals: of all series, since one that is not listed
    /// yet may be with the next request.
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

    /// Writes the metrics of all series of some kinds that have a value.
    fn write_each(&self, page: &mut Page, name: &str, of: impl Fn(&Exported) -> Option<f64>) {
        for series in &self.exported {
            if let Some(value) = of(series) {
                let labels = series.labels();
                // The metrics of a timer have their units in their names.
                let is_timer = series.kind == SeriesKind::Timer;
                page.sample(name, if is_timer { &labels[..1] } else { &labels }, value);
            }
        }
    }

    fn write_counters(&self, page: &mut Page) {
        page.family("stats_counter", "counter", None, "Counters of the game.");
        self.write_each(page, "stats_counter_total", |series| {
            let is_counter = series.kind == SeriesKind::Counter;
            is_counter.then(|| at(&self.totals, series.id)).flatten()
        });
    }

    fn write_levels(&self, page: &mut Page) {
        page.family(
            "stats_level",
            "gauge",
            None,
            "Levels and gauges of the game.",
        );
        self.write_each(page, "stats_level", |series| {
            let is_level = matches!(series.kind, SeriesKind::UpDownCounter | SeriesKind::Gauge);
            is_level.then(|| at(&self.newest, series.id)).flatten()
        });
    }

    fn write_timers(&self, page: &mut Page) {
        let unit = Some("seconds");
        page.family(
            "stats_timer_seconds",
            "counter",
            unit,
            "Time of the timers of the game.",
        );
        self.write_each(page, "stats_timer_seconds_total", |series| {
            let is_timer = series.kind == SeriesKind::Timer;
            is_timer
                .then(|| at(&self.totals, series.id).map(|ms| ms / 1e3))
                .flatten()
        });
        page.family(
            "stats_timer_calls",
            "counter",
            None,
            "Calls of the timers of the game.",
        );
        self.write_each(page, "stats_timer_calls_total", |series| {
            let is_timer = series.kind == SeriesKind::Timer;
            is_timer.then(|| at(&self.totals, series.calls?)).flatten()
        });
    }

    fn write_histograms(&self, page: &mut Page) {
        page.family(
            "stats_samples",
            "histogram",
            None,
            "Histograms of the game.",
        );
        for series in &self.exported {
            if let (SeriesKind::Histogram, Some(run)) = (series.kind, snapshot(series.id)) {
                write_histogram(page, &series.labels(), &run);
            }
        }
    }
}

/// Returns the number of a series; `None` if it has none yet.
fn at(numbers: &[f64], id: SeriesId) -> Option<f64> {
    let number = numbers.get(id.number() as usize).copied();
    number.filter(|number| number.is_finite())
}

impl Exported {
    fn labels(&self) -> [(&'static str, &str); 2] {
        [("path", &self.path), ("unit", self.unit)]
    }
}

/// Writes the samples of a run, in buckets that end at 1, 2 and 5 × 10ⁿ, from the smallest sample to
/// the largest. Those two only move apart in a run, so that bounds are never taken away.
fn write_histogram(page: &mut Page, labels: &[(&str, &str)], run: &Distribution) {
    let (min, max) = (run.min().unwrap_or(0.0), run.max().unwrap_or(0.0));
    let mut buckets = run.buckets().peekable();
    let mut count = 0;
    for bound in bounds().filter(|bound| *bound >= min) {
        while let Some(bucket) = buckets.next_if(|bucket| bucket.to <= bound * (1.0 + 1e-9)) {
            count += bucket.count;
        }
        page.bucket("stats_samples", labels, bound, count);
        if bound >= max {
            break;
        }
    }
    let all = count + buckets.map(|bucket| bucket.count).sum::<u64>();
    page.bucket("stats_samples", labels, f64::INFINITY, all);
    page.sample("stats_samples_count", labels, all as f64);
    page.sample("stats_samples_sum", labels, run.sum());
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
