//! The statistics of a range of frames that a user has marked.

use stats_core::FrameSlice;

use crate::extremes::extremes;

/// The statistics of the values of a range of frames, in the series' unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeStats {
    /// The sum; infinite if it overflows.
    pub sum: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// The arithmetic mean, finite for finite values.
    pub mean: f64,
    /// The median: the mean of the two middle values if their number is even.
    pub median: f64,
    /// The 95th percentile by nearest rank: the value at rank ⌈0.95 n⌉.
    pub p95: f64,
}
impl RangeStats {
    /// Returns the statistics of a window of finite values; `None` if it is empty.
    ///
    /// `scratch` receives a copy of the values and keeps its memory between calls. The cost is
    /// linear in the number of values.
    pub fn of(window: FrameSlice<'_>, scratch: &mut Vec<f64>) -> Option<Self> {
        let (older, newer) = window.as_slices();
        let ((min_a, max_a), (min_b, max_b)) = (extremes(older), extremes(newer));
        let (min, max, count) = (min_a.min(min_b), max_a.max(max_b), window.len());
        if count == 0 {
            return None;
        }
        scratch.clear();
        scratch.extend_from_slice(older);
        scratch.extend_from_slice(newer);
        // Values are divided before they are summed up, so that the mean is finite.
        let mean = scratch
            .iter()
            .map(|value| value / count as f64)
            .sum::<f64>()
            .clamp(min, max);
        let sum = scratch.iter().sum();
        let p95 = nth(scratch, (count * 95).div_ceil(100) - 1);
        let (lower, upper) = (nth(scratch, (count - 1) / 2), nth(scratch, count / 2));
        Some(Self {
            sum,
            min,
            max,
            mean,
            median: lower / 2.0 + upper / 2.0,
            p95,
        })
    }
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
            assert!(
                at_most(stats.p95) * 100 >= 95 * values.len(),
                "too few values up to {}",
                stats.p95
            );
            let below = values.iter().filter(|&&value| value < stats.p95).count();
            assert!(
                below * 100 < 95 * values.len(),
                "{} is not the least such value",
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
