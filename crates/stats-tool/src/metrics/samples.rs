//! The samples of a histogram.

use stats_capture::{Better, HistogramRecord};
use stats_core::{Distribution, Unit};

use super::metric::MetricList;
use super::series::better_deviation;

/// The samples of one histogram, over the whole run. No frame is left out, because a histogram does
/// not store the frames of its samples.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    /// The path of the histogram.
    pub(crate) path: String,
    /// The unit of the samples.
    pub(crate) unit: Unit,
    /// Which samples are better.
    pub(crate) better: Better,
    /// The samples.
    pub(super) distribution: Distribution,
}

impl Samples {
    /// Returns the samples of a record; `None` if it is damaged.
    pub(super) fn of(record: &HistogramRecord, unit: Unit, better: Better) -> Option<Self> {
        Some(Self {
            path: record.path.clone(),
            unit,
            better,
            distribution: record.distribution()?,
        })
    }

    pub(super) fn add_to(&self, list: &mut MetricList) {
        let of = |figure: &str| format!("histograms/{}/{figure}", self.path);
        let samples = &self.distribution;
        list.neutral(of("samples"), samples.count() as f64, Unit::Count);
        for (figure, value) in [
            ("mean", samples.mean()),
            ("min", samples.min()),
            ("median", samples.median()),
            ("p99", samples.quantile(0.99)),
            ("max", samples.max()),
        ] {
            list.push(of(figure), value, self.unit, self.better);
        }
        let (deviation, steadier) = (samples.std_dev(), better_deviation(self.better));
        list.push(of("deviation"), deviation, self.unit, steadier);
    }
}
