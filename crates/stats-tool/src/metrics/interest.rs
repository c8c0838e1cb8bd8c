//! Which series of a run a reader wants to see first.

use std::cmp::Ordering;
use std::collections::HashSet;

use stats_analysis::insight::Hitch;
use stats_capture::RecordedKind;

use super::run_metrics::RunMetrics;
use super::series::SeriesFigures;

/// The interest in the series of a run.
pub(crate) struct Interest<'a> {
    /// The paths that hitches, slowdowns, leaks and periodic stalls name.
    named: HashSet<&'a str>,
}

/// The groups of series, the most interesting first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// A finding names it, or it is over its budget in some frame.
    Named,
    /// A timer.
    Time,
    /// Its values differ.
    Varying,
    /// All its values are the same.
    Constant,
    /// It has no value.
    Empty,
}

impl<'a> Interest<'a> {
    pub(crate) fn of(run: &'a RunMetrics) -> Self {
        let explained = &run.explained;
        let causes = (explained.slowdowns.iter()).filter_map(|slower| slower.cause.as_ref());
        let hitches = explained.hitches.iter().chain(causes);
        // The time in no scope has no series.
        let culprits = hitches.flat_map(Hitch::culprits);
        let culprits = culprits.filter(|culprit| culprit.series.is_some());
        let culprits = culprits.map(|culprit| culprit.path.as_str());
        let leaks = explained.leaks.iter().map(|one| one.leak.path.as_str());
        let stalls = explained.periodic.iter();
        let stalls = stalls.filter(|stall| stall.series.is_some());
        let stalls = stalls.map(|stall| stall.path.as_str());
        Self {
            named: culprits.chain(leaks).chain(stalls).collect(),
        }
    }

    pub(crate) fn group(&self, series: &SeriesFigures) -> Group {
        let Some(numbers) = &series.numbers else {
            return Group::Empty;
        };
        let is_over = numbers.over.is_some_and(|over| over.frames > 0);
        match series.record.kind {
            _ if is_over || self.named.contains(series.record.path.as_str()) => Group::Named,
            _ if numbers.min == numbers.max => Group::Constant,
            RecordedKind::Timer => Group::Time,
            _ => Group::Varying,
        }
    }

    /// Compares two series: by their groups, then timers by their mean and others by their deviation
    /// as a share of the mean, the largest first, and then by their paths.
    pub(crate) fn compare(&self, a: &SeriesFigures, b: &SeriesFigures) -> Ordering {
        let size = |series: &SeriesFigures| {
            let Some(numbers) = &series.numbers else {
                return 0.0;
            };
            match series.record.kind {
                RecordedKind::Timer => numbers.mean,
                _ => numbers.deviation / numbers.mean.abs().max(f64::MIN_POSITIVE),
            }
        };
        let is_timer = |series: &SeriesFigures| series.record.kind == RecordedKind::Timer;
        (self.group(a).cmp(&self.group(b)))
            .then_with(|| is_timer(b).cmp(&is_timer(a)))
            .then_with(|| size(b).total_cmp(&size(a)))
            .then_with(|| a.record.path.cmp(&b.record.path))
    }
}
