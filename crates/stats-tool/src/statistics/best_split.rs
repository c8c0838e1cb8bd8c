//! The split of a sequence that separates its parts best.

/// A split of a part of a sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    /// The index of the first value after the split.
    pub(super) at: usize,
    /// The energy: how far the distances between the two sides exceed those within them.
    pub(super) energy: f64,
}

/// Returns the split of `values[start..end]` with the greatest energy; `None` if there are fewer
/// than two values.
///
/// For X = `values[start..τ]` with n values and Y = `values[τ..κ]` with m, the energy is
/// 2/(m+n) Σ |x − y| − 2m/((m+n)(n−1)) Σ |x − x'| − 2n/((m+n)(m−1)) Σ |y − y'|. The greatest of
/// all τ < κ ≤ end counts, so that a later change does not hide an earlier one.
///
/// The sums are added in the same order as in Apache Otava, so that ties are broken in the same
/// way.
pub(super) fn best_split(values: &[f64], start: usize, end: usize) -> Option<Split> {
    let sums = Sums::new(values, start, end)?;
    let mut best = Split {
        at: start + 1,
        energy: f64::NEG_INFINITY,
    };
    for row in 0..sums.size {
        for column in 0..sums.size {
            // Below the diagonal there is no split, and Otava has zeros there.
            let energy = if column >= row {
                sums.energy(row, column)
            } else {
                0.0
            };
            if energy > best.energy {
                best = Split {
                    at: start + row + 1,
                    energy,
                };
            }
        }
    }
    Some(best)
}

/// Sums of distances. A row is τ − start − 1, a column κ − start − 2.
struct Sums {
    size: usize,
    /// Distances from a value to those before it, added up over rows.
    above: Vec<f64>,
    /// Distances from a value to those after it up to a column, added up over rows from the first.
    from_first: Vec<f64>,
    /// The same, from the last row.
    from_last: Vec<f64>,
}

impl Sums {
    fn new(values: &[f64], start: usize, end: usize) -> Option<Self> {
        let size = end.checked_sub(start + 1).filter(|size| *size > 0)?;
        let distance = |first: usize, second: usize| (values[first] - values[second]).abs();
        let mut above = Vec::with_capacity(size);
        let mut sum = 0.0;
        for row in 0..size {
            let at = start + row + 1;
            let all: f64 = (0..at).map(|before| distance(before, at)).sum();
            let outside: f64 = (0..start).map(|before| distance(before, at)).sum();
            sum += all - outside;
            above.push(sum);
        }
        let mut after = vec![0.0; size * size];
        for row in 0..size {
            let mut sum = 0.0;
            for column in row..size {
                sum += distance(start + row, start + column + 1);
                after[row * size + column] = sum;
            }
        }
        let (mut from_first, mut from_last) = (after.clone(), after);
        for at in size..size * size {
            from_first[at] += from_first[at - size];
        }
        for at in (0..size * (size - 1)).rev() {
            from_last[at] += from_last[at + size];
        }
        Some(Self {
            size,
            above,
            from_first,
            from_last,
        })
    }

    fn energy(&self, row: usize, column: usize) -> f64 {
        let (first, second) = (row as f64, column as f64);
        let both = second + 2.0;
        let within_before = if row > 0 { self.above[row - 1] } else { 0.0 };
        let between = 2.0 / both * (self.from_first[row * self.size + column] - within_before);
        let before = if row > 0 {
            2.0 * (second + 1.0 - first) / (both * first) * within_before
        } else {
            0.0
        };
        let after = if column > row {
            let within = self.from_last[(row + 1) * self.size + column];
            2.0 * (first + 1.0) / (both * (second - first)) * within
        } else {
            0.0
        };
        between - before - after
    }
}
