use super::buckets::{self, Entry};
use super::moments::Moments;
use super::precision::{LEAST, Precision};
use super::ranks::by_rank;

/// The greatest magnitude that is recorded: of anything beyond, the squares have no sum.
pub(crate) const LARGEST_SAMPLE: f64 = 1e140;

/// What a sum of many numbers may be off by, as a part of the sum of their magnitudes: a few
/// roundings.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// What a number of samples look like together: exact count, sum and extremes, mean and standard
/// deviation, and any quantile.
///
/// It is a [`Histogram`](crate::Histogram) held still ([`snapshot`](crate::Histogram::snapshot)),
/// or filled by hand, by one thread. Memory is 16 bytes for each bucket that was hit, however many
/// samples there are.
///
/// Quantiles are the middle of the bucket that holds the sample, and within
/// [`Precision::max_error`] of it; where all samples are whole numbers (up to 2⁵¹), a whole number.
/// Of a sample whose magnitude is below 10⁻⁹ they say 0; from 10¹⁵ on they say the greatest (the
/// least, for negative ones) of all. They are never beyond the least and the greatest sample, which
/// are exact: of 10⁻¹² alone they say 10⁻¹².
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
    moments: Moments,
    /// In ascending order.
    buckets: Vec<Entry>,
    count: u64,
}

/// Some samples that a [`Distribution`] does not tell apart.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Bucket {
    /// Where it begins. A sample a few roundings (4 × 10⁻¹⁵ of itself) below it may be counted
    /// here, and not in the bucket before: boundaries such as 0.3 are no floats, and what is
    /// written as one must not fall just below it.
    pub from: f64,
    /// Where it ends. Infinite for the outermost.
    pub to: f64,
    /// The value that stands for its samples: its middle (0 of the bucket around zero), or the one
    /// whole number in it where all samples are whole. Where that is beyond the least or the
    /// greatest of all samples, the least or the greatest.
    pub value: f64,
    /// How many samples it holds: at least one.
    pub count: u64,
}

impl Default for Distribution {
    fn default() -> Self {
        Self::new(Precision::default())
    }
}

impl Distribution {
    /// A distribution of nothing.
    #[must_use]
    pub const fn new(precision: Precision) -> Self {
        Self {
            precision,
            moments: Moments::NONE,
            buckets: Vec::new(),
            count: 0,
        }
    }

    /// Adds a sample; `false` where it is refused, because it is not finite or beyond ±10¹⁴⁰.
    ///
    /// Finds its bucket in the logarithm of their number; the first sample of a bucket also moves
    /// those above it, some nanoseconds for each hundred. That is nothing for the few hundred
    /// buckets of [`Precision::TwoDigits`]; where hundred thousands are hit in any order, let a
    /// [`Histogram`](crate::Histogram) record, which moves none.
    pub fn record(&mut self, sample: f64) -> bool {
        // Also false for what is not a number.
        let is_recorded = sample.abs() <= LARGEST_SAMPLE;
        if is_recorded {
            self.moments = self.moments.merged(Moments::of(sample));
            self.count += 1;
            let bucket = self.precision.scale().signed_bucket_of(sample);
            match self.buckets.binary_search_by_key(&bucket, |entry| entry.0) {
                Ok(at) => self.buckets[at].1 += 1,
                Err(at) => self.buckets.insert(at, (bucket, 1)),
            }
        }
        is_recorded
    }

    /// Adds all that another holds. Counts are exact, in whatever order distributions are merged;
    /// the result has the precision of `self`, and to be as precise both need it. Linear in the
    /// buckets of both.
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
        // Ascending whatever the precision: a greater bucket has no lesser value.
        buckets::merge(
            &mut self.buckets,
            other
                .buckets
                .iter()
                .map(|&(bucket, count)| (converted(bucket), count)),
        );
    }

    /// What came in since an earlier snapshot of the same run of the same histogram. Counts are
    /// exact. Where `earlier` is no part of this one (it has more samples in any bucket, or another
    /// precision: it is of another run), all of this one.
    ///
    /// The least and the greatest are exact where they are new; else they are known to within their
    /// bucket. The sum is exact for integers; sum, mean and deviation are otherwise as precise as a
    /// difference can be: to within some 10⁻¹⁵ of the sums of *all* samples. Where that is less
    /// than their buckets tell of the samples in question, they are those of the buckets. The mean
    /// is never beyond the extremes, and one sample has no deviation.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let is_comparable = self.precision == earlier.precision && !earlier.is_empty();
        let rest = is_comparable
            .then(|| buckets::less(&self.buckets, &earlier.buckets))
            .flatten();
        let Some(buckets) = rest else {
            return self.clone();
        };
        let (Some(&(first, _)), Some(&(last, _))) = (buckets.first(), buckets.last()) else {
            return Self::new(self.precision);
        };
        let count = buckets.iter().map(|entry| entry.1).sum();
        // With the extremes of all while values are asked for, which lie between them.
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

    /// The moments of these buckets, which are what `self.moments` have beyond `part`; from the
    /// buckets, where those are more precise.
    fn difference(&self, part: Moments) -> Moments {
        let rough = self.moments_of_buckets();
        let whole = self.moments;
        let found = whole.since(part);
        if found.count == 0 {
            // Samples that are in the buckets and not in the moments yet.
            return rough;
        }
        let count = found.count as f64;
        // How far the values of the buckets may be from the samples, in the mean.
        let magnitudes: f64 = self
            .weighted()
            .map(|(value, count)| value.abs() * count as f64)
            .sum();
        let width = self.precision.max_error() * magnitudes / self.count as f64 + LEAST;
        // What rounding may have taken from the mean, and from the squares.
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

    /// As if each sample were the value of its bucket.
    fn moments_of_buckets(&self) -> Moments {
        let of = |(value, count): (f64, u64)| Moments {
            count,
            sum: value * count as f64,
            ..Moments::of(value)
        };
        let moments = self.weighted().map(of).fold(Moments::NONE, Moments::merged);
        Moments {
            is_whole: self.moments.is_whole,
            ..moments
        }
    }

    /// Buckets and moments of the same samples; nothing where one of the two has none yet, because
    /// the only sample is just being recorded.
    ///
    /// Extremes that are not around all buckets, and so not known, become those of the buckets'
    /// values.
    #[cfg(all(feature = "enabled", not(loom)))]
    pub(crate) fn of_run(precision: Precision, buckets: Vec<Entry>, moments: Moments) -> Self {
        let (Some(&(first, _)), Some(&(last, _)), 1..) =
            (buckets.first(), buckets.last(), moments.count)
        else {
            return Self::new(precision);
        };
        let count = buckets.iter().map(|entry| entry.1).sum();
        let (min, max) = (moments.min, moments.max);
        // Before the values of the buckets are asked for, which lie between the extremes.
        let moments = Moments {
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
        // Of samples that came in one run and were told in another only the sum is known, by a
        // difference.
        run.moments.mean = moments.mean.max(run.moments.min).min(run.moments.max);
        run
    }

    /// How finely samples are told apart.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// How many samples there are: exactly as many as in all buckets together.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The sum of the samples; 0 of none. For integers exact below 2⁵³.
    #[must_use]
    pub const fn sum(&self) -> f64 {
        self.moments.sum
    }

    /// The least sample; `None` of none.
    #[must_use]
    pub fn min(&self) -> Option<f64> {
        self.moments.min.is_finite().then_some(self.moments.min)
    }

    /// The greatest sample; `None` of none.
    #[must_use]
    pub fn max(&self) -> Option<f64> {
        self.moments.max.is_finite().then_some(self.moments.max)
    }

    /// The arithmetic mean; `None` of none.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.moments.count > 0).then_some(self.moments.mean)
    }

    /// The standard deviation of the samples themselves (over n, not n − 1); `None` of none, 0 of
    /// one.
    #[must_use]
    pub fn std_dev(&self) -> Option<f64> {
        (self.moments.count > 0).then(|| self.moments.std_dev())
    }

    /// The [`quantile`](Self::quantile) in the middle: of an even number of samples the lower of
    /// the middle two.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }

    /// The sample that a fraction `q` of all samples does not exceed, by nearest rank; `None` of
    /// none. `q` is from 0 to 1, and numbers beyond that mean the nearest; 0 and 1 give the exact
    /// least and greatest.
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

    /// The buckets that hold any sample, from the least to the greatest.
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

    /// Values with how often each occurs, ascending.
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
        // In this order, so that extremes which are not known yet (infinite, the wrong way round)
        // do no harm.
        let value = value.max(self.moments.min).min(self.moments.max);
        value.clamp(-f64::MAX, f64::MAX)
    }
}
