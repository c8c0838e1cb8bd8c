//! The samples that all shards of a histogram recorded in a run.
//!
//! Counts and sums of a shard never go back, so that no sample is lost while threads record. A run
//! is the difference between two readings: the samples that all shards have now, minus the samples
//! that earlier runs reported.
//!
//! Zeroing cells that another thread writes would lose or duplicate samples.

use std::ops::RangeInclusive;

use super::tally::{Reading, Total};
use crate::distribution::buckets::{self, Entry};
use crate::distribution::summary::DistributionSummary;
use crate::{Distribution, Precision};

/// All samples ever recorded into a histogram.
pub(super) struct All {
    pub(super) precision: Precision,
    pub(super) buckets: Vec<Entry>,
    /// The reading of each shard.
    pub(super) readings: Vec<Reading>,
}

impl All {
    /// Reports the samples of the ending run that are not in `reported`, and adds them to it.
    pub(super) fn end_run(&self, reported: &mut Reported, ended: u32) -> Distribution {
        let moments = self.moments(reported, &(ended..=ended));
        // Samples that reached the buckets after the readings are left for the next run. Which
        // samples these are is unknown, so the same number is taken evenly from all buckets. Some
        // sample may then be in the buckets of one run and in the moments of the next, and another
        // the other way around.
        let run = buckets::thinned(self.buckets_since(reported), moments.count);
        buckets::merge(&mut reported.buckets, run.iter().copied());
        reported.totals = self
            .readings
            .iter()
            .map(|reading| reading.until(ended))
            .collect();
        reported.run = ended.wrapping_add(1);
        Distribution::of_run(self.precision, run, moments)
    }

    /// Returns the buckets without those that were reported.
    pub(super) fn buckets_since(&self, reported: &Reported) -> Vec<Entry> {
        // Bucket counts only grow, so the reported buckets are always a part of them.
        buckets::subtract(&self.buckets, &reported.buckets).unwrap_or_default()
    }

    /// Returns the moments that were not reported, up to the last of `runs`.
    pub(super) fn moments(
        &self,
        reported: &Reported,
        runs: &RangeInclusive<u32>,
    ) -> DistributionSummary {
        let totals = reported
            .totals
            .iter()
            .copied()
            .chain(std::iter::repeat(Total::default()));
        let parts = self
            .readings
            .iter()
            .zip(totals)
            .map(|(reading, reported)| reading.of_runs(runs, reported));
        parts.fold(DistributionSummary::NONE, DistributionSummary::merged)
    }
}

/// The part of a histogram that earlier runs have reported.
#[derive(Debug)]
pub(super) struct Reported {
    /// The current run.
    pub(super) run: u32,
    buckets: Vec<Entry>,
    /// The total of each shard, in the order in which shards were created.
    totals: Vec<Total>,
}

impl Reported {
    /// Nothing is reported before the first run ends.
    pub(super) const NOTHING: Self = Self {
        run: 0,
        buckets: Vec::new(),
        totals: Vec::new(),
    };
}

#[cfg(test)]
mod tests {
    use super::{All, Reported};
    use crate::live::histogram::shard::Shard;
    use crate::{Distribution, Precision};

    /// Returns the reports of two runs of one thread. `on_time` are its samples when the first run
    /// ends. `late` are still samples of that run, but they arrive after the reader has read the
    /// sums and before it reads the buckets.
    fn runs(on_time: &[f64], late: &[f64]) -> [Distribution; 2] {
        let shard = Shard::new(Precision::default());
        let record = |samples: &[f64]| {
            assert!(samples.iter().all(|sample| shard.record(*sample, 0)));
        };
        let mut reported = Reported::NOTHING;
        record(on_time);
        [on_time.len(), on_time.len() + late.len()].map(|count| {
            let reading = shard.reading();
            let run = reported.run;
            if run == 0 {
                record(late);
            }
            let all = All {
                precision: Precision::default(),
                buckets: shard.buckets().collect(),
                readings: vec![reading],
            };
            let ended = all.end_run(&mut reported, run);
            let reported: u64 = reported.buckets.iter().map(|bucket| bucket.1).sum();
            assert_eq!(reported, count as u64, "samples reported so far");
            ended
        })
    }

    #[test]
    fn count_sum_and_mean_of_late_samples_do_not_depend_on_their_buckets() {
        let cases: [(&[f64], &[f64]); 5] = [
            (&[1.0], &[7.0]),
            (&[7.0], &[1.0]),
            (&[1.0, 5.0, 3.0, 2.0], &[0.0]),
            (&[4.0, 2.0], &[1.0, 7.0, 5.0]),
            (&[-2.5, 0.1], &[0.3]),
        ];
        for (on_time, late) in cases {
            for (run, samples) in runs(on_time, late).iter().zip([on_time, late]) {
                let (count, sum) = (samples.len(), samples.iter().sum::<f64>());
                let mean = run.mean().unwrap();
                assert_eq!(run.count(), count as u64, "{run:?}");
                assert!((run.sum() - sum).abs() < 1e-12, "{sum}: {run:?}");
                assert!((mean - sum / count as f64).abs() < 1e-12, "{sum}: {run:?}");
                let (min, max) = (run.min().unwrap(), run.max().unwrap());
                assert!(min <= mean && mean <= max, "{run:?}");
                let within = |value| min <= value && value <= max;
                assert!(run.buckets().all(|bucket| within(bucket.value)), "{run:?}");
            }
        }
    }

    #[test]
    fn the_minimum_and_the_maximum_of_one_late_sample_are_its_value() {
        // All three samples are in one bucket, so the one carried over is the late sample's own.
        let [_, run] = runs(&[3.0, 3.0], &[3.0]);
        assert_eq!((run.min(), run.max()), (Some(3.0), Some(3.0)));
    }

    #[test]
    fn the_mean_of_late_samples_stays_in_their_bucket_if_rounding_destroys_its_digits() {
        let [_, run] = runs(&[1e30], &[0.5]);
        assert_eq!((run.count(), run.sum()), (1, 0.0));
        let bucket = run.buckets().next().unwrap();
        assert_eq!(run.mean(), Some(bucket.value), "{run:?}");
    }
}
