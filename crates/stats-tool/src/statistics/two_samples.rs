//! Five tests of whether two groups of runs differ. Three of them must confirm a change.

use statrs::stats_tests::NaNPolicy;
use statrs::stats_tests::ks_test::{KSTwoSampleAlternativeMethod, ks_twosample};

use super::cramer_von_mises::cramer_von_mises;
use super::mann_whitney::mann_whitney;
use super::t_test::{Noise, TTest};

/// The p-value below which a test confirms a change.
const MAX_P: f64 = 0.05;

/// The number of the five tests that must confirm a change.
const MIN_CONFIRMING: usize = 3;

/// The maximum number of pairs for which the Kolmogorov–Smirnov test of statrs is exact.
const MAX_PAIRS: usize = 10_000;

/// The p-values of five tests of two groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TwoSamples {
    /// Student's t-test.
    pub(crate) t: f64,
    /// Welch's t-test.
    pub(super) welch: f64,
    /// The Mann–Whitney test.
    pub(super) mann_whitney: f64,
    /// The Kolmogorov–Smirnov test.
    pub(super) kolmogorov_smirnov: f64,
    /// The Cramér–von Mises test.
    pub(super) cramer_von_mises: f64,
}

impl TwoSamples {
    /// Compares two groups of finite values. A test that is impossible has the p-value 1.
    pub(super) fn compare(first: &[f64], second: &[f64]) -> Self {
        let nothing = Noise {
            variance: 0.0,
            degrees: 0.0,
        };
        let p = |test: Option<TTest>| test.map_or(1.0, |test| test.p);
        Self {
            t: p(TTest::pooled(nothing, first, second)),
            welch: p(TTest::welch(first, second)),
            mann_whitney: mann_whitney(first, second),
            kolmogorov_smirnov: kolmogorov_smirnov(first, second),
            cramer_von_mises: cramer_von_mises(first, second),
        }
    }

    /// Returns the number of tests that find a difference at 5 %.
    pub(super) fn confirming(&self) -> usize {
        [
            self.t,
            self.welch,
            self.mann_whitney,
            self.kolmogorov_smirnov,
            self.cramer_von_mises,
        ]
        .into_iter()
        .filter(|p| *p < MAX_P)
        .count()
    }

    /// Returns whether at least three tests find a difference.
    pub(super) fn is_confirmed(&self) -> bool {
        self.confirming() >= MIN_CONFIRMING
    }
}

fn kolmogorov_smirnov(first: &[f64], second: &[f64]) -> f64 {
    let method = if first.len() * second.len() <= MAX_PAIRS {
        KSTwoSampleAlternativeMethod::TwoSidedExact
    } else if first == second {
        // For equal groups, the series that statrs sums for large groups does not converge.
        return 1.0;
    } else {
        KSTwoSampleAlternativeMethod::TwoSidedAsymptotic
    };
    let test = ks_twosample(first.to_vec(), second.to_vec(), method, NaNPolicy::Error);
    test.map_or(1.0, |(_, p)| p.clamp(0.0, 1.0))
}
