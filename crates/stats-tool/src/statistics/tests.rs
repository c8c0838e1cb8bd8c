//! Comparisons with published values and with other programs.

use serde::Deserialize;
use stats_testing::Random;

use super::bootstrap::{BLOCK, Figure, Indication};
use super::clusters::lower_cluster;
use super::cramer_von_mises::cramer_von_mises;
use super::divisive::divisions;
use super::effect::cliffs_delta;
use super::false_discovery::threshold;
use super::sample::{mean, median};
use super::shift::Shift;
use super::t_test::{Noise, TTest, quantile_of_t, two_sided};
use super::trend::{Standing, Trend, events};
use super::two_samples::TwoSamples;

/// The content of `expected.json`, which `tests/oracle/expected.py` writes.
#[derive(Deserialize)]
struct Expected {
    groups: Vec<Groups>,
    sequences: Vec<Sequence>,
    shifts: Vec<ExpectedShift>,
    quantiles_of_t: Vec<(f64, f64, f64)>,
}

#[derive(Deserialize)]
struct Groups {
    first: Vec<f64>,
    second: Vec<f64>,
    t: (f64, f64, f64),
    welch: (f64, f64, f64),
    mann_whitney: f64,
    kolmogorov_smirnov: f64,
    cramer_von_mises: f64,
}

#[derive(Deserialize)]
struct Sequence {
    name: String,
    values: Vec<f64>,
    points: Vec<Point>,
}

#[derive(Deserialize)]
struct Point {
    at: usize,
    before: f64,
    after: f64,
    p: f64,
}

#[derive(Deserialize)]
struct ExpectedShift {
    first: Vec<f64>,
    second: Vec<f64>,
    estimate: f64,
    interval: (f64, f64),
}

fn expected() -> Expected {
    serde_json::from_str(include_str!("../../tests/oracle/expected.json")).expect("valid JSON")
}

/// Asserts that a number agrees with the expected one to `digits` decimal digits, which count from
/// the first digit if the expected number is above 1.
#[track_caller]
fn close(found: f64, expected: f64, digits: i32, what: &str) {
    let most = 10_f64.powi(-digits) * expected.abs().max(1.0);
    assert!(
        (found - expected).abs() <= most,
        "{what}: {found} instead of {expected}"
    );
}

/// Returns a number from an approximately normal distribution: the sum of twelve uniform ones,
/// minus 6.
fn normal(random: &mut Random) -> f64 {
    let even = |random: &mut Random| random.next() as f64 / u64::MAX as f64;
    (0..12).map(|_| even(random)).sum::<f64>() - 6.0
}

const NO_NOISE: Noise = Noise {
    variance: 0.0,
    degrees: 0.0,
};

#[test]
fn t_tests_agree_with_scipy() {
    for groups in expected().groups {
        let what = format!("{:?} and {:?}", groups.first, groups.second);
        let test = TTest::pooled(NO_NOISE, &groups.first, &groups.second).expect("enough runs");
        close(test.t, groups.t.0, 9, &what);
        close(test.p, groups.t.1, 9, &what);
        close(test.degrees, groups.t.2, 9, &what);
        let test = TTest::welch(&groups.first, &groups.second).expect("enough runs");
        close(test.t, groups.welch.0, 9, &what);
        close(test.p, groups.welch.1, 9, &what);
        close(test.degrees, groups.welch.2, 9, &what);
    }
}

#[test]
fn quantiles_of_t_agree_with_scipy() {
    for (probability, degrees, expected) in expected().quantiles_of_t {
        close(quantile_of_t(probability, degrees), expected, 6, "quantile");
        close(
            two_sided(expected, degrees),
            2.0 * probability.min(1.0 - probability),
            9,
            "p",
        );
    }
}

/// Student, "The probable error of a mean", 1908: the hours of sleep gained with two drugs.
#[test]
fn welchs_test_agrees_with_published_results_for_students_sleep_data() {
    let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    // `t.test(extra ~ group, data = sleep)` in the documentation of R.
    let test = TTest::welch(&first, &second).expect("enough runs");
    close(test.t, 1.8608, 4, "t");
    close(test.degrees, 17.776, 3, "degrees");
    close(test.p, 0.07939, 5, "p");
}

#[test]
fn stored_runs_add_to_the_variance_as_one_more_group() {
    // Like an analysis of variance: groups of the same variance, two of which are compared.
    let history = [[1.0, 2.0, 3.0], [11.0, 12.0, 13.0]];
    let noise = Noise::within(&[&history[0], &history[1]]).expect("two groups");
    assert_eq!((noise.variance, noise.degrees), (1.0, 4.0));
    let (before, after) = ([5.0, 9.0], [10.0, 10.0, 13.0]);
    let test = TTest::pooled(noise, &before, &after).expect("enough runs");
    // s² = (4 · 1 + 8 + 6) / (4 + 2 + 3 − 2) = 18 / 7
    let error = (18.0_f64 / 7.0 * (1.0 / 2.0 + 1.0 / 3.0)).sqrt();
    close(test.t, 4.0 / error, 12, "t");
    assert_eq!(test.degrees, 7.0);
    // For one run against one, the variance is that of the stored runs.
    let test = TTest::pooled(noise, &[5.0], &[6.0]).expect("enough runs");
    close(test.t, 1.0 / 2.0_f64.sqrt(), 12, "t");
    assert_eq!(test.degrees, 4.0);
}

#[test]
fn values_that_never_vary_have_a_p_value_of_zero_or_one() {
    let same = TTest::welch(&[3.0; 4], &[3.0; 3]).expect("enough runs");
    assert_eq!((same.t, same.p), (0.0, 1.0));
    let other = TTest::welch(&[3.0; 4], &[4.0; 3]).expect("enough runs");
    assert_eq!((other.t, other.p), (f64::INFINITY, 0.0));
    assert_eq!(TTest::welch(&[3.0], &[4.0, 5.0]), None);
    assert_eq!(TTest::pooled(NO_NOISE, &[], &[4.0]), None);
    // The variance of a single run is unknown.
    assert_eq!(
        TTest::pooled(NO_NOISE, &[3.0], &[4.0]).map(|test| test.p),
        Some(1.0)
    );
    assert_eq!(Noise::within(&[&[1.0], &[]]), None);
}

/// Benjamini and Hochberg, 1995, section 4.1: the four smallest of fifteen p-values are findings.
#[test]
fn false_discoveries_are_controlled_as_in_the_original_paper() {
    let p_values = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0,
    ];
    assert_eq!(threshold(&p_values, 0.05), Some(0.0095));
    // A p-value above its own limit is a finding if a larger one is below its limit.
    assert_eq!(threshold(&[0.04, 0.041, 0.042], 0.05), Some(0.042));
    assert_eq!(threshold(&[0.06, 0.9], 0.05), None);
    assert_eq!(threshold(&[], 0.05), None);
}

#[test]
fn two_sample_tests_agree_with_scipy() {
    for groups in expected().groups {
        let what = format!("{:?} and {:?}", groups.first, groups.second);
        let tests = TwoSamples::compare(&groups.first, &groups.second);
        close(tests.t, groups.t.1, 9, &what);
        close(tests.welch, groups.welch.1, 9, &what);
        close(tests.mann_whitney, groups.mann_whitney, 9, &what);
        close(
            tests.kolmogorov_smirnov,
            groups.kolmogorov_smirnov,
            7,
            &what,
        );
        close(tests.cramer_von_mises, groups.cramer_von_mises, 8, &what);
    }
}

#[test]
fn two_sample_tests_handle_values_that_do_not_vary() {
    let constant = vec![5.0; 200];
    let tests = TwoSamples::compare(&constant, &constant);
    assert_eq!(tests.confirming(), 0, "{tests:?}");
    let tests = TwoSamples::compare(&constant[..6], &[6.0; 3]);
    assert!(tests.is_confirmed(), "{tests:?}");
    let many: Vec<f64> = (0..5000).map(f64::from).collect();
    assert_eq!(TwoSamples::compare(&many, &many).confirming(), 0);
    assert_eq!(TwoSamples::compare(&[], &[1.0]).confirming(), 0);
    assert_eq!(cramer_von_mises(&[], &[1.0]), 1.0);
}

#[test]
fn change_points_are_those_of_apache_otava() {
    for sequence in expected().sequences {
        let found = divisions(&sequence.values);
        let places: Vec<usize> = found.iter().map(|point| point.at).collect();
        let expected: Vec<usize> = sequence.points.iter().map(|point| point.at).collect();
        assert_eq!(places, expected, "{}", sequence.name);
        for (found, expected) in found.iter().zip(&sequence.points) {
            close(found.before, expected.before, 9, &sequence.name);
            close(found.after, expected.after, 9, &sequence.name);
            close(found.p, expected.p, 9, &sequence.name);
        }
    }
}

#[test]
fn shifts_agree_with_the_inverted_exact_test() {
    for expected in expected().shifts {
        let what = format!("{:?} and {:?}", expected.first, expected.second);
        let shift = Shift::between(&expected.first, &expected.second).expect("enough runs");
        close(shift.estimate, expected.estimate, 12, &what);
        close(shift.interval.0, expected.interval.0, 12, &what);
        close(shift.interval.1, expected.interval.1, 12, &what);
        assert!((0.95..1.0).contains(&shift.coverage), "{what}");
    }
}

/// Hollander and Wolfe, "Nonparametric statistical methods", 1973, examples 4.4 and 4.5: the
/// permeability of membranes.
#[test]
fn the_shift_agrees_with_published_results_for_membranes() {
    let at_term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    let early = [1.15, 0.88, 0.90, 0.74, 1.21];
    let shift = Shift::between(&at_term, &early).expect("enough runs");
    close(shift.estimate, -0.305, 12, "estimate");
    close(shift.interval.0, -0.76, 12, "lower end");
    close(shift.interval.1, 0.15, 12, "upper end");
    close(shift.coverage, 0.96, 2, "coverage");
}

#[test]
fn the_interval_of_the_shift_has_the_stated_coverage() {
    let mut random = Random::new(11);
    let mut covered = 0;
    for _ in 0..400 {
        let before: Vec<f64> = (0..25).map(|_| normal(&mut random)).collect();
        let after: Vec<f64> = (0..30).map(|_| 2.0 + normal(&mut random)).collect();
        let shift = Shift::between(&before, &after).expect("enough runs");
        covered += usize::from(shift.interval.0 <= 2.0 && 2.0 <= shift.interval.1);
    }
    assert!((370..=395).contains(&covered), "{covered} of 400");
    let many: Vec<f64> = (0..3000).map(|_| normal(&mut random)).collect();
    let moved: Vec<f64> = many.iter().map(|value| value + 7.0).collect();
    let shift = Shift::between(&many, &moved).expect("enough runs");
    close(shift.estimate, 7.0, 9, "estimate");
    assert_eq!(Shift::between(&[], &[1.0]), None);
}

/// The example of `cliff.delta` in R's package effsize.
#[test]
fn cliffs_delta_agrees_with_published_results() {
    let treatment = [10.0, 10.0, 20.0, 20.0, 20.0, 30.0, 30.0, 30.0, 40.0, 50.0];
    let control = [10.0, 20.0, 30.0, 40.0, 40.0, 50.0];
    close(cliffs_delta(&control, &treatment), -0.25, 12, "delta");
    assert_eq!(cliffs_delta(&[1.0, 2.0], &[3.0]), 1.0);
    assert_eq!(cliffs_delta(&[1.0, 2.0], &[0.0]), -1.0);
    assert_eq!(cliffs_delta(&[0.0], &[-0.0]), 0.0);
    assert_eq!(cliffs_delta(&[], &[1.0]), 0.0);
}

#[test]
fn two_clusters_are_found_and_normal_runs_form_one() {
    let throttled = [10.0, 12.1, 10.1, 9.9, 12.0, 10.05, 12.2];
    assert_eq!(lower_cluster(&throttled), Some(4));
    assert_eq!(lower_cluster(&[10.0, 10.1, 12.0, 12.1]), None, "too few");
    assert_eq!(lower_cluster(&[5.0; 9]), None);
    // A single distant run is an outlier, not a cluster.
    assert_eq!(lower_cluster(&[10.0, 10.1, 9.9, 10.05, 30.0]), None);
    let mut random = Random::new(5);
    for runs in [5, 6, 8, 12, 20] {
        let warned = (0..2000).filter(|_| {
            let values: Vec<f64> = (0..runs).map(|_| normal(&mut random)).collect();
            lower_cluster(&values).is_some()
        });
        let warned = warned.count();
        assert!(warned <= 20, "{warned} of 2000 samples of {runs} runs");
    }
}

/// Returns frames each of which depends on the frames before it, as in games.
fn frames(random: &mut Random, count: usize, level: f64) -> Vec<f64> {
    let mut drift = 0.0;
    let next = |_| {
        drift = 0.98 * drift + 0.1 * normal(random);
        level + drift
    };
    (0..count).map(next).collect()
}

#[test]
fn the_bootstrap_of_blocks_covers_the_difference_of_dependent_frames() {
    let mut random = Random::new(3);
    let mut covered = 0;
    for _ in 0..40 {
        let before = frames(&mut random, 3000, 16.0);
        let after = frames(&mut random, 3000, 17.0);
        let found = Indication::between(&before, &after, Figure::Mean).expect("long enough");
        covered += usize::from(found.interval.0 <= 1.0 && 1.0 <= found.interval.1);
        close(
            found.difference,
            mean(&after) - mean(&before),
            9,
            "difference",
        );
    }
    // Künsch's intervals are slightly too short for dependent frames. If single frames were drawn,
    // as if they were independent, the intervals would be ten times too short.
    assert!((32..=40).contains(&covered), "{covered} of 40");
}

#[test]
fn the_bootstrap_compares_quantiles_of_frames() {
    let mut random = Random::new(4);
    let before = frames(&mut random, 6001, 16.0);
    let after: Vec<f64> = before.iter().map(|ms| ms * 1.5).collect();
    let found = Indication::between(&before, &after, Figure::Quantile(0.5)).expect("long enough");
    close(found.difference, 0.5 * median(&before), 3, "difference");
    assert!(found.interval.0 > 0.0, "{found:?}");
    let again = Indication::between(&before, &after, Figure::Quantile(0.5));
    assert_eq!(again, Some(found), "the same frames give the same interval");
    let by_time = Indication::between(&before, &after, Figure::QuantileByTime(0.99));
    let p99 = |ms: &[f64]| stats_core::percentiles::percentile_by_time(ms, 99.0).unwrap();
    let expected = p99(&after) - p99(&before);
    close(by_time.unwrap().difference, expected, 9, "by time");
    let short = &before[..2 * BLOCK - 1];
    assert_eq!(Indication::between(short, &after, Figure::Mean), None);
}

#[test]
fn a_change_needs_six_runs_before_and_three_after() {
    let at = |before: usize, after: usize| {
        let mut random = Random::new(9);
        let mut values: Vec<f64> = (0..before).map(|_| 100.0 + normal(&mut random)).collect();
        values.extend((0..after).map(|_| 120.0 + normal(&mut random)));
        let trend = Trend::of(&values);
        assert_eq!(trend.changes.len(), 1, "{before} and {after}: {trend:?}");
        assert_eq!(trend.changes[0].at, before);
        trend.changes[0].standing
    };
    assert_eq!(at(6, 3), Standing::Confirmed);
    assert_eq!(at(30, 3), Standing::Confirmed);
    assert_eq!(at(6, 2), Standing::TooFewAfter(1));
    assert_eq!(at(30, 1), Standing::TooFewAfter(2));
    assert_eq!(at(4, 6), Standing::TooFewBefore);
}

#[test]
fn a_single_run_is_an_outlier_and_not_a_change() {
    let mut random = Random::new(2);
    let mut values: Vec<f64> = (0..60).map(|_| 100.0 + normal(&mut random)).collect();
    values[31] = 300.0;
    let trend = Trend::of(&values);
    assert_eq!(trend.outliers, [31]);
    assert!(trend.changes.is_empty(), "{trend:?}");
    // Outliers are found separately on each side of a change.
    values.iter_mut().skip(40).for_each(|value| *value += 50.0);
    values[50] = 100.0;
    let trend = Trend::of(&values);
    assert_eq!(trend.outliers, [31, 50], "{trend:?}");
    assert_eq!(trend.changes.len(), 1);
    assert_eq!(trend.changes[0].at, 40);
}

#[test]
fn a_change_soon_after_another_one_is_confirmed() {
    let mut random = Random::new(23);
    for (between, last) in [(8.0, 14.0), (14.0, 8.0)] {
        let levels = [(20, 10.0), (4, between), (20, last)];
        let levels = levels.into_iter().flat_map(|(n, level)| vec![level; n]);
        let values: Vec<f64> = levels
            .map(|level| level + 0.05 * normal(&mut random))
            .collect();
        let trend = Trend::of(&values);
        let confirmed = trend
            .changes
            .iter()
            .filter(|change| change.standing == Standing::Confirmed);
        let places: Vec<usize> = confirmed.map(|change| change.at).collect();
        assert_eq!(places, [20, 24], "{trend:?}");
    }
    // Six runs are needed before the first change, and three after the last one.
    for (n, at, standing) in [
        (20, 5, Standing::TooFewBefore),
        (12, 10, Standing::TooFewAfter(1)),
    ] {
        let value = |run| if run < at { 10.0 } else { 20.0 } + 0.01 * normal(&mut random);
        let trend = Trend::of(&(0..n).map(value).collect::<Vec<f64>>());
        for change in &trend.changes {
            assert_eq!(change.standing, standing, "{trend:?}");
        }
    }
}

#[test]
fn trends_of_no_runs_and_of_thousands_of_runs_are_computed() {
    assert_eq!(Trend::of(&[]), Trend::default());
    assert_eq!(Trend::of(&[1.0]), Trend::default());
    assert_eq!(Trend::of(&[1.0, 1.0]), Trend::default());
    let mut random = Random::new(7);
    let values: Vec<f64> = (0..4000)
        .map(|at| if at < 2500 { 100.0 } else { 103.0 } + normal(&mut random))
        .collect();
    let trend = Trend::of(&values);
    let confirmed = |at: usize| {
        trend
            .changes
            .iter()
            .any(|change| change.at.abs_diff(at) <= 2 && change.standing == Standing::Confirmed)
    };
    assert!(confirmed(2500), "{:?}", trend.changes);
    let percent = trend.changes.iter().map(|change| change.percent().abs());
    assert!(percent.fold(0.0, f64::max) < 6.0);
}

#[test]
fn changes_within_one_run_are_one_event() {
    assert_eq!(events(&[]), Vec::<Vec<usize>>::new());
    assert_eq!(events(&[7, 3, 8, 20]), [vec![1], vec![0, 2], vec![3]]);
    // An event spans at most three runs, even if more neighbors follow.
    assert_eq!(events(&[1, 2, 3, 4, 5]), [vec![0, 1, 2], vec![3, 4]]);
}
