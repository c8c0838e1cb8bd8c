//! Tests of whether two groups of runs have the same mean: Student's t-test with the noise of
//! stored runs, and Welch's t-test without them.
//!
//! The noise of stored runs is measured between their change points, which the trend finds.
//! Otherwise, an old regression would hide a new one.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::sample::{mean, sum_of_squares};

/// The variance of runs without a change, estimated from stored runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Noise {
    pub(super) variance: f64,
    /// The degrees of freedom: the number of runs minus the number of groups.
    pub(crate) degrees: f64,
}

/// The result of a t-test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TTest {
    /// The difference of the means (second minus first) in standard errors. Infinite if the means
    /// differ and nothing varies.
    pub(crate) t: f64,
    /// The degrees of freedom.
    pub(crate) degrees: f64,
    /// The p-value: the probability of a difference at least as large if nothing changed.
    pub(crate) p: f64,
    /// The standard error of the difference.
    pub(crate) error: f64,
}

impl Noise {
    /// Returns the noise within groups of runs, between which the mean may change. `None` if every
    /// group has fewer than two runs.
    pub(crate) fn within(groups: &[&[f64]]) -> Option<Self> {
        let degrees: usize = groups
            .iter()
            .map(|group| group.len().saturating_sub(1))
            .sum();
        let squares: f64 = groups.iter().map(|group| sum_of_squares(group)).sum();
        (degrees > 0).then(|| Self {
            variance: squares / degrees as f64,
            degrees: degrees as f64,
        })
    }

    /// Pools the noise with that of two more groups:
    /// s² = (ν s_h² + within-group sum of squares) / (ν + n + m − 2).
    fn pooled(self, before: &[f64], after: &[f64]) -> Self {
        let degrees = self.degrees + (before.len() + after.len()) as f64 - 2.0;
        let squares = self.degrees * self.variance + sum_of_squares(before) + sum_of_squares(after);
        Self {
            variance: squares / degrees,
            degrees,
        }
    }
}

impl TTest {
    /// Compares two groups. Their variance is pooled with that of stored runs, so one run on each
    /// side is enough; `None` if a side has none.
    pub(crate) fn pooled(noise: Noise, before: &[f64], after: &[f64]) -> Option<Self> {
        if before.is_empty() || after.is_empty() {
            return None;
        }
        let noise = noise.pooled(before, after);
        let error = (noise.variance * (reciprocal(before) + reciprocal(after))).sqrt();
        Some(Self::new(mean(after) - mean(before), error, noise.degrees))
    }

    /// Compares two groups whose variances may differ. `None` if either has fewer than two runs.
    ///
    /// Welch, "The generalization of 'Student's' problem when several different population
    /// variances are involved", 1947.
    pub(crate) fn welch(before: &[f64], after: &[f64]) -> Option<Self> {
        if before.len() < 2 || after.len() < 2 {
            return None;
        }
        let squared_error = |group: &[f64]| {
            let count = group.len() as f64;
            sum_of_squares(group) / (count - 1.0) / count
        };
        let (first, second) = (squared_error(before), squared_error(after));
        let per_degree = first.powi(2) / (before.len() as f64 - 1.0)
            + second.powi(2) / (after.len() as f64 - 1.0);
        let degrees = if per_degree > 0.0 {
            (first + second).powi(2) / per_degree
        } else {
            (before.len() + after.len()) as f64 - 2.0
        };
        let error = (first + second).sqrt();
        Some(Self::new(mean(after) - mean(before), error, degrees))
    }

    /// Returns the test of a difference with a standard error.
    pub(crate) fn new(difference: f64, error: f64, degrees: f64) -> Self {
        let t = if difference == 0.0 {
            0.0
        } else {
            difference / error
        };
        Self {
            t,
            degrees,
            p: two_sided(t, degrees),
            error,
        }
    }
}

/// Returns the two-sided p-value of `t`; 1 without degrees of freedom.
pub(super) fn two_sided(t: f64, degrees: f64) -> f64 {
    let Ok(student) = StudentsT::new(0.0, 1.0, degrees) else {
        return 1.0;
    };
    if t.is_nan() {
        return 1.0;
    }
    (2.0 * student.cdf(-t.abs())).clamp(0.0, 1.0)
}

/// Returns the quantile of Student's t-distribution; infinite without degrees of freedom.
pub(crate) fn quantile_of_t(probability: f64, degrees: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees)
        .map_or(f64::INFINITY, |student| student.inverse_cdf(probability))
}

fn reciprocal(group: &[f64]) -> f64 {
    1.0 / group.len() as f64
}
