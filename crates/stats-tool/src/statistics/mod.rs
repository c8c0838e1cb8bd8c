//! Statistical tests and estimates for a few runs.
//!
//! Runs are independent samples. Frames are not, because neighboring frames depend on each other: a
//! test of frames finds a change between most pairs of identical runs. Except in [`bootstrap`], all
//! functions work on one number for each run. They are tested against published values or the
//! results of another program.
//!
//! | file | content | source |
//! |---|---|---|
//! | [`t_test`] | Student's t-test with the noise of stored runs, and Welch's | Welch 1947 |
//! | [`false_discovery`] | which of many findings are significant | Benjamini and Hochberg 1995 |
//! | [`shift`] | the shift between two groups of runs, with an interval | Hodges and Lehmann 1963 |
//! | [`effect`] | how strongly two groups are separated | Cliff 1993 |
//! | [`clusters`] | runs that fall into two groups | simulated |
//! | [`bootstrap`] | an indication from the frames of two runs | Künsch 1989 |
//! | [`divisive`], [`best_split`] | change points of a sequence | Apache Otava 0.8.0 |
//! | [`two_samples`], [`mann_whitney`], [`cramer_von_mises`] | five tests that confirm a change | SciPy |
//! | [`drift`] | values that rise or fall steadily | Mann 1945 |
//! | [`trend`], [`outliers`] | confirmed changes, events, outliers | |
//! | [`sample`] | mean, median, quantiles | |
//!
//! Expected values are data (`tests/oracle/`), written by a script from SciPy and Otava. The tests
//! need no Python.

mod best_split;
mod bootstrap;
mod clusters;
mod cramer_von_mises;
mod divisive;
mod drift;
mod effect;
mod false_discovery;
mod mann_whitney;
mod outliers;
mod sample;
mod shift;
mod t_test;
#[cfg(test)]
mod tests;
mod trend;
mod two_samples;

pub(crate) use bootstrap::{BLOCK, Figure, Indication};
pub(crate) use clusters::lower_cluster;
pub(crate) use drift::Drift;
pub(crate) use effect::cliffs_delta;
pub(crate) use false_discovery::{RATE, threshold};
pub(crate) use sample::median;
pub(crate) use shift::Shift;
pub(crate) use t_test::{Noise, TTest, quantile_of_t};
pub(crate) use trend::{Change, MIN_AFTER, MIN_BEFORE, Standing, Trend, events};
