//! The metrics of one or more runs.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use serde::Serialize;
use stats_analysis::format::{NO_VALUE, value_text};
use stats_core::Unit;

use crate::metrics::{Metric, RunMetrics};

/// The metrics of runs, by name.
#[derive(Debug)]
pub(super) struct Summary {
    figures: Vec<Figure>,
    by_name: HashMap<String, usize>,
}

/// One metric in all runs that have it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Figure {
    /// The metric. Its value is the median over the runs; for an even number of runs, the mean of
    /// the middle two.
    #[serde(flatten)]
    pub(super) metric: Metric,
    /// The smallest value of a run.
    pub(super) min: f64,
    /// The largest value of a run.
    pub(super) max: f64,
    /// The number of runs that have the metric.
    pub(super) runs: usize,
    #[serde(skip)]
    values: Vec<f64>,
}

impl Summary {
    /// Collects the metrics of runs, in the order in which they first appear.
    pub(super) fn of(runs: &[RunMetrics]) -> Self {
        let (mut figures, mut by_name) = (Vec::<Figure>::new(), HashMap::new());
        for metric in runs.iter().flat_map(RunMetrics::shown) {
            let at = *by_name.entry(metric.name.clone()).or_insert(figures.len());
            let value = metric.value;
            if at == figures.len() {
                figures.push(Figure {
                    metric,
                    min: value,
                    max: value,
                    runs: 0,
                    values: Vec::new(),
                });
            }
            figures[at].values.push(value);
        }
        figures.iter_mut().for_each(Figure::complete);
        Self { figures, by_name }
    }

    /// Returns all metrics.
    pub(super) fn figures(&self) -> &[Figure] {
        &self.figures
    }

    /// Returns a metric; `None` if no run has it.
    pub(super) fn get(&self, name: &str) -> Option<&Figure> {
        self.by_name.get(name).map(|at| &self.figures[*at])
    }

    /// Returns a metric as text: its value and, for several runs, the range of values.
    pub(super) fn cell(&self, name: &str) -> String {
        let figure = self.get(name);
        figure.map_or(NO_VALUE.to_owned(), |figure| {
            range_text(
                figure.metric.value,
                figure.min..=figure.max,
                figure.metric.unit,
            )
        })
    }
}

impl Figure {
    fn complete(&mut self) {
        if let Some((median, range)) = median_and_range(&mut self.values) {
            self.metric.value = median;
            (self.min, self.max) = range.into_inner();
            self.runs = self.values.len();
        }
    }
}

/// Returns the values of several runs as text, like [`Summary::cell`]. Skips non-finite ones, which
/// are no metrics.
pub(super) fn cell_of(values: impl Iterator<Item = f64>, unit: Unit) -> String {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let found = median_and_range(&mut values);
    found.map_or(NO_VALUE.to_owned(), |(median, range)| {
        range_text(median, range, unit)
    })
}

/// Sorts values. Returns their median and their range; `None` if there are none.
fn median_and_range(values: &mut [f64]) -> Option<(f64, RangeInclusive<f64>)> {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    let (least, most) = (*values.first()?, *values.last()?);
    let (lower, upper) = (values[(count - 1) / 2], values[count / 2]);
    Some((lower / 2.0 + upper / 2.0, least..=most))
}

fn range_text(median: f64, range: RangeInclusive<f64>, unit: Unit) -> String {
    let text = |value| value_text(value, unit);
    let (least, most) = range.into_inner();
    if least == most {
        return text(median);
    }
    format!("{} ({} to {})", text(median), text(least), text(most))
}
