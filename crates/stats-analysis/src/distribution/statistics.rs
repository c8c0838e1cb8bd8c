//! The statistics of a set of values: extremes, mean, standard deviation, and quantiles.

use stats_core::Distribution;

use super::scale::Span;
use crate::extremes::extremes;

/// The percentages of [`ValueStats::quantiles`].
pub const SHARES: [usize; 3] = [50, 95, 99];

/// Squares of magnitudes within this range neither overflow nor vanish.
const SQUARABLE: std::ops::Range<f64> = 1e-140..1e140;

/// The statistics of a set of values, in the series' unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueStats {
    /// The number of values, at least one.
    pub count: u64,
    /// The smallest value; not NaN.
    pub min: f64,
    /// The largest value; not NaN.
    pub max: f64,
    /// The arithmetic mean, finite for finite values.
    pub mean: f64,
    /// The standard deviation of the population: divided by `count`, not by one less.
    pub deviation: f64,
    /// The nearest-rank quantiles at [`SHARES`].
    pub quantiles: [f64; SHARES.len()],
    /// The number of values over budget; `None` without a budget.
    pub over: Option<u64>,
    /// The properties that determine the [`Edges`](super::Edges) of the values.
    pub span: Span,
}

impl ValueStats {
    /// Returns the statistics of finite values, which are reordered; `None` if there are none.
    ///
    /// Counts the values above `budget`. [`Span::least`] is exact only if `around_zero` is set or
    /// all values are positive. The cost is linear in the number of values.
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

    /// Returns the statistics of recorded samples; `None` if there are none. Quantiles are as
    /// precise as the buckets of `samples`.
    pub fn of_samples(samples: &Distribution) -> Option<Self> {
        let (min, max, mean) = (samples.min()?, samples.max()?, samples.mean()?);
        let quantile = |percent: usize| samples.quantile(percent as f64 / 100.0).unwrap_or(max);
        let magnitudes = samples
            .buckets()
            .map(|bucket| bucket.value.abs())
            .filter(|&magnitude| magnitude > 0.0);
        // The outermost buckets reach to infinity, but the samples do not.
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

/// Returns whether a value is a whole number. Uses conversions, because `f64::round` is a function
/// call on some processors.
fn is_whole(value: f64) -> bool {
    value as i64 as f64 == value || value.abs() >= 9e15
}

/// Returns the mean and the root-mean-square distance from it.
///
/// Takes two passes, and scales the values if their squares would overflow or vanish.
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

/// Returns the sum of a function of each value, in eight lanes: additions in different lanes do not
/// wait for each other.
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

/// Returns the values at the ranks of [`SHARES`]. Each is searched for above the previous one.
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
    fn quantiles_are_exact_nearest_ranks() {
        let mut random = Random::new(91);
        for _ in 0..500 {
            let length = 1 + random.below(700) as usize;
            let values = random.series(length);
            let limit = random.value();
            let stats = ValueStats::of_values(&mut values.clone(), Some(limit), true).unwrap();
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
        assert_eq!(ValueStats::of_values(&mut [], None, true), None);
    }

    #[test]
    fn mean_and_deviation_are_finite_for_all_finite_values() {
        let stats =
            |values: &[f64]| ValueStats::of_values(&mut values.to_vec(), None, true).unwrap();
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
    fn statistics_of_samples_are_as_precise_as_their_buckets() {
        let mut samples = Distribution::new(Precision::TwoDigits);
        assert_eq!(ValueStats::of_samples(&samples), None);
        samples.record(42.5);
        let one = ValueStats::of_samples(&samples).unwrap();
        assert_eq!((one.min, one.max, one.span.grain), (42.5, 42.5, 0.0));
        for sample in [0.5, 3.0, 250.0, 1e20] {
            samples.record(sample);
        }
        let stats = ValueStats::of_samples(&samples).unwrap();
        assert_eq!((stats.count, stats.min, stats.max), (5, 0.5, 1e20));
        assert_eq!(
            stats.span.grain,
            1e20 - 1e15,
            "of the values beyond the buckets, only the largest is known"
        );
    }
}
