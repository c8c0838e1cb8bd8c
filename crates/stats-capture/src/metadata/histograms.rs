//! Histograms, as a file stores them.

use serde::{Deserialize, Serialize};
use stats_core::{Distribution, DistributionSummary, Precision};

/// The samples of a histogram: an entry of the document `stats.histograms` in a capture.
///
/// Contains the samples since the capture began, or since the last
/// [`begin_run`](stats_core::begin_run) if that was later.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct HistogramRecord {
    /// The path of the histogram.
    pub path: String,
    /// The number of significant digits that are distinguished: 2, 3 or 4.
    pub digits: i32,
    /// The number of samples.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// Their minimum.
    pub min: f64,
    /// Their maximum.
    pub max: f64,
    /// Their mean.
    pub mean: f64,
    /// The sum of their squared distances from the mean.
    pub squares: f64,
    /// Whether all of them are whole numbers.
    pub whole: bool,
    /// The buckets with samples, in ascending order: a value that represents the bucket, and the
    /// number of its samples.
    pub buckets: Vec<(f64, u64)>,
}

impl HistogramRecord {
    /// Returns the record of a distribution; `None` without samples, or if one is infinite.
    pub(crate) fn of(path: &str, samples: &Distribution) -> Option<Self> {
        let summary = samples.summary()?;
        let DistributionSummary { min, max, .. } = summary;
        if !(min.is_finite() && max.is_finite()) {
            return None; // JSON has no infinity.
        }
        Some(Self {
            path: path.to_owned(),
            digits: samples.precision().digits(),
            count: summary.count,
            sum: summary.sum,
            min: summary.min,
            max: summary.max,
            mean: summary.mean,
            squares: summary.squares,
            whole: summary.is_whole,
            buckets: samples
                .buckets()
                .map(|bucket| (bucket.value, bucket.count))
                .collect(),
        })
    }

    /// Returns the distribution; `None` if no set of samples can have these buckets and moments.
    #[must_use]
    pub fn distribution(&self) -> Option<Distribution> {
        let precision = match self.digits {
            2 => Precision::TwoDigits,
            3 => Precision::ThreeDigits,
            4 => Precision::FourDigits,
            _ => return None,
        };
        let summary = DistributionSummary {
            count: self.count,
            sum: self.sum,
            min: self.min,
            max: self.max,
            mean: self.mean,
            squares: self.squares,
            is_whole: self.whole,
        };
        Distribution::from_parts(precision, self.buckets.iter().copied(), summary)
    }
}
