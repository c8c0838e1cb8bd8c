//! Count, sum, extremes, mean and the sum of squared distances from it, for any number of samples.

/// The moments of a distribution: count, sum, extremes, mean and squared distances, in the unit of
/// the samples. Together with its buckets they are all that a
/// [`Distribution`](crate::Distribution) contains.
///
/// Two sets are merged by the formulas of Chan, Golub and LeVeque (1979), which lose no digits to a
/// large mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistributionSummary {
    /// The number of samples. In a snapshot that is taken while other threads record, it may differ
    /// from that of the buckets by the samples that are being recorded.
    pub count: u64,
    /// The sum of all samples; exact for whole numbers up to 2⁵³, 0 without samples.
    pub sum: f64,
    /// The smallest sample; +∞ without samples.
    pub min: f64,
    /// The largest sample; −∞ without samples.
    pub max: f64,
    /// The arithmetic mean; 0 without samples.
    pub mean: f64,
    /// The sum of the squared distances from the mean, in the unit squared; never negative.
    pub squares: f64,
    /// Whether all samples are whole numbers; quantiles are then whole too. Beyond 2⁵¹ it may be
    /// `false` for whole numbers, but it is never `true` for others.
    pub is_whole: bool,
}

/// The rounding error of a sum of many numbers, relative to the sum of their magnitudes: a few
/// roundings.
pub(crate) const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Returns whether a number is whole: then adding the constant and subtracting it again loses
/// nothing. Needs no library call, unlike rounding on older processors.
#[inline(always)]
pub(crate) fn is_whole(number: f64) -> bool {
    const UNITS: f64 = (3_u64 << 51) as f64;
    (number + UNITS) - UNITS == number
}

impl DistributionSummary {
    /// The moments of no samples.
    pub(crate) const NONE: Self = Self {
        count: 0,
        sum: 0.0,
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
        mean: 0.0,
        squares: 0.0,
        is_whole: true,
    };

    /// Returns the moments of one sample.
    pub(crate) fn of(sample: f64) -> Self {
        Self {
            count: 1,
            sum: sample,
            min: sample,
            max: sample,
            mean: sample,
            squares: 0.0,
            is_whole: is_whole(sample),
        }
    }

    /// Returns the moments of both sets together.
    pub(crate) fn merged(self, other: Self) -> Self {
        if self.count == 0 {
            return other;
        }
        if other.count == 0 {
            return self;
        }
        let count = self.count + other.count;
        let (ours, theirs) = (self.count as f64, other.count as f64);
        let delta = other.mean - self.mean;
        Self {
            count,
            sum: self.sum + other.sum,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            mean: self.mean + delta * (theirs / count as f64),
            squares: self.squares + other.squares + delta * delta * (ours * theirs / count as f64),
            is_whole: self.is_whole && other.is_whole,
        }
    }

    /// Returns the moments of this set without `earlier`, a part of it. The extremes stay those of
    /// the whole set.
    pub(crate) fn since(self, earlier: Self) -> Self {
        let count = self.count.saturating_sub(earlier.count);
        if count == 0 {
            return Self::NONE;
        }
        if earlier.count == 0 {
            return self;
        }
        let (whole, part, rest) = (self.count as f64, earlier.count as f64, count as f64);
        let mean = self.mean + (self.mean - earlier.mean) * (part / rest);
        let delta = mean - earlier.mean;
        let squares = self.squares - earlier.squares - delta * delta * (part * rest / whole);
        Self {
            count,
            sum: self.sum - earlier.sum,
            mean,
            squares: squares.max(0.0),
            ..self
        }
    }

    /// Returns the standard deviation of the samples themselves: over n, not n − 1.
    pub(crate) fn std_dev(self) -> f64 {
        (self.squares / self.count as f64).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::DistributionSummary;

    fn of(samples: impl IntoIterator<Item = f64>) -> DistributionSummary {
        samples
            .into_iter()
            .fold(DistributionSummary::NONE, |moments, sample| {
                moments.merged(DistributionSummary::of(sample))
            })
    }

    #[test]
    fn a_large_mean_takes_no_digits_from_the_deviation() {
        for offset in [0.0, 1e6, 1e9, -1e12] {
            let moments = of([4.0, 7.0, 13.0, 16.0].map(|sample| sample + offset));
            assert_eq!(
                (moments.count, moments.mean, moments.squares),
                (4, 10.0 + offset, 90.0)
            );
        }
    }

    #[test]
    fn subtracting_a_part_leaves_the_other() {
        let part = of((0..1000).map(|n| f64::from(n % 37)));
        let rest = of((0..500).map(|n| 100.0 + f64::from(n % 11)));
        let found = part.merged(rest).since(part);
        assert_eq!((found.count, found.sum), (rest.count, rest.sum));
        assert!(
            (found.mean - rest.mean).abs() < 1e-9
                && (found.std_dev() - rest.std_dev()).abs() < 1e-9
        );
        assert_eq!(part.since(part), DistributionSummary::NONE);
    }
}
