//! Runs that fall into two groups: a machine that throttles, or two code paths.

use super::sample::sorted;

/// The fewest runs that can show two clusters.
const FEWEST: usize = 5;

/// Returns the number of runs in the lower of two clusters; `None` if the runs are one.
///
/// Two clusters have at least two runs each, and are further apart than `1 + 100 / n²` times the
/// width of the wider one, for `n` runs. Fewer than 1 of 100 samples of a normal distribution are,
/// for any number of runs.
pub(crate) fn lower_cluster(values: &[f64]) -> Option<usize> {
    let count = values.len();
    if count < FEWEST {
        return None;
    }
    let values = sorted(values);
    let apart = 1.0 + 100.0 / (count * count) as f64;
    let is_split = |at: &usize| {
        let gap = values[*at] - values[at - 1];
        let widths = (values[at - 1] - values[0], values[count - 1] - values[*at]);
        gap > apart * widths.0.max(widths.1) && gap > rounding(values[*at])
    };
    (2..count - 1).find(is_split)
}

/// Returns a distance that is due to the rounding of a computation, and not to a run.
fn rounding(value: f64) -> f64 {
    value.abs() * 1e-9
}
