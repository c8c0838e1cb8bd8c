//! All metrics of two groups of runs, in two families.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use stats_analysis::format::count_text;
use stats_capture::Better;
use stats_config::{Config, Pattern};

use super::finding::{Finding, Verdict};
use crate::failure::Outcome;
use crate::metrics::Metric;
use crate::runs::{LeftOutFrames, RunFigures, scenarios, unmatched, warnings};
use crate::statistics::{RATE, threshold};

/// The metrics that may fail a build by default.
const MAY_FAIL: [&str; 4] = [
    "frame/median",
    "frame/p99-by-time",
    "cpu/median",
    "gpu/median",
];

/// Pairs of metrics. If the first one, of wall time, varies too much to be judged, the second one replaces
/// it: the time for which the thread of the frame ran, which hardly depends on what else the machine does.
const IN_PLACE: [(&str, &str); 2] = [
    ("frame/median", "frame/running"),
    ("frame/p99-by-time", "frame/running-p99"),
];

/// Replaces the wall time if `frame/running` cannot tell either, and only if this one is worse. A thread that
/// shares its processor core runs longer, except in the fastest frames. These say nothing about a change
/// in slower frames.
const OF_FASTEST: [(&str, &str); 1] = [("frame/median", "frame/running-p5")];

/// The maximum number of missing metrics to list.
const MAX_GONE: usize = 10;

/// The runs of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sides<'a> {
    pub(crate) before: &'a [RunFigures],
    pub(crate) after: &'a [RunFigures],
    /// Earlier runs, which show how much runs vary.
    pub(crate) stored: &'a [RunFigures],
}

/// The findings about all metrics.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comparison {
    /// The metrics that may fail a build.
    pub(crate) may_fail: Vec<Finding>,
    /// All other metrics.
    pub(crate) others: Vec<Finding>,
    /// Why metrics that may fail could not be judged, one sentence each.
    pub(super) missing: Vec<String>,
    /// The metrics that only the runs before have, and the metrics that only the runs after have.
    pub(super) unpaired: (Vec<String>, Vec<String>),
    /// The frames of both sides that are left out.
    pub(super) left_out: Vec<LeftOutFrames>,
    /// Warnings, one sentence each.
    pub(crate) warnings: Vec<String>,
    /// The numbers of runs before and after, and of stored runs of the same kind.
    pub(crate) runs: (usize, usize, usize),
}

impl Comparison {
    /// Compares runs. If a side has several scenarios, nothing is judged. If the two sides have
    /// different scenarios, no metric may fail.
    pub(crate) fn of(sides: Sides<'_>, config: &Config) -> Self {
        let stored = comparable(sides);
        let mixed = mixed_scenarios(sides);
        if !mixed.is_empty() {
            return Self {
                runs: (sides.before.len(), sides.after.len(), stored.len()),
                missing: mixed,
                ..Self::default()
            };
        }
        let scenario = sides
            .after
            .first()
            .and_then(|run| run.run.scenario.as_deref());
        let expected = config.for_scenario(scenario);
        let (before, after) = (Values::of(sides.before), Values::of(sides.after));
        let earlier = Values::of(stored.iter().copied());
        let common: Vec<&Metric> = (after.metrics.iter())
            .filter(|metric| before.by_name.contains_key(metric.name.as_str()))
            .copied()
            .collect();
        let different = different_scenarios(sides);
        let patterns = match different {
            None => may_fail(&expected),
            Some(_) => Vec::new(),
        };
        let mut comparison = Self {
            runs: (sides.before.len(), sides.after.len(), stored.len()),
            missing: (different.into_iter())
                .chain(missing(&patterns, &before.metrics, &common))
                .collect(),
            left_out: LeftOutFrames::of(&[("earlier", sides.before), ("later", sides.after)]),
            unpaired: (before.without(&after), after.without(&before)),
            warnings: warnings(&[("earlier", sides.before), ("later", sides.after)]),
            ..Self::default()
        };
        for metric in common {
            let may_fail = patterns.iter().any(|pattern| pattern.matches(&metric.name));
            // A metric that may fail needs a direction; without a declared one, lower is better.
            let better = match metric.better {
                Better::Neither if may_fail => Better::Lower,
                better => better,
            };
            let values = (
                before.get(&metric.name).to_vec(),
                after.get(&metric.name).to_vec(),
                earlier.get(&metric.name),
            );
            let limit_percent = expected.limit_percent(&metric.name);
            let finding = Finding::of((&metric.name, metric.unit, better), values, limit_percent);
            if may_fail {
                comparison.may_fail.push(finding);
            } else {
                comparison.others.push(finding);
            }
        }
        let find_percent = expected.gate.find_percent.0;
        judge(&mut comparison.may_fail, find_percent);
        judge(&mut comparison.others, find_percent);
        comparison.judge_in_place(&IN_PLACE, find_percent, |verdict| !is_unknown(verdict));
        comparison.judge_in_place(&OF_FASTEST, find_percent, |verdict| {
            *verdict == Verdict::Worse
        });
        comparison.add_warnings(&expected);
        let limits: Vec<Pattern> = expected.gate.limits_percent.keys().cloned().collect();
        let known = before.metrics.iter().chain(&after.metrics);
        let known: Vec<&str> = known.map(|metric| metric.name.as_str()).collect();
        let limits = unmatched(&limits, &known, "metric");
        let limits = limits
            .iter()
            .map(|sentence| format!("limits_percent in stats.toml: {sentence}"));
        comparison.warnings.extend(limits);
        comparison
    }

    /// Judges the time in which the thread of the frame ran in place of wall times that vary too much,
    /// if the verdict is `wanted`.
    fn judge_in_place(
        &mut self,
        pairs: &[(&str, &str)],
        find_percent: f64,
        wanted: impl Fn(&Verdict) -> bool,
    ) {
        let position = |all: &[Finding], name: &str| all.iter().position(|one| one.name == name);
        let (places, mut family): (Vec<usize>, Vec<Finding>) = pairs
            .iter()
            .filter_map(|(wall, running)| {
                let wall = position(&self.may_fail, wall)?;
                let running = &self.others[position(&self.others, running)?];
                let of_wall = &self.may_fail[wall];
                is_unknown(&of_wall.verdict).then(|| (wall, running.in_place_of(of_wall)))
            })
            .unzip();
        judge(&mut family, find_percent);
        for (wall, judged) in places.into_iter().zip(family) {
            if wanted(&judged.verdict) {
                self.others.retain(|one| one.name != judged.name);
                let of_wall = std::mem::replace(&mut self.may_fail[wall], judged);
                self.others.push(of_wall);
            }
        }
    }

    /// Returns the outcome: worse if a metric that may fail is worse; otherwise, unknown if such a
    /// metric cannot be judged.
    pub(crate) fn outcome(&self) -> Outcome {
        let is = |is: fn(&Verdict) -> bool| self.may_fail.iter().any(|one| is(&one.verdict));
        if is(|verdict| *verdict == Verdict::Worse) {
            Outcome::Worse
        } else if !self.missing.is_empty() || is(is_unknown) {
            Outcome::Unknown
        } else {
            Outcome::Fine
        }
    }

    /// Returns the number of runs on each side that the metrics that may fail need; `None` if there
    /// are enough, or if more would not help.
    pub(crate) fn runs_needed(&self) -> Option<usize> {
        let needed = self.may_fail.iter().filter_map(|one| match one.verdict {
            Verdict::Unknown(runs) => runs,
            _ => None,
        });
        needed.max()
    }

    fn add_warnings(&mut self, expected: &Config) {
        self.warnings.extend(expected.notes());
        for finding in &self.may_fail {
            for side in &finding.clusters {
                self.warnings.push(format!(
                    "{}: the runs {side} the change fall into two groups. Look for a machine that \
                     throttles, or for a cache that is sometimes warm",
                    finding.name
                ));
            }
        }
    }
}

fn is_unknown(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}

/// Judges a family of metrics together, which controls the rate of false findings. If the stored
/// runs vary so much that a metric cannot be judged, it is judged without them.
fn judge(family: &mut [Finding], find_percent: f64) {
    judge_once(family, find_percent);
    let mut others = family.to_vec();
    let unknown = |one: &Finding| match one.verdict {
        Verdict::Unknown(runs) => Some(runs.unwrap_or(usize::MAX)),
        _ => None,
    };
    let unclear = others.iter_mut().filter(|one| unknown(one).is_some());
    let changed = unclear.filter_map(|one| one.leave_out_stored().then_some(()));
    if changed.count() == 0 {
        return;
    }
    judge_once(&mut others, find_percent);
    for (finding, other) in family.iter_mut().zip(others) {
        if unknown(&other) < unknown(finding) {
            *finding = other;
        }
    }
}

fn judge_once(family: &mut [Finding], find_percent: f64) {
    let p_values: Vec<f64> = family.iter().filter_map(Finding::p).collect();
    let most = threshold(&p_values, RATE);
    let size = family.len();
    for finding in family {
        let is_certain = finding.p().zip(most).is_some_and(|(p, most)| p <= most);
        finding.judge(is_certain, size, find_percent);
    }
}

/// Returns a sentence for each side whose runs are of several scenarios.
fn mixed_scenarios(sides: Sides<'_>) -> Vec<String> {
    let mixed = |(side, runs)| {
        let names = scenarios(runs);
        (names.len() > 1).then(|| {
            format!(
                "the {side} runs are of several scenarios ({}): select one with --scenario",
                names.join(", ")
            )
        })
    };
    [("earlier", sides.before), ("later", sides.after)]
        .into_iter()
        .filter_map(mixed)
        .collect()
}

/// Returns a sentence if the two sides are of different scenarios.
fn different_scenarios(sides: Sides<'_>) -> Option<String> {
    let (before, after) = (sides.before.first()?, sides.after.first()?);
    let (before, after) = (before.scenario(), after.scenario());
    (before != after).then(|| {
        format!(
            "the earlier runs are of the scenario {before:?} and the later ones of {after:?}: compare \
             runs of the same scenario"
        )
    })
}

/// Returns the stored runs with the machine and scenario of the later runs, oldest first, without
/// the compared runs.
fn comparable<'a>(sides: Sides<'a>) -> Vec<&'a RunFigures> {
    let Some(kind) = sides.after.first() else {
        return Vec::new();
    };
    let identity = |run: &RunFigures| -> PathBuf {
        std::fs::canonicalize(&run.file).unwrap_or_else(|_| run.file.clone())
    };
    let compared = sides.before.iter().chain(sides.after);
    let compared: HashSet<PathBuf> = compared.map(identity).collect();
    let is_copy = |run: &RunFigures| {
        let mut compared = sides.before.iter().chain(sides.after);
        compared.any(|other| run.is_copy_of(other))
    };
    let is_comparable = |run: &&RunFigures| {
        run.is_like(kind) && !compared.contains(&identity(run)) && !is_copy(run)
    };
    let mut stored: Vec<&RunFigures> = sides.stored.iter().filter(is_comparable).collect();
    stored.sort_by_cached_key(|run| run.began());
    stored
}

/// Returns the patterns of the metrics that may fail a build.
pub(crate) fn may_fail(expected: &Config) -> Vec<Pattern> {
    expected.gate.may_fail.clone().unwrap_or_else(|| {
        let default = MAY_FAIL.into_iter().map(str::to_owned);
        default
            .map(Pattern::try_from)
            .filter_map(Result::ok)
            .collect()
    })
}

/// Returns why metrics that may fail cannot be judged: the later runs lack one of them, or a
/// pattern matches none. A default pattern may match none.
fn missing(patterns: &[Pattern], earlier: &[&Metric], common: &[&Metric]) -> Vec<String> {
    let names = || common.iter().map(|metric| metric.name.as_str());
    if common.is_empty() {
        return vec!["the earlier and the later runs have no metric in common".into()];
    }
    let known: HashSet<&str> = names().collect();
    let may_fail = |name: &str| patterns.iter().any(|pattern| pattern.matches(name));
    let gone = earlier.iter().map(|metric| metric.name.as_str());
    let gone = gone.filter(|name| !known.contains(name) && may_fail(name));
    let mut sentences: Vec<String> = gone
        .map(|name| format!("no later run has {name:?}, which may fail and is in the earlier runs"))
        .collect();
    if sentences.len() > MAX_GONE {
        let more = sentences.len() - MAX_GONE;
        sentences.truncate(MAX_GONE);
        let (one, many) = (
            "more metric that may fail is",
            "more metrics that may fail are",
        );
        sentences.push(format!("{} missing", count_text(more as u64, one, many)));
    }
    let all = earlier.iter().chain(common);
    let all: Vec<&str> = all.map(|metric| metric.name.as_str()).collect();
    sentences.extend(unmatched_metrics(patterns, &all, "metric of both sides"));
    sentences
}

/// Returns a sentence for each pattern that matches no name. Of the default patterns, one match is
/// enough.
pub(crate) fn unmatched_metrics(patterns: &[Pattern], names: &[&str], what: &str) -> Vec<String> {
    let sentences = unmatched(patterns, names, what);
    let are_default = patterns.iter().map(Pattern::as_str).eq(MAY_FAIL);
    if are_default && sentences.len() < patterns.len() {
        return Vec::new();
    }
    sentences
}

/// The values of each metric, one for each run that has it.
struct Values<'a> {
    /// The metrics, in the order in which they first appear.
    metrics: Vec<&'a Metric>,
    by_name: HashMap<&'a str, Vec<f64>>,
}

impl<'a> Values<'a> {
    fn of(runs: impl IntoIterator<Item = &'a RunFigures>) -> Self {
        let (mut metrics, mut by_name) = (Vec::new(), HashMap::<&str, Vec<f64>>::new());
        for metric in runs.into_iter().flat_map(|run| &run.metrics) {
            let values = by_name.entry(&metric.name).or_insert_with(|| {
                metrics.push(metric);
                Vec::new()
            });
            values.push(metric.value);
        }
        Self { metrics, by_name }
    }

    /// Returns the names of the metrics that are not in `others`.
    fn without(&self, others: &Self) -> Vec<String> {
        let names = self.metrics.iter().map(|metric| &metric.name);
        let names = names.filter(|name| !others.by_name.contains_key(name.as_str()));
        names.cloned().collect()
    }

    fn get(&self, name: &str) -> &[f64] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }
}
