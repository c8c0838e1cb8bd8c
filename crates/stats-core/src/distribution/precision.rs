//! Which bucket a sample falls into, and which samples a bucket stands for.

/// How finely a [`Histogram`](crate::Histogram) tells its samples apart: by so many significant
/// decimal digits.
///
/// Buckets are as wide as one step of the last digit, so that they lie where people expect them
/// (1.6 to 1.7, 16 to 17, 160 to 170), and a quantile is off by half a step at most. They are made
/// in pages of 64, when they are hit, by each thread for itself.
///
/// A magnitude below 10⁻⁹ counts as 0 there, and one from 10¹⁵ on shares a single bucket. The
/// least, the greatest, sum, mean and standard deviation know all samples as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precision {
    /// 90 buckets a decade. Quantiles within 5 %. At most 37 KiB a thread, typically (3 decades) 4
    /// KiB. The default.
    #[default]
    TwoDigits,
    /// 900 buckets a decade. Quantiles within 0.5 %: tells 60 from 62 frames a second. At most 360
    /// KiB a thread.
    ThreeDigits,
    /// 9000 buckets a decade. Quantiles within 0.05 %. At most 3.6 MiB a thread.
    FourDigits,
}

/// Magnitudes below it count as 0.
pub(crate) const LEAST: f64 = 1e-9;

/// Magnitudes from it on share a bucket.
pub(crate) const MOST: f64 = 1e15;

const DECADES: u32 = 24;

/// 10⁻¹³ to 10²²: what any of the conversions needs. `POWERS[n]` is 10 to the n − 13.
const POWERS: [f64; 36] = [
    1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1,
    1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

const fn power_of_ten(exponent: i32) -> f64 {
    POWERS[(exponent + 13) as usize]
}

/// The magnitudes from one power of two to the next, which lie in one decade or in two neighbouring
/// ones.
#[derive(Clone, Copy, Debug)]
struct Octave {
    /// Where the second decade begins, as bits.
    next: u64,
    /// How buckets follow from a magnitude of the first and of the second decade:
    /// `offset + ⌊magnitude × factor⌋`.
    factors: [f64; 2],
    offsets: [u32; 2],
}

/// The binary exponent, as a float stores it, of the octave that [`LEAST`] lies in.
const FIRST_OCTAVE: u64 = LEAST.to_bits() >> 52;

/// Up to the one that [`MOST`] lies in.
const OCTAVES: usize = ((MOST.to_bits() >> 52) - FIRST_OCTAVE + 1) as usize;

/// What leaves ⌊x⌋ in the lowest bits when x, from 1 to 2³², is added to it: one more would be 2⁵²
/// + ½, and floats of that size are whole numbers, to the nearest of which the sum is rounded.
/// (Half way is never met: see [`Scale::new`].) A conversion that has an answer for every float
/// takes three times as long.
const FLOOR: f64 = (1_u64 << 52) as f64 - 0.5;

/// The buckets of one precision. Bucket 0 is that of zero, positive ones follow from 1 on; those of
/// negative samples mirror them.
#[derive(Debug)]
pub(crate) struct Scale {
    octaves: [Octave; OCTAVES],
    /// The bucket of magnitudes from [`MOST`] on, which is the last.
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
            // The first decade's number from LEAST on; −1 is below it.
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

    /// Factor and offset of a decade, counted from [`LEAST`] on.
    const fn decade(precision: Precision, decade: i32) -> (f64, u32) {
        let per_decade = precision.per_decade();
        if decade < 0 || decade >= DECADES as i32 {
            // One bucket for all. Nothing added to `FLOOR` leaves −1 in its lowest bits.
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
        // A few roundings more than needed: a boundary such as 0.3, which no float is exactly, must
        // not fall just below itself.
        let factor = f64::from_bits(factor.to_bits() + 4);
        (
            factor,
            (1 + decade as u32 * per_decade).wrapping_sub(per_decade / 9),
        )
    }

    /// The bucket of a sample between [`LEAST`] and [`MOST`], or so near to them that it has the
    /// same binary exponent; `None` of any other, among them all that are negative.
    #[inline(always)]
    pub(crate) fn usual_bucket_of(&self, sample: f64) -> Option<u32> {
        let bits = sample.to_bits();
        // What is below the first octave wraps around to beyond the last. A sign is the topmost bit
        // of the exponent here.
        let octave = self
            .octaves
            .get((bits >> 52).wrapping_sub(FIRST_OCTAVE) as usize)?;
        // Of positive floats the bits are in the same order.
        let decade = usize::from(bits >= octave.next);
        let floor = (sample * octave.factors[decade] + FLOOR).to_bits() as u32;
        Some(floor.wrapping_add(octave.offsets[decade]))
    }

    /// The bucket of a magnitude (a finite number, not below 0).
    #[inline(always)]
    pub(crate) fn bucket_of(&self, magnitude: f64) -> u32 {
        let outer = if magnitude < LEAST { 0 } else { self.last };
        self.usual_bucket_of(magnitude).unwrap_or(outer)
    }

    /// The bucket of any finite sample: negative ones have the negative number of their mirror
    /// image's.
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
    /// How many significant digits are told apart.
    #[must_use]
    pub const fn digits(self) -> i32 {
        self as i32 + 2
    }

    /// How far a quantile may be off, as a fraction of itself: half the width of a bucket at the
    /// beginning of a decade, where it is the widest in proportion.
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

    /// From where to where a bucket reaches, in ascending order. The outer buckets reach to
    /// infinity, that of zero from −10⁻⁹ to 10⁻⁹.
    pub(crate) fn bounds(self, bucket: i32) -> (f64, f64) {
        let (lower, upper) = match bucket.unsigned_abs() {
            0 => return (-LEAST, LEAST),
            last if last >= self.scale().last => (MOST, f64::INFINITY),
            bucket => (self.lower_bound(bucket - 1), self.lower_bound(bucket)),
        };
        if bucket < 0 {
            (-upper, -lower)
        } else {
            (lower, upper)
        }
    }

    /// The value that stands for all samples of a bucket: its middle. Infinite for the outer ones.
    pub(crate) fn value_of(self, bucket: i32) -> f64 {
        let (lower, upper) = self.bounds(bucket);
        0.5 * (lower + upper)
    }

    /// The same of samples that are whole numbers. A bucket that is wider than 1 has a whole
    /// middle; any other holds one at most.
    pub(crate) fn whole_value_of(self, bucket: i32) -> f64 {
        let (lower, upper) = self.bounds(bucket.saturating_abs());
        let whole = lower.ceil();
        if upper - lower > 1.0 || whole >= upper {
            return self.value_of(bucket);
        }
        if bucket < 0 { -whole } else { whole }
    }

    /// Where a bucket begins, counted from the first above zero.
    fn lower_bound(self, position: u32) -> f64 {
        let steps = f64::from(position % self.per_decade() + self.per_decade() / 9);
        let exponent = (position / self.per_decade()) as i32 - 9 - (self.digits() - 1);
        // Powers from 1 on are exact, so that the result is the float nearest to the decimal.
        if exponent < 0 {
            steps / power_of_ten(-exponent)
        } else {
            steps * power_of_ten(exponent)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DECADES, LEAST, MOST, Precision};

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
                // A few roundings before its end a sample may count for the next.
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
    fn decades_hold_ninety_nine_hundred_or_nine_thousand() {
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
    fn what_is_tiny_counts_as_zero_and_what_is_huge_shares_the_last_bucket() {
        for precision in ALL {
            let scale = precision.scale();
            for tiny in [0.0, -0.0, f64::MIN_POSITIVE, 5e-324, LEAST * (1.0 - 1e-15)] {
                assert_eq!(scale.signed_bucket_of(tiny), 0);
                assert_eq!(scale.signed_bucket_of(-tiny), 0);
            }
            assert_eq!(scale.bucket_of(LEAST), 1);
            for huge in [MOST, 1e16, 1e140, f64::MAX] {
                assert_eq!(scale.signed_bucket_of(huge), scale.last as i32);
                assert_eq!(scale.signed_bucket_of(-huge), -(scale.last as i32));
            }
            assert_eq!(precision.bounds(scale.last as i32), (MOST, f64::INFINITY));
        }
    }
}
