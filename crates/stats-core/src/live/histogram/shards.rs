//! The shards of each histogram, and the threads that own them.

use std::cell::Cell as LocalCell;
use std::sync::OnceLock;

use super::run::{All, Reported};
use super::shard::Shard;
use crate::distribution::buckets;
use crate::live::counter::{HISTOGRAMS, Spot};
use crate::live::owned::{Owned, OwnedList};
use crate::live::reentrancy::guarded;
use crate::live::sync::{AtomicBool, AtomicU32, Mutex, MutexGuard, Ordering};
use crate::{Distribution, Precision};

/// The parts of a histogram that all threads share.
#[derive(Debug)]
struct Shared {
    shards: OwnedList<Shard>,
    /// The precision. The first caller that sets it, or the first sample, fixes it.
    precision: OnceLock<Precision>,
    /// Whether new shards keep their largest samples.
    keeps_largest: AtomicBool,
    reported: Mutex<Reported>,
}

/// The state of each histogram. The first, for refused histograms, and the last stay empty.
static HISTOGRAM: [Shared; HISTOGRAMS] = [const {
    Shared {
        shards: OwnedList::new(),
        precision: OnceLock::new(),
        keeps_largest: AtomicBool::new(false),
        reported: Mutex::new(Reported::NOTHING),
    }
}; HISTOGRAMS];

/// The index that all refused histograms share.
const REFUSED: usize = 0;

/// The number of the current run. The sums of a shard belong to the run of its last sample.
static RUN: AtomicU32 = AtomicU32::new(0);

pub(crate) fn current_run() -> u32 {
    // Relaxed: as at the start of a run.
    RUN.load(Ordering::Relaxed)
}

/// The shard of one histogram that belongs to this thread; `None` before its first sample.
type OwnShard = LocalCell<Option<&'static Owned<Shard>>>;

/// Releases the thread's shards when the thread ends. Only the cold path touches it.
struct Guard;

thread_local! {
    /// The thread's shard of each histogram. Has no destructor, so access needs no check and works
    /// until the very end of the thread.
    static OWN: [OwnShard; HISTOGRAMS] = const { [const { LocalCell::new(None) }; HISTOGRAMS] };
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

/// Records a call of a timer into the histogram of a spot. Returns `false` if it is refused.
pub(crate) fn record_call(spot: Spot, ms: f64) -> bool {
    let is_recorded = record(spot, ms, || spot);
    if is_recorded && let Some(shard) = OWN.with(|own| own[spot.histogram()].get()) {
        shard.value().note_call(ms);
    }
    is_recorded
}

/// Returns the longest call of the intervals from `begin` up to `end`; 0 if there was none.
pub(crate) fn longest_call(number: usize, begin: u64, end: u64) -> f64 {
    let mut longest: Option<f64> = None;
    HISTOGRAM[number].shards.for_each(|shard| {
        let of_shard = shard.value().longest_call(begin, end);
        longest = longest.into_iter().chain(of_shard).reduce(f64::max);
    });
    longest.unwrap_or(0.0)
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
        let shared = &HISTOGRAM[number];
        let shard = shared.shards.claim_or(|| shared.new_shard());
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
    // Relaxed: as in `record`.
    let is_recorded = shard.value().record(sample, RUN.load(Ordering::Relaxed));
    if !is_alive {
        shard.release();
    }
    is_recorded
}

/// Causes threads that record their first sample from now on to keep their largest samples.
pub(crate) fn keep_largest(number: usize) {
    // Relaxed: a thread that has the number from the registry sees what preceded it.
    HISTOGRAM[number]
        .keeps_largest
        .store(true, Ordering::Relaxed);
}

/// Fixes the precision of a histogram. Fails with the precision that was fixed before, if it
/// differs.
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

/// Returns the samples recorded in the current run; none for a refused histogram.
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

/// Returns the samples recorded in all runs; none for a refused histogram.
pub(crate) fn snapshot_of_all_runs(number: usize) -> Distribution {
    let all = HISTOGRAM[number].collect();
    let moments = all.moments(&Reported::NOTHING, &(0..=u32::MAX));
    Distribution::of_run(all.precision, all.buckets, moments)
}

/// Begins a run. Returns the samples that the histograms from 1 to `last` recorded in the run that
/// ends. The caller ensures that there is one call at a time: a shard keeps only the run before its
/// newest.
pub(crate) fn begin_run(last: usize) -> Vec<Distribution> {
    // Relaxed: as in `record`; other calls wait.
    let ended = RUN.fetch_add(1, Ordering::Relaxed);
    (1..=last)
        .map(|number| HISTOGRAM[number].end_run(ended))
        .collect()
}

impl Shared {
    fn new_shard(&self) -> Shard {
        let precision = *self.precision.get_or_init(Precision::default);
        // Relaxed: see `keep_largest`.
        if self.keeps_largest.load(Ordering::Relaxed) {
            Shard::with_peaks(precision)
        } else {
            Shard::new(precision)
        }
    }

    /// Ends a run. Each sample is in exactly one run: the samples that are remembered here, and
    /// subtracted from now on, are exactly those that this run reports.
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

/// Locks a mutex even after a panic: the content is replaced as a whole, so nothing is left half
/// done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
