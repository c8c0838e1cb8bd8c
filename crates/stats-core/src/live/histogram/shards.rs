//! Which thread writes which part of which histogram.

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

/// What all threads share of a histogram.
#[derive(Debug)]
struct Shared {
    shards: OwnedList<Shard>,
    /// Fixed by whoever says it first, or by the first sample.
    precision: OnceLock<Precision>,
    told: Mutex<Told>,
}

/// What was reported of a histogram, with the runs that ended.
#[derive(Debug)]
struct Told {
    /// The run under way.
    run: u32,
    buckets: Vec<Entry>,
    /// By shard, in the order in which they were made.
    totals: Vec<Total>,
}

const NOTHING: Told = Told {
    run: 0,
    buckets: Vec::new(),
    totals: Vec::new(),
};

/// By the histogram's number. The first, of those that were refused, and the last stay empty for
/// ever.
static HISTOGRAM: [Shared; HISTOGRAMS] = [const {
    Shared {
        shards: OwnedList::new(),
        precision: OnceLock::new(),
        told: Mutex::new(NOTHING),
    }
}; HISTOGRAMS];

/// The number of histograms that were refused.
const REFUSED: usize = 0;

/// The number of the run under way. A shard's sums are of the run in which it had its last sample.
static RUN: AtomicU32 = AtomicU32::new(0);

/// Gives the thread's shards up when the thread ends. Touched on the cold path alone.
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

/// Records a sample into the histogram of a spot; `false` where it is refused.
#[inline(always)]
pub(crate) fn record(spot: Spot, sample: f64, register: impl FnOnce() -> Spot) -> bool {
    match OWN.with(|own| own[spot.histogram()].get()) {
        // Relaxed: a sample beside the beginning of a run belongs to either.
        Some(shard) => shard.value().record(sample, RUN.load(Ordering::Relaxed)),
        None => record_cold(register, sample),
    }
}

/// Claims a shard first. After the thread's guard has gone, in the destructors of other
/// thread-locals, it is owned for one sample.
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
    // The sample is recorded outside: a page is made under the same guard.
    let Some(claimed) = guarded(claim) else {
        return false;
    };
    // Dropped: of a histogram that was refused, which was reported.
    let Some((shard, is_alive)) = claimed else {
        return true;
    };
    let is_recorded = shard.value().record(sample, RUN.load(Ordering::Relaxed));
    if !is_alive {
        shard.release();
    }
    is_recorded
}

/// Fixes the precision of a histogram; the one that stands where it is another.
pub(crate) fn set_precision(number: usize, precision: Precision) -> Result<(), Precision> {
    let first = *HISTOGRAM[number].precision.get_or_init(|| precision);
    if first == precision {
        Ok(())
    } else {
        Err(first)
    }
}

/// How many samples were ever recorded.
pub(crate) fn count(number: usize) -> u64 {
    let mut count = 0;
    HISTOGRAM[number]
        .shards
        .for_each(|shard| count += shard.value().count());
    count
}

/// The sum of all samples that were ever recorded.
pub(crate) fn sum(number: usize) -> f64 {
    let mut sum = 0.0;
    HISTOGRAM[number]
        .shards
        .for_each(|shard| sum += shard.value().sum());
    sum
}

/// What was recorded during the run under way; nothing by a histogram that was refused.
pub(crate) fn snapshot(number: usize) -> Distribution {
    let shared = &HISTOGRAM[number];
    let told = lock(&shared.told);
    let all = shared.collect();
    // Up to any run: of one that begins at this moment and is not known here, samples are in the
    // buckets, too.
    Distribution::of_run(
        all.precision,
        all.buckets_since(&told),
        all.moments(&told, &(told.run..=u32::MAX)),
    )
}

/// Begins a run; what the histograms from 1 to `last` recorded during the one that ends.
pub(crate) fn begin_run(last: usize) -> Vec<Distribution> {
    // One after the other: a shard keeps the run before its last, and no more.
    static BEGINNING: Mutex<()> = Mutex::new(());
    let _others_wait = lock(&BEGINNING);
    let ended = RUN.fetch_add(1, Ordering::Relaxed);
    (1..=last)
        .map(|number| HISTOGRAM[number].end_run(ended))
        .collect()
}

impl Shared {
    /// Ends a run. Each sample is in one: what is remembered, to be taken off from now on, is just
    /// what is told of the run that ends.
    fn end_run(&self, ended: u32) -> Distribution {
        let mut told = lock(&self.told);
        let all = self.collect();
        let moments = all.moments(&told, &(ended..=ended));
        // Those that came into the buckets since are left for the next run, by number: which they
        // are is not known.
        let run = buckets::thinned(all.buckets_since(&told), moments.count);
        buckets::merge(&mut told.buckets, run.iter().copied());
        told.totals = all
            .readings
            .iter()
            .map(|reading| reading.until(ended))
            .collect();
        told.run = ended.wrapping_add(1);
        Distribution::of_run(all.precision, run, moments)
    }

    fn collect(&self) -> All {
        let precision = self.precision.get().copied().unwrap_or_default();
        let mut all = All {
            precision,
            buckets: Vec::new(),
            readings: Vec::new(),
        };
        self.shards.for_each(|shard| {
            // First, so that no sample is in the moments and not in the buckets.
            all.readings.push(shard.value().reading());
            buckets::merge(&mut all.buckets, shard.value().buckets());
        });
        all
    }
}

/// All that was ever recorded into a histogram.
struct All {
    precision: Precision,
    buckets: Vec<Entry>,
    /// By shard.
    readings: Vec<Reading>,
}

impl All {
    /// The buckets that are not told yet.
    fn buckets_since(&self, told: &Told) -> Vec<Entry> {
        // They only grow: what was told is always a part.
        buckets::less(&self.buckets, &told.buckets).unwrap_or_default()
    }

    /// The moments that are not told yet, up to the last of some runs.
    fn moments(&self, told: &Told, runs: &RangeInclusive<u32>) -> Moments {
        let totals = told
            .totals
            .iter()
            .copied()
            .chain(std::iter::repeat(Total::default()));
        let parts = self
            .readings
            .iter()
            .zip(totals)
            .map(|(reading, told)| reading.of_runs(runs, told));
        parts.fold(Moments::NONE, Moments::merged)
    }
}

/// What is kept is replaced whole, so that a panic elsewhere leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
