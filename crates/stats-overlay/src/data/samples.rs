//! The samples of a histogram in few words.
//!
//! A frame's value of a histogram is the sum of its samples, which says little about a size or a
//! latency. Where one number stands for a series, a histogram shows the mean and the 99th
//! percentile of its samples. In the tree, these are the samples of the current run, and in the HUD the
//! samples of the last ten seconds.

use std::collections::VecDeque;

use stats_analysis::format::{NO_VALUE, NumberStyle, count_text, value_text};
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

/// The duration that the HUD covers, and the distance between two snapshots.
const RECENT_SECS: f64 = 10.0;
const STEP_SECS: f64 = 1.0;

/// The samples of a histogram in the last ten seconds.
#[derive(Debug, Default)]
pub(crate) struct RecentSamples {
    /// The samples of the run at some times, oldest first.
    snapshots: VecDeque<(f64, Distribution)>,
}

impl RecentSamples {
    /// Takes the samples of the run so far, at a time in seconds. Returns those of the last ten
    /// seconds, up to a second more. At first, and after a break of two seconds, returns those
    /// since then.
    pub(crate) fn take(&mut self, now_secs: f64, run: Distribution) -> Distribution {
        let is_new = |(taken_secs, before): &(f64, Distribution)| {
            let continues = (0.0..=2.0 * STEP_SECS).contains(&(now_secs - taken_secs));
            !continues || run.count() < before.count()
        };
        if self.snapshots.back().is_some_and(is_new) {
            self.snapshots.clear();
        }
        let is_old = |(taken_secs, _): &(f64, Distribution)| now_secs - taken_secs >= RECENT_SECS;
        while self.snapshots.get(1).is_some_and(is_old) {
            self.snapshots.pop_front();
        }
        let before = self.snapshots.front();
        let recent = before.map_or_else(
            || Distribution::new(run.precision()),
            |(_, before)| run.since(before),
        );
        let is_due = |(taken_secs, _): &(f64, Distribution)| now_secs - taken_secs >= STEP_SECS;
        if self.snapshots.back().is_none_or(is_due) {
            self.snapshots.push_back((now_secs, run));
        }
        recent
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
        "{} in this run: mean {}, p99 {}, max {}, sum {}",
        count_text(count, "sample", "samples"),
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
    fn recent_samples_are_those_of_the_last_ten_seconds() {
        let (mut recent, mut run) = (RecentSamples::default(), Distribution::default());
        run.record(1e6);
        // One sample a tenth of a second, a hundred times larger after an hour.
        let value = |tenth: u32| if tenth < 36_000 { 1.0 } else { 100.0 };
        for tenth in 0..36_200 {
            let now_secs = f64::from(tenth) / 10.0;
            let samples = recent.take(now_secs, run.clone());
            let known = u64::from(tenth.min(100));
            assert!((known..=known + 10).contains(&samples.count()), "{tenth}");
            assert!(samples.max().is_none_or(|most| most <= 110.0), "{tenth}");
            run.record(value(tenth));
        }
        let mean = |samples: &Distribution| samples.mean().unwrap_or(0.0);
        assert_eq!(mean(&recent.take(3620.0, run.clone())), 100.0);
        // After a break, and in a new run, it begins again.
        assert_eq!(recent.take(3700.0, run.clone()).count(), 0);
        run.record(5.0);
        assert_eq!(recent.take(3700.5, run).count(), 1);
        let mut run = Distribution::default();
        run.record(7.0);
        assert_eq!(recent.take(3701.0, run.clone()).count(), 0);
        run.record(7.0);
        assert_eq!(recent.take(3701.5, run).count(), 1);
        assert!(recent.snapshots.len() < 13);
    }

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
