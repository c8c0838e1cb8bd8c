//! Maps samples to buckets, and buckets to their bounds.
//!
//! Buckets are decimal (90, 900 or 9,000 per decade), so their boundaries are the round numbers
//! that people expect. The decade of a sample follows from its binary exponent and one comparison,
//! without a logarithm.

/// The number of significant decimal digits that a [`Histogram`](crate::Histogram) distinguishes.
///
/// Buckets are as wide as one step of the last digit, so that they begin where people expect them
/// to (1.6 to 1.7, 16 to 17, 160 to 170), and a quantile is off by half a step at most. Each thread
/// allocates them in pages of 64, when a sample first falls into a page.
///
/// A magnitude below 10⁻⁹ counts as 0 in the buckets, and magnitudes from 10¹⁵ on share one.
/// Minimum, maximum, sum, mean and standard deviation are those of the samples themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precision {
    /// 90 buckets per decade. Quantiles within 5 %. At most 37 KiB for each thread, typically (3
    /// decades) 4 KiB. The default.
    #[default]
    TwoDigits,
    /// 900 buckets per decade. Quantiles within 0.5 %: distinguishes 60 from 62 frames per second.
    /// At most 360 KiB for each thread.
    ThreeDigits,
    /// 9000 buckets per decade. Quantiles within 0.05 %. At most 3.6 MiB for each thread.
    FourDigits,
}

/// Smaller magnitudes count as 0.
pub(crate) const SMALLEST: f64 = 1e-9;

/// Magnitudes from here on share a bucket.
pub(crate) const LARGEST: f64 = 1e15;

const DECADES: u32 = 24;

/// 10⁻¹³ to 10²²: all that the conversions need. `POWERS[n]` is 10 to the power of n − 13.
const POWERS: [f64; 36] = [
    1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1,
    1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

const fn power_of_ten(exponent: i32) -> f64 {
    POWERS[(exponent + 13) as usize]
}

/// The magnitudes from one power of two to the next, which lie in one decade or in two neighboring
/// ones.
#[derive(Clone, Copy, Debug)]
struct Octave {
    /// The beginning of the second decade, as bits.
    next: u64,
    /// The factors of the first and of the second decade. The bucket of a magnitude is
    /// `offset + ⌊magnitude × factor⌋`.
    factors: [f64; 2],
    offsets: [u32; 2],
}

/// The binary exponent, as a float stores it, of the octave of [`SMALLEST`].
const FIRST_OCTAVE: u64 = SMALLEST.to_bits() >> 52;

/// The number of octaves, up to that of [`LARGEST`].
const OCTAVES: usize = ((LARGEST.to_bits() >> 52) - FIRST_OCTAVE + 1) as usize;

/// Adding this to x, from 1 to 2³², leaves ⌊x⌋ in the lowest bits. Floats above 2⁵² are whole
/// numbers, so the sum 2⁵² + (x − ½) is rounded to the nearest of them, which is 2⁵² + ⌊x⌋. (A tie
/// never occurs: see [`Scale::new`].) A conversion that is defined for every float takes three
/// times as long.
const FLOOR: f64 = (1_u64 << 52) as f64 - 0.5;

/// The buckets of one precision. Bucket 0 contains zero, and buckets from 1 on contain positive
/// samples. Negative samples mirror them.
#[derive(Debug)]
pub(crate) struct Scale {
    octaves: [Octave; OCTAVES],
    /// The last bucket, for magnitudes from [`LARGEST`] on.
    pub(crate) last: u32,
}

impl Scale {
    const fn new(precision: Precision) -> Self {
        let mut octaves = [Octave {
            next: 0,
            factors: [0.0; 2],
            offsets: [0; 2],
        }; OCTAVES];
        let mut at = 0;
        while at < OCTAVES {
            let from = f64::from_bits((FIRST_OCTAVE + at as u64) << 52);
            // The number of the first decade, counted from [`SMALLEST`] on; −1 is below it.
            let mut decade = -1;
            while from >= power_of_ten(decade + 1 - 9) {
                decade += 1;
            }
            let (first, second) = (
                Self::decade(precision, decade),
                Self::decade(precision, decade + 1),
            );
            let next = power_of_ten(decade + 1 - 9).to_bits();
            octaves[at] = Octave {
                next,
                factors: [first.0, second.0],
                offsets: [first.1, second.1],
            };
            at += 1;
        }
        Self {
            octaves,
            last: 1 + DECADES * precision.per_decade(),
        }
    }

    /// Returns the factor and the offset of a decade, counted from [`SMALLEST`].
    const fn decade(precision: Precision, decade: i32) -> (f64, u32) {
        let per_decade = precision.per_decade();
        if decade < 0 || decade >= DECADES as i32 {
            // One bucket for all: adding nothing to `FLOOR` leaves −1 in its lowest bits.
            return (
                0.0,
                if decade < 0 {
                    1
                } else {
                    2 + DECADES * per_decade
                },
            );
        }
        let factor = power_of_ten(precision.digits() - 1 + 9 - decade);
        // A few rounding errors larger than needed: a sample at a boundary such as 0.3, which is
        // not exactly a float, must not fall below it.
        let factor = f64::from_bits(factor.to_bits() + 4);
        (
            factor,
            (1 + decade as u32 * per_decade).wrapping_sub(per_decade / 9),
        )
    }

    /// Returns the bucket of a sample that lies between [`SMALLEST`] and [`LARGEST`], or has the
    /// same binary exponent as one of them; `None` for all others, including negative ones.
    #[inline(always)]
    pub(crate) fn usual_bucket_of(&self, sample: f64) -> Option<u32> {
        let bits = sample.to_bits();
        // Exponents below the first octave wrap around to beyond the last. The sign is the topmost
        // bit here.
        let octave = self
            .octaves
            .get((bits >> 52).wrapping_sub(FIRST_OCTAVE) as usize)?;
        // Positive floats are in the order of their bits.
        let decade = usize::from(bits >= octave.next);
        let floor = (sample * octave.factors[decade] + FLOOR).to_bits() as u32;
        Some(floor.wrapping_add(octave.offsets[decade]))
    }

    /// Returns the bucket of a magnitude (a finite number, not below 0).
    #[inline(always)]
    pub(crate) fn bucket_of(&self, magnitude: f64) -> u32 {
        let outer = if magnitude < SMALLEST { 0 } else { self.last };
        self.usual_bucket_of(magnitude).unwrap_or(outer)
    }

    /// Returns the bucket of any finite sample. A negative sample has the negative number of its
    /// mirror image's bucket.
    pub(crate) fn signed_bucket_of(&self, sample: f64) -> i32 {
        let bucket = self.bucket_of(sample.abs()) as i32;
        if sample < 0.0 { -bucket } else { bucket }
    }
}

static SCALES: [Scale; 3] = [
    Scale::new(Precision::TwoDigits),
    Scale::new(Precision::ThreeDigits),
    Scale::new(Precision::FourDigits),
];

impl Precision {
    /// Returns the number of significant digits that are distinguished.
    #[must_use]
    pub const fn digits(self) -> i32 {
        self as i32 + 2
    }

    /// Returns the largest error of a quantile, as a fraction of it: half the width of a bucket at
    /// the beginning of a decade, where buckets are widest in proportion.
    #[must_use]
    pub const fn max_error(self) -> f64 {
        0.5 * power_of_ten(1 - self.digits())
    }

    const fn per_decade(self) -> u32 {
        match self {
            Self::TwoDigits => 90,
            Self::ThreeDigits => 900,
            Self::FourDigits => 9000,
        }
    }

    pub(crate) fn scale(self) -> &'static Scale {
        &SCALES[self as usize]
    }

    /// Returns the bounds of a bucket, in ascending order. The outer buckets reach to infinity,
    /// that of zero from −10⁻⁹ to 10⁻⁹.
    pub(crate) fn bounds(self, bucket: i32) -> (f64, f64) {
        let (lower, upper) = match bucket.unsigned_abs() {
            0 => return (-SMALLEST, SMALLEST),
            last if last >= self.scale().last => (LARGEST, f64::INFINITY),
            bucket => (self.lower_bound(bucket - 1), self.lower_bound(bucket)),
        };
        if bucket < 0 {
            (-upper, -lower)
        } else {
            (lower, upper)
        }
    }

    /// Returns the value that represents all samples of a bucket: its middle. Infinite for the
    /// outer ones.
    pub(crate) fn value_of(self, bucket: i32) -> f64 {
        let (lower, upper) = self.bounds(bucket);
        0.5 * (lower + upper)
    }

    /// Returns the value that represents the samples of a bucket if all of them are whole numbers.
    /// The middle of a bucket wider than 1 is whole; any other bucket contains at most one whole
    /// number.
    pub(crate) fn whole_value_of(self, bucket: i32) -> f64 {
        let (lower, upper) = self.bounds(bucket.saturating_abs());
        let whole = lower.ceil();
        if upper - lower > 1.0 || whole >= upper {
            return self.value_of(bucket);
        }
        if bucket < 0 { -whole } else { whole }
    }

    /// Returns the lower bound of a bucket, counted from the first above zero.
    fn lower_bound(self, position: u32) -> f64 {
        let steps = f64::from(position % self.per_decade() + self.per_decade() / 9);
        let exponent = (position / self.per_decade()) as i32 - 9 - (self.digits() - 1);
        // Powers from 1 on are exact, so the result is the float nearest to the decimal.
        if exponent < 0 {
            steps / power_of_ten(-exponent)
        } else {
            steps * power_of_ten(exponent)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DECADES, LARGEST, Precision, SMALLEST};

    const ALL: [Precision; 3] = [
        Precision::TwoDigits,
        Precision::ThreeDigits,
        Precision::FourDigits,
    ];

    #[test]
    fn every_bucket_begins_at_its_decimal_and_ends_just_before_the_next() {
        for precision in ALL {
            let scale = precision.scale();
            for bucket in 1..scale.last {
                let (lower, upper) = precision.bounds(bucket as i32);
                assert!(lower < upper);
                assert_eq!(scale.bucket_of(lower), bucket, "{lower}");
                assert_eq!(scale.bucket_of(0.5 * (lower + upper)), bucket, "{lower}");
                // Within a few roundings of the upper bound, a sample may count in the next bucket.
                assert_eq!(scale.bucket_of(upper * (1.0 - 4e-15)), bucket, "{upper}");
                assert_eq!(scale.bucket_of(upper), bucket + 1, "{upper}");
                let error = 0.5 * (upper - lower) / lower;
                assert!(
                    error <= precision.max_error() * (1.0 + 1e-12),
                    "{error} at {lower}"
                );
            }
        }
    }

    #[test]
    fn a_decade_has_90_900_or_9000_buckets() {
        for (precision, per_decade) in ALL.into_iter().zip([90, 900, 9000]) {
            assert_eq!(precision.scale().last, DECADES * per_decade + 1);
            let scale = precision.scale();
            assert_eq!(scale.bucket_of(10.0) - scale.bucket_of(1.0), per_decade);
        }
        assert_eq!(
            Precision::TwoDigits.bounds(Precision::TwoDigits.scale().signed_bucket_of(-16.7)),
            (-17.0, -16.0)
        );
    }

    #[test]
    fn tiny_samples_count_as_zero_and_huge_ones_share_the_last_bucket() {
        for precision in ALL {
            let scale = precision.scale();
            for tiny in [
                0.0,
                -0.0,
                f64::MIN_POSITIVE,
                5e-324,
                SMALLEST * (1.0 - 1e-15),
            ] {
                assert_eq!(scale.signed_bucket_of(tiny), 0);
                assert_eq!(scale.signed_bucket_of(-tiny), 0);
            }
            assert_eq!(scale.bucket_of(SMALLEST), 1);
            for huge in [LARGEST, 1e16, 1e140, f64::MAX] {
                assert_eq!(scale.signed_bucket_of(huge), scale.last as i32);
                assert_eq!(scale.signed_bucket_of(-huge), -(scale.last as i32));
            }
            assert_eq!(
                precision.bounds(scale.last as i32),
                (LARGEST, f64::INFINITY)
            );
        }
    }
}
