//! Ranges of axes: round numbers that do not change with every frame.

/// What an axis must at least show to be a range at all.
const LEAST_SPAN: f64 = 1e-9;
/// Beyond this the difference of two values could be infinite.
const FAR: f64 = 1e300;

/// The range of an axis for values within `lo..=hi`: with zero in it, a little air and round ends.
pub(crate) fn round_range(lo: f64, hi: f64) -> (f64, f64) {
    if lo > hi {
        return (0.0, 1.0);
    }
    let (lo, hi) = (lo.clamp(-FAR, FAR).min(0.0), hi.clamp(-FAR, FAR).max(0.0));
    if hi - lo < LEAST_SPAN {
        return (0.0, 1.0);
    }
    let air = (hi - lo) * 0.04;
    let top = if hi > 0.0 { round_up(hi + air) } else { 0.0 };
    let bottom = if lo < 0.0 { -round_up(air - lo) } else { 0.0 };
    (bottom, top)
}

/// The next of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten.
fn round_up(value: f64) -> f64 {
    const STEPS: [f64; 11] = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let power = 10f64.powf(value.log10().floor());
    let step = STEPS.into_iter().find(|step| step * power >= value * (1.0 - 1e-12));
    step.unwrap_or(10.0) * power
}

/// Whether a budget belongs into a picture of values up to `hi`: it is exceeded, or not far above them.
pub(crate) fn budget_is_near(budget: f64, hi: f64) -> bool {
    budget > 0.0 && budget <= hi * 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_round_and_hold_zero_and_the_data() {
        assert_eq!(round_range(2.0, 16.7), (0.0, 20.0));
        assert_eq!(round_range(0.0, 1900.0), (0.0, 2000.0));
        assert_eq!(round_range(-3.0, 0.0), (-4.0, 0.0));
        assert_eq!(round_range(0.0, 0.0), (0.0, 1.0));
        assert_eq!(round_range(f64::INFINITY, f64::NEG_INFINITY), (0.0, 1.0));
    }

    #[test]
    fn any_data_gives_a_range_that_can_be_divided_by() {
        for exponent in (-300..=308).step_by(7) {
            let value = 10f64.powi(exponent);
            for (lo, hi) in [(0.0, value), (-value, 0.0), (-value, value), (value, value)] {
                let (bottom, top) = round_range(lo, hi);
                assert!((top - bottom).is_finite() && top > bottom, "{lo} {hi}");
                assert!(top >= hi.min(FAR) || hi < LEAST_SPAN, "{hi} is cut");
            }
        }
    }

    #[test]
    fn the_range_does_not_waver_with_the_data() {
        assert_eq!(round_range(0.0, 16.2), round_range(0.0, 18.9));
    }
}
