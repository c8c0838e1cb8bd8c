//! The metrics of one or more runs.

use std::collections::HashMap;

use serde::Serialize;
use stats_analysis::format::{NO_VALUE, value_text};

use crate::metrics::{Metric, RunMetrics};

/// The metrics of runs, by name.
#[derive(Debug)]
pub(super) struct Summary {
    figures: Vec<Figure>,
    by_name: HashMap<String, usize>,
    runs: usize,
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
        for metric in runs.iter().flat_map(RunMetrics::list) {
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
        Self {
            figures,
            by_name,
            runs: runs.len(),
        }
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
        let Some(figure) = self.get(name) else {
            return NO_VALUE.to_owned();
        };
        let text = |value| value_text(value, figure.metric.unit);
        let value = text(figure.metric.value);
        if self.runs == 1 || figure.min == figure.max {
            return value;
        }
        format!("{value} ({} to {})", text(figure.min), text(figure.max))
    }
}

impl Figure {
    fn complete(&mut self) {
        let values = &mut self.values;
        values.sort_by(f64::total_cmp);
        let count = values.len();
        let (lower, upper) = (values[(count - 1) / 2], values[count / 2]);
        self.metric.value = lower / 2.0 + upper / 2.0;
        (self.min, self.max, self.runs) = (values[0], values[count - 1], count);
    }
}
