use stats_testing::{Random, rounds};

use super::*;

/// Spearman's rank correlation by its definition, in time n².
fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let rank = |of: f64, values: &dyn Fn(usize) -> f64| {
        let all = || (0..pairs.len()).map(values);
        let (below, equal) = (
            all().filter(|v| *v < of).count(),
            all().filter(|v| *v == of).count(),
        );
        below as f64 + (equal as f64 + 1.0) / 2.0
    };
    let ranks = |values: &dyn Fn(usize) -> f64| -> Vec<f64> {
        (0..pairs.len())
            .map(|at| rank(values(at), values))
            .collect()
    };
    let (a, b) = (ranks(&|at| pairs[at].0), ranks(&|at| pairs[at].1));
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let sum = |x: &[f64], y: &[f64]| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum()
    };
    sum(&a, &b) / (sum(&a, &a) * sum(&b, &b)).sqrt()
}

/// The best lag by its definition.
fn expected(subject: &[f64], other: &[f64]) -> Option<(f64, i32, usize)> {
    let mut best: Option<(f64, i32, usize)> = None;
    let lags = MAX_LAG as i32;
    for lag in (0..=lags).flat_map(|lag| [-lag, lag]) {
        let core = MAX_LAG..subject.len() - MAX_LAG;
        let pairs = core.map(|at| {
            (
                subject[at],
                other[at.checked_add_signed(lag as isize).unwrap()],
            )
        });
        let known = pairs.filter(|(a, b)| !a.is_nan() && !b.is_nan());
        let pairs: Vec<(f64, f64)> = known.collect();
        let r = spearman(&pairs);
        let is_enough = pairs.len() >= MIN_FRAMES - 2 * MAX_LAG && !r.is_nan();
        if is_enough && best.is_none_or(|(before, ..)| r.abs() > before.abs() + 1e-9) {
            best = Some((r, lag, pairs.len()));
        }
    }
    best
}

/// A value, often one of a few, so that some are equal.
fn value(random: &mut Random, kind: usize) -> f64 {
    match kind {
        0 => random.below(3) as f64,
        1 => random.below(1000) as f64 / 7.0,
        2 if random.below(20) == 0 => f64::NAN,
        2 => random.below(50) as f64,
        _ => [0.0, -0.0, 1e300, -1e300][random.index(4)],
    }
}

#[test]
fn the_best_lag_and_its_coefficient_match_the_definition() {
    let (mut random, mut correlator) = (Random::new(11), Correlator::default());
    for round in 0..rounds(80) {
        let frames = MIN_FRAMES + random.index(60);
        let kinds = (round % 4, round / 4 % 4);
        let subject: Vec<f64> = (0..frames).map(|_| value(&mut random, kinds.0)).collect();
        let lag = random.index(2 * MAX_LAG + 1) as i64 - MAX_LAG as i64;
        let is_partner = random.below(2) == 0;
        let other: Vec<f64> = (0..frames)
            .map(|at| {
                let from = (at as i64 - lag).clamp(0, frames as i64 - 1) as usize;
                match is_partner && random.below(8) > 0 {
                    true => -subject[from],
                    false => value(&mut random, kinds.1),
                }
            })
            .collect();
        assert!(correlator.begin(&subject));
        let found = correlator.with(&other);
        let (Some(found), Some((r, at, count))) = (found, expected(&subject, &other)) else {
            assert_eq!((found, expected(&subject, &other)), (None, None));
            continue;
        };
        assert!((found.coefficient - r).abs() < 1e-9, "{found:?} {r} {at}");
        assert!((0.0..=1.0).contains(&found.chance), "{found:?}");
        // Two lags may be equally good but for rounding.
        if found.lag == at {
            assert_eq!(found.frames, count);
        } else {
            assert_eq!(found.lag, -at, "{r}");
        }
    }
}

#[test]
fn a_series_with_unknown_values_does_not_change_the_result_of_the_next() {
    let (mut random, mut correlator) = (Random::new(15), Correlator::default());
    let mut noise = || random.below(1000) as f64;
    let mut subject: Vec<f64> = (0..200).map(|_| noise()).collect();
    // The subject is constant where the series `constant` is known.
    subject[20..150].fill(1.0);
    let known: Vec<f64> = subject.iter().map(|of| 0.3 * of + noise()).collect();
    let mut holes = known.clone();
    holes[100] = f64::NAN;
    let mut constant = known.clone();
    constant[..20].fill(f64::NAN);
    constant[150..].fill(f64::NAN);
    assert!(correlator.begin(&subject));
    let first = correlator.with(&known);
    assert!(first.is_some());
    for unknown in [holes, constant, vec![f64::NAN; 200]] {
        correlator.with(&unknown);
        assert_eq!(correlator.with(&known), first);
    }
}

#[test]
fn a_partner_three_frames_later_is_the_first_of_a_thousand() {
    let (mut random, mut correlator) = (Random::new(12), Correlator::default());
    let mut noise = |_| random.below(1 << 20) as f64;
    let subject: Vec<f64> = (0..600).map(&mut noise).collect();
    assert!(correlator.begin(&subject));
    let mut found: Vec<(usize, Correlation)> = Vec::new();
    for series in 0..1000 {
        let mut values: Vec<f64> = (0..600).map(&mut noise).collect();
        if series == 700 {
            for at in 3..600 {
                values[at] = values[at] * 0.7 + subject[at - 3];
            }
        }
        let of = correlator.with(&values).expect("both change");
        found.push((series, of));
    }
    let is_found = |of: &&(usize, Correlation)| of.1.chance_of(1000) < 0.05;
    let found: Vec<_> = found.iter().filter(is_found).collect();
    let [(series, of)] = found[..] else {
        panic!("only the partner: {found:?}")
    };
    assert_eq!((*series, of.lag, of.frames), (700, 3, 584));
    assert!(of.coefficient > 0.7, "{of:?}");
}

#[test]
fn smooth_series_and_few_frames_are_no_proof() {
    let mut correlator = Correlator::default();
    // Both only rise, as any two levels of a program that warms up.
    let rising: Vec<f64> = (0..600).map(f64::from).collect();
    let curved: Vec<f64> = (0..600).map(|at| f64::from(at).sqrt()).collect();
    assert!(correlator.begin(&rising));
    let of = correlator.with(&curved).expect("both change");
    assert!(of.coefficient == 1.0 && of.chance == 1.0, "{of:?}");
    // Random walks are similar by chance more often than not.
    let mut random = Random::new(13);
    let mut walk = || {
        let mut at = 0.0;
        let step = |_| {
            at += random.below(1001) as f64 - 500.0;
            at
        };
        (0..600).map(step).collect::<Vec<f64>>()
    };
    let subject = walk();
    assert!(correlator.begin(&subject));
    let of_walks: Vec<Correlation> = (0..300).filter_map(|_| correlator.with(&walk())).collect();
    let similar = of_walks.iter().filter(|of| of.coefficient.abs() > 0.5);
    assert!(similar.count() > 50, "they look alike");
    let listed = of_walks.iter().filter(|of| of.chance_of(300) < 0.05);
    assert!(listed.count() < 10, "and are seldom listed");
    assert!(!correlator.begin(&rising[..MIN_FRAMES - 1]));
    assert_eq!(correlator.with(&curved[..MIN_FRAMES - 1]), None);
}

#[test]
fn a_series_that_does_not_change_moves_with_nothing() {
    let mut correlator = Correlator::default();
    let moving: Vec<f64> = (0..200).map(|at| f64::from(at * 7 % 13)).collect();
    for constant in [[5.0; 200], [f64::NAN; 200], [0.0; 200]] {
        assert!(!correlator.begin(&constant));
        assert_eq!(correlator.with(&moving), None);
        assert!(correlator.begin(&moving));
        assert_eq!(correlator.with(&constant), None);
    }
    // It changes only where no lag looks: nothing divides by zero.
    let mut edge = [1.0; 200];
    edge[199] = 2.0;
    assert!(correlator.begin(&moving));
    if let Some(of) = correlator.with(&edge) {
        assert!(of.coefficient.is_finite(), "{of:?}");
    }
    let mut late = [1.0; 200];
    late[150..].fill(f64::NAN);
    late[0] = f64::NAN;
    assert_eq!(correlator.with(&late), None);
}

#[test]
fn only_the_newest_frames_count() {
    let mut random = Random::new(14);
    let all: Vec<f64> = (0..2 * MAX_FRAMES)
        .map(|_| random.below(99) as f64)
        .collect();
    let mut correlator = Correlator::default();
    assert!(correlator.begin(&all));
    let of = correlator.with(&all).expect("both change");
    assert_eq!((of.coefficient, of.lag), (1.0, 0));
    assert_eq!(of.frames, MAX_FRAMES - 2 * MAX_LAG);
    assert_eq!(of.chance, 0.0);
}
