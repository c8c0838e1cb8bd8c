//! The shift between two groups of runs: the Hodges–Lehmann estimator.

use statrs::distribution::{ContinuousCDF, Normal};

use super::mann_whitney::{MAX_EXACT, arrangements};
use super::sample::{median, quantile, sorted};

/// The intended coverage of the interval.
const COVERAGE: f64 = 0.95;

/// The largest group whose runs are compared one by one. A larger group is reduced to this many
/// quantiles, so that there are at most a million differences.
const MAX_GROUP: usize = 1000;

/// The shift of the second group relative to the first, with an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shift {
    /// The median of the differences of all pairs.
    pub(crate) estimate: f64,
    /// The ends of the interval: two of the differences.
    pub(crate) interval: (f64, f64),
    /// The probability that the interval contains the shift, if the groups differ only by a shift.
    /// It is 0.95 or more, except for too few runs, even though their interval contains all
    /// differences.
    pub(crate) coverage: f64,
}

impl Shift {
    /// Returns the shift from one group to another; `None` if either is empty.
    ///
    /// The interval contains all shifts that the Mann–Whitney test does not reject, as in R's
    /// `wilcox.test`.
    ///
    /// Hodges and Lehmann, "Estimates of location based on rank tests", 1963.
    pub(crate) fn between(before: &[f64], after: &[f64]) -> Option<Self> {
        if before.is_empty() || after.is_empty() {
            return None;
        }
        let (before, after) = (reduced(before), reduced(after));
        let differences: Vec<f64> = before
            .iter()
            .flat_map(|first| after.iter().map(move |second| second - first))
            .collect();
        let differences = sorted(&differences);
        let (left_out, coverage) = outside(before.len(), after.len());
        let last = differences.len() - 1;
        Some(Self {
            estimate: median(&differences),
            interval: (differences[left_out], differences[last - left_out]),
            coverage,
        })
    }
}

/// Returns the number of differences outside the interval at each end, and its coverage.
fn outside(first: usize, second: usize) -> (usize, f64) {
    let pairs = (first * second) as f64;
    let tail = (1.0 - COVERAGE) / 2.0;
    if first.max(second) > MAX_EXACT {
        let deviation = (pairs * (first + second + 1) as f64 / 12.0).sqrt();
        let quantile = Normal::standard().inverse_cdf(1.0 - tail);
        let left_out = (pairs / 2.0 - quantile * deviation).floor() as usize;
        return (left_out.saturating_sub(1), COVERAGE);
    }
    let counts = arrangements(first, second);
    let total: f64 = counts.iter().sum();
    let mut below = 0.0;
    let mut left_out = 0;
    for (at, count) in counts.iter().enumerate() {
        if (below + count) / total >= tail {
            left_out = at;
            break;
        }
        below += count;
    }
    // The extreme differences always belong to the interval.
    let left_out = left_out.max(1);
    let outside: f64 = counts[..left_out].iter().sum();
    (left_out - 1, 1.0 - 2.0 * outside / total)
}

fn reduced(values: &[f64]) -> Vec<f64> {
    let sorted = sorted(values);
    if sorted.len() <= MAX_GROUP {
        return sorted;
    }
    (0..MAX_GROUP)
        .map(|at| quantile(&sorted, at as f64 / (MAX_GROUP - 1) as f64))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::outside;

    #[test]
    fn the_interval_agrees_with_published_critical_values() {
        // Critical values of the two-sided test at 5 %: U ≤ 2 for groups of 5 and 5, 13 for 8 and
        // 8, 127 for 20 and 20 (Mann and Whitney's tables). At each end, as many differences lie
        // outside the interval.
        for (first, second, critical) in [(5, 5, 2), (8, 8, 13), (20, 20, 127), (4, 6, 2)] {
            assert_eq!(outside(first, second).0, critical, "{first} and {second}");
        }
    }

    #[test]
    fn three_runs_on_each_side_have_less_coverage() {
        let (left_out, coverage) = outside(3, 3);
        assert_eq!(left_out, 0);
        assert!((coverage - 0.9).abs() < 1e-12);
        assert!(outside(4, 4).1 >= 0.95);
    }
}
