//! Reduces the values of many frames to a few columns of pixels.

use std::fmt::Write;

use super::markup::{Markup, element};

/// The values that fall into a column of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    pub(crate) min: f64,
    pub(crate) max: f64,
    sum: f64,
    values: u32,
}

impl Column {
    fn mean(self) -> f64 {
        self.sum / f64::from(self.values)
    }
}

/// Columns from left to right; `None` for an empty one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Columns(Vec<Option<Column>>);

impl Columns {
    /// Creates columns without values.
    pub(crate) fn new(columns: usize) -> Self {
        Self(vec![None; columns.max(1)])
    }

    /// Places values side by side. Each has its own column if there are at most `columns` of them.
    /// NaN stands for a missing value.
    pub(crate) fn side_by_side(values: impl ExactSizeIterator<Item = f64>, columns: usize) -> Self {
        let count = values.len().max(1);
        let mut all = Self::new(columns.min(count));
        for (at, value) in values.enumerate() {
            let width = count as f64;
            all.add(at as f64 / width..(at + 1) as f64 / width, value);
        }
        all
    }

    /// Adds a value that spans a range, from 0 to 1. NaN is ignored.
    pub(crate) fn add(&mut self, range: std::ops::Range<f64>, value: f64) {
        if value.is_nan() {
            return;
        }
        let columns = self.0.len();
        // Rounding may put the border of a column on either side.
        let begin = ((range.start * columns as f64 + 1e-9) as usize).min(columns - 1);
        // A range that ends at a border does not reach beyond it.
        let end = ((range.end * columns as f64 - 1e-9).ceil() as usize).clamp(begin + 1, columns);
        for column in &mut self.0[begin..end] {
            let column = column.get_or_insert(Column {
                min: value,
                max: value,
                sum: 0.0,
                values: 0,
            });
            column.min = column.min.min(value);
            column.max = column.max.max(value);
            column.sum += value;
            column.values += 1;
        }
    }

    /// Returns the number of columns.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the smallest and the largest value.
    pub(crate) fn range(&self) -> Option<(f64, f64)> {
        let known = self.0.iter().flatten();
        known
            .map(|column| (column.min, column.max))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Returns the area from the smallest to the largest values. `y` turns a value into a
    /// coordinate.
    pub(crate) fn band(&self, y: impl Fn(f64) -> i32) -> Markup {
        let mut path = String::new();
        for (first, run) in self.runs() {
            let tops = run.iter().enumerate();
            for (at, column) in tops {
                let command = if at == 0 { 'M' } else { 'V' };
                if at == 0 {
                    let _ = write!(path, "{command}{} {}", first, y(column.max));
                } else {
                    let _ = write!(path, "{command}{}", y(column.max));
                }
                path.push_str("h1");
            }
            for column in run.iter().rev() {
                let _ = write!(path, "V{}h-1", y(column.min));
            }
            path.push('z');
        }
        element("path", &[("class", "band"), ("d", &path)], "")
    }

    /// Returns the line through the means.
    pub(crate) fn middle(&self, y: impl Fn(f64) -> i32) -> Markup {
        let mut path = String::new();
        for (first, run) in self.runs() {
            for (at, column) in run.iter().enumerate() {
                let y = y(column.mean());
                let _ = match at {
                    0 => write!(path, "M{first} {y}h1"),
                    _ => write!(path, "V{y}h1"),
                };
            }
        }
        element("path", &[("class", "middle"), ("d", &path)], "")
    }

    /// Returns each run of columns without a gap, and the position of its first column.
    fn runs(&self) -> Vec<(usize, Vec<Column>)> {
        let mut runs: Vec<(usize, Vec<Column>)> = Vec::new();
        for (at, column) in self.0.iter().enumerate() {
            let Some(column) = *column else { continue };
            match runs.last_mut() {
                Some((first, run)) if *first + run.len() == at => run.push(column),
                _ => runs.push((at, vec![column])),
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use stats_testing::Random;

    use super::Columns;

    #[test]
    fn each_column_has_the_range_of_its_values() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let values: Vec<f64> = (0..random.below(300))
                .map(|_| match random.below(6) {
                    0 => f64::NAN,
                    _ => random.below(1000) as f64,
                })
                .collect();
            let columns = Columns::side_by_side(values.iter().copied(), 50);
            assert!(columns.len() <= 50);
            let known = || values.iter().copied().filter(|value| !value.is_nan());
            let expected = known().reduce(f64::min).zip(known().reduce(f64::max));
            assert_eq!(columns.range(), expected);
            if values.len() <= 50 {
                // A column for each value.
                let own: Vec<Option<f64>> = columns
                    .0
                    .iter()
                    .map(|column| Some(column.as_ref()?.max))
                    .collect();
                let all = values
                    .iter()
                    .map(|value| (!value.is_nan()).then_some(*value));
                assert!(values.is_empty() || all.eq(own));
            }
        }
    }

    #[test]
    fn a_long_frame_fills_its_columns_and_a_gap_stays_empty() {
        let mut columns = Columns::new(10);
        columns.add(0.0..0.5, 3.0);
        columns.add(0.5..0.5001, 9.0);
        columns.add(0.9..1.0, f64::NAN);
        let max: Vec<f64> = columns
            .0
            .iter()
            .flatten()
            .map(|column| column.max)
            .collect();
        assert_eq!(max, [3.0, 3.0, 3.0, 3.0, 3.0, 9.0]);
        let band = columns.band(|value| value as i32).into_string();
        assert!(
            band.contains("M0 3h1V3h1V3h1V3h1V3h1V9h1V9h-1V3h-1"),
            "{band}"
        );
    }
}
