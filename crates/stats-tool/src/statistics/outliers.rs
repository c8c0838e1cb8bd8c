//! Single runs that are far from the runs around them.

use super::sample::{quantile, sorted};

/// The distance of an outlier from the quartiles, in interquartile ranges.
const RANGES: f64 = 3.0;

/// The minimum number of runs for meaningful quartiles.
const MIN_RUNS: usize = 6;

/// Returns the indices of the values that are more than three interquartile ranges above the third
/// quartile or below the first: Tukey's far outliers. Empty for fewer than six values.
pub(super) fn outliers(values: &[f64]) -> Vec<usize> {
    if values.len() < MIN_RUNS {
        return Vec::new();
    }
    let sorted = sorted(values);
    let (first, third) = (quantile(&sorted, 0.25), quantile(&sorted, 0.75));
    // Equal runs may differ by rounding errors.
    let rounding = first.abs().max(third.abs()) * 1e-9;
    let away = RANGES * (third - first) + rounding;
    let is_outlier = |value: &f64| *value < first - away || *value > third + away;
    let all = values.iter().enumerate();
    all.filter(|(_, value)| is_outlier(value))
        .map(|(at, _)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::outliers;

    #[test]
    fn values_far_from_the_quartiles_are_outliers() {
        // The quartiles are 2.5 and 5.5, so the limits are −6.5 and 14.5.
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 14.5];
        assert!(outliers(&values).is_empty());
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 14.6];
        assert_eq!(outliers(&values), [6]);
        let values = [-6.6, 2.0, 3.0, 4.0, 5.0, 6.0, 3.0];
        assert_eq!(outliers(&values), [0]);
    }

    #[test]
    fn one_different_run_among_equal_ones_is_an_outlier() {
        assert_eq!(outliers(&[5.0, 5.0, 5.0, 6.0, 5.0, 5.0]), [3]);
        let rounded = [5.0, 5.0, 5.0, 5.0 + 1e-12, 5.0, 5.0];
        assert!(outliers(&rounded).is_empty());
        assert!(outliers(&[1.0, 100.0, 1.0, 1.0, 1.0]).is_empty());
    }
}
