//! What a set of values comes to: its extremes, mean and deviation, and the values that shares of
//! it do not exceed.

use stats_core::Distribution;

use crate::buckets::extremes;
use crate::distribution::edges::Span;

/// The shares whose values are marked, in hundredths.
pub const SHARES: [usize; 3] = [50, 95, 99];

/// Between these magnitudes squares are numbers.
const SQUARABLE: std::ops::Range<f64> = 1e-140..1e140;

/// The figures of a set of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stats {
    /// How many values there are, at least one.
    pub count: u64,
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    /// The standard deviation of the values themselves: over their number, not one less.
    pub deviation: f64,
    /// The least values that are no less than these [`SHARES`] of all, by nearest rank.
    pub quantiles: [f64; SHARES.len()],
    /// How many values are over the budget; `None` where there is none.
    pub over: Option<u64>,
    pub span: Span,
}

impl Stats {
    /// Of finite values, which are put into another order; `None` of none. Linear in their number.
    /// Values above `budget` are counted; the least magnitude is looked for where it is wanted
    /// `around_zero`.
    pub fn of_values(values: &mut [f64], budget: Option<f64>, around_zero: bool) -> Option<Self> {
        let (min, max) = extremes(values);
        if values.is_empty() {
            return None;
        }
        let (mean, deviation) = mean_and_deviation(values, min, max);
        let over = budget.map(|budget| values.iter().map(|&value| u64::from(value > budget)).sum());
        let magnitudes = values
            .iter()
            .map(|value| value.abs())
            .filter(|&magnitude| magnitude > 0.0);
        let least = if around_zero && min <= 0.0 {
            magnitudes.fold(f64::INFINITY, f64::min)
        } else {
            min.abs()
        };
        let whole = values.iter().all(|&value| is_whole(value));
        let span = Span {
            min,
            max,
            least,
            whole,
            grain: 0.0,
            binary: false,
        };
        let (count, quantiles) = (values.len() as u64, quantiles(values));
        Some(Self {
            count,
            min,
            max,
            mean,
            deviation,
            quantiles,
            over,
            span,
        })
    }

    /// Of samples, whose quantiles are as exact as their buckets; `None` of none.
    pub fn of_samples(samples: &Distribution) -> Option<Self> {
        let (min, max, mean) = (samples.min()?, samples.max()?, samples.mean()?);
        let quantile = |percent: usize| samples.quantile(percent as f64 / 100.0).unwrap_or(max);
        let magnitudes = samples
            .buckets()
            .map(|bucket| bucket.value.abs())
            .filter(|&magnitude| magnitude > 0.0);
        // Outer buckets reach to infinity, samples do not.
        let widths = samples.buckets().map(|bucket| {
            bucket.to.min(bucket.from.max(max)) - bucket.from.max(bucket.to.min(min))
        });
        let grain = if min < max {
            widths.fold(0.0, f64::max)
        } else {
            0.0
        };
        let span = Span {
            min,
            max,
            least: magnitudes.fold(f64::INFINITY, f64::min),
            whole: false,
            grain,
            binary: false,
        };
        Some(Self {
            count: samples.count(),
            min,
            max,
            mean,
            deviation: samples.std_dev().unwrap_or(0.0),
            quantiles: SHARES.map(quantile),
            over: None,
            span,
        })
    }
}

/// Plain conversions: rounding is a call of a function on some processors.
fn is_whole(value: f64) -> bool {
    value as i64 as f64 == value || value.abs() >= 9e15
}

/// The mean, and the root of the mean square distance from it. In two passes, and scaled where
/// squares would be no numbers.
fn mean_and_deviation(values: &[f64], min: f64, max: f64) -> (f64, f64) {
    let count = values.len() as f64;
    let magnitude = max.abs().max(min.abs());
    let unit = if SQUARABLE.contains(&magnitude) {
        1.0
    } else {
        magnitude.max(1e-300)
    };
    let inverse = 1.0 / unit;
    let mean = sum(values, |value| value * inverse) / count;
    let squares = sum(values, |value| (value * inverse - mean).powi(2));
    (
        (mean * unit).clamp(min, max),
        ((squares / count).sqrt() * unit).min(f64::MAX),
    )
}

/// The sum of something of each value. In lanes, since an addition need not wait for the one before
/// then.
fn sum(values: &[f64], of: impl Fn(f64) -> f64) -> f64 {
    let (mut lanes, chunks) = ([0.0; 8], values.chunks_exact(8));
    let rest = chunks.remainder();
    for chunk in chunks {
        lanes
            .iter_mut()
            .zip(chunk)
            .for_each(|(lane, &value)| *lane += of(value));
    }
    lanes
        .into_iter()
        .chain(rest.iter().map(|&value| of(value)))
        .sum()
}

/// The values at the ranks of [`SHARES`]. Each is looked for above the one before.
fn quantiles(values: &mut [f64]) -> [f64; SHARES.len()] {
    let (count, mut below) = (values.len(), 0);
    SHARES.map(|percent| {
        let rank = (count * percent).div_ceil(100) - 1;
        let found = *values[below..]
            .select_nth_unstable_by(rank - below, f64::total_cmp)
            .1;
        below = rank;
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_core::Precision;
    use stats_testing::Random;

    #[test]
    fn quantiles_are_the_exact_nearest_ranks() {
        let mut random = Random::new(91);
        for _ in 0..500 {
            let length = 1 + random.below(700) as usize;
            let values = random.series(length);
            let limit = random.value();
            let stats = Stats::of_values(&mut values.clone(), Some(limit), true).unwrap();
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            for (percent, found) in SHARES.into_iter().zip(stats.quantiles) {
                let rank = (sorted.len() as f64 * percent as f64 / 100.0 - 1e-9).ceil() as usize;
                assert_eq!(found, sorted[rank - 1], "{percent} % of {}", sorted.len());
            }
            assert_eq!(
                (stats.min, stats.max, stats.count),
                (sorted[0], sorted[sorted.len() - 1], sorted.len() as u64)
            );
            assert_eq!(
                stats.over,
                Some(values.iter().filter(|&&value| value > limit).count() as u64)
            );
            assert_eq!(
                stats.span.whole,
                values.iter().all(|value| value.fract() == 0.0)
            );
        }
        assert_eq!(Stats::of_values(&mut [], None, true), None);
    }

    #[test]
    fn mean_and_deviation_are_numbers_of_any_values() {
        let stats = |values: &[f64]| Stats::of_values(&mut values.to_vec(), None, true).unwrap();
        let found = stats(&[4.0, 7.0, 13.0, 16.0]);
        assert_eq!((found.mean, found.deviation), (10.0, 22.5_f64.sqrt()));
        for exponent in [-320, -300, -200, 200, 300] {
            let unit = 10f64.powf(f64::from(exponent));
            let found = stats(&[unit, 3.0 * unit]);
            assert!(
                (found.mean / unit - 2.0).abs() < 1e-3,
                "{exponent}: {found:?}"
            );
            assert!(
                (found.deviation / unit - 1.0).abs() < 1e-3,
                "{exponent}: {found:?}"
            );
        }
        let found = stats(&[f64::MAX, f64::MIN, f64::MAX, f64::MIN]);
        assert!(
            found.mean == 0.0 && (found.deviation / f64::MAX - 1.0).abs() < 1e-9,
            "{found:?}"
        );
        assert_eq!(stats(&[5e-324; 3]).min, 5e-324);
    }

    #[test]
    fn samples_are_as_exact_as_their_buckets() {
        let mut samples = Distribution::new(Precision::TwoDigits);
        assert_eq!(Stats::of_samples(&samples), None);
        samples.record(42.5);
        let one = Stats::of_samples(&samples).unwrap();
        assert_eq!((one.min, one.max, one.span.grain), (42.5, 42.5, 0.0));
        for sample in [0.5, 3.0, 250.0, 1e20] {
            samples.record(sample);
        }
        let stats = Stats::of_samples(&samples).unwrap();
        assert_eq!((stats.count, stats.min, stats.max), (5, 0.5, 1e20));
        assert_eq!(
            stats.span.grain,
            1e20 - 1e15,
            "of what is beyond the buckets only the greatest is known"
        );
    }
}
