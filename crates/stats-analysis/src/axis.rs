//! Ranges of axes: round numbers that do not change with every frame.

/// What an axis must at least show to be a range at all.
const LEAST_SPAN: f64 = 1e-9;
/// Beyond this the difference of two values could be infinite.
const FAR: f64 = 1e300;

/// How values are spread over the height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mapping {
    /// Equal differences have equal heights. The default.
    #[default]
    Linear,
    /// Equal ratios have equal heights (log10). Values of 0 and less sit at the bottom edge. A
    /// range that does not begin above 0 begins six decades below its top.
    Log,
}

/// The range of an axis for values within `lo..=hi`: with zero in it, a little air and round ends.
pub fn round_range(lo: f64, hi: f64) -> (f64, f64) {
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
    let step = STEPS
        .into_iter()
        .find(|step| step * power >= value * (1.0 - 1e-12));
    step.unwrap_or(10.0) * power
}

/// The powers of ten around values within `lo..=hi`, for a logarithmic axis. What is not above zero
/// has no place on it; where there is nothing else, four powers of ten stand for it.
pub fn decades(lo: f64, hi: f64) -> (f64, f64) {
    let hi = hi.min(FAR);
    if hi <= 0.0 || lo > hi {
        return (0.1, 10.0);
    }
    let lo = if lo > 0.0 { lo } else { hi * 1e-4 };
    let (bottom, top) = (lo.log10().floor().max(-300.0), hi.log10().ceil());
    (
        10f64.powf(bottom),
        10f64.powf(if top > bottom { top } else { bottom + 1.0 }),
    )
}

/// Where a value stands on the axis of a plot.
pub fn on_axis(mapping: Mapping, value: f64) -> f64 {
    match mapping {
        Mapping::Linear => value,
        Mapping::Log => value.max(f64::MIN_POSITIVE).log10(),
    }
}

/// The value at a share of the height of a range.
pub fn value_at(mapping: Mapping, (bottom, top): (f64, f64), share: f64) -> f64 {
    let (low, high) = (on_axis(mapping, bottom), on_axis(mapping, top));
    match mapping {
        Mapping::Linear => low * (1.0 - share) + high * share,
        Mapping::Log => 10f64.powf(low + share * (high - low)),
    }
}

/// The marks of a logarithmic axis between two powers of ten, as powers of ten, and how far they
/// stand apart: whole powers, and twice and five times those where there are few.
pub fn log_marks((bottom, top): (f64, f64)) -> impl Iterator<Item = (f64, f64)> {
    let step = ((top - bottom) / 12.0).ceil().clamp(1.0, 100.0);
    let first = (bottom / step).floor() * step;
    let powers = (0..16).map(move |at| first + step * f64::from(at));
    let parts: &[f64] = if top - bottom <= 3.0 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0]
    };
    powers.flat_map(move |power| parts.iter().map(move |part| (power + part.log10(), step)))
}

/// Whether a budget belongs into a picture of values up to `hi`: it is exceeded, or not far above
/// them.
pub fn budget_is_near(budget: f64, hi: f64) -> bool {
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
    fn decades_hold_what_is_above_zero() {
        assert_eq!(decades(2.0, 900.0), (1.0, 1000.0));
        assert_eq!(decades(0.0, 100.0), (0.01, 100.0));
        assert_eq!(decades(10.0, 10.0), (10.0, 100.0));
        for exponent in -308..=308 {
            let value = 10f64.powi(exponent);
            for (lo, hi) in [
                (value, value),
                (0.0, value),
                (value, f64::MAX),
                (-value, -value),
            ] {
                let (bottom, top) = decades(lo, hi);
                assert!(bottom > 0.0 && top > bottom && top.is_finite(), "{lo} {hi}");
            }
        }
    }

    #[test]
    fn a_share_of_the_height_is_a_value_and_back() {
        assert_eq!(value_at(Mapping::Linear, (-10.0, 30.0), 0.25), 0.0);
        assert!((value_at(Mapping::Log, (0.1, 1000.0), 0.75) - 100.0).abs() < 1e-9);
        for (mapping, range) in [(Mapping::Linear, (-4.0, 12.0)), (Mapping::Log, (1e-3, 1e6))] {
            let (low, high) = (on_axis(mapping, range.0), on_axis(mapping, range.1));
            for step in 0..=20 {
                let share = f64::from(step) / 20.0;
                let back = (on_axis(mapping, value_at(mapping, range, share)) - low) / (high - low);
                assert!((back - share).abs() < 1e-9, "{mapping:?} {share}");
            }
        }
        // The widest range there is has a middle.
        assert!(value_at(Mapping::Linear, (-FAR, FAR), 0.5).is_finite());
        // What is not above zero stands below everything on a logarithmic axis, and somewhere.
        assert!(on_axis(Mapping::Log, -1.0).is_finite() && on_axis(Mapping::Log, 0.0) < -300.0);
    }

    #[test]
    fn marks_of_a_logarithmic_axis_cover_it_and_are_few() {
        for (bottom, top) in [
            (0.0, 1.0),
            (-1.0, 2.0),
            (0.0, 6.0),
            (-4.0, 11.0),
            (-300.0, 309.0),
        ] {
            let marks: Vec<(f64, f64)> = log_marks((bottom, top)).collect();
            assert!(
                marks.first().is_some_and(|mark| mark.0 <= bottom)
                    && marks.last().is_some_and(|mark| mark.0 >= top)
            );
            assert!(
                marks.len() <= 48 && marks.is_sorted_by(|one, next| one.0 < next.0),
                "{bottom} {top}"
            );
        }
        let near = |wanted: f64| {
            log_marks((0.0, 2.0)).any(|(mark, _)| (10f64.powf(mark) - wanted).abs() < 1e-9)
        };
        assert!(
            [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]
                .into_iter()
                .all(near)
        );
        assert!(log_marks((0.0, 6.0)).all(|(mark, _)| mark.fract() == 0.0));
    }

    #[test]
    fn a_budget_is_seen_where_it_is_exceeded_or_not_far_above() {
        assert!(budget_is_near(10.0, 5.0) && budget_is_near(10.0, 500.0));
        assert!(
            !budget_is_near(10.1, 5.0) && !budget_is_near(0.0, 5.0) && !budget_is_near(-1.0, 5.0)
        );
    }

    #[test]
    fn the_range_does_not_waver_with_the_data() {
        assert_eq!(round_range(0.0, 16.2), round_range(0.0, 18.9));
    }
}
