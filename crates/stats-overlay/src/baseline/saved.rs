//! The baselines as they persist.

use serde::{Deserialize, Serialize};
use stats_analysis::range_statistics::RangeStats;
use stats_core::{FrameSlice, Unit};

use crate::input::saved_field;

/// The statistics of some frames, with which later frames are compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct SavedBaseline {
    /// The name. Default: empty.
    pub name: String,
    /// The statistics of each series. A series with a number that is not finite is not saved.
    /// Default: none.
    pub series: Vec<BaselineSeries>,
}

/// The statistics of one series in a baseline, in its unit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct BaselineSeries {
    /// The path. Default: empty.
    pub path: String,
    /// The symbol of the unit, such as `ms`; empty for a plain number. The statistics are ignored
    /// if the series has another unit. Default: empty.
    pub unit: String,
    /// The number of values. Default: 0.
    #[serde(deserialize_with = "saved_field::whole")]
    pub count: usize,
    /// The arithmetic mean. Default: 0.
    pub mean: f64,
    /// The smallest value. Default: 0.
    pub min: f64,
    /// The 5th percentile by nearest rank, the lower edge of the band. Default: 0.
    pub p5: f64,
    /// The 95th percentile by nearest rank, the upper edge of the band. Default: 0.
    pub p95: f64,
    /// The largest value. Default: 0.
    pub max: f64,
}

impl BaselineSeries {
    /// Returns the statistics of values in a unit; `None` if no value is known.
    #[must_use]
    pub fn of(path: &str, unit: Unit, values: FrameSlice<'_>) -> Option<Self> {
        statistics(path, unit, values, &mut Vec::new())
    }

    pub(crate) fn is_finite(&self) -> bool {
        let numbers = [self.mean, self.min, self.p5, self.p95, self.max];
        numbers.iter().all(|number| number.is_finite())
    }
}

/// Returns the statistics of a series in a window; `None` if no value is known.
pub(crate) fn statistics(
    path: &str,
    unit: Unit,
    window: FrameSlice<'_>,
    scratch: &mut Vec<f64>,
) -> Option<BaselineSeries> {
    let stats = RangeStats::of(window, scratch)?;
    Some(BaselineSeries {
        path: path.to_owned(),
        unit: unit.symbol().to_owned(),
        count: stats.count,
        mean: stats.mean,
        min: stats.min,
        p5: stats.p5,
        p95: stats.p95,
        max: stats.max,
        ..BaselineSeries::default()
    })
}
