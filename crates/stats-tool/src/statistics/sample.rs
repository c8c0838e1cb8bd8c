//! Mean, median and quantiles of a few values, one for each run.

/// Returns the arithmetic mean; NaN if there are no values.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the sum of the squared distances from the mean; 0 if there are no values.
pub(super) fn sum_of_squares(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// Returns the values in ascending order.
pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Returns the median, which is the mean of the middle two for an even number of values; NaN if
/// there are no values.
pub(crate) fn median(values: &[f64]) -> f64 {
    quantile(&sorted(values), 0.5)
}

/// Returns a quantile of values in ascending order, interpolated between neighbors: type 7 of
/// Hyndman and Fan, which R and NumPy use by default. NaN if there are no values.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let position = share.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (position.floor() as usize, position.ceil() as usize);
    sorted[below] + (position - position.floor()) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::{mean, median, quantile, sum_of_squares};

    #[test]
    fn quantiles_are_those_of_r_and_numpy() {
        // numpy.quantile([1, 2, 4, 8], [0, 0.25, 0.5, 0.9, 1])
        let values = [1.0, 2.0, 4.0, 8.0];
        for (share, expected) in [(0.0, 1.0), (0.25, 1.75), (0.5, 3.0), (0.9, 6.8), (1.0, 8.0)] {
            assert!((quantile(&values, share) - expected).abs() < 1e-12);
        }
        assert!(quantile(&[], 0.5).is_nan());
        assert_eq!(median(&[5.0, 1.0, 3.0]), 3.0);
    }

    #[test]
    fn the_sum_of_squares_is_that_of_the_distances_from_the_mean() {
        assert_eq!(mean(&[1.0, 2.0, 6.0]), 3.0);
        assert_eq!(sum_of_squares(&[1.0, 2.0, 6.0]), 14.0);
        assert_eq!(sum_of_squares(&[7.0]), 0.0);
        assert_eq!(sum_of_squares(&[]), 0.0);
    }
}
