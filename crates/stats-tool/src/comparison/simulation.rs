//! The error rates of the gate on simulated runs, and how often it finds a real change.
//!
//! `cargo test -p stats-tool simulation -- --include-ignored --nocapture` prints the figures of
//! docs/nightly.md.

use stats_capture::Better;
use stats_config::Config;
use stats_core::Unit;
use stats_testing::Random;

use super::comparison::{Comparison, Sides};
use super::finding::Verdict;
use crate::failure::Outcome;
use crate::metrics::Metric;
use crate::runs::RunFigures;

/// The number of metrics in a run.
const METRICS: usize = 120;

/// The number of pairs of run sets in a simulation.
const PAIRS: usize = 200;

/// The parameters of a simulation.
#[derive(Clone, Copy)]
struct Setup {
    pairs: usize,
    /// The number of metrics in a run.
    metrics: usize,
    runs: usize,
    stored: usize,
    /// The number of metrics that may fail a build.
    may_fail: usize,
    /// The change of the first metric, in percent.
    change_percent: f64,
    /// The shares of compared and of stored runs that something else disturbs: they are 5 % slower
    /// in all metrics.
    disturbed: (f64, f64),
}

/// The results of the pairs.
#[derive(Debug, Default)]
struct Counts {
    /// The number of pairs for which the gate failed.
    failed: usize,
    /// The number of pairs in which the change was found.
    found: usize,
    /// The number of pairs with a finding in a metric that did not change.
    false_alarms: usize,
    /// The number of pairs for which the gate could not tell.
    unknown: usize,
}

/// Returns a number from a normal distribution, by Box and Muller's method.
fn normal(random: &mut Random) -> f64 {
    let mut even = || (random.next() as f64 + 0.5) / (u64::MAX as f64 + 1.0);
    (-2.0 * even().ln()).sqrt() * (std::f64::consts::TAU * even()).cos()
}

fn runs(
    random: &mut Random,
    count: usize,
    setup: &Setup,
    (change_percent, disturbed): (f64, f64),
) -> Vec<RunFigures> {
    let run = |_| {
        let is_disturbed = (random.below(1_000_000) as f64) < 1e6 * disturbed;
        let slower = if is_disturbed { 1.05 } else { 1.0 };
        let metrics = (0..setup.metrics).map(|at| {
            let changed = 1.0 + if at == 0 { change_percent / 100.0 } else { 0.0 };
            let level = 10.0 + at as f64;
            let family = if at < setup.may_fail {
                "judged"
            } else {
                "other"
            };
            Metric {
                name: format!("{family}/{at}"),
                value: level * changed * slower * (0.01 * normal(random)).exp(),
                unit: Unit::Milliseconds,
                better: Better::Lower,
            }
        });
        RunFigures {
            metrics: metrics.collect(),
            file: format!("{}", random.next()).into(),
            ..RunFigures::default()
        }
    };
    (0..count).map(run).collect()
}

fn simulated(setup: Setup) -> Counts {
    let config = Config::parse("[gate]\nmay_fail = [\"judged/*\"]").expect("valid");
    let mut random = Random::new(42);
    let mut counts = Counts::default();
    for _ in 0..setup.pairs {
        let (compared, of_stored) = setup.disturbed;
        let stored = runs(&mut random, setup.stored, &setup, (0.0, of_stored));
        let before = runs(&mut random, setup.runs, &setup, (0.0, compared));
        let after = (setup.change_percent, compared);
        let after = runs(&mut random, setup.runs, &setup, after);
        let sides = Sides {
            before: &before,
            after: &after,
            stored: &stored,
        };
        let comparison = Comparison::of(sides, &config);
        let is_worse = |at: usize| comparison.may_fail[at].verdict == Verdict::Worse;
        let from = usize::from(setup.change_percent > 0.0);
        counts.failed += usize::from(comparison.outcome() == Outcome::Worse);
        counts.unknown += usize::from(comparison.outcome() == Outcome::Unknown);
        counts.found += usize::from(from == 1 && is_worse(0));
        counts.false_alarms += usize::from((from..setup.may_fail).any(is_worse));
    }
    let percent = |count: usize| 100.0 * count as f64 / setup.pairs as f64;
    let (change, found) = if setup.change_percent > 0.0 {
        (
            format!("+{} % in one", setup.change_percent),
            format!("{:.1} %", percent(counts.found)),
        )
    } else {
        ("none".to_owned(), "–".to_owned())
    };
    println!(
        "| {} | {} | {} | {change} | {} | {found} | {:.1} % | {:.1} % |",
        setup.runs,
        setup.stored,
        setup.may_fail,
        match setup.disturbed {
            (0.0, 0.0) => "1 %",
            (0.0, _) => "1 %, stored ones disturbed",
            _ => "1 %, all disturbed",
        },
        percent(counts.false_alarms),
        percent(counts.unknown),
    );
    counts
}

/// Five runs on each side and twenty stored ones, without a change.
const USUAL: Setup = Setup {
    pairs: PAIRS,
    metrics: METRICS,
    runs: 5,
    stored: 20,
    may_fail: 6,
    change_percent: 0.0,
    disturbed: (0.0, 0.0),
};

/// The same, with a change of one metric.
const CHANGED: Setup = Setup {
    change_percent: 5.0,
    ..USUAL
};

#[test]
fn simulation_fails_rarely_without_a_change_and_finds_one_of_five_percent() {
    let all = |setup: Setup| Setup {
        may_fail: METRICS,
        ..setup
    };
    let most_failing = PAIRS * 5 / 100;
    for setup in [USUAL, all(USUAL)] {
        let counts = simulated(setup);
        assert!(counts.failed <= most_failing, "{counts:?}");
    }
    for setup in [CHANGED, all(CHANGED)] {
        let counts = simulated(setup);
        assert!(counts.found >= PAIRS * 80 / 100, "{counts:?}");
        assert!(counts.false_alarms <= PAIRS * 12 / 100, "{counts:?}");
    }
}

#[test]
#[ignore = "prints figures for the documentation, and takes a minute"]
fn simulation_of_other_numbers_of_runs() {
    for runs in [2, 3, 8] {
        simulated(Setup { runs, ..CHANGED });
    }
    for runs in [3, 5, 8] {
        let stored = 0;
        simulated(Setup {
            runs,
            stored,
            ..CHANGED
        });
    }
    let change_percent = 2.0;
    simulated(Setup {
        change_percent,
        ..CHANGED
    });
}

/// A disturbance affects all metrics of a run alike, so they fail together. Stored runs that vary
/// more than the compared ones are left out where they make the result unclear; that must not cause
/// false alarms.
#[test]
#[ignore = "prints figures for the documentation, and takes minutes"]
fn simulation_of_disturbed_runs() {
    for disturbed in [(0.0, 0.0), (0.0, 0.1), (0.0, 0.5), (0.1, 0.1)] {
        for setup in [USUAL, CHANGED] {
            let counts = simulated(Setup {
                pairs: 2000,
                metrics: setup.may_fail,
                disturbed,
                ..setup
            });
            assert!(counts.false_alarms <= 2000 * 7 / 100, "{counts:?}");
        }
    }
}
