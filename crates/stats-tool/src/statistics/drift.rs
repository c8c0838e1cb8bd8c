//! A steady drift: values that rise or fall from run to run, without a run at which they changed.
//!
//! The test of Mann and Kendall (Mann, "Nonparametric tests against trend", 1945) counts the pairs of
//! runs of which the later one has the greater value. The size is the slope of Theil and Sen, which a
//! few outliers do not change. Both look at all pairs, so of many runs evenly spaced ones are compared.

use std::borrow::Cow;

use statrs::distribution::{ContinuousCDF, Normal};

use super::sample::median;

/// A drift is established if values without one would be ordered as well with at most this
/// probability: that of a change.
const SURE: f64 = 0.001;
/// The maximum number of runs for which the probability is computed exactly.
const MAX_EXACT: usize = 20;
/// The maximum number of runs that are compared: half a million pairs.
const MAX_RUNS: usize = 1000;

/// The line through values that drift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drift {
    /// The value of the line at the first run, within the range of the values.
    pub(crate) first: f64,
    /// The value of the line at the last run, within the range of the values.
    pub(crate) last: f64,
}

impl Drift {
    /// Returns the drift of a sequence of finite values; `None` if none is established. The shortest
    /// sequence with one has seven values.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let values = &*spaced(values);
        if p_value(values) > SURE {
            return None;
        }
        let last = values.len() - 1;
        let slope = |from: usize, to: usize| (values[to] - values[from]) / (to - from) as f64;
        let slopes = (0..last).flat_map(|from| (from + 1..=last).map(move |to| slope(from, to)));
        let slope = median(&slopes.collect::<Vec<f64>>());
        let starts = values.iter().enumerate();
        let starts: Vec<f64> = starts
            .map(|(at, value)| value - slope * at as f64)
            .collect();
        let first = median(&starts);
        // A line leaves it where the values stay at their bound, as counts do at 0.
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let in_range = |value: f64| value.clamp(least, greatest);
        Some(Self {
            first: in_range(first),
            last: in_range(first + slope * last as f64),
        })
    }
}

/// Returns at most [`MAX_RUNS`] values at equal distances; the last is that of the newest run.
fn spaced(values: &[f64]) -> Cow<'_, [f64]> {
    let every = values.len().div_ceil(MAX_RUNS);
    if every <= 1 {
        return values.into();
    }
    let mut spaced: Vec<f64> = values.iter().rev().step_by(every).copied().collect();
    spaced.reverse();
    spaced.into()
}

/// Returns the two-sided p-value of the test of Mann and Kendall.
fn p_value(values: &[f64]) -> f64 {
    let (mut rising, mut falling) = (0_usize, 0_usize);
    for (at, later) in values.iter().enumerate() {
        rising += values[..at].iter().filter(|value| *value < later).count();
        falling += values[..at].iter().filter(|value| *value > later).count();
    }
    let n = values.len();
    let pairs = n * n.saturating_sub(1) / 2;
    if n <= MAX_EXACT && rising + falling == pairs {
        let orders = inversions(n);
        let fewest = rising.min(falling);
        let as_extreme: f64 = orders[..=fewest].iter().sum();
        return (2.0 * as_extreme / orders.iter().sum::<f64>()).min(1.0);
    }
    let n = n as f64;
    let variance = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
    let ties: f64 = tied(values).into_iter().map(variance).sum();
    let deviation = (variance(n) - ties).max(0.0).sqrt();
    let score = rising.abs_diff(falling) as f64;
    match Normal::standard().cdf(-(score - 1.0).max(0.0) / deviation) {
        p if p.is_nan() => 1.0,
        p => (2.0 * p).min(1.0),
    }
}

/// Returns the number of orders of `n` values for each number of pairs in the wrong order.
fn inversions(n: usize) -> Vec<f64> {
    let mut counts = vec![1.0];
    for of in 1..=n {
        let mut next = vec![0.0; counts.len() + of - 1];
        for (at, count) in counts.iter().enumerate() {
            next[at..at + of].iter_mut().for_each(|sum| *sum += count);
        }
        counts = next;
    }
    counts
}

/// Returns how often each value occurs.
fn tied(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let equal = sorted.chunk_by(|a, b| a == b);
    equal.map(|part| part.len() as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn probabilities_are_those_of_all_orders() {
        // All 5,040 orders of seven values; one of them rises everywhere.
        let rising: Vec<f64> = (0..7).map(f64::from).collect();
        assert_eq!(p_value(&rising), 2.0 / 5040.0);
        assert_eq!(inversions(4), [1.0, 3.0, 5.0, 6.0, 5.0, 3.0, 1.0]);
        assert_eq!(
            inversions(12).iter().sum::<f64>(),
            (1..=12).map(f64::from).product::<f64>()
        );
        let falling: Vec<f64> = rising.iter().rev().copied().collect();
        assert_eq!(p_value(&falling), p_value(&rising));
        assert_eq!(p_value(&rising[..6]), 2.0 / 720.0);
    }

    #[test]
    fn a_long_sequence_and_equal_values_have_probabilities_too() {
        let rising: Vec<f64> = (0..40).map(f64::from).collect();
        assert!(p_value(&rising) < 1e-9);
        for same in [0, 1, 2, 30] {
            assert_eq!(p_value(&vec![3.0; same]), 1.0, "{same}");
            assert_eq!(Drift::of(&vec![3.0; same]), None);
        }
    }

    #[test]
    fn the_size_is_that_of_the_line_whatever_one_run_does() {
        let mut values: Vec<f64> = (0..12).map(|run| 10.0 + 0.3 * f64::from(run)).collect();
        values[5] = 90.0;
        let drift = Drift::of(&values).expect("it rises");
        assert!(
            (drift.first - 10.0).abs() < 0.2 && (drift.last - 13.3).abs() < 0.2,
            "{drift:?}"
        );
    }

    #[test]
    fn the_line_stays_in_the_range_of_the_values() {
        let counts = [0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7].map(f64::from);
        let drift = Drift::of(&counts).expect("it rises");
        assert!(
            drift.first == 0.0 && (6.0..7.0).contains(&drift.last),
            "{drift:?}"
        );
        let back: Vec<f64> = counts.iter().rev().copied().collect();
        let drift = Drift::of(&back).expect("it falls");
        assert!(
            drift.last == 0.0 && (6.0..7.0).contains(&drift.first),
            "{drift:?}"
        );
    }

    #[test]
    fn a_thousand_runs_of_many_tell_the_same_drift() {
        for runs in [1000, 1001, 1999, 2000, 100_000_u32] {
            let at = |run: u32| 10.0 + f64::from(run) / f64::from(runs - 1);
            let values: Vec<f64> = (0..runs).map(at).collect();
            let compared = spaced(&values);
            assert!((500..=1000).contains(&compared.len()), "{}", compared.len());
            assert_eq!(compared.last(), values.last());
            let drift = Drift::of(&values).expect("it rises");
            assert!((drift.first - 10.0).abs() < 0.01, "{runs}: {drift:?}");
            assert!((drift.last - 11.0).abs() < 1e-9, "{runs}: {drift:?}");
        }
    }

    #[test]
    fn noise_alone_drifts_at_most_once_in_five_hundred_histories() {
        let mut random = Random::new(11);
        let mut found = 0;
        for _ in 0..2000 {
            let runs = 9 + random.below(30) as usize;
            let values: Vec<f64> = (0..runs).map(|_| random.below(1 << 40) as f64).collect();
            found += usize::from(Drift::of(&values).is_some());
        }
        assert!(found <= 4, "{found}");
    }
}
