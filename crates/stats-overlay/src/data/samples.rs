//! The samples of a histogram in few words.
//!
//! A frame's value of a histogram is the sum of its samples, which says little about a size or a
//! latency. Where one number stands for a series, a histogram shows the mean and the 99th
//! percentile of the samples in the current run.

use stats_analysis::format::{NO_VALUE, NumberStyle, value_text, whole_text};
use stats_core::{Distribution, Unit};

/// The mean and the 99th percentile of some samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Samples {
    pub(crate) mean: f64,
    pub(crate) p99: f64,
}

impl Samples {
    /// Returns `None` without samples.
    pub(crate) fn of(distribution: &Distribution) -> Option<Self> {
        Some(Self {
            mean: distribution.mean()?,
            p99: distribution.quantile(0.99)?,
        })
    }

    /// Returns the style of both numbers, or `previous` while it fits.
    pub(crate) fn style(self, previous: Option<NumberStyle>, unit: Unit) -> NumberStyle {
        let range = (self.mean.min(self.p99), self.mean.max(self.p99));
        NumberStyle::steady(previous, unit, range, false)
    }

    /// Appends the mean, the percentile with its name, and their unit: `12.40 p99 25.00 ms`.
    pub(crate) fn write(self, style: NumberStyle, text: &mut String) {
        style.write_number(self.mean, text);
        text.push_str(" p99 ");
        style.write_text(self.p99, text);
    }
}

/// Returns everything about the samples of a run in one line, for tooltips.
pub(crate) fn samples_text(distribution: &Distribution, unit: Unit) -> String {
    let text = |value: Option<f64>| value.map_or(NO_VALUE.to_owned(), |at| value_text(at, unit));
    let count = distribution.count();
    if count == 0 {
        return "no samples in this run".to_owned();
    }
    format!(
        "{} sample{} in this run: mean {}, p99 {}, max {}, sum {}",
        whole_text(count as f64),
        if count == 1 { "" } else { "s" },
        text(distribution.mean()),
        text(distribution.quantile(0.99)),
        text(distribution.max()),
        text(Some(distribution.sum())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_core::Precision;

    #[test]
    fn a_histogram_is_described_by_its_samples() {
        let mut lengths = Distribution::new(Precision::default());
        assert_eq!(Samples::of(&lengths), None);
        let none = "no samples in this run";
        assert_eq!(samples_text(&lengths, Unit::Count), none);
        for sample in 0..=25 {
            lengths.record(f64::from(sample));
        }
        let samples = Samples::of(&lengths).unwrap();
        let mut text = String::new();
        samples.write(samples.style(None, Unit::Milliseconds), &mut text);
        assert_eq!(text, "12.50 p99 25.00 ms");
        assert_eq!(
            samples_text(&lengths, Unit::Milliseconds),
            "26 samples in this run: mean 12.50 ms, p99 25.00 ms, max 25.00 ms, sum 325.00 ms"
        );
    }
}
