//! The value axis of a distribution: positions of values, and round values to label.

use stats_core::Unit;

use stats_analysis::distribution::{Edges, Spread};
use stats_analysis::distribution::{Step, decimal};
use stats_analysis::format::{NumberStyle, exact_text, value_text};

/// Maps values to positions from the left end (0) to the right end (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ValueAxis {
    spread: Spread,
    /// Half the width of the bucket around zero on a symmetric axis, in decades.
    room: f64,
    /// The values at the ends.
    ends: (f64, f64),
    /// The ends in the scale of the axis.
    places: (f64, f64),
}

/// A labeled value on the axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ValueMark {
    pub(super) share: f64,
    pub(super) text: String,
}

impl ValueAxis {
    /// Returns an axis from the first edge to the last, or to `beyond` if that is farther. Whole
    /// numbers are centered in their buckets.
    pub(super) fn new(edges: &Edges, whole: bool, beyond: Option<f64>) -> Self {
        let spread = edges.spread();
        let (mut from, mut to) = edges.reach();
        to = beyond.map_or(to, |beyond| to.max(beyond));
        if whole && spread == Spread::Linear {
            (from, to) = (from - 0.5, to - 0.5);
        }
        let room = 0.5 * widest_ratio(edges);
        let mut axis = Self {
            spread,
            room,
            ends: (from, to),
            places: (0.0, 1.0),
        };
        axis.places = (axis.place(from), axis.place(to));
        axis
    }

    /// Returns the position of a value, from 0 to 1.
    pub(super) fn share(&self, value: f64) -> f64 {
        let (from, to) = self.places;
        let share = (self.place(value) - from) / (to - from);
        if share.is_finite() {
            share.clamp(-1.0, 2.0)
        } else {
            0.5
        }
    }

    fn place(&self, value: f64) -> f64 {
        match self.spread {
            // Halve the values, so that their differences are finite.
            Spread::Linear => value / 2.0,
            Spread::Log => value.max(1e-300).log10(),
            Spread::Symmetric(least) if value.abs() <= least => self.room * value / least,
            Spread::Symmetric(least) => ((value.abs() / least).log10() + self.room).copysign(value),
        }
    }

    /// Returns at most about `max_marks` round values along the axis, with their texts.
    pub(super) fn marks(&self, max_marks: usize, style: NumberStyle) -> Vec<ValueMark> {
        let mark = |value: f64, text: String| ValueMark {
            share: self.share(value),
            text,
        };
        let within = |mark: &ValueMark| (-1e-9..=1.0 + 1e-9).contains(&mark.share);
        let (from, to) = self.ends;
        if self.spread == Spread::Linear || (self.spread == Spread::Log && to / from < 6.0) {
            let max_marks = max_marks.max(2) as f64;
            let step = Step::at_least(
                to / max_marks - from / max_marks,
                style.unit() == Unit::Bytes,
            );
            let style = style.for_step(step.width());
            let first = (from / step.width()).ceil();
            let mut values: Vec<f64> = (0..=max_marks as usize)
                .map(|at| step.times(first + at as f64))
                .collect();
            // Near the largest finite values, several steps round to one number.
            values.dedup();
            return values
                .into_iter()
                .map(|value| mark(value, style.text(value)))
                .filter(within)
                .collect();
        }
        let unit = style.unit();
        let is_bytes = unit == Unit::Bytes;
        let text = |value: f64| {
            if is_bytes {
                value_text(value, unit)
            } else {
                exact_text(value, unit)
            }
        };
        self.powers(max_marks, is_bytes)
            .into_iter()
            .map(|value| mark(value, text(value)))
            .filter(within)
            .collect()
    }

    /// Returns the powers of ten on the axis, or powers of two for bytes. If they are few, also
    /// returns 2 and 5 times each power of ten. On a symmetric axis, also returns zero and the
    /// negative values.
    fn powers(&self, max_marks: usize, binary: bool) -> Vec<f64> {
        let (from, to) = self.ends;
        let least = if let Spread::Symmetric(least) = self.spread {
            least
        } else {
            from.max(1e-300)
        };
        let highest = to.abs().max(from.abs());
        let power_of = |value: f64| if binary { value.log2() } else { value.log10() };
        let (first, last) = (
            power_of(least).floor() as i32,
            power_of(highest).ceil() as i32,
        );
        let sides = if from < 0.0 && to > 0.0 { 2 } else { 1 };
        let count = (last - first).max(1) as usize * sides;
        let parts: &[f64] = if !binary && count * 3 <= max_marks {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let powers = (first..=last).step_by(count.div_ceil(max_marks.max(2)));
        let number = |part: f64, power: i32| {
            if binary {
                2f64.powi(power)
            } else {
                decimal(part, power)
            }
        };
        let magnitudes: Vec<f64> = powers
            .flat_map(|power| parts.iter().map(move |&part| number(part, power)))
            .collect();
        if let Spread::Symmetric(_) = self.spread {
            let beyond_zero = magnitudes
                .iter()
                .copied()
                .filter(|&magnitude| magnitude >= least);
            let negative = beyond_zero.clone().rev().map(|magnitude| -magnitude);
            return negative.chain([0.0]).chain(beyond_zero).collect();
        }
        magnitudes
    }
}

/// Returns the number of decades in the widest bucket other than the bucket of zero.
fn widest_ratio(edges: &Edges) -> f64 {
    let ratios = (0..edges.len())
        .map(|at| edges.bucket(at))
        .filter(|&(from, to)| from > 0.0 || to < 0.0);
    ratios
        .map(|(from, to)| (to / from).log10().abs())
        .filter(|ratio| ratio.is_finite())
        .fold(0.05, f64::max)
}

/// Returns the height of a bar of `count` values relative to a bar of `tallest`, from 0 to 1.
/// Logarithmic heights use count + 1, so that a count of one is visible.
pub(super) fn height(count: u64, tallest: u64, log: bool) -> f64 {
    let (count, tallest) = (count as f64, tallest.max(1) as f64);
    if log {
        count.ln_1p() / tallest.ln_1p()
    } else {
        count / tallest
    }
}

/// Returns at most about `max_marks` round counts up to `tallest`.
pub(super) fn count_marks(tallest: u64, max_marks: usize, log: bool) -> Vec<u64> {
    let max_marks = max_marks.max(1);
    if log {
        let powers: Vec<u64> = (0..19)
            .map(|power| 10_u64.pow(power))
            .take_while(|&power| power <= tallest)
            .collect();
        let stride = powers.len().div_ceil(max_marks).max(1);
        return powers.into_iter().step_by(stride).collect();
    }
    let step = Step::at_least((tallest as f64 / max_marks as f64).max(1.0), false).width() as u64;
    // Return at least one count.
    let step = if step > tallest {
        Step::at_least((tallest as f64 / 2.5).max(1.0), false).width() as u64
    } else {
        step
    };
    (1..=max_marks as u64)
        .map_while(|times| step.checked_mul(times))
        .take_while(|&count| count <= tallest)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_analysis::distribution::Span;
    use stats_analysis::distribution::ValueScale;

    fn axis(min: f64, max: f64, least: f64, choice: ValueScale) -> (Edges, ValueAxis) {
        let span = Span {
            min,
            max,
            least,
            whole: false,
            grain: 0.0,
            binary: false,
        };
        let edges = Edges::new(&span, choice, 150);
        let axis = ValueAxis::new(&edges, false, None);
        (edges, axis)
    }

    #[test]
    fn positions_keep_the_order_of_values_and_reach_both_ends() {
        for (min, max, least) in [
            (0.0, 16.0, 1.0),
            (1.0, 1e6, 1.0),
            (-50.0, 2000.0, 0.01),
            (-1e300, 1e300, 1e-300),
            (f64::MIN, f64::MAX, 1.0),
            (1e-300, 1e300, 1e-300),
            (5.0, 5.0, 5.0),
            (0.0, 0.0, f64::INFINITY),
            (-3.0, 0.0, 0.5),
        ] {
            for choice in [ValueScale::Auto, ValueScale::Linear, ValueScale::Log] {
                let (edges, axis) = axis(min, max, least, choice);
                let shares: Vec<f64> = (0..edges.len())
                    .map(|at| axis.share(edges.bucket(at).0))
                    .collect();
                assert!(
                    shares.is_sorted() && shares[0].abs() < 1e-9,
                    "{choice:?} {min} {max}: {shares:?}"
                );
                assert!(
                    (axis.share(edges.reach().1) - 1.0).abs() < 1e-9,
                    "{choice:?} {min} {max}"
                );
                let marks = axis.marks(8, NumberStyle::new(Unit::Count, max, false));
                assert!(
                    marks.is_sorted_by(|one, next| one.share < next.share),
                    "{choice:?} {min} {max}: {marks:?}"
                );
                assert!(marks.len() <= 10, "{choice:?} {min} {max}: {marks:?}");
            }
        }
    }

    #[test]
    fn labeled_values_are_round() {
        let texts = |min, max, choice| -> Vec<String> {
            let marks = axis(min, max, min, choice)
                .1
                .marks(6, NumberStyle::new(Unit::Milliseconds, max, false));
            marks.into_iter().map(|mark| mark.text).collect()
        };
        assert_eq!(
            texts(0.0, 19.0, ValueScale::Linear),
            ["0 ms", "5 ms", "10 ms", "15 ms", "20 ms"]
        );
        assert_eq!(
            texts(1.0, 900.0, ValueScale::Log),
            ["1 ms", "10 ms", "100 ms"]
        );
    }

    #[test]
    fn bars_grow_with_their_counts_and_a_count_of_one_is_visible() {
        for log in [false, true] {
            assert_eq!((height(0, 1000, log), height(1000, 1000, log)), (0.0, 1.0));
            assert!((1..1000).all(|count| height(count, 1000, log) > height(count - 1, 1000, log)));
        }
        assert!(height(1, 1_000_000, true) > 0.04);
        assert_eq!(count_marks(312, 4, false), [100, 200, 300]);
        assert_eq!(count_marks(1000, 8, true), [1, 10, 100, 1000]);
        assert_eq!(count_marks(150, 1, false), [100]);
        assert_eq!(
            (
                count_marks(1, 4, false),
                count_marks(u64::MAX, 4, false).len()
            ),
            (vec![1], 3)
        );
    }
}
