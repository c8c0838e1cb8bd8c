//! Finds the split of a sequence that separates the two sides best.

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
/// For X = `values[start..τ]` with n values and Y = `values[τ..κ]` with m, the energy is 2/(m+n) Σ
/// |x − y| − 2m/((m+n)(n−1)) Σ |x − x'| − 2n/((m+n)(m−1)) Σ |y − y'|. It is maximized over all τ <
/// κ ≤ end, so that a later change does not hide an earlier one.
///
/// The sums are added in the same order as in Apache Otava, so that ties break the same way.
pub(super) fn best_split(values: &[f64], start: usize, end: usize) -> Option<Split> {
    let sums = Sums::new(values, start, end)?;
    let mut best = Split {
        at: start + 1,
        energy: f64::NEG_INFINITY,
    };
    let mut from_first = vec![0.0; sums.size];
    let mut energies = vec![0.0; sums.size];
    for row in 0..sums.size {
        for (sum, after) in from_first.iter_mut().zip(sums.row(&sums.after, row)) {
            *sum += after;
        }
        sums.energies(row, &from_first, &mut energies);
        // Below the diagonal there is no split, and Otava has zeros there.
        let below = (row > 0).then_some(&0.0);
        for energy in below.into_iter().chain(&energies[row..]) {
            if *energy > best.energy {
                best = Split {
                    at: start + row + 1,
                    energy: *energy,
                };
            }
        }
    }
    Some(best)
}

/// Sums of distances. A row is τ − start − 1, and a column is κ − start − 2.
///
/// Inner loops update independent sums, so that the compiler can vectorize them.
struct Sums {
    size: usize,
    /// Distances from a value to those before it, added up over rows.
    above: Vec<f64>,
    /// Distances from a value to those after it up to a column.
    after: Vec<f64>,
    /// The same, added up over rows from the last.
    from_last: Vec<f64>,
}

impl Sums {
    fn new(values: &[f64], start: usize, end: usize) -> Option<Self> {
        let size = end.checked_sub(start + 1).filter(|size| *size > 0)?;
        let rows = &values[start + 1..end];
        let (mut all, mut outside) = (vec![0.0; size], vec![0.0; size]);
        for (before, value) in values[..end - 1].iter().enumerate() {
            if before == start {
                outside.copy_from_slice(&all);
            }
            let first = before.saturating_sub(start);
            for (sum, row) in all[first..].iter_mut().zip(&rows[first..]) {
                *sum += (value - row).abs();
            }
        }
        let mut sum = 0.0;
        let added = all.iter().zip(&outside).map(|(all, outside)| {
            sum += all - outside;
            sum
        });
        let above = added.collect();
        let (mut after, mut sums) = (vec![0.0; size * size], vec![0.0; size]);
        for (column, value) in rows.iter().enumerate() {
            let distances = values[start..].iter().map(|row| (row - value).abs());
            for (row, (sum, distance)) in sums[..=column].iter_mut().zip(distances).enumerate() {
                *sum += distance;
                after[row * size + column] = *sum;
            }
        }
        let mut from_last = after.clone();
        for row in (1..size).rev() {
            let (before, last) = from_last.split_at_mut(row * size);
            for (sum, last) in before[(row - 1) * size..].iter_mut().zip(last) {
                *sum += *last;
            }
        }
        Some(Self {
            size,
            above,
            after,
            from_last,
        })
    }

    fn row<'a>(&self, sums: &'a [f64], row: usize) -> &'a [f64] {
        &sums[row * self.size..][..self.size]
    }

    /// Computes the energies of a row, from the diagonal on. `from_first` contains `after`, added
    /// up over rows up to this one.
    fn energies(&self, row: usize, from_first: &[f64], energies: &mut [f64]) {
        let first = row as f64;
        let within_before = if row > 0 { self.above[row - 1] } else { 0.0 };
        let between = |column: f64, from_first: f64| {
            let both = column + 2.0;
            let before = if row > 0 {
                2.0 * (column + 1.0 - first) / (both * first) * within_before
            } else {
                0.0
            };
            2.0 / both * (from_first - within_before) - before
        };
        // The second side has one value, so no distance is within it.
        energies[row] = between(first, from_first[row]);
        if row + 1 == self.size {
            return;
        }
        let last = self.row(&self.from_last, row + 1);
        for column in row + 1..self.size {
            let second = column as f64;
            let within = 2.0 * (first + 1.0) / ((second + 2.0) * (second - first)) * last[column];
            energies[column] = between(second, from_first[column]) - within;
        }
    }
}

#[cfg(test)]
mod tests {
    use stats_testing::Random;

    use super::best_split;

    /// Computes the energy from its definition. The sums are added in another order.
    fn defined(values: &[f64], start: usize, end: usize) -> (usize, f64) {
        let distances = |first: &[f64], second: &[f64]| -> f64 {
            let pairs = first
                .iter()
                .flat_map(|x| second.iter().map(move |y| (x - y).abs()));
            pairs.sum()
        };
        let mut best = (start + 1, f64::NEG_INFINITY);
        for at in start + 1..end {
            for last in at + 1..=end {
                let (x, y) = (&values[start..at], &values[at..last]);
                let (n, m) = (x.len() as f64, y.len() as f64);
                // Each pair within a side is in the sum twice.
                let within = |side: &[f64], n: f64, m: f64| {
                    let pairs = distances(side, side) / 2.0;
                    if n > 1.0 {
                        2.0 * m / ((n + m) * (n - 1.0)) * pairs
                    } else {
                        0.0
                    }
                };
                let energy = 2.0 / (n + m) * distances(x, y) - within(x, n, m) - within(y, m, n);
                if energy > best.1 {
                    best = (at, energy);
                }
            }
        }
        best
    }

    #[test]
    fn the_split_has_the_greatest_energy() {
        let mut random = Random::new(5);
        for length in 2..40 {
            let step = random.below(length) as usize;
            let values: Vec<f64> = (0..length as usize)
                .map(|at| random.below(1000) as f64 / 7.0 + if at >= step { 90.0 } else { 0.0 })
                .collect();
            for start in [0, values.len() / 3] {
                let end = values.len();
                if end - start < 2 {
                    continue;
                }
                let split = best_split(&values, start, end).unwrap();
                let (at, energy) = defined(&values, start, end);
                assert_eq!(split.at, at, "{values:?}");
                assert!(
                    (split.energy - energy).abs() < 1e-9 * energy.abs(),
                    "{values:?}"
                );
            }
        }
    }
}
