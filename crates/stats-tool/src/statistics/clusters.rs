//! Detects runs that fall into two groups, for example because the machine throttles.

use super::sample::sorted;

/// The minimum number of runs that can show two clusters.
const MIN_RUNS: usize = 5;

/// Returns the number of runs in the lower of two clusters; `None` if the runs form a single
/// cluster.
///
/// Each cluster has at least two runs, and the gap between them is wider than `1 + 100 / n²` times
/// the wider cluster, for `n` runs. Fewer than 1 in 100 samples of a normal distribution meet this,
/// for any number of runs.
pub(crate) fn lower_cluster(values: &[f64]) -> Option<usize> {
    let count = values.len();
    if count < MIN_RUNS {
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

/// Returns a distance that rounding errors alone can cause.
fn rounding(value: f64) -> f64 {
    value.abs() * 1e-9
}
