//! Round numbers: the edges of buckets, and the steps between the labels of an axis.

/// The first digits of the edges within a decade, in hundredths, by the number of edges per decade.
///
/// These are the preferred numbers of ISO 3 (the series R5, R10, R20 and R40), whose ratios are
/// nearly equal. All but the last row are rounded to two digits, as the buckets of a histogram are.
const SERIES: [&[u32]; 6] = [
    &[100],
    &[100, 200, 500],
    &[100, 160, 250, 400, 630],
    &[100, 130, 160, 200, 250, 320, 400, 500, 630, 800],
    &[
        100, 110, 120, 140, 160, 180, 200, 220, 250, 280, 320, 360, 400, 450, 500, 560, 630, 710,
        800, 900,
    ],
    &[
        100, 106, 112, 118, 125, 132, 140, 150, 160, 170, 180, 190, 200, 212, 224, 236, 250, 265,
        280, 300, 315, 335, 355, 375, 400, 425, 450, 475, 500, 530, 560, 600, 630, 670, 710, 750,
        800, 850, 900, 950,
    ],
];

/// A round step: 1, 2 or 5 times a power of ten, or a power of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A factor times ten to this power.
    Decimal(f64, i32),
    /// A power of two.
    Binary(f64),
}

impl Step {
    /// Returns the smallest step that is at least `least`, a positive number.
    ///
    /// If `binary` is set, steps are powers of two, which suits bytes. Below 1, steps are always
    /// decimal.
    pub fn at_least(least: f64, binary: bool) -> Self {
        let least = least.clamp(1e-300, 1e308);
        if binary && least >= 1.0 {
            return Self::Binary(2f64.powf(least.log2().ceil().min(1023.0)));
        }
        let power = least.log10().floor() as i32;
        let steps = [power - 1, power, power + 1]
            .into_iter()
            .flat_map(|power| [1.0, 2.0, 5.0].map(|times| (times, power)));
        let fits = |&(times, power): &(f64, i32)| decimal(times, power) >= least * (1.0 - 1e-12);
        let (times, power) = steps.clone().find(fits).unwrap_or((1.0, power + 1));
        Self::Decimal(times, power)
    }

    /// Returns the width of `count` steps, correctly rounded while powers of ten are exact.
    /// Saturates at the largest finite float.
    pub fn times(self, count: f64) -> f64 {
        match self {
            Self::Decimal(times, power) => decimal(times * count, power),
            Self::Binary(width) => (width * count).clamp(f64::MIN, f64::MAX),
        }
    }

    /// Returns the width of one step.
    pub fn width(self) -> f64 {
        self.times(1.0)
    }
}

/// Returns `number` times ten to `power`. Saturates at the largest finite float.
pub fn decimal(number: f64, power: i32) -> f64 {
    let value = match power {
        // In two factors, because 10³⁰⁹ overflows.
        ..-300 => number / 1e300 / 10f64.powi(-300 - power),
        // Divides, because 10ⁿ is exact up to n = 22, and 10⁻ⁿ never is.
        -300..0 => number / 10f64.powi(-power),
        0..=300 => number * 10f64.powi(power),
        _ => number * 1e300 * 10f64.powi((power - 300).min(300)),
    };
    value.clamp(f64::MIN, f64::MAX)
}

/// Returns the largest number of buckets per decade in [`SERIES`] that keeps the total over
/// `decades` within `buckets`; 0 if not even one per decade fits. If `fine` is set, for exact
/// values, the finest series is allowed, too.
pub(super) fn per_decade(decades: f64, buckets: usize, fine: bool) -> usize {
    let series = if fine {
        &SERIES[..]
    } else {
        &SERIES[..SERIES.len() - 1]
    };
    let fitting = series
        .iter()
        .rev()
        .find(|series| (decades * series.len() as f64).ceil() + 1.0 <= buckets as f64);
    fitting.map_or(0, |series| series.len())
}

/// Returns ascending round numbers, the first at most `lo` and the last greater than `hi`, both
/// positive: `per_decade` of them per decade. If `per_decade` is 0, returns one number every few
/// decades, and no more numbers than `buckets`.
pub(super) fn ratios(lo: f64, hi: f64, per_decade: usize, buckets: usize) -> Vec<f64> {
    let (lo, hi) = (lo.max(1e-300), hi.max(1e-300));
    let (first, last) = (lo.log10().floor() as i32 - 1, hi.log10().floor() as i32 + 1);
    let series = SERIES.iter().find(|series| series.len() == per_decade);
    let stride = if series.is_some() {
        1
    } else {
        ((last - first) as usize)
            .div_ceil(buckets.max(3) - 2)
            .max(1)
    };
    let series = series.map_or(SERIES[0], |series| series);
    let decades = (first..=last + stride as i32).step_by(stride);
    let all = decades.flat_map(|power| {
        series
            .iter()
            .map(move |&part| decimal(f64::from(part), power - 2))
    });
    let mut numbers: Vec<f64> = Vec::new();
    for number in all {
        // Below `lo`, only the nearest number is kept.
        if number <= lo {
            numbers.clear();
        }
        numbers.push(number);
        if number > hi || number == f64::MAX {
            break;
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn steps_are_round_and_no_wider_than_necessary() {
        let mut random = Random::new(71);
        for _ in 0..20_000 {
            let min_width = (1.0 + random.below(9_000_000) as f64 / 1e6)
                * 10f64.powi(random.below(600) as i32 - 299);
            let width = Step::at_least(min_width, false).width();
            assert!(
                width >= min_width * (1.0 - 1e-9) && width <= min_width * 2.5 * (1.0 + 1e-9),
                "{min_width}: {width}"
            );
        }
        assert_eq!(Step::at_least(0.1, false).times(3.0), 0.3);
        assert_eq!(Step::at_least(1.1, false), Step::Decimal(2.0, 0));
        assert_eq!(Step::at_least(600.0, true).width(), 1024.0);
    }

    #[test]
    fn ratios_cover_their_range_with_at_most_the_requested_numbers() {
        let mut random = Random::new(72);
        for _ in 0..3000 {
            let lo = 10f64.powf(random.below(6000) as f64 / 10.0 - 300.0);
            let hi = (lo * 10f64.powf(random.below(4000) as f64 / 100.0)).min(f64::MAX);
            let buckets = 5 + random.below(300) as usize;
            let decades = hi.log10() - lo.log10();
            let per_decade = per_decade(decades, buckets, random.below(2) == 0);
            let numbers = ratios(lo, hi, per_decade, buckets);
            assert!(numbers.is_sorted_by(|one, next| one < next), "{lo} {hi}");
            assert!(
                numbers[0] <= lo
                    && (numbers[numbers.len() - 1] > hi || numbers[numbers.len() - 1] == f64::MAX),
                "{lo} {hi}"
            );
            assert!(
                numbers.len() <= buckets + 2,
                "{} of {buckets}: {lo} {hi} {per_decade}",
                numbers.len()
            );
        }
        assert_eq!(ratios(0.3, 2.0, 3, 100), [0.2, 0.5, 1.0, 2.0, 5.0]);
        assert_eq!(ratios(1.0, 1.0, 20, 100), [1.0, 1.1]);
    }
}
