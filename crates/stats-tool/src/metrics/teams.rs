//! What the series of each team did: their budgets, their memory, and the hitches that they caused.

use stats_analysis::insight::{Hitch, is_machine_figure};
use stats_capture::RecordedKind;
use stats_config::Pattern;
use stats_core::{Source, Unit};

use super::columns::Columns;
use super::left_out::LeftOut;
use super::metric::MetricList;
use super::series::SeriesFigures;

/// The figures of one team. A series in several teams counts in each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TeamFigures {
    /// The name of the team.
    pub(crate) name: String,
    /// The number of its series that have a budget.
    pub(crate) budgets: usize,
    /// The series that is over its budget in the largest share of the frames; `None` without
    /// budgets.
    pub(crate) worst: Option<WorstSeries>,
    /// The largest sum of its levels in bytes at the end of a frame; `None` if it has none.
    pub(crate) high_water_bytes: Option<f64>,
    /// The number of hitches whose culprit is one of its series.
    pub(crate) hitches: usize,
}

/// The series of a team that is over its budget most.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WorstSeries {
    pub(crate) path: String,
    /// The share of the frames with a value that are over the budget, in percent.
    pub(crate) percent: f64,
}

/// Returns the figures of all teams, in the order of the rules.
pub(super) fn all_of(
    teams: &[(String, Vec<Pattern>)],
    series: &[SeriesFigures],
    columns: &Columns<'_>,
    left_out: &LeftOut,
    hitches: &[Hitch],
) -> Vec<TeamFigures> {
    let of = |(name, patterns): &(String, Vec<Pattern>)| {
        let is_own = |path: &str| is_of(patterns, path);
        let own = series.iter().filter(|one| is_own(&one.record.path));
        let judged: Vec<&SeriesFigures> = own.filter(|one| one.over_percent().is_some()).collect();
        let seen = hitches.iter().filter(|hitch| hitch.is_seen());
        TeamFigures {
            name: name.clone(),
            budgets: judged.len(),
            worst: worst(&judged),
            high_water_bytes: high_water(columns, left_out, is_own),
            hitches: seen.filter(|hitch| is_hitch_of(patterns, hitch)).count(),
        }
    };
    teams.iter().map(of).collect()
}

/// Returns the paths of the series with a budget that belong to no team; empty without teams. What
/// the machine does is no team's.
pub(super) fn teamless(teams: &[(String, Vec<Pattern>)], series: &[SeriesFigures]) -> Vec<String> {
    if teams.is_empty() {
        return Vec::new();
    }
    let is_in_none = |path: &str| !teams.iter().any(|(_, patterns)| is_of(patterns, path));
    let judged = series.iter().filter(|one| one.over_percent().is_some());
    let judged = judged.filter(|one| !is_machine_figure(&one.record.path));
    let paths = judged.map(|one| one.record.path.clone());
    paths.filter(|path| is_in_none(path)).collect()
}

impl TeamFigures {
    pub(super) fn add_to(&self, list: &mut MetricList) {
        let of = |figure: &str| format!("teams/{}/{figure}", self.name);
        let percent = self.worst.as_ref().map(|worst| worst.percent);
        list.lower(of("over-budget"), percent, Unit::Percent);
        list.lower(of("high-water"), self.high_water_bytes, Unit::Bytes);
        list.lower(of("hitches"), self.hitches as f64, Unit::Count);
    }
}

/// Returns whether a series belongs to a team.
pub(crate) fn is_of(patterns: &[Pattern], path: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(path))
}

/// Returns whether a series of a team is a culprit of a hitch. A thread that waited for a processor, and
/// the time in no scope, are no team's.
fn is_hitch_of(patterns: &[Pattern], hitch: &Hitch) -> bool {
    (hitch.culprits()).any(|culprit| is_of(patterns, &culprit.name()))
}

/// Returns the series over its budget in the largest share of frames, the first of equal ones.
fn worst(judged: &[&SeriesFigures]) -> Option<WorstSeries> {
    let mut worst: Option<WorstSeries> = None;
    for series in judged {
        let Some(percent) = series.over_percent() else {
            continue;
        };
        if worst.as_ref().is_none_or(|worst| worst.percent < percent) {
            worst = Some(WorstSeries {
                path: series.record.path.clone(),
                percent,
            });
        }
    }
    worst
}

/// Returns the largest sum of the levels in bytes at the end of a frame.
fn high_water(
    columns: &Columns<'_>,
    left_out: &LeftOut,
    is_own: impl Fn(&str) -> bool,
) -> Option<f64> {
    let frames = columns.capture.frames();
    let mut sums = vec![f64::NAN; usize::try_from(frames.end - frames.start).ok()?];
    for (record, column) in columns.capture.series().iter().zip(&columns.all) {
        let is_level = matches!(
            record.kind,
            RecordedKind::Gauge | RecordedKind::UpDownCounter
        );
        let Some(column) = column.as_ref().filter(|_| is_level && is_own(&record.path)) else {
            continue;
        };
        if Unit::from_symbol(&record.unit) != Some(Unit::Bytes) {
            continue;
        }
        let values = column.slice();
        for (sum, frame) in sums.iter_mut().zip(frames.clone()) {
            if let Some(value) = values.at(frame) {
                *sum = if sum.is_nan() { value } else { *sum + value };
            }
        }
    }
    left_out.blank(frames.start, &mut sums);
    sums.into_iter()
        .filter(|sum| !sum.is_nan())
        .reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use stats_analysis::insight::{Finding, Role};

    use super::*;
    use crate::testing::{culprit, hitch};

    #[test]
    fn the_time_without_a_processor_and_that_in_no_scope_are_no_teams() {
        let patterns =
            ["frame/*", "unaccounted"].map(|text| Pattern::try_from(text.to_owned()).expect(text));
        let is_own = |path: &str, is_ready: bool, role: Role| {
            let finding = Finding {
                series: (role != Role::Unaccounted).then_some(1),
                role,
                is_ready,
                ..culprit(path)
            };
            is_hitch_of(&patterns, &hitch(Some(finding)))
        };
        assert!(is_own("frame/update", false, Role::Culprit));
        assert!(!is_own("frame/ready", true, Role::Culprit));
        assert!(!is_own("unaccounted", false, Role::Unaccounted));
    }
}
