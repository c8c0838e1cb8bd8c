//! Axes: round ranges that do not change with every frame, and the mapping of values to heights.
//!
//! [`round_range`] chooses the range of a linear axis, [`round_binary_range`] chooses the range of
//! an axis of bytes, and [`decades`] chooses the range of a logarithmic axis. These ranges suit
//! series that are compared with each other; [`close_range`] chooses the range of a series of its
//! own. [`without_outliers`] and [`close_without_outliers`] keep a few outliers from setting a range.
//! [`on_axis`] and [`value_at`] convert between values and places on an axis, and
//! [`log_marks`] places the grid lines of a logarithmic axis.

use crate::buckets::Bucket;

/// The smallest span of data that determines a range. Below it, the range is `(0, 1)`.
const MIN_SPAN: f64 = 1e-9;
/// The largest magnitude of a range. Beyond it, the difference of two values could be infinite.
const FAR: f64 = 1e300;

/// Values that differ by a smaller share of their magnitude are equal: floats of that magnitude are
/// too coarse for an axis between them.
const EQUAL: f64 = 1.0 / (1_u64 << 48) as f64;

/// How values map to heights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mapping {
    /// Equal differences have equal heights. The default.
    #[default]
    Linear,
    /// Equal ratios have equal heights (log10). Values at or below 0 lie at the bottom edge. A
    /// range that does not begin above 0 begins six decades below its top.
    Log,
}

/// Returns a range with round ends for values within `lo..=hi`. It includes 0 and leaves some space
/// above and below the data.
///
/// The range is `(0, 1)` if `lo > hi` (no data) or if all values are 0 or nearly so. Its ends lie
/// within ±10³⁰¹, so that their difference is finite.
pub fn round_range(lo: f64, hi: f64) -> (f64, f64) {
    range_to(lo, hi, round_up)
}

/// Returns a range like [`round_range`] whose ends are round in binary prefixes, such as KiB: 1,
/// 1.25, 1.5 or 1.75 times a power of two.
pub fn round_binary_range(lo: f64, hi: f64) -> (f64, f64) {
    range_to(lo, hi, |value| {
        let power = value.log2().floor().exp2();
        (value / power * 4.0 * (1.0 - 1e-12)).ceil() / 4.0 * power
    })
}

/// Returns a range with round ends for values within `lo..=hi`. The values take more than half of the
/// range. It includes 0 only if the values take at least two thirds of the range from 0 to the
/// farthest value. The ends are multiples of 1, 2 or 5 times a power of ten, or of a power of two
/// if `binary` is set.
///
/// If all values are equal, or nearly so, it is the range of [`round_range`] or
/// [`round_binary_range`].
pub fn close_range(lo: f64, hi: f64, binary: bool) -> (f64, f64) {
    let (low, high) = (lo.clamp(-FAR, FAR), hi.clamp(-FAR, FAR));
    let (span, far) = (high - low, high.abs().max(low.abs()));
    let is_close = span > far * EQUAL && span >= MIN_SPAN && span < far * (2.0 / 3.0);
    if !is_close {
        return if binary {
            round_binary_range(lo, hi)
        } else {
            round_range(lo, hi)
        };
    }
    let least = span / 16.0;
    let step = round_step(least, if binary { 2 } else { 10 });
    let margin = span * 0.04;
    let bottom = ((low - margin) / step).floor() * step;
    let top = ((high + margin) / step).ceil() * step;
    (bottom, top)
}

/// Returns the smallest round step of at least `least`: 1, 2 or 5 times a power of ten if `base` is 10,
/// and else 1 or 2 times a power of `base`, such as 4 for bytes. A `least` that is larger than a round
/// step by a rounding error counts as that step.
pub fn round_step(least: f64, base: i64) -> f64 {
    let least = least * (1.0 - 1e-9);
    let power = (base as f64).powf(least.log(base as f64).floor());
    let parts: &[f64] = if base == 10 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0, 2.0]
    };
    let mut steps = parts.iter().map(|part| part * power);
    steps
        .find(|step| *step >= least)
        .unwrap_or(power * base as f64)
}

fn range_to(lo: f64, hi: f64, round_up: impl Fn(f64) -> f64) -> (f64, f64) {
    if lo > hi {
        return (0.0, 1.0);
    }
    let (lo, hi) = (lo.clamp(-FAR, FAR).min(0.0), hi.clamp(-FAR, FAR).max(0.0));
    if hi - lo < MIN_SPAN {
        return (0.0, 1.0);
    }
    let margin = (hi - lo) * 0.04;
    let top = if hi > 0.0 { round_up(hi + margin) } else { 0.0 };
    let bottom = if lo < 0.0 {
        -round_up(margin - lo)
    } else {
        0.0
    };
    (bottom, top)
}

/// Returns the next of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 and 8 times a power of ten.
fn round_up(value: f64) -> f64 {
    const STEPS: [f64; 11] = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let power = 10f64.powf(value.log10().floor());
    let step = STEPS
        .into_iter()
        .find(|step| step * power >= value * (1.0 - 1e-12));
    step.unwrap_or(10.0) * power
}

/// Returns the powers of ten around values within `lo..=hi`, for a logarithmic axis.
///
/// Values at or below 0 have no place on such an axis. If `lo` is not positive, the range begins
/// four decades below `hi`. If no value is positive, the range is `(0.1, 10)`.
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

/// Returns the coordinate of a value on an axis: the value itself, or its base-10 logarithm. Values
/// at or below 0 lie below −300 on a logarithmic axis.
pub fn on_axis(mapping: Mapping, value: f64) -> f64 {
    match mapping {
        Mapping::Linear => value,
        Mapping::Log => value.max(f64::MIN_POSITIVE).log10(),
    }
}

/// Returns the value at `share` of the height of a range, 0 at the bottom and 1 at the top.
pub fn value_at(mapping: Mapping, (bottom, top): (f64, f64), share: f64) -> f64 {
    let (low, high) = (on_axis(mapping, bottom), on_axis(mapping, top));
    match mapping {
        Mapping::Linear => low * (1.0 - share) + high * share,
        Mapping::Log => 10f64.powf(low + share * (high - low)),
    }
}

/// Iterates over the grid lines of a logarithmic axis between two powers of ten. Yields the
/// exponent of each line, and the distance between whole powers, which is also an exponent.
///
/// `(bottom, top)` are exponents. Ranges of up to three decades have lines at 1, 2 and 5 times each
/// power; longer ranges have lines only at the powers. There are at most 48 lines; some may lie
/// outside the range.
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

/// A value beyond this multiple of the largest usual magnitude is an outlier.
const OUTLIER: f64 = 3.0;
/// The largest magnitude on an axis with outliers, as a multiple of the largest usual magnitude.
const HEADROOM: f64 = 2.0;
/// One in this many columns of a graph may have an outlier; the others are usual.
const USUAL: usize = 20;

/// Returns the smallest and the largest usual value of a graph with these columns: the values that
/// the columns reach, without the highest and without the lowest twentieth of them, rounded down to
/// whole columns. Returns (∞, −∞) without columns.
///
/// `scratch` is a reused buffer. Visits every column twice.
pub fn usual_range(columns: &[Bucket], scratch: &mut Vec<f64>) -> (f64, f64) {
    let skipped = columns.len() / USUAL;
    if columns.is_empty() {
        return (f64::INFINITY, f64::NEG_INFINITY);
    }
    let mut nth = |values: &mut dyn Iterator<Item = f64>, at: usize| {
        scratch.clear();
        scratch.extend(values);
        *scratch.select_nth_unstable_by(at, f64::total_cmp).1
    };
    let lowest = nth(&mut columns.iter().map(|column| column.min), skipped);
    let highest = nth(
        &mut columns.iter().map(|column| column.max),
        columns.len() - 1 - skipped,
    );
    (lowest.min(highest), highest.max(lowest))
}

/// Returns the range of values that an axis from zero shows: `all` of them. If an end of the range is more
/// than three times as far from zero as the `usual` values are, it moves to twice their distance.
pub fn without_outliers(all: (f64, f64), usual: (f64, f64)) -> (f64, f64) {
    let far = usual.0.abs().max(usual.1.abs());
    if !(far > 0.0 && far < FAR) {
        return all;
    }
    let (outlier, most) = (far * OUTLIER, far * HEADROOM);
    (
        if all.0 < -outlier { -most } else { all.0 },
        if all.1 > outlier { most } else { all.1 },
    )
}

/// Returns the range of values that an axis of a single series shows: `all` of them. If an end of the range
/// is farther from the `usual` values than twice their extent, it moves to these, with some space.
pub fn close_without_outliers(all: (f64, f64), usual: (f64, f64)) -> (f64, f64) {
    let span = usual.1 - usual.0;
    if !(span > 0.0 && span < FAR) {
        return all;
    }
    let (outlier, space) = (span * (OUTLIER - 1.0), span * 0.5);
    (
        if all.0 < usual.0 - outlier {
            usual.0 - space
        } else {
            all.0
        },
        if all.1 > usual.1 + outlier {
            usual.1 + space
        } else {
            all.1
        },
    )
}

/// Returns whether an axis for values up to `hi` should include a budget. It should if the budget is on
/// the axis anyway, or is at most 1.5 times the largest usual value, `usual`. If some values exceed the
/// budget, at most 3 times counts. Returns `false` for a budget at or below 0.
pub fn budget_is_near(budget: f64, (usual, hi): (f64, f64), is_exceeded: bool) -> bool {
    let most = usual * if is_exceeded { OUTLIER } else { 1.5 };
    budget > 0.0 && (budget <= hi || budget <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_round_and_include_zero_and_the_data() {
        assert_eq!(round_range(2.0, 16.7), (0.0, 20.0));
        assert_eq!(round_range(0.0, 1900.0), (0.0, 2000.0));
        assert_eq!(round_range(-3.0, 0.0), (-4.0, 0.0));
        assert_eq!(round_range(0.0, 0.0), (0.0, 1.0));
        assert_eq!(round_range(f64::INFINITY, f64::NEG_INFINITY), (0.0, 1.0));
    }

    #[test]
    fn a_series_of_its_own_takes_more_than_half_of_its_range() {
        const MB: f64 = 1e6;
        assert_eq!(close_range(1000.0, 1010.0, false), (999.0, 1011.0));
        assert_eq!(close_range(-1010.0, -1000.0, false), (-1011.0, -999.0));
        assert_eq!(close_range(4.0, 10.0, false), (3.5, 10.5));
        assert_eq!(close_range(3.0, 10.0, false), round_range(3.0, 10.0));
        let (bottom, top) = close_range(24_000.0 * MB, 24_008.0 * MB, true);
        assert!(top - bottom < 12.0 * MB, "{bottom} {top}");
        let far = close_range(1.7e15 - 10.0, 1.7e15 + 10.0, false);
        assert_eq!(far, (1.7e15 - 12.0, 1.7e15 + 12.0));
        // Without data, or with equal values, zero is included.
        assert_eq!(close_range(1.0, 0.0, false), (0.0, 1.0));
        assert_eq!(close_range(24.0, 24.0, false), round_range(24.0, 24.0));
        let mut random = stats_testing::Random::new(12);
        for round in 0..100_000 {
            let size = 10f64.powi(random.below(36) as i32 - 6);
            let lo = size * (random.below(2001) as f64 - 1000.0) / 300.0;
            let span = size * 10f64.powf(-(random.below(140) as f64) / 10.0);
            let (hi, binary) = (lo + span, round % 2 == 0);
            let (bottom, top) = close_range(lo, hi, binary);
            assert!(bottom <= lo && hi <= top, "{lo} {hi}: {bottom} {top}");
            let far = lo.abs().max(hi.abs());
            if hi - lo >= MIN_SPAN && hi - lo > far * EQUAL {
                let share = (hi - lo) / (top - bottom);
                assert!(share > 0.4, "{lo} {hi}: {share}");
            }
        }
    }

    #[test]
    fn steps_are_round() {
        let steps = [0.3, 1.0, 1.1, 2.5, 7.0, 60.0].map(|least| round_step(least, 10));
        assert_eq!(steps, [0.5, 1.0, 2.0, 5.0, 10.0, 100.0]);
        assert_eq!(
            [4.0, 5.0, 0.3].map(|least| round_step(least, 2)),
            [4.0, 8.0, 0.5]
        );
        for step in [0.1, 0.2, 0.5, 1.0, 2.0, 1000.0] {
            assert_eq!(round_step(step * (1.0 + 1e-12), 10), step);
        }
    }

    #[test]
    fn ranges_of_bytes_are_round_in_binary_prefixes() {
        const KIB: f64 = 1024.0;
        assert_eq!(round_binary_range(0.0, 946.7 * KIB), (0.0, KIB * KIB));
        assert_eq!(round_binary_range(0.0, 1.0 * KIB), (0.0, 1.25 * KIB));
        assert_eq!(round_binary_range(-3.0 * KIB, 0.0), (-3.5 * KIB, 0.0));
    }

    #[test]
    fn every_range_has_a_finite_positive_span() {
        for exponent in (-300..=308).step_by(7) {
            let value = 10f64.powi(exponent);
            for (lo, hi) in [(0.0, value), (-value, 0.0), (-value, value), (value, value)] {
                for (bottom, top) in [round_range(lo, hi), round_binary_range(lo, hi)] {
                    assert!((top - bottom).is_finite() && top > bottom, "{lo} {hi}");
                    assert!(top >= hi.min(FAR) || hi < MIN_SPAN, "{hi} is cut");
                }
            }
        }
    }

    #[test]
    fn decades_include_the_positive_values() {
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
    fn a_value_at_a_share_of_the_height_maps_back_to_that_share() {
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
        // The widest possible range has a middle.
        assert!(value_at(Mapping::Linear, (-FAR, FAR), 0.5).is_finite());
        // A value at or below zero lies far below all others, at a finite place.
        assert!(on_axis(Mapping::Log, -1.0).is_finite() && on_axis(Mapping::Log, 0.0) < -300.0);
    }

    #[test]
    fn the_marks_of_a_logarithmic_axis_cover_it_and_are_few() {
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
        let near = |value: f64| {
            log_marks((0.0, 2.0)).any(|(mark, _)| (10f64.powf(mark) - value).abs() < 1e-9)
        };
        assert!(
            [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]
                .into_iter()
                .all(near)
        );
        assert!(log_marks((0.0, 6.0)).all(|(mark, _)| mark.fract() == 0.0));
    }

    #[test]
    fn a_budget_is_shown_if_it_is_exceeded_or_not_far_above_the_values() {
        let is_near = |budget, usual, hi| budget_is_near(budget, (usual, hi), hi > budget);
        assert!(is_near(10.0, 7.0, 7.0) && is_near(10.0, 5.0, 500.0));
        assert!(!is_near(10.0, 5.0, 5.0) && !is_near(10.0, 5.0, 9.0));
        assert!(!is_near(100.0, 5.0, 10.0), "far above the values");
        assert!(!is_near(0.0, 5.0, 5.0) && !is_near(-1.0, 5.0, 5.0));
    }

    fn columns(values: impl IntoIterator<Item = f64>) -> Vec<Bucket> {
        let column = |value| Bucket {
            first_frame: 0,
            min: value,
            max: value,
            first: value,
            last: value,
        };
        values.into_iter().map(column).collect()
    }

    #[test]
    fn one_outlier_does_not_set_the_range_whatever_its_height() {
        let mut random = stats_testing::Random::new(91);
        for _ in 0..2000 {
            let size = 10f64.powi(random.below(20) as i32 - 6);
            let count = 20 + random.below(700);
            let mut values: Vec<f64> = (0..count)
                .map(|_| size * (0.5 + random.below(1000) as f64 / 2000.0))
                .collect();
            let most = values.iter().copied().fold(0.0, f64::max);
            let outlier = size * 10f64.powi(1 + random.below(12) as i32);
            values[random.below(count) as usize] = outlier;
            let usual = usual_range(&columns(values), &mut Vec::new());
            assert!(usual.1 <= most && usual.1 >= size * 0.5);
            let (_, top) = without_outliers((0.0, outlier), usual);
            assert!(most < top && top <= most * HEADROOM, "{outlier}: {top}");
            let (bottom, top) = close_without_outliers((usual.0, outlier), usual);
            assert!(bottom == usual.0 && top < outlier && top >= usual.1);
        }
    }

    #[test]
    fn what_happens_often_or_is_not_far_sets_the_range() {
        let often = columns((0..100).map(|at| if at % 10 == 0 { 400.0 } else { 8.0 }));
        let usual = usual_range(&often, &mut Vec::new());
        assert_eq!(without_outliers((8.0, 400.0), usual), (8.0, 400.0));
        assert_eq!(without_outliers((8.0, 24.0), (8.0, 8.0)), (8.0, 24.0));
        assert_eq!(without_outliers((8.0, 24.1), (8.0, 8.0)), (8.0, 16.0));
        assert_eq!(without_outliers((-90.0, 1.0), (-2.0, 1.0)), (-4.0, 1.0));
        // Of few columns, none is an exception, and nothing is usual about zeros.
        let few = columns((0..19).map(|at| if at == 3 { 400.0 } else { 8.0 }));
        assert_eq!(usual_range(&few, &mut Vec::new()), (8.0, 400.0));
        assert_eq!(without_outliers((0.0, 5.0), (0.0, 0.0)), (0.0, 5.0));
        assert_eq!(close_without_outliers((1.0, 9.0), (1.0, 1.0)), (1.0, 9.0));
        let none = usual_range(&[], &mut Vec::new());
        assert_eq!(without_outliers((1.0, 0.0), none), (1.0, 0.0));
    }

    #[test]
    fn the_range_stays_the_same_while_the_data_varies_a_little() {
        assert_eq!(round_range(0.0, 16.2), round_range(0.0, 18.9));
    }
}
