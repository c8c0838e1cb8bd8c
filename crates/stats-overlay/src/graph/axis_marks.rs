//! The marks of an axis: where its lines are, and their numbers.

use stats_analysis::axis::{Mapping, log_marks, on_axis, round_step};
use stats_analysis::format::{NumberStyle, value_text};

/// The maximum width of a number, in characters without the unit.
pub(super) const NUMBER_CHARS: usize = 9;
/// The minimum distance between two numbers of an axis, in points.
pub(super) const MIN_DISTANCE: f32 = 36.0;

/// A line of a grid, and its number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GridMark {
    /// The value in the units of the axis.
    pub(super) value: f64,
    /// The distance to the next line of its kind, on the axis.
    pub(super) step_size: f64,
    /// The number that the line stands for.
    pub(super) number: f64,
    /// The number is a multiple of this one; 0 if it is a power of ten, or a part of one.
    pub(super) number_step: f64,
}

impl GridMark {
    fn linear(value: f64, step_size: f64) -> Self {
        Self {
            value,
            step_size,
            number: value,
            number_step: step_size,
        }
    }
}

/// The inputs from which the lines of a grid are computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridInput {
    /// The ends of the axis.
    pub(super) bounds: (f64, f64),
    /// The minimum distance between two lines, on the axis.
    pub(super) least: f64,
}

/// Returns the text of a mark on an axis.
pub(super) fn number(mark: GridMark, style: NumberStyle) -> String {
    if mark.number_step > 0.0 {
        return style.for_step(mark.number_step).text(mark.number);
    }
    value_text((mark.number * 1e9).round() / 1e9, style.unit())
}

/// Returns the marks of an axis. They are multiples of one round step. On a logarithmic axis, they
/// are powers of ten, with finer marks if a narrow range would have fewer than two numbers.
pub(super) fn marks(input: GridInput, mapping: Mapping, base: i64) -> Vec<GridMark> {
    let (bottom, top) = input.bounds;
    let least = input.least;
    let marks: Vec<GridMark> = match mapping {
        Mapping::Linear => {
            let step_size = round_step(least, base);
            let values = multiples(input.bounds, step_size);
            let mark = |value| GridMark::linear(value, step_size);
            values.map(mark).collect()
        }
        Mapping::Log => log_axis_marks(input, base),
    };
    if !marks.is_empty() {
        return marks;
    }
    // The axis is too short for a round number, so it shows the value at its lower edge.
    match mapping {
        Mapping::Linear => vec![GridMark::linear(bottom, top - bottom)],
        Mapping::Log => vec![power_mark((bottom, top - bottom))],
    }
}

fn log_axis_marks(input: GridInput, base: i64) -> Vec<GridMark> {
    let ((bottom, top), least) = (input.bounds, input.least);
    let powers: Vec<GridMark> = log_marks(input.bounds).map(power_mark).collect();
    // A mark has a number if its step is wide enough.
    let numbered =
        |mark: &&GridMark| (bottom..=top).contains(&mark.value) && mark.step_size >= least;
    if powers.iter().filter(numbered).count() > 1 {
        return powers;
    }
    let (low, high) = (10f64.powf(bottom), 10f64.powf(top));
    let step = round_step(least * (high - low) / (top - bottom), base);
    let values = multiples((low, high), step).filter(|&value| value > 0.0);
    values
        .map(|value| GridMark {
            value: on_axis(Mapping::Log, value),
            step_size: least,
            number: value,
            number_step: step,
        })
        .collect()
}

/// Returns the mark of a power of ten, or of a part of one, on a logarithmic axis.
fn power_mark((value, step_size): (f64, f64)) -> GridMark {
    GridMark {
        value,
        step_size,
        number: 10f64.powf(value),
        number_step: 0.0,
    }
}

/// Returns the multiples of `step` within a range, at most a hundred.
fn multiples((bottom, top): (f64, f64), step: f64) -> impl Iterator<Item = f64> {
    let first = (bottom / step).ceil();
    let values = (0..100).map(move |number| (first + f64::from(number)) * step);
    values.take_while(move |value| *value <= top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_analysis::axis::close_range;
    use stats_core::Unit;
    use stats_testing::Random;

    #[test]
    fn every_axis_has_numbers() {
        let mut random = Random::new(8);
        for round in 0..20_000 {
            let size = 10f64.powi(random.below(40) as i32 - 9);
            let bottom = size * random.below(1000) as f64 / 300.0;
            let span = size * (1 + random.below(1000)) as f64 / 100.0;
            let height = (37 + random.below(600)) as f64;
            let (mapping, bounds) = if round % 2 == 0 {
                (Mapping::Linear, (bottom, bottom + span))
            } else {
                let low = random.below(900) as f64 / 100.0 - 3.0;
                (
                    Mapping::Log,
                    (low, low + (1 + random.below(900)) as f64 / 100.0),
                )
            };
            let base_step_size = (bounds.1 - bounds.0) * f64::from(MIN_DISTANCE) / height;
            for base in [4, 10] {
                let input = GridInput {
                    bounds,
                    least: base_step_size,
                };
                let marks = marks(input, mapping, base);
                let numbers = marks.iter().filter(|mark| {
                    (bounds.0..=bounds.1).contains(&mark.value)
                        && mark.step_size >= base_step_size * (1.0 - 1e-9)
                });
                assert!(numbers.count() > 0, "{mapping:?} {bounds:?} {height}");
                let gaps = marks.windows(2).map(|pair| pair[1].value - pair[0].value);
                let least = gaps.fold(f64::INFINITY, f64::min);
                assert!(mapping == Mapping::Log || least >= base_step_size * (1.0 - 1e-9));
                assert!(marks.len() < 1500, "{} marks", marks.len());
            }
        }
    }

    #[test]
    fn numbers_of_an_axis_differ_however_narrow_it_is() {
        let mut random = Random::new(12);
        let mut offsets = 0;
        for round in 0..20_000 {
            let unit = [Unit::Count, Unit::Bytes, Unit::Milliseconds][round % 3];
            let lo = 10f64.powf(random.below(1800) as f64 / 100.0);
            let span = lo * 10f64.powf(-(random.below(1300) as f64) / 100.0);
            let range = close_range(lo, lo + span, unit == Unit::Bytes);
            // The smallest unit of a byte is a byte, and clocks are no finer than that.
            let finest = if unit == Unit::Bytes { 100.0 } else { 1e-6 };
            if range.1 - range.0 < finest {
                continue;
            }
            let style = NumberStyle::for_axis(unit, range, NUMBER_CHARS);
            offsets += usize::from(style.offset_text().is_some());
            let height = (60 + random.below(700)) as f64;
            let least = (range.1 - range.0) * f64::from(MIN_DISTANCE) / height;
            let input = GridInput {
                bounds: range,
                least,
            };
            let marks = marks(input, Mapping::Linear, style.grid_base());
            let mut texts: Vec<String> = marks.iter().map(|mark| number(*mark, style)).collect();
            let count = texts.len();
            assert!(
                texts.iter().all(|text| text.len() < 20),
                "{range:?} {texts:?}"
            );
            texts.sort_unstable();
            texts.dedup();
            assert_eq!(texts.len(), count, "{range:?} {texts:?}");
        }
        assert!(offsets > 5000, "{offsets}");
    }

    #[test]
    fn numbers_of_a_narrow_logarithmic_axis_differ() {
        for (unit, range) in [
            (Unit::Bytes, (24e9, 24.1e9)),
            (Unit::Count, (1.7e12, 1.7e12 + 5e6)),
            (Unit::Milliseconds, (16.0, 16.4)),
        ] {
            let style = NumberStyle::for_axis(unit, range, NUMBER_CHARS);
            let bounds = (range.0.log10(), range.1.log10());
            let least = (bounds.1 - bounds.0) * 0.2;
            let input = GridInput { bounds, least };
            let marks = marks(input, Mapping::Log, style.grid_base());
            let mut texts: Vec<String> = marks.iter().map(|mark| number(*mark, style)).collect();
            texts.dedup();
            assert!(marks.len() > 1 && texts.len() == marks.len(), "{texts:?}");
            assert!(texts.iter().all(|text| text.len() < 14), "{texts:?}");
        }
    }

    #[test]
    fn a_short_axis_has_more_numbers_than_zero() {
        let input = GridInput {
            bounds: (0.0, 60.0),
            least: 60.0 * 28.0 / 110.0,
        };
        let values: Vec<f64> = marks(input, Mapping::Linear, 10)
            .iter()
            .map(|mark| mark.value)
            .collect();
        assert_eq!(values, [0.0, 20.0, 40.0, 60.0]);
    }
}
