//! Graphs of metrics over all runs.

use super::history::History;
use crate::html::MetricHistory;
use crate::runs::RunFigures;

/// The maximum number of graphs on a page.
const MAX_GRAPHS: usize = 12;

impl History {
    /// Returns the graphs of the metrics that may fail.
    pub(crate) fn graphs(&self) -> Vec<MetricHistory<'_>> {
        self.graphs_of(&self.may_fail[..self.may_fail.len().min(MAX_GRAPHS)])
    }

    /// Returns the graphs of those of some metrics that a run has.
    pub(crate) fn graphs_of<'a>(&'a self, metrics: &'a [String]) -> Vec<MetricHistory<'a>> {
        let names = metrics.iter();
        names.filter_map(|name| self.picture(name)).collect()
    }

    fn picture<'a>(&'a self, name: &'a str) -> Option<MetricHistory<'a>> {
        let metric = |run: &'a RunFigures| run.metric(name);
        let changes = self.events.iter().flat_map(|event| &event.changes);
        Some(MetricHistory {
            name,
            unit: self.runs.iter().find_map(metric)?.unit,
            values: (self.runs.iter().enumerate())
                .filter_map(|(at, run)| Some((at, metric(run)?.value)))
                .collect(),
            runs: self.runs.len(),
            changes: changes
                .filter(|change| change.name == name)
                .map(|change| {
                    let commit = self.runs[change.change.at].run.commit.clone();
                    let label = commit.unwrap_or_else(|| format!("run {}", change.change.at + 1));
                    (change.change.at, label)
                })
                .collect(),
        })
    }
}
