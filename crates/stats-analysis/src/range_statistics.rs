//! The statistics of a range of frames that a user has selected.

use stats_core::FrameSlice;

use crate::extremes::extremes;

/// The statistics of the values of a range of frames, in the series' unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeStats {
    /// The number of known values, at least 1.
    pub count: usize,
    /// The sum; infinite if it overflows.
    pub sum: f64,
    /// The smallest known value.
    pub min: f64,
    /// The largest known value.
    pub max: f64,
    /// The arithmetic mean, finite for finite values.
    pub mean: f64,
    /// The population standard deviation; see [`standard_deviation`].
    pub deviation: f64,
    /// The median: the mean of the two middle values if their number is even.
    pub median: f64,
    /// The 5th percentile by nearest rank: the value at rank ⌈0.05 n⌉.
    pub p5: f64,
    /// The 95th percentile by nearest rank: the value at rank ⌈0.95 n⌉.
    pub p95: f64,
}

impl RangeStats {
    /// Returns the statistics of the known values of a window; `None` if no value is known. NaN
    /// stands for an unknown value; all other values must be finite.
    ///
    /// `scratch` receives a copy of the values and keeps its memory between calls. The cost is
    /// linear in the number of values.
    pub fn of(window: FrameSlice<'_>, scratch: &mut Vec<f64>) -> Option<Self> {
        let (older, newer) = window.as_slices();
        let ((min_a, max_a), (min_b, max_b)) = (extremes(older), extremes(newer));
        let (min, max) = (min_a.min(min_b), max_a.max(max_b));
        scratch.clear();
        scratch.extend(known_values(window));
        let count = scratch.len();
        if count == 0 {
            return None;
        }
        // Values are divided before they are summed up, so that the mean is finite.
        let mean = scratch
            .iter()
            .map(|value| value / count as f64)
            .sum::<f64>()
            .clamp(min, max);
        let sum = scratch.iter().sum();
        let p5 = nth(scratch, (count * 5).div_ceil(100) - 1);
        let p95 = nth(scratch, (count * 95).div_ceil(100) - 1);
        let (lower, upper) = (nth(scratch, (count - 1) / 2), nth(scratch, count / 2));
        Some(Self {
            count,
            sum,
            min,
            max,
            mean,
            deviation: standard_deviation(window, mean),
            median: lower / 2.0 + upper / 2.0,
            p5,
            p95,
        })
    }
}

/// Returns the population standard deviation of the known values of a window, given their mean.
/// Returns 0 if no value is known. The cost is linear in the length of the window.
///
/// It is the second pass of the two-pass algorithm, corrected for the rounding of the mean (Chan,
/// Golub and LeVeque 1983). Differences are scaled by the largest of them, so that no square
/// overflows or underflows.
pub fn standard_deviation(window: FrameSlice<'_>, mean: f64) -> f64 {
    // The values are halved, because the difference of two finite numbers may be infinite.
    let differences = || known_values(window).map(|value| value / 2.0 - mean / 2.0);
    let scale = differences().fold(0.0, |largest: f64, difference| {
        largest.max(difference.abs())
    });
    if scale == 0.0 {
        return 0.0;
    }
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    for difference in differences() {
        let scaled = difference / scale;
        sum += scaled;
        squares += scaled * scaled;
        count += 1.0;
    }
    let variance = squares / count - (sum / count).powi(2);
    (variance.max(0.0).sqrt() * scale * 2.0).min(f64::MAX)
}

fn known_values(window: FrameSlice<'_>) -> impl Iterator<Item = f64> {
    let (older, newer) = window.as_slices();
    let all = older.iter().chain(newer).copied();
    all.filter(|value| !value.is_nan())
}

/// Returns the value at `rank` of the sorted values.
fn nth(values: &mut [f64], rank: usize) -> f64 {
    *values.select_nth_unstable_by(rank, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn values_that_are_not_known_are_left_out() {
        let nan = f64::NAN;
        let mut scratch = Vec::new();
        let of = |values: &[f64], scratch: &mut Vec<f64>| {
            let (older, newer) = values.split_at(values.len() / 2);
            RangeStats::of(FrameSlice::new(3, older, newer), scratch)
        };
        let holes = of(&[nan, 4.0, nan, nan, 1.0, 3.0, nan], &mut scratch);
        assert_eq!(holes, of(&[4.0, 1.0, 3.0], &mut scratch));
        assert_eq!(of(&[nan, nan], &mut scratch), None);
    }

    #[test]
    fn the_statistics_match_their_definitions() {
        let (mut random, mut scratch) = (Random::new(21), Vec::new());
        assert_eq!(RangeStats::of(FrameSlice::default(), &mut scratch), None);
        for _ in 0..300 {
            let values: Vec<f64> = (0..=random.below(300))
                .map(|_| random.below(1000) as f64)
                .collect();
            let split = random.below(values.len() as u64) as usize;
            let stats = RangeStats::of(
                FrameSlice::new(9, &values[..split], &values[split..]),
                &mut scratch,
            )
            .unwrap();
            let at_most = |bound: f64| values.iter().filter(|&&value| value <= bound).count();
            assert_eq!(stats.sum, values.iter().sum::<f64>());
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let at_rank = |percent: usize| sorted[(values.len() * percent).div_ceil(100) - 1];
            assert_eq!(stats.count, values.len());
            assert_eq!((stats.p5, stats.p95), (at_rank(5), at_rank(95)));
            assert!(
                at_most(stats.p95) * 100 >= 95 * values.len(),
                "too few values up to {}",
                stats.p95
            );
            let below = values.iter().filter(|&&value| value < stats.p95).count();
            assert!(
                below * 100 < 95 * values.len(),
                "{} is not the smallest such value",
                stats.p95
            );
            assert!(2 * at_most(stats.median) >= values.len());
            assert!(
                values.contains(&stats.min)
                    && values
                        .iter()
                        .all(|&value| (stats.min..=stats.max).contains(&value))
            );
            assert!(
                (stats.mean * values.len() as f64 - stats.sum).abs() <= 1e-9 * stats.sum.max(1.0)
            );
        }
    }

    #[test]
    fn the_standard_deviation_matches_its_definition() {
        let (mut random, mut scratch) = (Random::new(22), Vec::new());
        for _ in 0..300 {
            // Whole numbers far from 0, whose deviation is known exactly and is easily lost.
            let offset = 10f64.powi(random.below(13) as i32);
            let values: Vec<f64> = (0..=random.below(300))
                .map(|_| offset + random.below(1000) as f64)
                .collect();
            let split = random.below(values.len() as u64) as usize;
            let window = FrameSlice::new(9, &values[..split], &values[split..]);
            let stats = RangeStats::of(window, &mut scratch).unwrap();
            let (mut sum, mut squares) = (0_i128, 0_i128);
            for value in values.iter().map(|value| (value - offset) as i128) {
                sum += value;
                squares += value * value;
            }
            let count = values.len() as i128;
            let exact = ((count * squares - sum * sum) as f64).sqrt() / count as f64;
            assert!(
                (stats.deviation - exact).abs() <= 1e-9 * exact.max(1.0),
                "{stats:?} {exact}"
            );
        }
    }

    #[test]
    fn the_standard_deviation_of_extreme_values_is_finite() {
        let of = |values: &[f64]| {
            RangeStats::of(FrameSlice::new(0, values, &[]), &mut Vec::new())
                .unwrap()
                .deviation
        };
        assert_eq!(of(&[4.0]), 0.0);
        assert_eq!(of(&[7.0; 9]), 0.0);
        assert_eq!(of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), 2.0);
        assert_eq!(of(&[f64::MAX, -f64::MAX]), f64::MAX);
        assert!((of(&[1e-200, 3e-200]) / 1e-200 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn huge_values_have_a_finite_mean() {
        let stats = RangeStats::of(
            FrameSlice::new(0, &[f64::MAX, f64::MAX, f64::MAX], &[]),
            &mut Vec::new(),
        )
        .unwrap();
        assert_eq!(
            (stats.mean, stats.median, stats.p95),
            (f64::MAX, f64::MAX, f64::MAX)
        );
    }
}
