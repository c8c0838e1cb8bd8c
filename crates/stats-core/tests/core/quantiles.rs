//! Quantiles from buckets, compared with exact ones.

use stats_core::{Distribution, Precision, histogram};

use crate::mersenne::Mersenne;

const PRECISIONS: [Precision; 3] = [
    Precision::TwoDigits,
    Precision::ThreeDigits,
    Precision::FourDigits,
];

fn normal(random: &mut Mersenne) -> f64 {
    let (radius, angle) = (1.0 - random.uniform(), random.uniform());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

type Shape = fn(&mut Mersenne) -> f64;

const SHAPES: [(&str, Shape); 8] = [
    ("uniform", |random| 1.0 + 99.0 * random.uniform()),
    ("log-normal", |random| (2.8 + 0.4 * normal(random)).exp()),
    (
        "bimodal",
        |random| if random.uniform() < 0.5 { 16.7 } else { 33.3 } + 0.3 * normal(random),
    ),
    ("constant", |_| 16.666_666),
    ("heavy-tailed", |random| {
        (1.0 - random.uniform()).powf(-1.0 / 0.8)
    }),
    ("whole", |random| (1.0 + 5000.0 * random.uniform()).floor()),
    ("both signs", |random| 5.0 * normal(random)),
    ("a large mean", |random| 1e9 + normal(random)),
];

#[test]
fn quantiles_are_within_half_a_bucket_and_moments_within_rounding() {
    for (name, shape) in SHAPES {
        for count in [1, 2, 19, 1000, 1_000_000] {
            let mut random = Mersenne::seeded(&[count as u32]);
            let mut samples: Vec<f64> = (0..count).map(|_| shape(&mut random)).collect();
            let precisions = if count > 1000 {
                &PRECISIONS[..2]
            } else {
                &PRECISIONS[..]
            };
            let series = precisions.iter().map(|precision| {
                let series = histogram(&format!("test/quantiles/{name}/{count}/{precision:?}"))
                    .precision(*precision);
                samples.iter().for_each(|sample| series.record(*sample));
                series.snapshot()
            });
            let snapshots: Vec<Distribution> = series.collect();
            check_moments(name, &samples, &snapshots[0]);
            samples.sort_unstable_by(f64::total_cmp);
            snapshots
                .iter()
                .for_each(|snapshot| check_quantiles(name, &samples, snapshot));
        }
    }
}

#[test]
fn whole_samples_have_whole_quantiles_until_one_sample_is_not_whole() {
    let mut random = Mersenne::seeded(&[26]);
    for count in [1, 31, 32, 33, 64, 500] {
        let series = histogram(&format!("test/quantiles/whole/{count}"));
        let mut samples: Vec<f64> = (0..count)
            .map(|_| (600.0 * random.uniform()).floor() - 300.0)
            .collect();
        samples.iter().for_each(|sample| series.record(*sample));
        samples.sort_unstable_by(f64::total_cmp);
        let run = series.snapshot();
        let mut by_hand = Distribution::default();
        samples
            .iter()
            .for_each(|sample| assert!(by_hand.record(*sample)));
        for percent in 0..=100 {
            let (q, rank) = (
                f64::from(percent) / 100.0,
                (percent as usize * count).div_ceil(100).max(1),
            );
            let found = run.quantile(q).unwrap();
            assert_eq!(found.fract(), 0.0);
            // Up to 99, each whole number has its own bucket.
            assert!(
                samples[rank - 1].abs() > 99.0 || found == samples[rank - 1],
                "{percent} % of {count}: {found}"
            );
            assert_eq!(by_hand.quantile(q), Some(found));
        }
        let mut with_fraction = run.clone();
        with_fraction.merge(
            &[0.5]
                .into_iter()
                .fold(Distribution::default(), |mut one, sample| {
                    assert!(one.record(sample));
                    one
                }),
        );
        series.record(0.5);
        assert!(series.snapshot().buckets().eq(with_fraction.buckets()));
        assert!(
            with_fraction
                .buckets()
                .any(|bucket| bucket.value.fract() != 0.0)
        );
        // Later samples do not change an earlier snapshot.
        assert!(run.buckets().all(|bucket| bucket.value.fract() == 0.0));
    }
}

fn check_quantiles(name: &str, sorted: &[f64], found: &Distribution) {
    assert_eq!(found.count(), sorted.len() as u64);
    assert_eq!(
        (found.min(), found.max()),
        (sorted.first().copied(), sorted.last().copied())
    );
    for q in [
        0.0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0,
    ] {
        let rank =
            ((q * sorted.len() as f64 * (1.0 - 1e-12)).ceil() as usize).clamp(1, sorted.len());
        let exact = sorted[rank - 1];
        let error = (found.quantile(q).unwrap_or(f64::NAN) - exact).abs() / exact.abs();
        let bound = found.precision().max_error() * (1.0 + 1e-9);
        assert!(
            error <= bound,
            "{name}, {} samples, {q}: {error} beyond {bound}",
            sorted.len()
        );
    }
}

fn check_moments(name: &str, samples: &[f64], found: &Distribution) {
    let count = samples.len() as f64;
    // Relative to the first sample, so that the reference does not lose digits.
    let mean = samples[0]
        + samples
            .iter()
            .map(|sample| sample - samples[0])
            .sum::<f64>()
            / count;
    let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
    let deviation = (squares / count).sqrt();
    let scale = mean.abs().max(deviation);
    assert!(
        (found.mean().unwrap_or(f64::NAN) - mean).abs() <= 1e-10 * scale,
        "{name}: {:?}, not {mean}",
        found.mean()
    );
    let allowed = 1e-6 * deviation;
    assert!(
        (found.std_dev().unwrap_or(f64::NAN) - deviation).abs() <= allowed,
        "{name}: {:?}, not {deviation}",
        found.std_dev()
    );
}

#[test]
fn three_digits_distinguish_60_from_62_fps_and_two_do_not() {
    let distinguished = |precision| {
        let mut frames = Distribution::new(precision);
        assert!(frames.record(1e3 / 60.0) && frames.record(1e3 / 62.0));
        frames.buckets().count() == 2
    };
    assert_eq!(PRECISIONS.map(distinguished), [false, true, true]);
}
