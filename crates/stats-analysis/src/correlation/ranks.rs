//! Ranks of the values in a window.

use std::ops::Range;

/// The positions of values in their order, from which the ranks in any window follow without sorting
/// again.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The positions of the known values, the smallest value first.
    positions: Vec<u32>,
}

impl Order {
    /// Sorts values. Unknown ones (NaN) have no rank.
    pub(super) fn sort(&mut self, values: &[f64]) {
        self.positions.clear();
        let known = (0..values.len() as u32).filter(|at| !values[*at as usize].is_nan());
        self.positions.extend(known);
        let value = |at: &u32| values[*at as usize];
        (self.positions).sort_unstable_by(|a, b| value(a).total_cmp(&value(b)).then(a.cmp(b)));
    }

    /// Replaces `ranks` by the ranks of the values in a window, from 0. Equal values share the mean of
    /// their ranks. The rank of an unknown value is NaN.
    pub(super) fn rank(&self, values: &[f64], window: Range<usize>, ranks: &mut Vec<f64>) {
        ranks.clear();
        ranks.resize(window.len(), f64::NAN);
        let mut below = 0.0;
        // -0 and 0 are equal, although the order tells them apart.
        let is_equal = |a: &u32, b: &u32| values[*a as usize] == values[*b as usize];
        for equal in self.positions.chunk_by(is_equal) {
            let inside = equal.iter().filter(|at| window.contains(&(**at as usize)));
            let count = inside.clone().count() as f64;
            for at in inside {
                ranks[*at as usize - window.start] = below + (count - 1.0) / 2.0;
            }
            below += count;
        }
    }
}
