//! The changes of all metrics over many runs.

use std::collections::HashMap;

use stats_analysis::format::count_text;
use stats_capture::Better;
use stats_config::Config;
use stats_core::Unit;

use crate::comparison::{exceeds, may_fail, unmatched_metrics};
use crate::failure::Outcome;
use crate::progress::Progress;
use crate::runs::{RunFigures, read_each, warnings};
use crate::statistics::{Change, Drift, MIN_AFTER, MIN_BEFORE, Standing, Trend, events};

/// The runs of one scenario on one machine, and their changes.
#[derive(Debug)]
pub(crate) struct History {
    /// The runs, oldest first.
    pub(crate) runs: Vec<RunFigures>,
    pub(crate) metrics: usize,
    /// The names of the metrics that may fail.
    pub(crate) may_fail: Vec<String>,
    /// Events, which are changes of several metrics in the same run, oldest first.
    pub(crate) events: Vec<Event>,
    /// Changes of metrics that may fail, with too few runs to confirm them.
    pub(crate) unconfirmed: Vec<MetricChange>,
    /// Outliers in metrics that may fail.
    pub(crate) outliers: Vec<Outlier>,
    /// Warnings, one sentence each.
    pub(crate) warnings: Vec<String>,
    /// Whether a pattern of metrics that may fail matches no metric.
    lacks_metrics: bool,
    /// What is expected of runs of this scenario.
    pub(crate) expected: Config,
}

/// An event: something changed between two runs.
#[derive(Debug)]
pub(crate) struct Event {
    /// The index of the first run after the event: the most frequent index among its changes.
    pub(crate) run: usize,
    /// The changes: metrics that may fail first, then the largest change.
    pub(crate) changes: Vec<MetricChange>,
}

/// The change of one metric.
#[derive(Clone, Debug)]
pub(crate) struct MetricChange {
    pub(crate) name: String,
    pub(crate) unit: Unit,
    pub(crate) better: Better,
    /// Whether the metric may fail a build.
    pub(crate) may_fail: bool,
    /// The limit of the metric, in percent.
    pub(crate) limit_percent: f64,
    /// The change. Its position is the index of a run.
    pub(crate) change: Change,
}

/// The steady drift of one metric.
#[derive(Clone, Debug)]
pub(super) struct MetricDrift {
    pub(super) name: String,
    pub(super) unit: Unit,
    pub(super) drift: Drift,
    pub(super) percent: f64,
    pub(super) is_worse: bool,
}

/// An outlier: a run that is far from those around it in one metric.
#[derive(Debug)]
pub(crate) struct Outlier {
    pub(crate) name: String,
    pub(crate) unit: Unit,
    /// The index of the run.
    pub(crate) run: usize,
    pub(crate) value: f64,
}

impl History {
    /// Finds the changes of the runs that have the same scenario and machine as the newest one.
    /// Uses only the newest `last` of them, if given.
    pub(crate) fn of(mut runs: Vec<RunFigures>, last: Option<usize>, config: &Config) -> Self {
        runs.sort_by_cached_key(|run| (run.began(), run.file.clone()));
        let all = runs.len();
        if let Some(newest) = runs.last() {
            let kind = (newest.machine.clone(), newest.run.scenario.clone());
            runs.retain(|run| (&run.machine, &run.run.scenario) == (&kind.0, &kind.1));
        }
        let others = all - runs.len();
        let recorded = runs.len();
        runs.retain(RunFigures::has_frames);
        let empty = recorded - runs.len();
        runs.drain(..runs.len() - last.unwrap_or(usize::MAX).min(runs.len()));
        let mut warnings = warnings(&[("", &runs)]);
        if others > 0 {
            let (one, many) = (
                "run of another machine or scenario is left out",
                "runs of other machines or scenarios are left out",
            );
            warnings.push(count_text(others as u64, one, many));
        }
        if empty > 0 {
            warnings.push(format!(
                "runs without a frame to judge are left out: {empty}"
            ));
        }
        let mut history = Self {
            metrics: 0,
            may_fail: Vec::new(),
            events: Vec::new(),
            unconfirmed: Vec::new(),
            outliers: Vec::new(),
            warnings,
            lacks_metrics: false,
            expected: Config::default(),
            runs,
        };
        history.find(config);
        history
    }

    /// Returns the outcome. Worse: the last change of a metric that may fail is for the worse.
    /// Unknown: there are too few runs to find a change or to confirm one for the worse, or metrics
    /// that may fail are missing.
    pub(crate) fn outcome(&self) -> Outcome {
        if self.runs.len() < MIN_BEFORE + MIN_AFTER {
            return Outcome::Unknown;
        }
        if !self.worse().is_empty() {
            Outcome::Worse
        } else if self.lacks_metrics || self.runs_needed() > 0 {
            Outcome::Unknown
        } else {
            Outcome::Fine
        }
    }

    /// Returns the last change of each metric that may fail, if it is for the worse, oldest first.
    pub(crate) fn worse(&self) -> Vec<&MetricChange> {
        let mut last: Vec<&MetricChange> = Vec::new();
        for one in self.events.iter().flat_map(|event| &event.changes) {
            last.retain(|earlier| earlier.name != one.name);
            last.push(one);
        }
        last.retain(|one| one.may_fail && one.is_worse());
        last
    }

    /// Returns the number of further runs that are needed to find any change, and to confirm the
    /// changes for the worse of metrics that may fail.
    pub(crate) fn runs_needed(&self) -> usize {
        let missing = (MIN_BEFORE + MIN_AFTER).saturating_sub(self.runs.len());
        let waiting = self.waiting().map(|(_, runs)| runs);
        waiting.max().unwrap_or(0).max(missing)
    }

    /// Returns the changes for the worse that further runs may confirm, each with the number of
    /// runs needed.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (&MetricChange, usize)> {
        self.unconfirmed
            .iter()
            .filter_map(|one| match one.change.standing {
                Standing::TooFewAfter(runs) if one.is_worse() => Some((one, runs)),
                _ => None,
            })
    }

    fn find(&mut self, config: &Config) {
        let scenario = self.runs.last().and_then(|run| run.run.scenario.as_deref());
        let expected = config.for_scenario(scenario);
        let patterns = may_fail(&expected);
        let (mut found, mut names) = (Vec::new(), Vec::new());
        let metrics = by_metric(&self.runs);
        let known: Vec<&str> = metrics.iter().map(|metric| metric.name).collect();
        if !known.is_empty() {
            let unmatched = unmatched_metrics(&patterns, &known, "metric");
            self.lacks_metrics = !unmatched.is_empty();
            self.warnings.extend(unmatched);
        }
        self.metrics = metrics.len();
        let mut progress = Progress::new("looking for changes", metrics.len());
        let trends = read_each(&metrics, MetricValues::trend, &mut progress);
        drop(progress);
        for (metric, trend) in metrics.into_iter().zip(trends) {
            let may_fail = patterns.iter().any(|pattern| pattern.matches(metric.name));
            if may_fail {
                names.push(metric.name.to_owned());
            }
            for change in trend.changes {
                let mut change = MetricChange {
                    name: metric.name.to_owned(),
                    unit: metric.unit,
                    better: judged(metric.better, may_fail),
                    may_fail,
                    limit_percent: expected.limit_percent(metric.name),
                    change,
                };
                change.change.at = metric.runs[change.change.at];
                let counts = exceeds(change.change.percent(), change.limit_percent);
                match change.change.standing {
                    Standing::Confirmed if counts => found.push(change),
                    Standing::Confirmed => {}
                    _ if counts && may_fail => self.unconfirmed.push(change),
                    _ => {}
                }
            }
            let outliers = trend.outliers.into_iter().filter(|_| may_fail);
            self.outliers.extend(outliers.map(|at| Outlier {
                name: metric.name.to_owned(),
                unit: metric.unit,
                run: metric.runs[at],
                value: metric.values[at],
            }));
        }
        self.events = grouped(found);
        self.may_fail = names;
        self.expected = expected;
    }

    /// Returns the metrics among `wanted` that drift steadily from a run to the newest one, by more than
    /// their limits.
    pub(super) fn drifts(&self, since: usize, wanted: impl Fn(&str) -> bool) -> Vec<MetricDrift> {
        let mut found = Vec::new();
        for metric in by_metric(&self.runs) {
            let may_fail = self.may_fail.iter().any(|one| one == metric.name);
            let better = judged(metric.better, may_fail);
            if better == Better::Neither || !wanted(metric.name) {
                continue;
            }
            let from = metric.runs.partition_point(|run| *run < since);
            let Some(drift) = Drift::of(&metric.values[from..]) else {
                continue;
            };
            let percent = 100.0 * (drift.last - drift.first) / drift.first.abs();
            if exceeds(percent, self.expected.limit_percent(metric.name)) {
                found.push(MetricDrift {
                    name: metric.name.to_owned(),
                    unit: metric.unit,
                    is_worse: (drift.last > drift.first) == (better == Better::Lower),
                    percent,
                    drift,
                });
            }
        }
        found
    }
}

/// Returns which values of a metric are better. Those of a metric that may fail are always judged.
fn judged(better: Better, may_fail: bool) -> Better {
    match better {
        Better::Neither if may_fail => Better::Lower,
        better => better,
    }
}

impl MetricChange {
    /// Returns whether the change is for the worse.
    pub(crate) fn is_worse(&self) -> bool {
        match self.better {
            Better::Lower => self.change.after > self.change.before,
            Better::Higher => self.change.after < self.change.before,
            _ => false,
        }
    }
}

fn grouped(mut found: Vec<MetricChange>) -> Vec<Event> {
    let positions: Vec<usize> = found.iter().map(|one| one.change.at).collect();
    let groups = events(&positions);
    let mut grouped = Vec::new();
    for group in groups {
        let mut counts = HashMap::new();
        for at in &group {
            *counts.entry(positions[*at]).or_insert(0) += 1;
        }
        let most = counts
            .iter()
            .max_by_key(|(at, count)| (**count, std::cmp::Reverse(**at)));
        let run = most.map_or(0, |(at, _)| *at);
        let mut changes: Vec<MetricChange> = group.iter().map(|at| found[*at].clone()).collect();
        changes.sort_by(|a, b| {
            let size = |one: &MetricChange| one.change.percent().abs();
            (b.may_fail.cmp(&a.may_fail)).then(size(b).total_cmp(&size(a)))
        });
        grouped.push(Event { run, changes });
    }
    found.clear();
    grouped
}

/// The values of a metric, and the indices of the runs that have it.
struct MetricValues<'a> {
    name: &'a str,
    unit: Unit,
    better: Better,
    values: Vec<f64>,
    runs: Vec<usize>,
}

impl MetricValues<'_> {
    fn trend(&self) -> Trend {
        let first = self.values[0];
        if self.values.iter().all(|value| *value == first) {
            return Trend::default();
        }
        Trend::of(&self.values)
    }
}

fn by_metric(runs: &[RunFigures]) -> Vec<MetricValues<'_>> {
    let (mut all, mut by_name) = (
        Vec::<MetricValues<'_>>::new(),
        HashMap::<&str, usize>::new(),
    );
    for (run, figures) in runs.iter().enumerate() {
        for metric in &figures.metrics {
            let at = *by_name.entry(&metric.name).or_insert_with(|| {
                all.push(MetricValues {
                    name: &metric.name,
                    unit: metric.unit,
                    better: metric.better,
                    values: Vec::new(),
                    runs: Vec::new(),
                });
                all.len() - 1
            });
            all[at].values.push(metric.value);
            all[at].runs.push(run);
        }
    }
    all
}
