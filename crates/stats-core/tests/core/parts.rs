//! The parts of a distribution, in which a file stores it.

use stats_core::{Distribution, DistributionSummary, Precision};

use crate::Random;

fn rebuilt(of: &Distribution) -> Option<Distribution> {
    let Some(summary) = of.summary() else {
        return Some(Distribution::new(of.precision()));
    };
    let buckets = of.buckets().map(|bucket| (bucket.value, bucket.count));
    Distribution::from_parts(of.precision(), buckets, summary)
}

#[test]
fn a_distribution_is_equal_after_a_round_trip_through_its_parts() {
    let mut random = Random::new(11);
    for round in 0..600 {
        let precision = [
            Precision::TwoDigits,
            Precision::ThreeDigits,
            Precision::FourDigits,
        ][round % 3];
        let mut all = Distribution::new(precision);
        for _ in 0..random.below(40) {
            let exponent = random.below(60) as i32 - 30;
            let sample = (random.below(2000) as f64 - 1000.0) * 10_f64.powi(exponent);
            let sample = if round % 2 == 0 {
                sample
            } else {
                (sample.clamp(-1e15, 1e15)).trunc()
            };
            assert!(all.record(sample));
        }
        assert_eq!(rebuilt(&all), Some(all.clone()), "round {round}");
        if let Some(less) = all.buckets().next() {
            let mut before = Distribution::new(precision);
            before.record(less.value);
            let rest = all.since(&before);
            assert_eq!(rebuilt(&rest), Some(rest.clone()), "round {round}");
        }
    }
}

#[test]
fn impossible_parts_make_no_distribution() {
    let mut two = Distribution::default();
    two.record(1.0);
    two.record(5.0);
    let good = two.summary().unwrap();
    let buckets = [(1.0, 1), (5.0, 1)];
    let make = |buckets: &[(f64, u64)], summary| {
        Distribution::from_parts(Precision::TwoDigits, buckets.iter().copied(), summary)
    };
    assert_eq!(make(&buckets, good), Some(two));
    for bad in [
        &[(f64::NAN, 1)][..],
        &[(f64::INFINITY, 1)],
        &[(1.0, 0)],
        &[(1.0, 1), (1.01, 1)],
        &[(1.0, u64::MAX), (5.0, 1)],
    ] {
        assert_eq!(make(bad, good), None, "{bad:?}");
    }
    for bad in [
        DistributionSummary { min: 6.0, ..good },
        DistributionSummary {
            mean: f64::NAN,
            ..good
        },
        DistributionSummary {
            squares: -1.0,
            ..good
        },
        DistributionSummary { count: 0, ..good },
    ] {
        assert_eq!(make(&buckets, bad), None, "{bad:?}");
    }
}
