//! Whether the project is better or worse than at its last release.

use stats_core::Unit;

use super::history::{History, MetricChange, MetricDrift};
use crate::comparison::exceeds;
use crate::failure::Outcome;
use crate::statistics::{MIN_AFTER, MIN_BEFORE};

/// The label of a run that names its release.
const RELEASE: &str = "release";

/// The folder of the metrics of teams.
const TEAMS: &str = "teams/";

/// The course of the project and of its teams since a release.
#[derive(Debug)]
pub(crate) struct SinceRelease {
    /// The index of the newest run with the label `release`; 0 if no run has it.
    pub(crate) run: usize,
    /// The label of that run.
    pub(crate) release: Option<String>,
    /// The course of the metrics that may fail.
    pub(crate) project: Course,
    /// The name and the course of each team, by name.
    pub(crate) teams: Vec<(String, Course)>,
    /// The number of further runs that would show the course; 0 if it is known.
    pub(crate) runs_needed: usize,
}

/// What became of some metrics since a release.
#[derive(Debug)]
pub(crate) struct Course {
    pub(crate) direction: Direction,
    /// The metrics that changed: those that are worse first, then the largest change.
    pub(crate) metrics: Vec<NetChange>,
}

/// The direction of some metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// A metric is better, and none is worse.
    Better,
    /// A metric is worse.
    Worse,
    /// No metric is better or worse.
    Same,
    /// There are too few runs, or the metrics are missing.
    Unknown,
}

/// All changes of a metric since a release, taken together.
#[derive(Clone, Debug)]
pub(crate) struct NetChange {
    pub(crate) name: String,
    pub(crate) unit: Unit,
    /// The level before the first change since the release.
    pub(crate) before: f64,
    /// The level after the last change.
    pub(crate) after: f64,
    pub(crate) percent: f64,
    pub(crate) is_worse: bool,
    /// Whether no run is known at which the metric changed: it drifts steadily, from `before` at the
    /// run of the release to `after` at the newest one.
    pub(crate) drifts: bool,
}

impl History {
    /// Returns what became of the project since its last release; `None` without runs.
    pub(crate) fn since_release(&self) -> Option<SinceRelease> {
        let newest = self.runs.last()?;
        // The label of a variable that is not set names no release.
        let label = |run: usize| {
            let label = self.runs[run].run.labels.get(RELEASE).cloned();
            label.filter(|name| !name.trim().is_empty())
        };
        let released = (0..self.runs.len()).rev().find(|run| label(*run).is_some());
        let run = released.unwrap_or(0);
        let after = self.runs.len() - 1 - run;
        let runs_needed = MIN_AFTER.saturating_sub(after);
        let runs_needed = runs_needed.max((MIN_BEFORE + MIN_AFTER).saturating_sub(self.runs.len()));
        let changes = self.net_changes(run);
        let course = |is_of: &dyn Fn(&str) -> bool| {
            let of = changes.iter().filter(|change| is_of(&change.name));
            Course::of(of.cloned().collect(), runs_needed == 0)
        };
        let mut project = course(&|name| self.may_fail.iter().any(|one| one == name));
        // Metrics that are missing may be those that are worse.
        if self.outcome() == Outcome::Unknown && project.direction != Direction::Worse {
            project.direction = Direction::Unknown;
        }
        let names = newest.metrics.iter().map(|metric| &metric.name);
        let mut teams: Vec<&str> = names.filter_map(|name| team(name)).collect();
        teams.sort_unstable();
        teams.dedup();
        let teams = teams.into_iter().map(|name| {
            let of_team = |metric: &str| team(metric) == Some(name);
            (name.to_owned(), course(&of_team))
        });
        Some(SinceRelease {
            run,
            release: label(run),
            project,
            teams: teams.collect(),
            runs_needed,
        })
    }

    /// Returns the metrics that are better or worse than at a run, by more than their limits.
    fn net_changes(&self, since: usize) -> Vec<NetChange> {
        let changes = self.events.iter().flat_map(|event| &event.changes);
        // The change begins with a run after the release.
        let mut changes: Vec<&MetricChange> =
            (changes).filter(|one| one.change.at > since).collect();
        changes.sort_by(|a, b| (&a.name, a.change.at).cmp(&(&b.name, b.change.at)));
        let of_metrics = changes.chunk_by(|a, b| a.name == b.name);
        let mut found: Vec<NetChange> = of_metrics.filter_map(NetChange::of).collect();
        let wanted = |name: &str| {
            let is_judged = team(name).is_some() || self.may_fail.iter().any(|one| one == name);
            is_judged && changes.iter().all(|change| change.name != name)
        };
        found.extend(
            self.drifts(since, wanted)
                .into_iter()
                .map(NetChange::drifting),
        );
        found.sort_by(|a, b| {
            let size = |one: &NetChange| one.percent.abs();
            (b.is_worse.cmp(&a.is_worse)).then(size(b).total_cmp(&size(a)))
        });
        found
    }
}

impl NetChange {
    /// Returns the sum of the changes of a metric, oldest first; `None` if it is within the limit of
    /// the metric, or neither better nor worse.
    fn of(changes: &[&MetricChange]) -> Option<Self> {
        let (first, last) = (changes.first()?, changes.last()?);
        let mut net = (*last).clone();
        net.change.before = first.change.before;
        let percent = net.change.percent();
        let is_judged = net.better != stats_capture::Better::Neither;
        (is_judged && exceeds(percent, net.limit_percent)).then(|| Self {
            is_worse: net.is_worse(),
            name: net.name,
            unit: net.unit,
            before: net.change.before,
            after: net.change.after,
            percent,
            drifts: false,
        })
    }

    fn drifting(of: MetricDrift) -> Self {
        Self {
            name: of.name,
            unit: of.unit,
            before: of.drift.first,
            after: of.drift.last,
            percent: of.percent,
            is_worse: of.is_worse,
            drifts: true,
        }
    }
}

impl Course {
    fn of(metrics: Vec<NetChange>, is_known: bool) -> Self {
        let direction = match metrics.first() {
            Some(first) if first.is_worse => Direction::Worse,
            _ if !is_known => Direction::Unknown,
            Some(_) => Direction::Better,
            None => Direction::Same,
        };
        Self { direction, metrics }
    }
}

impl Direction {
    /// Returns the name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "same",
            Self::Unknown => "cannot-tell",
        }
    }
}

/// Returns the team that a metric belongs to.
fn team(metric: &str) -> Option<&str> {
    let (team, _) = metric.strip_prefix(TEAMS)?.split_once('/')?;
    Some(team)
}

#[cfg(test)]
mod tests {
    use stats_capture::Better;
    use stats_config::Config;
    use stats_core::Unit;

    use super::{Direction, History, SinceRelease};
    use crate::metrics::Metric;
    use crate::runs::RunFigures;

    /// Returns the course over runs with this frame time and this time of the team `ai`.
    fn since(runs: &[(f64, f64)], releases: &[(usize, &str)]) -> SinceRelease {
        let mut all = Vec::new();
        for (at, (frame, ai)) in runs.iter().enumerate() {
            let mut run = RunFigures {
                file: format!("{at:03}.parquet").into(),
                ..RunFigures::default()
            };
            run.run.started_at = format!("2026-01-01T00:00:{at:02}Z");
            for (name, value) in [
                ("frame/median", *frame),
                ("teams/ai/self", *ai),
                ("teams/sound/self", 0.5),
                ("run/frames", 700.0),
            ] {
                run.metrics.push(Metric {
                    name: name.to_owned(),
                    // Runs are never exactly equal.
                    value: value * (1.0 + 0.001 * (at % 3) as f64),
                    unit: Unit::Milliseconds,
                    better: Better::Lower,
                });
            }
            let label = releases.iter().find(|(run, _)| *run == at);
            let label = label.map(|(_, name)| ("release".to_owned(), (*name).to_owned()));
            run.run.labels.extend(label);
            all.push(run);
        }
        let config = Config::parse("[gate]\nmay_fail = [\"frame/median\"]").unwrap();
        History::of(all, None, &config).since_release().unwrap()
    }

    fn levels(levels: &[(usize, f64, f64)]) -> Vec<(f64, f64)> {
        let runs = levels
            .iter()
            .map(|(runs, frame, ai)| vec![(*frame, *ai); *runs]);
        runs.flatten().collect()
    }

    #[test]
    fn the_project_and_its_teams_take_their_own_courses() {
        let runs = levels(&[(12, 10.0, 2.0), (10, 11.0, 1.0)]);
        let since = since(&runs, &[(3, "1.1"), (8, "1.2"), (10, " ")]);
        assert_eq!((since.run, since.release.as_deref()), (8, Some("1.2")));
        assert_eq!(since.project.direction, Direction::Worse);
        let change = &since.project.metrics[0];
        assert_eq!(
            (change.name.as_str(), change.is_worse),
            ("frame/median", true)
        );
        assert!((change.percent - 10.0).abs() < 0.5, "{change:?}");
        let teams = since.teams.iter();
        let teams: Vec<_> = teams
            .map(|(name, of)| (name.as_str(), of.direction))
            .collect();
        assert_eq!(
            teams,
            [("ai", Direction::Better), ("sound", Direction::Same)]
        );
    }

    #[test]
    fn changes_before_the_release_do_not_count() {
        let runs = levels(&[(12, 10.0, 2.0), (10, 11.0, 1.0)]);
        for (release, direction) in [
            (11, Direction::Worse),
            // The change begins with the release itself.
            (12, Direction::Same),
            (18, Direction::Same),
            (19, Direction::Unknown),
            (21, Direction::Unknown),
        ] {
            let since = since(&runs, &[(release, "2")]);
            assert_eq!(since.project.direction, direction, "{release}");
            let needed = 3_usize.saturating_sub(21 - release);
            assert_eq!(since.runs_needed, needed, "{release}");
        }
    }

    #[test]
    fn several_changes_count_as_one_and_those_that_cancel_out_as_none() {
        let back = levels(&[(10, 10.0, 2.0), (10, 11.0, 2.0), (10, 10.0, 2.0)]);
        let since_first = since(&back, &[]);
        assert_eq!((since_first.run, since_first.release), (0, None));
        assert_eq!(since_first.project.direction, Direction::Same);
        // Since a release in between, it is an improvement.
        let since_second = since(&back, &[(15, "1")]);
        assert_eq!(since_second.project.direction, Direction::Better);
        let further = levels(&[(10, 10.0, 2.0), (10, 9.0, 2.0), (10, 8.0, 2.0)]);
        let since_first = since(&further, &[]);
        let [net] = &since_first.project.metrics[..] else {
            panic!("{since_first:?}");
        };
        assert!((net.percent + 20.0).abs() < 0.5, "{net:?}");
    }

    #[test]
    fn a_steady_drift_without_a_change_is_worse_or_better() {
        // 24 % in nine runs.
        let drifting = |step: f64| -> Vec<(f64, f64)> {
            (0..9)
                .map(|run| (10.0 + step * f64::from(run), 2.0))
                .collect()
        };
        for (step, direction) in [
            (0.3, Direction::Worse),
            (-0.3, Direction::Better),
            (0.0, Direction::Same),
        ] {
            let since = since(&drifting(step), &[]);
            assert_eq!(since.project.direction, direction, "{step}");
        }
        let since_first = since(&drifting(0.3), &[]);
        let [net] = &since_first.project.metrics[..] else {
            panic!("{since_first:?}");
        };
        assert!((net.percent - 24.0).abs() < 0.5, "{net:?}");
        // Fewer runs since the release tell nothing.
        let later = since(&drifting(0.3), &[(4, "1")]);
        assert_eq!(later.project.direction, Direction::Same);
    }

    #[test]
    fn one_bad_run_right_before_the_newest_is_an_outlier() {
        let runs = |last: [f64; 2]| {
            let mut runs = levels(&[(20, 10.0, 2.0)]);
            runs.extend(last.map(|frame| (frame, 2.0)));
            since(&runs, &[]).project.direction
        };
        assert_eq!(runs([13.0, 10.0]), Direction::Same);
        assert_eq!(runs([10.0, 10.0]), Direction::Same);
        assert_eq!(runs([13.0, 13.0]), Direction::Unknown, "it may last");
        assert_eq!(runs([10.0, 13.0]), Direction::Unknown, "it may last");
    }

    #[test]
    fn too_few_runs_cannot_tell() {
        let few = since(&levels(&[(5, 10.0, 2.0)]), &[]);
        assert_eq!(
            (few.project.direction, few.runs_needed),
            (Direction::Unknown, 4)
        );
        assert!(
            few.teams
                .iter()
                .all(|(_, course)| course.direction == Direction::Unknown)
        );
    }
}
