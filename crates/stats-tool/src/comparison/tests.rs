//! Verdicts on made-up metrics.

use stats_capture::Better;
use stats_config::Config;
use stats_core::Unit;

use super::comparison::{Comparison, Sides};
use super::finding::{Finding, Verdict};
use crate::document::Section;
use crate::failure::Outcome;
use crate::metrics::Metric;
use crate::runs::RunFigures;

/// Runs with one metric each.
fn runs(name: &str, values: &[f64]) -> Vec<RunFigures> {
    let run = |(at, value): (usize, &f64)| RunFigures {
        file: format!("{name}-{at}-{value}").into(),
        metrics: vec![Metric {
            name: name.to_owned(),
            value: *value,
            unit: Unit::Milliseconds,
            better: Better::Lower,
        }],
        ..RunFigures::default()
    };
    values.iter().enumerate().map(run).collect()
}

fn compared(before: &[f64], after: &[f64], stored: &[f64], config: &str) -> Comparison {
    let (before, after) = (runs("frame/median", before), runs("frame/median", after));
    let mut stored = runs("frame/median", stored);
    for (at, run) in stored.iter_mut().enumerate() {
        run.file = format!("stored-{at}").into();
    }
    let sides = Sides {
        before: &before,
        after: &after,
        stored: &stored,
    };
    Comparison::of(sides, &Config::parse(config).expect("valid"))
}

fn only(comparison: &Comparison) -> &Finding {
    assert_eq!(comparison.may_fail.len(), 1);
    &comparison.may_fail[0]
}

const BEFORE: [f64; 5] = [10.0, 10.1, 9.9, 10.05, 9.95];
const SLOWER: [f64; 5] = [10.6, 10.5, 10.7, 10.55, 10.65];

#[test]
fn a_significant_regression_fails_and_an_improvement_does_not() {
    let worse = compared(&BEFORE, &SLOWER, &[], "");
    assert_eq!(only(&worse).verdict, Verdict::Worse);
    assert_eq!(worse.outcome(), Outcome::Worse);
    assert!((only(&worse).percent - 6.0).abs() < 0.3, "{worse:?}");
    assert_eq!(only(&worse).delta, 1.0);
    let better = compared(&SLOWER, &BEFORE, &[], "");
    assert_eq!(only(&better).verdict, Verdict::Better);
    assert_eq!(better.outcome(), Outcome::Fine);
    let same = compared(&BEFORE, &BEFORE, &[], "");
    assert_eq!(
        (only(&same).verdict, same.outcome()),
        (Verdict::Same, Outcome::Fine)
    );
}

#[test]
fn the_first_figures_are_medians_of_the_runs() {
    let found = compared(&BEFORE, &SLOWER, &[], "");
    let figures = super::contents::first_figures(&found);
    assert_eq!(
        figures.as_deref(),
        Some("Before → after, medians of the runs: median frame 10.00 ms → 10.60 ms.")
    );
    let none = compared(&[], &[], &[], "");
    assert_eq!(super::contents::first_figures(&none), None);
}

#[test]
fn a_change_below_the_limit_does_not_count() {
    let config = "[gate]\nlimits_percent = { \"frame/*\" = 7 }";
    let within = compared(&BEFORE, &SLOWER, &[], config);
    assert_eq!(only(&within).verdict, Verdict::Same);
    // A change below 1 % never counts, even with a lower limit.
    let slightly: Vec<f64> = BEFORE.iter().map(|ms| ms * 1.009).collect();
    let steady = [10.0; 20];
    let config = "[gate]\nlimit_percent = 0";
    assert_eq!(
        compared(&steady, &slightly, &steady, config).outcome(),
        Outcome::Fine
    );
}

#[test]
fn a_significant_improvement_below_the_limit_is_judged_however_much_runs_vary() {
    let before = [100.0, 140.0, 70.0];
    let after = [5.0, 8.0, 4.0];
    let config = "[gate]\nmay_fail = [\"frame/median\"]\nlimit_percent = 100";
    let found = compared(&before, &after, &[], config);
    assert_eq!(only(&found).verdict, Verdict::Same, "{found:?}");
    assert_eq!(found.outcome(), Outcome::Fine);
}

#[test]
fn too_few_runs_are_inconclusive_and_the_needed_number_is_given() {
    let one = compared(&BEFORE[..1], &SLOWER[..1], &[], "");
    assert_eq!(only(&one).verdict, Verdict::Unknown(Some(3)));
    assert_eq!(
        (one.outcome(), one.runs_needed()),
        (Outcome::Unknown, Some(3))
    );
    // Even with stored runs, one run against one is only an indication.
    let stored: Vec<f64> = BEFORE.iter().cycle().take(20).copied().collect();
    let one = compared(&BEFORE[..1], &[20.0], &stored, "");
    assert_eq!(one.outcome(), Outcome::Unknown);
    let noisy = compared(&[10.0, 12.0], &[11.0, 10.0], &[], "");
    let Verdict::Unknown(Some(runs)) = only(&noisy).verdict else {
        panic!("{noisy:?}")
    };
    assert!((10..200).contains(&runs), "{runs}");
    // With that number of runs and the same variance, smaller changes are found.
    let many = |values: [f64; 2]| {
        values
            .iter()
            .cycle()
            .take(2 * runs)
            .copied()
            .collect::<Vec<_>>()
    };
    let told = compared(&many([10.0, 12.0]), &many([11.0, 10.0]), &[], "");
    assert!(only(&told).findable_percent < only(&noisy).findable_percent);
}

#[test]
fn values_that_vary_wildly_cannot_be_judged_with_any_number_of_runs() {
    let wild = compared(&[1.0, 90.0, 5.0], &[2.0, 30.0, 80.0], &[], "");
    let sentence = &super::contents::verdict_sentence(&wild)[0];
    let cures = ["record on one that does nothing else", "gate.may_fail"];
    let [machine, config] = cures.map(|cure| sentence.find(cure).expect(sentence));
    assert!(machine < config, "{sentence}");
    assert_eq!(only(&wild).verdict, Verdict::Unknown(None));
    assert_eq!(
        (wild.outcome(), wild.runs_needed()),
        (Outcome::Unknown, None)
    );
}

#[test]
fn stored_runs_of_the_same_kind_contribute_their_noise() {
    let stored: Vec<f64> = BEFORE.iter().cycle().take(20).copied().collect();
    let pooled = compared(&BEFORE[..2], &SLOWER[..2], &stored, "");
    assert_eq!(
        (only(&pooled).stored, pooled.outcome()),
        (20, Outcome::Worse)
    );
    assert_eq!(
        only(&compared(&BEFORE[..2], &SLOWER[..2], &stored[..19], "")).stored,
        0
    );
    // A change among the stored runs does not count as noise.
    let mut changed = stored.clone();
    changed.extend(stored.iter().map(|ms| 3.0 * ms));
    let found = compared(&BEFORE[..2], &SLOWER[..2], &changed, "");
    assert_eq!((only(&found).stored, found.outcome()), (40, Outcome::Worse));
    let degrees = only(&found).test.map(|test| test.degrees);
    assert_eq!(degrees, Some(38.0 + 2.0));
}

#[test]
fn stored_runs_of_other_machines_and_the_compared_runs_do_not_count() {
    let all = runs("frame/median", &[10.0; 25]);
    let mut other = runs("frame/median", &[10.0; 25]);
    other
        .iter_mut()
        .for_each(|run| run.machine = "other".into());
    for stored in [&all, &other] {
        let sides = Sides {
            before: &all[..5],
            after: &all[5..10],
            stored,
        };
        let found = Comparison::of(sides, &Config::default());
        assert!(found.runs.2 <= 15, "{:?}", found.runs);
    }
}

#[test]
fn values_that_never_vary_differ_by_any_change_above_the_limit() {
    let same = compared(&[100.0; 2], &[100.0; 2], &[], "");
    assert_eq!(
        (only(&same).verdict, same.outcome()),
        (Verdict::Same, Outcome::Fine)
    );
    let more = compared(&[100.0; 2], &[103.0; 2], &[], "");
    assert_eq!(more.outcome(), Outcome::Worse);
    let from_zero = compared(&[0.0; 2], &[3.0; 2], &[], "");
    assert_eq!(from_zero.outcome(), Outcome::Worse);
    assert_eq!(only(&from_zero).shown_percent(), f64::INFINITY);
    let sentence = &super::contents::verdict_sentence(&from_zero)[0];
    assert_eq!(sentence, "frame/median is worse, from 0.00 ms to 3.00 ms.");
    let zero = compared(&[0.0; 3], &[0.0; 3], &[], "");
    assert_eq!(zero.outcome(), Outcome::Fine);
    let negative = compared(&[-1.0, -1.1, -0.9], &[5.0, 5.1, 4.9], &[], "");
    assert_eq!(negative.outcome(), Outcome::Worse);
}

#[test]
fn a_count_that_is_usually_zero_can_be_judged_with_a_higher_limit() {
    let (before, after) = ([0.0, 0.0, 1.0, 0.0, 0.0], [0.0; 5]);
    for (before, after) in [(before, after), (after, before)] {
        let found = compared(&before, &after, &[], "");
        assert_eq!(found.outcome(), Outcome::Unknown, "{found:?}");
        let config = "[gate]\nfind_percent = 10000.0";
        let found = compared(&before, &after, &[], config);
        assert_eq!(found.outcome(), Outcome::Fine, "{found:?}");
    }
}

#[test]
fn nothing_fails_if_no_metric_may_fail() {
    let found = compared(&BEFORE, &SLOWER, &[], "[gate]\nmay_fail = []");
    assert_eq!(found.outcome(), Outcome::Fine);
    let sentences = super::contents::verdict_sentence(&found);
    assert_eq!(
        sentences,
        ["No metric may fail: gate.may_fail in stats.toml names none."]
    );
}

#[test]
fn a_missing_metric_that_may_fail_cannot_be_judged() {
    let with = |other: &str| {
        let (mut all, others) = (runs("frame/median", &BEFORE), runs(other, &BEFORE));
        for (run, other) in all.iter_mut().zip(others) {
            run.metrics.extend(other.metrics);
        }
        all
    };
    for (other, config) in [
        ("gpu/median", ""),
        (
            "spans/loading B/seconds",
            "[gate]\nmay_fail = [\"spans/loading*/seconds\"]",
        ),
    ] {
        let (before, after) = (with(other), runs("frame/median", &BEFORE));
        let sides = |before, after| Sides {
            before,
            after,
            stored: &[],
        };
        let config = Config::parse(config).expect("valid");
        let found = Comparison::of(sides(&before, &after), &config);
        assert_eq!(found.outcome(), Outcome::Unknown);
        let expected =
            format!("no later run has {other:?}, which may fail and is in the earlier runs");
        assert_eq!(found.missing, [expected]);
    }
    // A new metric has nothing to be compared with.
    let (before, after) = (runs("frame/median", &BEFORE), with("gpu/median"));
    let sides = Sides {
        before: &before,
        after: &after,
        stored: &[],
    };
    assert_eq!(
        Comparison::of(sides, &Config::default()).outcome(),
        Outcome::Fine
    );
}

#[test]
fn a_misspelled_metric_and_runs_without_common_metrics_cannot_be_judged() {
    let config = "[gate]\nmay_fail = [\"frame/medain\"]";
    let found = compared(&BEFORE, &BEFORE, &[], config);
    assert_eq!(found.outcome(), Outcome::Unknown);
    let expected =
        "no metric of both sides matches \"frame/medain\"; did you mean \"frame/median\"?";
    assert_eq!(found.missing, [expected]);
    let (before, after) = (runs("a", &[1.0, 2.0]), runs("b", &[1.0, 2.0]));
    let sides = Sides {
        before: &before,
        after: &after,
        stored: &[],
    };
    let found = Comparison::of(sides, &Config::default());
    assert_eq!(
        found.missing,
        ["the earlier and the later runs have no metric in common"]
    );
    assert_eq!(found.outcome(), Outcome::Unknown);
}

#[test]
fn runs_of_different_kinds_cause_warnings() {
    let before = runs("frame/median", &BEFORE);
    let mut after = runs("frame/median", &BEFORE);
    for run in &mut after {
        run.machine = "8 threads".into();
        run.run.machine.power = Some("battery".into());
        run.run.scenario = Some("fight".into());
    }
    after[0].run.commit = Some("a".into());
    after[1].run.commit = Some("b".into());
    let sides = Sides {
        before: &before,
        after: &after,
        stored: &[],
    };
    let warnings = Comparison::of(sides, &Config::default())
        .warnings
        .join("\n");
    for part in [
        "scenario (fight · unknown)",
        "machine",
        "power state",
        "later runs come from 2 commits",
    ] {
        assert!(warnings.contains(part), "{part}: {warnings}");
    }
}

#[test]
fn runs_in_two_groups_cause_a_warning() {
    let two = [10.0, 13.0, 10.1, 13.1, 10.05, 13.05, 10.02, 13.02];
    let warnings = compared(&BEFORE, &two, &[], "").warnings.join("\n");
    assert!(
        warnings.contains("frame/median: the runs after the change fall into two groups"),
        "{warnings}"
    );
}

#[test]
fn a_change_counts_only_beyond_its_limit() {
    for (percent, counts) in [(1.0, false), (-1.0, false), (1.001, true), (-1.001, true)] {
        assert_eq!(super::exceeds(percent, 1.0), counts, "{percent}");
    }
}

#[test]
fn a_copy_is_no_stored_run_whatever_its_metrics() {
    let at = |second: u32, frames: u64, name: &str, values: &[f64]| {
        let mut all = runs(name, values);
        for (number, run) in all.iter_mut().enumerate() {
            run.run.started_at = format!("2026-11-22T03:15:{:02}.000Z", second as usize + number);
            run.frames = frames;
            run.file = format!("{second}-{frames}-{name}-{number}").into();
        }
        all
    };
    let (before, after) = (
        at(0, 600, "frame/median", &BEFORE),
        at(30, 600, "frame/median", &[10.0, f64::NAN]),
    );
    let stored = |stored: &[RunFigures]| {
        let sides = Sides {
            before: &before,
            after: &after,
            stored,
        };
        Comparison::of(sides, &Config::default()).runs.2
    };
    // As summarized by another version, or by other rules, and with a value that does not equal
    // itself.
    assert_eq!(stored(&at(0, 600, "frame/p99", &BEFORE)), 0);
    assert_eq!(stored(&at(30, 600, "frame/mean", &[f64::NAN, f64::NAN])), 0);
    // Others.
    assert_eq!(stored(&at(0, 601, "frame/median", &BEFORE)), BEFORE.len());
    assert_eq!(stored(&at(32, 600, "frame/median", &BEFORE)), BEFORE.len());
    assert_eq!(stored(&runs("frame/median", &[1.0])), 1);
}

#[test]
fn stored_runs_never_make_a_clear_answer_unclear() {
    // Stored on a busy machine: they vary ten times as much.
    let mut random = stats_testing::Random::new(3);
    let mut vary = |usual: f64, percent: f64, runs: usize| -> Vec<f64> {
        let even = |random: &mut stats_testing::Random| random.below(2001) as f64 / 1000.0 - 1.0;
        (0..runs)
            .map(|_| usual * (1.0 + percent / 100.0 * even(&mut random)))
            .collect()
    };
    let stored = vary(10.0, 20.0, 20);
    let (before, slower) = (vary(10.0, 1.0, 5), vary(10.81, 1.0, 5));
    for after in [&slower, &before] {
        let clear = compared(&before, after, &[], "");
        let with = compared(&before, after, &stored, "");
        assert_ne!(clear.outcome(), Outcome::Unknown);
        assert_eq!(with.outcome(), clear.outcome(), "{with:?}");
        assert_eq!((only(&with).stored, only(&with).p()), (0, only(&clear).p()));
    }
    // In general: only stored runs that answer the question are used.
    for _ in 0..300 {
        let noise = [0.5, 3.0, 10.0, 40.0][random.below(4) as usize];
        let mut vary = |usual: f64, percent: f64, runs: usize| -> Vec<f64> {
            (0..runs)
                .map(|_| {
                    usual * (1.0 + percent / 100.0 * (random.below(2001) as f64 / 1000.0 - 1.0))
                })
                .collect()
        };
        let (before, after) = (vary(10.0, 2.0, 4), vary(10.4, 2.0, 4));
        let stored = vary(10.0, noise, 25);
        let (alone, with) = (
            compared(&before, &after, &[], ""),
            compared(&before, &after, &stored, ""),
        );
        if alone.outcome() != Outcome::Unknown {
            assert_ne!(
                with.outcome(),
                Outcome::Unknown,
                "{before:?} {after:?} {stored:?}"
            );
        }
        assert!(
            with.outcome() != Outcome::Unknown
                || with.runs_needed().unwrap_or(usize::MAX)
                    <= alone.runs_needed().unwrap_or(usize::MAX)
        );
    }
}

#[test]
fn the_values_shown_before_and_after_differ_by_the_change() {
    let noisy = compared(
        &[4.1, 4.58, 9.0, 3.9, 4.7],
        &[4.66, 4.5, 10.0, 9.5, 4.64],
        &[],
        "",
    );
    let mut all = vec![only(&noisy).clone()];
    let mut random = stats_testing::Random::new(11);
    for at in 0..500 {
        let mut side = || -> Vec<f64> {
            let count = 1 + random.below(7);
            // Some are 0 or negative, and are compared without the logarithm.
            let offset = if at % 3 == 0 { 40.0 } else { 0.5 };
            (0..count)
                .map(|_| random.below(100) as f64 + 1.0 - offset)
                .collect()
        };
        let found = compared(&side(), &side(), &[], "");
        all.push(only(&found).clone());
    }
    for one in all {
        let (before, after) = one.typical;
        let is_within = |value: f64, side: &[f64]| {
            let least = side.iter().copied().reduce(f64::min).expect("a run");
            let most = side.iter().copied().reduce(f64::max).expect("a run");
            least - 1e-9 <= value && value <= most + 1e-9
        };
        if one.before.len() == 1 && one.after.len() == 1 {
            assert!(is_within(before, &one.before) && is_within(after, &one.after));
        }
        let change = one.percent / 100.0;
        let has_logarithms = one
            .before
            .iter()
            .chain(&one.after)
            .all(|value| *value > 0.0);
        if has_logarithms {
            let expected = before * (1.0 + change);
            assert!((after - expected).abs() < 1e-9 * expected, "{one:?}");
        } else {
            assert_eq!(after > before, change > 0.0, "{one:?}");
        }
        if !has_logarithms && !one.is_from_zero {
            let expected = before + before.abs() * change;
            assert!(
                (after - expected).abs() < 1e-9 * (1.0 + after.abs()),
                "{one:?}"
            );
        }
    }
    let sides = Sides {
        before: &[],
        after: &[],
        stored: &[],
    };
    let sections = super::contents::sections(sides, &noisy, Section::default());
    let text = format!("{sections:?}");
    assert!(!text.contains("\"4.58 ms\", \"4.66 ms\""), "{text}");
}

/// Five runs on each side, with a wall time that varies and the time that the thread ran.
fn on_a_shared_machine(wall: [&[f64]; 2], running: [&[f64]; 2], config: &str) -> Comparison {
    with_times(wall, &[("frame/running", running)], config)
}

/// Five runs on each side, with a wall time and other times.
fn with_times(wall: [&[f64]; 2], times: &[(&str, [&[f64]; 2])], config: &str) -> Comparison {
    let side = |at: usize| {
        let mut runs = runs("frame/median", wall[at]);
        for (name, sides) in times {
            for (run, value) in runs.iter_mut().zip(sides[at]) {
                run.metrics.push(Metric {
                    name: (*name).to_owned(),
                    value: *value,
                    unit: Unit::Milliseconds,
                    better: Better::Lower,
                });
            }
        }
        runs
    };
    let (before, after) = (side(0), side(1));
    let sides = Sides {
        before: &before,
        after: &after,
        stored: &[],
    };
    Comparison::of(sides, &Config::parse(config).expect("valid"))
}

const NOISY: [&[f64]; 2] = [
    &[10.0, 17.0, 31.0, 12.0, 22.0],
    &[28.0, 11.0, 14.0, 35.0, 19.0],
];
const RAN: [f64; 5] = [5.02, 4.99, 5.0, 5.03, 4.97];
const RAN_LONGER: [f64; 5] = [5.42, 5.39, 5.4, 5.43, 5.37];

#[test]
fn the_time_on_a_processor_is_judged_where_wall_time_cannot_tell() {
    let names = |comparison: &Comparison| -> Vec<String> {
        let all = comparison.may_fail.iter();
        all.map(|one| one.name.clone()).collect()
    };
    let worse = on_a_shared_machine(NOISY, [&RAN, &RAN_LONGER], "");
    assert_eq!(worse.outcome(), Outcome::Worse);
    assert_eq!(names(&worse), ["frame/running"]);
    assert_eq!(only(&worse).in_place_of.as_deref(), Some("frame/median"));
    let sentences = super::contents::verdict_sentence(&worse);
    assert_eq!(
        sentences,
        [
            "frame/running is worse by +8.0 %, from 5.00 ms to 5.40 ms.",
            "frame/median varies too much, so frame/running was judged in its place: the time on a \
             processor, without the time that other programs took.",
        ]
    );
    let of_wall = worse.others.iter().find(|one| one.name == "frame/median");
    assert!(matches!(
        of_wall.map(|one| one.verdict),
        Some(Verdict::Unknown(_))
    ));
    assert!(!worse.others.iter().any(|one| one.name == "frame/running"));
    let same = on_a_shared_machine(NOISY, [&RAN, &RAN], "");
    assert_eq!(same.outcome(), Outcome::Fine);
    assert_eq!(names(&same), ["frame/running"]);
}

#[test]
fn the_time_on_a_processor_is_not_judged_where_wall_time_can_tell() {
    let steady = on_a_shared_machine([&BEFORE, &BEFORE], [&RAN, &RAN_LONGER], "");
    assert_eq!(
        (steady.outcome(), &*only(&steady).name),
        (Outcome::Fine, "frame/median")
    );
    // Neither can.
    let noisy = on_a_shared_machine(NOISY, NOISY, "");
    assert_eq!(
        (noisy.outcome(), &*only(&noisy).name),
        (Outcome::Unknown, "frame/median")
    );
    // A limit of the wall time is that of the time in its place.
    let limited = "[gate]\nlimits_percent = { \"frame/median\" = 10 }";
    let limited = on_a_shared_machine(NOISY, [&RAN, &RAN_LONGER], limited);
    assert_eq!(
        (limited.outcome(), &*only(&limited).name),
        (Outcome::Fine, "frame/running")
    );
}

#[test]
fn the_fastest_frames_tell_that_a_change_is_worse_and_never_that_it_is_fine() {
    let with = |fastest: [&[f64]; 2]| {
        let times = [("frame/running", NOISY), ("frame/running-p5", fastest)];
        with_times(NOISY, &times, "")
    };
    let worse = with([&RAN, &RAN_LONGER]);
    assert_eq!(
        (worse.outcome(), &*only(&worse).name),
        (Outcome::Worse, "frame/running-p5")
    );
    assert_eq!(only(&worse).in_place_of.as_deref(), Some("frame/median"));
    for not_worse in [with([&RAN, &RAN]), with([&RAN_LONGER, &RAN])] {
        assert_eq!(
            (not_worse.outcome(), &*only(&not_worse).name),
            (Outcome::Unknown, "frame/median")
        );
    }
    // The mean of all frames comes first.
    let times = [
        ("frame/running", [&RAN[..], &RAN[..]]),
        ("frame/running-p5", [&RAN, &RAN_LONGER]),
    ];
    let fine = with_times(NOISY, &times, "");
    assert_eq!(
        (fine.outcome(), &*only(&fine).name),
        (Outcome::Fine, "frame/running")
    );
}
