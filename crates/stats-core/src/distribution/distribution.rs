//! A distribution of samples: its buckets, its moments, and the statistics computed from them.

use super::buckets::{self, Entry};
use super::precision::{Precision, SMALLEST};
use super::ranks::by_rank;
use super::summary::{DistributionSummary, ROUNDING};

/// The largest magnitude that is recorded. The squares of larger ones would overflow their sum.
pub(crate) const LARGEST_SAMPLE: f64 = 1e140;

/// A set of samples: exact count, sum, minimum and maximum, mean and standard deviation, and any
/// quantile.
///
/// A distribution is either a [`snapshot`](crate::Histogram::snapshot) of a
/// [`Histogram`](crate::Histogram), or is filled with [`record`](Self::record) on one thread. It
/// takes 16 bytes for each bucket that has samples, regardless of their number.
///
/// A quantile is the middle of the bucket that contains the sample, so it is within
/// [`Precision::max_error`] of that sample. If all samples are whole numbers (up to 2⁵¹), so is the
/// quantile. For a magnitude below 10⁻⁹ it is 0; from 10¹⁵ on it is the maximum (the minimum, for
/// negative samples). It is never beyond the minimum and the maximum, which are exact: if all
/// samples are 10⁻¹², it is 10⁻¹².
///
/// ```
/// use stats_core::{Distribution, Precision};
///
/// let mut sizes = Distribution::new(Precision::TwoDigits);
/// for size in [60.0, 60.0, 782.0, 1400.0] {
///     sizes.record(size);
/// }
/// assert_eq!((sizes.count(), sizes.sum(), sizes.max()), (4, 2302.0, Some(1400.0)));
/// assert_eq!(sizes.median(), Some(60.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    precision: Precision,
    moments: DistributionSummary,
    /// The buckets with samples, in ascending order.
    buckets: Vec<Entry>,
    count: u64,
}

/// Samples that a [`Distribution`] does not distinguish.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Bucket {
    /// The lower bound. A sample below it by a few rounding errors (4 × 10⁻¹⁵ of itself) may be
    /// counted here and not in the previous bucket: boundaries such as 0.3 are not floats, and a
    /// sample written as 0.3 must not fall below its own boundary.
    pub from: f64,
    /// The upper bound. Infinite for the outermost buckets.
    pub to: f64,
    /// The value that represents the samples: the middle of the bucket (0 for the bucket around
    /// zero), or the one whole number in it if all samples are whole. Clamped to the minimum and
    /// the maximum of all samples.
    pub value: f64,
    /// The number of samples: at least one.
    pub count: u64,
}

impl Default for Distribution {
    fn default() -> Self {
        Self::new(Precision::default())
    }
}

impl Distribution {
    /// Creates an empty distribution.
    #[must_use]
    pub const fn new(precision: Precision) -> Self {
        Self {
            precision,
            moments: DistributionSummary::NONE,
            buckets: Vec::new(),
            count: 0,
        }
    }

    /// Adds a sample. Returns `false` if it is refused, because it is not finite or beyond ±10¹⁴⁰.
    ///
    /// Finding the bucket takes time logarithmic in the number of buckets. The first sample of a
    /// bucket also moves the buckets above it, which takes a few nanoseconds for each hundred:
    /// negligible for the few hundred buckets of [`Precision::TwoDigits`]. For hundreds of
    /// thousands of buckets in random order, use a [`Histogram`](crate::Histogram), which moves
    /// none.
    pub fn record(&mut self, sample: f64) -> bool {
        // Also `false` for NaN.
        let is_recorded = sample.abs() <= LARGEST_SAMPLE;
        if is_recorded {
            self.moments = self.moments.merged(DistributionSummary::of(sample));
            self.count += 1;
            let bucket = self.precision.scale().signed_bucket_of(sample);
            match self.buckets.binary_search_by_key(&bucket, |entry| entry.0) {
                Ok(at) => self.buckets[at].1 += 1,
                Err(at) => self.buckets.insert(at, (bucket, 1)),
            }
        }
        is_recorded
    }

    /// Adds all samples of another distribution. Counts are exact, regardless of the order in which
    /// distributions are merged. The result has the precision of `self`, but its quantiles are only
    /// as precise as the coarser of the two. The cost is linear in the number of buckets of both.
    pub fn merge(&mut self, other: &Self) {
        self.moments = self.moments.merged(other.moments);
        self.count += other.count;
        let converted = |bucket| {
            if self.precision == other.precision {
                return bucket;
            }
            let value = other.precision.value_of(bucket).clamp(-f64::MAX, f64::MAX);
            self.precision.scale().signed_bucket_of(value)
        };
        // Ascending in any precision: a higher bucket never has a lower value.
        buckets::merge(
            &mut self.buckets,
            other
                .buckets
                .iter()
                .map(|&(bucket, count)| (converted(bucket), count)),
        );
    }

    /// Returns the samples recorded since an earlier snapshot of the same run of the same
    /// histogram. Counts are exact. If `earlier` is not a part of this snapshot, because it has
    /// more samples in any bucket or another precision, it belongs to another run, and all samples
    /// are returned.
    ///
    /// Minimum and maximum are exact if they are new; otherwise they are known to within their
    /// bucket. The sum is exact for integers. Otherwise sum, mean and deviation are as precise as a
    /// difference can be: to within about 10⁻¹⁵ of the sums of *all* samples. If the buckets give
    /// more precise values than that difference, those are used. The mean is never beyond minimum
    /// and maximum, and a single sample has no deviation.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let is_comparable = self.precision == earlier.precision && !earlier.is_empty();
        let rest = is_comparable
            .then(|| buckets::subtract(&self.buckets, &earlier.buckets))
            .flatten();
        let Some(buckets) = rest else {
            return self.clone();
        };
        let (Some(&(first, _)), Some(&(last, _))) = (buckets.first(), buckets.last()) else {
            return Self::new(self.precision);
        };
        let count = buckets.iter().map(|entry| entry.1).sum();
        // The extremes of all samples, to which computed values are clamped.
        let mut rest = Self {
            precision: self.precision,
            moments: self.moments,
            buckets,
            count,
        };
        let (least, greatest) = (self.value_of(first), self.value_of(last));
        let (lower, upper) = (
            self.precision.bounds(first).0,
            self.precision.bounds(last).1,
        );
        let (whole, part) = (self.moments, earlier.moments);
        let mut found = rest.difference(part);
        let mean = found
            .mean
            .max(lower)
            .max(whole.min)
            .min(upper)
            .min(whole.max);
        if mean != found.mean {
            (found.mean, found.sum) = (mean, mean * found.count as f64);
        }
        found.min = if whole.min < part.min {
            whole.min
        } else {
            least.min(mean)
        };
        found.max = if whole.max > part.max {
            whole.max
        } else {
            greatest.max(mean)
        };
        if count == 1 {
            (found.min, found.max, found.squares) = (mean, mean, 0.0);
        }
        rest.moments = found;
        rest
    }

    /// Returns the moments of these buckets: `self.moments` without `part`, or computed from the
    /// buckets if that is more precise.
    fn difference(&self, part: DistributionSummary) -> DistributionSummary {
        let rough = self.moments_of_buckets();
        let whole = self.moments;
        let found = whole.since(part);
        if found.count == 0 {
            // The samples are in the buckets and not in the moments yet.
            return rough;
        }
        let count = found.count as f64;
        // An upper bound of the mean distance between samples and the values of their buckets.
        let magnitudes: f64 = self
            .weighted()
            .map(|(value, count)| value.abs() * count as f64)
            .sum();
        let width = self.precision.max_error() * magnitudes / self.count as f64 + SMALLEST;
        // The maximum rounding error of the mean and of the squares.
        let noise = ROUNDING * whole.min.abs().max(whole.max.abs()) * whole.count as f64 / count;
        let lost = ROUNDING * whole.squares + 2.0 * (found.mean - part.mean).abs() * noise * count;
        let mut found = found;
        if noise > width {
            (found.mean, found.sum) = (rough.mean, rough.mean * count);
        }
        if noise > width || lost > width * (2.0 * rough.std_dev() + width) * count {
            found.squares = rough.squares / self.count as f64 * count;
        }
        found
    }

    /// Returns the moments as if each sample were the value of its bucket.
    fn moments_of_buckets(&self) -> DistributionSummary {
        let of = |(value, count): (f64, u64)| DistributionSummary {
            count,
            sum: value * count as f64,
            ..DistributionSummary::of(value)
        };
        let moments = self
            .weighted()
            .map(of)
            .fold(DistributionSummary::NONE, DistributionSummary::merged);
        DistributionSummary {
            is_whole: self.moments.is_whole,
            ..moments
        }
    }

    /// Creates a distribution from the buckets and the moments of the same samples. It is empty if
    /// either is empty: then the only sample is being recorded right now.
    ///
    /// If an extreme does not enclose all buckets, it is unknown and becomes the value of the
    /// outermost bucket.
    #[cfg(all(feature = "enabled", not(loom)))]
    pub(crate) fn of_run(
        precision: Precision,
        buckets: Vec<Entry>,
        moments: DistributionSummary,
    ) -> Self {
        let (Some(&(first, _)), Some(&(last, _)), 1..) =
            (buckets.first(), buckets.last(), moments.count)
        else {
            return Self::new(precision);
        };
        let count = buckets.iter().map(|entry| entry.1).sum();
        let (min, max) = (moments.min, moments.max);
        // The extremes are unbounded at first: the values of buckets are clamped to them.
        let moments = DistributionSummary {
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
            ..moments
        };
        let mut run = Self {
            precision,
            moments,
            buckets,
            count,
        };
        let values = (run.value_of(first), run.value_of(last));
        let scale = precision.scale();
        let is_known = min.is_finite() && scale.signed_bucket_of(min) <= first;
        run.moments.min = if is_known { min } else { values.0 };
        let is_known = max.is_finite() && scale.signed_bucket_of(max) >= last;
        run.moments.max = if is_known { max } else { values.1 };
        // Changes the mean only if it comes from a difference of sums in which cancellation left no
        // digits. Any other mean lies between the extremes of `moments`, which only move outwards.
        run.moments.mean = moments.mean.max(run.moments.min).min(run.moments.max);
        run
    }

    /// Returns the distribution that a file or another process describes: its buckets, each as a
    /// value in it and its number of samples, and the moments of its samples. Returns `None` if no
    /// samples can have them: if a number is not finite, if the minimum is above the maximum, or if
    /// a bucket has no samples or too many.
    ///
    /// With the results of [`buckets`](Self::buckets), [`summary`](Self::summary) and
    /// [`precision`](Self::precision), it returns an equal distribution.
    #[must_use]
    pub fn from_parts(
        precision: Precision,
        buckets: impl IntoIterator<Item = (f64, u64)>,
        summary: DistributionSummary,
    ) -> Option<Self> {
        let mut entries: Vec<Entry> = Vec::new();
        let (mut count, scale) = (0_u64, precision.scale());
        for (value, samples) in buckets {
            let is_sample = value.is_finite() && samples > 0;
            entries.push((is_sample.then(|| scale.signed_bucket_of(value))?, samples));
            count = count.checked_add(samples)?;
        }
        if count == 0 {
            return Some(Self::new(precision));
        }
        entries.sort_unstable_by_key(|entry| entry.0);
        let is_repeated = entries.windows(2).any(|pair| pair[0].0 == pair[1].0);
        let DistributionSummary {
            count: summed,
            sum,
            min,
            max,
            mean,
            squares,
            is_whole: _,
        } = summary;
        let is_finite = [sum, min, max, mean, squares]
            .iter()
            .all(|number| number.is_finite());
        let is_possible = is_finite && min <= max && squares >= 0.0 && summed > 0;
        (is_possible && !is_repeated).then_some(Self {
            precision,
            moments: summary,
            buckets: entries,
            count,
        })
    }

    /// Returns the moments of the samples, for [`from_parts`](Self::from_parts); `None` without
    /// samples.
    #[must_use]
    pub fn summary(&self) -> Option<DistributionSummary> {
        (self.moments.count > 0).then_some(self.moments)
    }

    /// Returns how many significant digits are distinguished.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// Returns the number of samples, which is exactly the sum of all buckets.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns whether there are no samples.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the sum of the samples; 0 if there are none. Exact for integers while it stays below
    /// 2⁵³.
    #[must_use]
    pub const fn sum(&self) -> f64 {
        self.moments.sum
    }

    /// Returns the minimum; `None` without samples.
    #[must_use]
    pub fn min(&self) -> Option<f64> {
        self.moments.min.is_finite().then_some(self.moments.min)
    }

    /// Returns the maximum; `None` without samples.
    #[must_use]
    pub fn max(&self) -> Option<f64> {
        self.moments.max.is_finite().then_some(self.moments.max)
    }

    /// Returns the arithmetic mean; `None` without samples.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.moments.count > 0).then_some(self.moments.mean)
    }

    /// Returns the standard deviation of the samples themselves (over n, not n − 1): `None` without
    /// samples, 0 for one.
    #[must_use]
    pub fn std_dev(&self) -> Option<f64> {
        (self.moments.count > 0).then(|| self.moments.std_dev())
    }

    /// Returns the [`quantile`](Self::quantile) in the middle: for an even number of samples, the
    /// lower of the middle two.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }

    /// Returns the sample that a fraction `q` of all samples does not exceed, by nearest rank;
    /// `None` without samples. `q` is clamped to the range from 0 to 1; 0 and 1 give the exact
    /// minimum and maximum.
    #[must_use]
    pub fn quantile(&self, q: f64) -> Option<f64> {
        if q <= 0.0 {
            return self.min();
        }
        if q >= 1.0 {
            return self.max();
        }
        by_rank(self.weighted(), self.count, 100.0 * q)
    }

    /// Returns the buckets that have samples, from the lowest to the highest.
    pub fn buckets(&self) -> impl DoubleEndedIterator<Item = Bucket> + '_ {
        self.buckets.iter().map(|&(bucket, count)| {
            let (from, to) = self.precision.bounds(bucket);
            Bucket {
                from,
                to,
                value: self.value_of(bucket),
                count,
            }
        })
    }

    /// Returns the values in ascending order, each with the number of times it occurs.
    pub(crate) fn weighted(&self) -> impl DoubleEndedIterator<Item = (f64, u64)> + Clone + '_ {
        self.buckets
            .iter()
            .map(|&(bucket, count)| (self.value_of(bucket), count))
    }

    fn value_of(&self, bucket: i32) -> f64 {
        let value = match bucket {
            0 => 0.0,
            bucket if self.moments.is_whole => self.precision.whole_value_of(bucket),
            bucket => self.precision.value_of(bucket),
        };
        // In this order, so that unknown extremes (infinite, the minimum above the maximum) do no
        // harm.
        let value = value.max(self.moments.min).min(self.moments.max);
        value.clamp(-f64::MAX, f64::MAX)
    }
}
