//! The samples of a histogram since the export started.

use stats_core::{Distribution, SeriesId, Unit, snapshot_of_all_runs};

use crate::bounds;
use crate::metric::Buckets;

/// The totals of a histogram, over all runs. None of them decreases.
#[derive(Debug)]
pub(crate) struct Samples {
    unit: Unit,
    buckets: Buckets,
    /// All samples up to the newest export, also those from before the first.
    before: Distribution,
    /// The sum of the samples from before the first export.
    sum_before: f64,
}

impl Samples {
    /// Begins without samples. Those in `before` are not counted.
    pub(crate) fn new(unit: Unit, bounds: Vec<f64>, before: Distribution) -> Self {
        let buckets = Buckets {
            counts: vec![0; bounds.len() + 1],
            bounds,
            ..Buckets::default()
        };
        Self {
            unit,
            buckets,
            sum_before: before.sum(),
            before,
        }
    }

    /// Begins again, with other bounds, if the unit has changed: in a collector, the unit is a part
    /// of the series.
    pub(crate) fn set_unit(&mut self, unit: Unit, bounds: impl FnOnce() -> Vec<f64>) {
        if unit != self.unit {
            let before = std::mem::take(&mut self.before);
            *self = Self::new(unit, bounds(), before);
        }
    }

    /// Adds the samples since the last call, and returns the totals.
    pub(crate) fn update(&mut self, id: SeriesId) -> Buckets {
        self.add(snapshot_of_all_runs(id).unwrap_or_default());
        self.totals()
    }

    /// Returns the totals of the last update; zeros before it.
    pub(crate) fn totals(&self) -> Buckets {
        self.buckets.clone()
    }

    /// Adds the samples that are in `all` and not in those of the last call.
    fn add(&mut self, all: Distribution) {
        let is_whole = all.summary().is_some_and(|summary| summary.is_whole);
        let Buckets { bounds, counts, .. } = &mut self.buckets;
        for bucket in all.since(&self.before).buckets() {
            counts[bounds::position(bounds, &bucket, is_whole)] += bucket.count;
        }
        self.buckets.sum = all.sum() - self.sum_before;
        self.buckets.min = all.min().unwrap_or(0.0);
        self.before = all;
    }
}

#[cfg(test)]
mod tests {
    use stats_testing::Random;

    use super::*;

    /// Adds samples in several exports, and compares each with all samples so far.
    fn check(bounds: &[f64], exports: &[Vec<f64>]) {
        let mut all = Distribution::default();
        // A sample from before the export.
        assert!(all.record(3.0));
        let mut samples = Samples::new(Unit::Count, bounds.to_vec(), all.clone());
        let mut so_far: Vec<f64> = Vec::new();
        for export in exports {
            assert!(export.iter().all(|sample| all.record(*sample)));
            so_far.extend(export);
            samples.add(all.clone());
            let totals = &samples.buckets;
            assert_eq!(totals.bounds, bounds, "they never change");
            for (bound, count) in bounds
                .iter()
                .chain([&f64::INFINITY])
                .zip(totals.cumulative())
            {
                let expected = so_far.iter().filter(|sample| *sample <= bound).count() as u64;
                assert_eq!(count, expected, "up to {bound} of {so_far:?}");
            }
            let magnitude: f64 = so_far.iter().map(|sample| sample.abs()).sum();
            let error = totals.sum - so_far.iter().sum::<f64>();
            assert!(error.abs() <= 1e-12 * magnitude.max(3.0), "{totals:?}");
        }
    }

    #[test]
    fn the_count_at_each_bound_is_exact() {
        let mut random = Random::new(1);
        let fixed = bounds::of_unit(Unit::Count);
        let own = [-20.0, -1.5, 0.0, 0.25, 1.0, 7.0, 16.0, 250.0, 9.9e14];
        for bounds in [&fixed[..], &own, &[]] {
            for _ in 0..50 {
                // Whole numbers below 100, also at bounds; then others, never at a bound.
                let whole = |random: &mut Random| random.below(200) as f64 - 100.0;
                let any = |random: &mut Random| {
                    let magnitude = 10_f64.powi(random.below(24) as i32 - 8);
                    let sign = if random.below(3) == 0 { -1.0 } else { 1.0 };
                    sign * magnitude * (1.013 + random.below(900) as f64 / 100.0)
                };
                let mut exports = vec![Vec::new()];
                for _ in 0..4 {
                    exports.push((0..random.below(40)).map(|_| whole(&mut random)).collect());
                }
                check(bounds, &exports);
                let mut exports = Vec::new();
                for _ in 0..4 {
                    exports.push((0..random.below(40)).map(|_| any(&mut random)).collect());
                }
                check(bounds, &exports);
            }
        }
    }

    #[test]
    fn no_count_decreases_when_samples_stop_being_whole() {
        let all = |samples: &[f64]| {
            let mut all = Distribution::default();
            assert!(samples.iter().all(|sample| all.record(*sample)));
            all
        };
        let mut samples = Samples::new(Unit::Count, vec![5.0, 10.0], Distribution::default());
        samples.add(all(&[5.0, 5.0]));
        assert_eq!(samples.buckets.counts, [2, 0, 0]);
        samples.add(all(&[5.0, 5.0, 7.5]));
        assert_eq!(samples.buckets.counts, [2, 1, 0]);
    }

    #[test]
    fn another_unit_begins_again_with_other_bounds() {
        let mut all = Distribution::default();
        assert!(all.record(5.0));
        let mut samples = Samples::new(Unit::Count, vec![10.0], Distribution::default());
        samples.add(all.clone());
        samples.set_unit(Unit::Count, || vec![1.0]);
        assert_eq!(samples.buckets.counts, [1, 0]);
        samples.set_unit(Unit::Bytes, || vec![1.0, 20.0]);
        assert!(all.record(6.0));
        samples.add(all);
        assert_eq!(samples.buckets.counts, [0, 1, 0]);
        assert_eq!(samples.buckets.sum, 6.0);
    }
}
