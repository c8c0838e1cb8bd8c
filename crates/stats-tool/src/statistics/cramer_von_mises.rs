//! The Cramér–von Mises test of whether two groups have the same distribution.
//!
//! Anderson, "On the distribution of the two-sample Cramér–von Mises criterion", 1962.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use super::sample::sorted;

/// The maximum number of pairs of values for which the distribution is computed exactly.
const MAX_EXACT: usize = 100;

/// Returns the p-value of two groups; 1 if either is empty.
pub(super) fn cramer_von_mises(first: &[f64], second: &[f64]) -> f64 {
    if first.is_empty() || second.is_empty() {
        return 1.0;
    }
    let statistic = statistic(first, second);
    if first.len() * second.len() <= MAX_EXACT {
        exact(statistic, first.len(), second.len())
    } else {
        asymptotic(statistic, first.len() as f64, second.len() as f64)
    }
}

/// Returns the criterion T. Equal values share their mean rank.
fn statistic(first: &[f64], second: &[f64]) -> f64 {
    let (first, second) = (sorted(first), sorted(second));
    let both = sorted(&[first.as_slice(), second.as_slice()].concat());
    let rank = |value: f64| {
        let below = both.partition_point(|other| *other < value);
        let through = both.partition_point(|other| *other <= value);
        (below + through + 1) as f64 / 2.0
    };
    let distance = |group: &[f64]| -> f64 {
        let squared = |(at, value): (usize, &f64)| (rank(*value) - (at + 1) as f64).powi(2);
        group.len() as f64 * group.iter().enumerate().map(squared).sum::<f64>()
    };
    let (n, m) = (first.len() as f64, second.len() as f64);
    (distance(&first) + distance(&second)) / (n * m * (n + m))
        - (4.0 * n * m - 1.0) / (6.0 * (n + m))
}

/// Returns the share of all orders of two groups whose criterion is at least as large.
///
/// An order is a path of steps (1, 0) and (0, 1) from (0, 0) to (n, m). Its criterion is Σ (im −
/// jn)² / (nm(n+m)²) over its points (i, j). For each point, the paths to it are counted by the sum
/// so far.
fn exact(statistic: f64, n: usize, m: usize) -> f64 {
    let mut row: Vec<BTreeMap<u64, f64>> = vec![BTreeMap::new(); m + 1];
    for i in 0..=n {
        for j in 0..=m {
            // The row still contains the paths from above. Add those from the left.
            let mut paths = if i > 0 {
                std::mem::take(&mut row[j])
            } else {
                BTreeMap::new()
            };
            if j > 0 {
                for (sum, count) in &row[j - 1] {
                    *paths.entry(*sum).or_default() += count;
                }
            }
            if i == 0 && j == 0 {
                paths.insert(0, 1.0);
            }
            let height = ((i * m).abs_diff(j * n) as u64).pow(2);
            row[j] = paths
                .into_iter()
                .map(|(sum, count)| (sum + height, count))
                .collect();
        }
    }
    let scale = (n * m) as f64 * ((n + m) as f64).powi(2);
    let least = (statistic * scale).round();
    let total: f64 = row[m].values().sum();
    let at_least: f64 = row[m]
        .iter()
        .filter(|(sum, _)| **sum as f64 >= least)
        .map(|(_, count)| count)
        .sum();
    at_least / total
}

/// Returns the p-value from the limit for large groups, scaled to the mean and the variance for
/// groups of this size.
fn asymptotic(statistic: f64, n: f64, m: f64) -> f64 {
    let both = n + m;
    let mean = (1.0 + 1.0 / both) / 6.0;
    let variance = (both + 1.0) * (4.0 * n * m * both - 3.0 * (n * n + m * m) - 2.0 * n * m)
        / (45.0 * both * both * 4.0 * n * m);
    let scaled = 1.0 / 6.0 + (statistic - mean) / (45.0 * variance).sqrt();
    // For such small values, the limit is practically 0, and its series converges slowly.
    if scaled < 0.003 {
        return 1.0;
    }
    (1.0 - limit(scaled)).clamp(0.0, 1.0)
}

/// Returns the distribution function of the limit: equation 1.2 of Csörgő and Faraway, "The exact
/// and asymptotic distributions of Cramér–von Mises statistics", 1996.
fn limit(value: f64) -> f64 {
    let mut sum = 0.0;
    // Γ(k + ½) / k!, which begins with √π.
    let mut coefficient = PI.sqrt();
    for k in 0..100 {
        let k = f64::from(k);
        let y = 4.0 * k + 1.0;
        let q = y * y / (16.0 * value);
        let term = coefficient * y.sqrt() * (-q).exp() * bessel_k_quarter(q);
        sum += term;
        if term < 1e-14 * sum {
            break;
        }
        coefficient *= (k + 0.5) / (k + 1.0);
    }
    sum / (PI.powf(1.5) * value.sqrt())
}

/// Returns the modified Bessel function of the second kind, K¼(x), for x > 0:
/// ∫ exp(−x cosh t) cosh(t/4) dt from 0. The trapezoidal rule converges exponentially.
fn bessel_k_quarter(x: f64) -> f64 {
    const STEP: f64 = 1.0 / 32.0;
    let term = |t: f64| (-x * t.cosh()).exp() * (t / 4.0).cosh();
    let mut sum = term(0.0) / 2.0;
    for step in 1.. {
        let next = term(f64::from(step) * STEP);
        sum += next;
        if next <= sum * 1e-17 {
            break;
        }
    }
    sum * STEP
}
