//! Differences between snapshots of a distribution, and merging.

use stats_core::{Distribution, Precision};

use crate::Random;

fn of(precision: Precision, samples: impl IntoIterator<Item = f64>) -> Distribution {
    let mut all = Distribution::new(precision);
    samples
        .into_iter()
        .for_each(|sample| assert!(all.record(sample)));
    all
}

/// Returns the difference between two snapshots: before and after the samples `later`.
fn difference(before: &Distribution, later: impl IntoIterator<Item = f64>) -> Distribution {
    let mut all = before.clone();
    later
        .into_iter()
        .for_each(|sample| assert!(all.record(sample)));
    all.since(before)
}

#[test]
fn a_difference_lies_between_its_extremes_for_any_earlier_samples() {
    let two = Precision::TwoDigits;
    let rest = difference(&of(two, [1e6; 1000]), [0.5, 0.7, 0.9]);
    assert_eq!(
        (rest.count(), rest.min(), rest.max()),
        (3, Some(0.5), Some(0.905))
    );
    assert!(
        (rest.mean().unwrap() - 0.7).abs() < 1e-6
            && (rest.std_dev().unwrap() / 0.163 - 1.0).abs() < 0.2,
        "{rest:?}"
    );
    let rest = difference(&of(two, [1e140, -1e140]), [1.5, 0.1, 1e-7]);
    assert!(
        (rest.mean().unwrap() / 0.533_333 - 1.0).abs() < 0.05,
        "{rest:?}"
    );
    assert!(
        (rest.std_dev().unwrap() / 0.684 - 1.0).abs() < 0.1,
        "{rest:?}"
    );
    assert!((rest.sum() / 1.6 - 1.0).abs() < 0.05, "{rest:?}");
    let rest = difference(
        &of(two, (0..1_000_000).map(|n| 1.0 + f64::from(n % 1004))),
        [7.0],
    );
    assert_eq!(
        (rest.mean(), rest.std_dev(), rest.sum(), rest.median()),
        (Some(7.0), Some(0.0), 7.0, Some(7.0))
    );
}

#[test]
fn a_difference_is_sane_for_any_two_distributions() {
    let mut random = Random::new(5);
    for round in 0..3000 {
        let sample = |random: &mut Random| {
            let magnitude = 10_f64.powi(
                random.below(if round % 2 == 0 { 6 } else { 270 }) as i32
                    - if round % 2 == 0 { 3 } else { 130 },
            );
            (random.below(2000) as f64 - 1000.0) * 1e-3 * magnitude
        };
        let before: Vec<f64> = (0..random.below(40)).map(|_| sample(&mut random)).collect();
        let later: Vec<f64> = (0..random.below(5)).map(|_| sample(&mut random)).collect();
        let before = of(Precision::ThreeDigits, before);
        let (rest, exact) = (
            difference(&before, later.clone()),
            of(Precision::ThreeDigits, later),
        );
        let alien = exact.since(&before);
        // It may be a part by chance.
        let is_alien = alien.count() == exact.count();
        for (found, exact) in [(rest, &exact), (alien, &exact)]
            .into_iter()
            .take(if is_alien { 2 } else { 1 })
        {
            assert_eq!(
                (
                    found.count(),
                    found.buckets().map(|bucket| bucket.count).sum()
                ),
                (exact.count(), exact.count())
            );
            let (Some(min), Some(max), Some(mean)) = (found.min(), found.max(), found.mean())
            else {
                assert!(exact.is_empty());
                continue;
            };
            assert!(
                min <= mean && mean <= max && max.abs() <= 1e140 && min.abs() <= 1e140,
                "{found:?}"
            );
            let deviation = found.std_dev().unwrap();
            assert!(found.count() > 1 || deviation == 0.0);
            let width = 0.0101 * (exact.min().unwrap().abs() + exact.max().unwrap().abs()) + 2e-9;
            let is_distinguished = exact
                .buckets()
                .all(|bucket| bucket.from.is_finite() && bucket.to.is_finite());
            let most = (max - min) * 0.51 + max.abs().max(min.abs()) * 0.01;
            assert!(
                !is_distinguished || deviation <= most,
                "{found:?} of {exact:?}"
            );
            assert!(
                !is_distinguished || (mean - exact.mean().unwrap()).abs() <= width,
                "{found:?} of {exact:?}"
            );
        }
    }
}

#[test]
fn a_distribution_that_is_not_a_part_is_not_subtracted() {
    let (ours, other) = (
        of(Precision::TwoDigits, [1.0, 1.0, 5e15]),
        of(Precision::TwoDigits, [1.0, 1.0, 1.0]),
    );
    assert_eq!(ours.since(&other), ours);
    assert_eq!(ours.since(&of(Precision::TwoDigits, [-4e20])), ours);
    assert_eq!(ours.since(&of(Precision::ThreeDigits, [1.0])), ours);
    assert_eq!(ours.since(&Distribution::default()), ours);
    assert_eq!(ours.since(&ours), Distribution::default());
}

/// Samples of both signs in every bucket.
fn everywhere(precision: Precision) -> Distribution {
    let steps = 10_i32.pow(precision.digits() as u32 - 1);
    let samples = (0..24).flat_map(|decade| {
        (steps..10 * steps)
            .map(move |step| (f64::from(step) + 0.5) / f64::from(steps) * 10_f64.powi(decade - 9))
    });
    let mut all: Vec<f64> = samples.flat_map(|sample| [sample, -sample]).collect();
    all.sort_by(f64::total_cmp);
    of(precision, all)
}

#[test]
fn merging_keeps_the_buckets_of_both() {
    let all = everywhere(Precision::FourDigits);
    assert_eq!(all.buckets().count(), 432_000);
    let positive = all
        .buckets()
        .filter(|bucket| bucket.from > 0.0)
        .map(|bucket| bucket.value);
    let mut merged = of(Precision::FourDigits, positive);
    merged.merge(&all);
    assert_eq!(
        (merged.count(), merged.buckets().count()),
        (648_000, 432_000)
    );
}

#[test]
fn a_snapshot_has_every_bucket_with_samples() {
    let series = stats_core::histogram("test/differences/linear").precision(Precision::FourDigits);
    let all = everywhere(Precision::FourDigits);
    all.buckets().for_each(|bucket| series.record(bucket.value));
    let run = series.snapshot();
    assert!(
        run.buckets()
            .map(|bucket| (bucket.from, bucket.count))
            .eq(all.buckets().map(|bucket| (bucket.from, bucket.count)))
    );
}
