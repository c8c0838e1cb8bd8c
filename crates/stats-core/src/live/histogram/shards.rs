//! Which thread writes which shard, and what all shards of a histogram recorded in a run.
//!
//! Counts and sums of a shard never go back, so that no sample is lost while threads record. A run
//! is the difference between two readings: what all shards have now, minus what was reported with
//! earlier runs.

use std::cell::Cell as LocalCell;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use super::shard::Shard;
use super::tally::{Reading, Total};
use crate::distribution::buckets::{self, Entry};
use crate::distribution::moments::Moments;
use crate::live::counter::{HISTOGRAMS, Spot};
use crate::live::owned::{Owned, OwnedList};
use crate::live::reentrancy::guarded;
use crate::live::sync::{AtomicU32, Mutex, MutexGuard, Ordering};
use crate::{Distribution, Precision};

/// The parts of a histogram that all threads share.
#[derive(Debug)]
struct Shared {
    shards: OwnedList<Shard>,
    /// Fixed by the first caller that sets it, or by the first sample.
    precision: OnceLock<Precision>,
    reported: Mutex<Reported>,
}

/// What was reported of a histogram with the runs that ended.
#[derive(Debug)]
struct Reported {
    /// The run under way.
    run: u32,
    buckets: Vec<Entry>,
    /// By shard, in the order in which shards were created.
    totals: Vec<Total>,
}

const NOTHING: Reported = Reported {
    run: 0,
    buckets: Vec::new(),
    totals: Vec::new(),
};

/// By the histogram's number. The first is for refused histograms; it and the last stay empty.
static HISTOGRAM: [Shared; HISTOGRAMS] = [const {
    Shared {
        shards: OwnedList::new(),
        precision: OnceLock::new(),
        reported: Mutex::new(NOTHING),
    }
}; HISTOGRAMS];

/// The number of refused histograms.
const REFUSED: usize = 0;

/// The number of the run under way. The sums of a shard belong to the run of its last sample.
static RUN: AtomicU32 = AtomicU32::new(0);

/// Releases the thread's shards when the thread ends. Only the cold path touches it.
struct Guard;

thread_local! {
    /// Without a destructor, so that reaching it costs no check and works until the thread's very
    /// end.
    static OWN: [LocalCell<Option<&'static Owned<Shard>>>; HISTOGRAMS] = const { [const { LocalCell::new(None) }; HISTOGRAMS] };
    static GUARD: Guard = const { Guard };
}

impl Drop for Guard {
    fn drop(&mut self) {
        OWN.with(|own| {
            own.iter()
                .filter_map(LocalCell::take)
                .for_each(Owned::release)
        });
    }
}

/// Records a sample into the histogram of a spot. Returns `false` if it is refused.
#[inline(always)]
pub(crate) fn record(spot: Spot, sample: f64, register: impl FnOnce() -> Spot) -> bool {
    match OWN.with(|own| own[spot.histogram()].get()) {
        // Relaxed: a sample at the moment at which a run begins belongs to either.
        Some(shard) => shard.value().record(sample, RUN.load(Ordering::Relaxed)),
        None => record_cold(register, sample),
    }
}

/// Claims a shard and records. In the destructors of thread-locals, after the thread's guard is
/// dropped, the thread owns the shard for this one sample only.
#[cold]
#[inline(never)]
fn record_cold(register: impl FnOnce() -> Spot, sample: f64) -> bool {
    let claim = || {
        let number = register().histogram();
        if number == REFUSED {
            return None;
        }
        let is_alive = GUARD.try_with(|_| ()).is_ok();
        let Shared {
            shards, precision, ..
        } = &HISTOGRAM[number];
        let shard = shards.claim_or(|| Shard::new(*precision.get_or_init(Precision::default)));
        OWN.with(|own| own[number].set(is_alive.then_some(shard)));
        Some((shard, is_alive))
    };
    // The sample is recorded outside of `claim`: adding a page takes the same guard.
    let Some(claimed) = guarded(claim) else {
        return false;
    };
    // Dropped: the histogram was refused, and that was reported.
    let Some((shard, is_alive)) = claimed else {
        return true;
    };
    let is_recorded = shard.value().record(sample, RUN.load(Ordering::Relaxed));
    if !is_alive {
        shard.release();
    }
    is_recorded
}

/// Fixes the precision of a histogram. Returns the one that stands, if it is different.
pub(crate) fn set_precision(number: usize, precision: Precision) -> Result<(), Precision> {
    let first = *HISTOGRAM[number].precision.get_or_init(|| precision);
    if first == precision {
        Ok(())
    } else {
        Err(first)
    }
}

/// Returns the number of samples ever recorded.
pub(crate) fn count(number: usize) -> u64 {
    let mut count = 0;
    HISTOGRAM[number]
        .shards
        .for_each(|shard| count += shard.value().count());
    count
}

/// Returns the sum of all samples ever recorded.
pub(crate) fn sum(number: usize) -> f64 {
    let mut sum = 0.0;
    HISTOGRAM[number]
        .shards
        .for_each(|shard| sum += shard.value().sum());
    sum
}

/// Returns what was recorded in the run under way; nothing for a refused histogram.
pub(crate) fn snapshot(number: usize) -> Distribution {
    let shared = &HISTOGRAM[number];
    let reported = lock(&shared.reported);
    let all = shared.collect();
    // Up to any run: if one begins at this moment, its samples are in the buckets already.
    Distribution::of_run(
        all.precision,
        all.buckets_since(&reported),
        all.moments(&reported, &(reported.run..=u32::MAX)),
    )
}

/// Begins a run. Returns what the histograms from 1 to `last` recorded in the run that ends.
pub(crate) fn begin_run(last: usize) -> Vec<Distribution> {
    // One call at a time: a shard keeps only the run before its newest.
    static BEGINNING: Mutex<()> = Mutex::new(());
    let _others_wait = lock(&BEGINNING);
    let ended = RUN.fetch_add(1, Ordering::Relaxed);
    (1..=last)
        .map(|number| HISTOGRAM[number].end_run(ended))
        .collect()
}

impl Shared {
    /// Ends a run. Each sample is in exactly one: what is remembered here, and subtracted from now
    /// on, is exactly what is reported for this run.
    fn end_run(&self, ended: u32) -> Distribution {
        let mut reported = lock(&self.reported);
        self.collect().end_run(&mut reported, ended)
    }

    fn collect(&self) -> All {
        let precision = self.precision.get().copied().unwrap_or_default();
        let mut all = All {
            precision,
            buckets: Vec::new(),
            readings: Vec::new(),
        };
        self.shards.for_each(|shard| {
            // Before the buckets, so that no sample is in the moments and not in the buckets.
            all.readings.push(shard.value().reading());
            buckets::merge(&mut all.buckets, shard.value().buckets());
        });
        all
    }
}

/// All samples ever recorded into a histogram.
struct All {
    precision: Precision,
    buckets: Vec<Entry>,
    /// By shard.
    readings: Vec<Reading>,
}

impl All {
    /// Reports what the run that ends has beyond `reported`, and adds it there.
    fn end_run(&self, reported: &mut Reported, ended: u32) -> Distribution {
        let moments = self.moments(reported, &(ended..=ended));
        // Samples that reached the buckets since the readings are left for the next run. Which ones
        // they are is unknown, so their number is taken evenly from all buckets. A sample may
        // therefore be in the buckets of one run and in the moments of the next, and another the
        // other way round.
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
    fn buckets_since(&self, reported: &Reported) -> Vec<Entry> {
        // Bucket counts only grow, so what was reported is always a part.
        buckets::less(&self.buckets, &reported.buckets).unwrap_or_default()
    }

    /// Returns the moments that were not reported, up to the last of `runs`.
    fn moments(&self, reported: &Reported, runs: &RangeInclusive<u32>) -> Moments {
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
        parts.fold(Moments::NONE, Moments::merged)
    }
}

/// The content is replaced as a whole, so a panic elsewhere leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{All, NOTHING, Shard};
    use crate::{Distribution, Precision};

    /// Returns the reports of two runs of one thread. `on_time` are its samples when the first run
    /// ends. `late` are still samples of that run, but they arrive after the reader has read the
    /// sums and before it reads the buckets.
    fn runs(on_time: &[f64], late: &[f64]) -> [Distribution; 2] {
        let shard = Shard::new(Precision::default());
        let record = |samples: &[f64]| {
            assert!(samples.iter().all(|sample| shard.record(*sample, 0)));
        };
        let mut reported = NOTHING;
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
    fn late_samples_keep_count_sum_and_mean_whatever_buckets_are_left_for_them() {
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
        // The bucket that is left for it is its own.
        let [_, run] = runs(&[3.0, 3.0], &[3.0]);
        assert_eq!((run.min(), run.max()), (Some(3.0), Some(3.0)));
    }

    #[test]
    fn the_mean_of_late_samples_stays_in_their_bucket_if_rounding_takes_its_digits() {
        let [_, run] = runs(&[1e30], &[0.5]);
        assert_eq!((run.count(), run.sum()), (1, 0.0));
        let bucket = run.buckets().next().unwrap();
        assert_eq!(run.mean(), Some(bucket.value), "{run:?}");
    }
}
