//! Count, sum, extremes and squares of one thread's samples, which any thread can read as of one
//! moment.

use std::ops::RangeInclusive;

pub(crate) use super::sums::Total;
use super::sums::{Sums, get, set};
use crate::Precision;
use crate::distribution::summary::{DistributionSummary, ROUNDING};
use crate::live::counter::PENDING;
use crate::live::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// The sums of one thread's samples. Only the owner writes, and it never waits; a reader retries if
/// the owner interfered.
///
/// Each sample is written to a separate place, which takes two stores. When all places are taken,
/// they are *folded* into the sums at once. The owner therefore waits neither for the sums of the
/// previous sample nor for readers, and readers add up the pending samples themselves.
#[derive(Debug)]
// In this order, so that the last two fields can share a cache line with what follows.
#[repr(C)]
pub(crate) struct Tally {
    pending: [AtomicU64; PENDING],
    /// Odd during a fold.
    sequence: AtomicU64,
    folded: Folded,
    /// The number of samples. The nth is in place n % [`PENDING`] until that place is needed again.
    written: AtomicU64,
    /// The run of all pending samples, and of the sums.
    run: AtomicU32,
    /// Facts about the folded samples, as bits: [`IN_RUN`] and [`EVER`].
    fractions: AtomicU32,
}

/// Set if any sample of the run is not a whole number.
const IN_RUN: u32 = 1;

/// Set if any sample ever is not a whole number.
const EVER: u32 = 2;

/// The sums of the run's folded samples, as bits, and those of earlier runs.
#[derive(Debug)]
struct Folded {
    /// The number of folded samples of all runs.
    count: AtomicU64,
    first: AtomicU64,
    sum: AtomicU64,
    distances: AtomicU64,
    squares: AtomicU64,
    min: AtomicU64,
    max: AtomicU64,
    /// The number and the sum of all samples before the run.
    before: [AtomicU64; 2],
    /// The previous run in which this thread recorded anything.
    ended: Ended,
}

/// The moments of a run that ended, as bits.
#[derive(Debug)]
struct Ended {
    run: AtomicU32,
    fractions: AtomicU32,
    count: AtomicU64,
    /// Sum, mean, squared distances from it, minimum and maximum.
    values: [AtomicU64; 5],
}

/// Sums of whole numbers are exact up to here: 2⁵³.
const EXACT_INTEGERS: f64 = (1_u64 << 53) as f64;

/// A consistent reading of a [`Tally`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    /// The run of the last sample. `moments` are those of all its samples.
    pub(crate) run: u32,
    pub(crate) moments: DistributionSummary,
    /// The previous run with samples; run 0 and no samples if there was none.
    pub(crate) ended: (u32, DistributionSummary),
    /// The number and the sum of all samples before the run.
    pub(crate) before: Total,
    /// Whether all samples ever recorded are whole numbers.
    pub(crate) was_whole: bool,
}

impl Reading {
    /// Returns all samples up to the end of a run.
    pub(crate) fn until(&self, run: u32) -> Total {
        if self.run > run {
            return self.before;
        }
        Total {
            count: self.before.count + self.moments.count,
            sum: self.before.sum + self.moments.sum,
        }
    }

    /// Returns the moments of the samples in some of the last two runs, and of earlier samples that
    /// are not in `reported`.
    ///
    /// Such samples exist if a thread recorded while a run was reported. Only their number and sum
    /// are known, as differences, so each is assumed to equal their mean. That is exact for the
    /// usual single sample; for several, it keeps minimum and maximum on the correct side of the
    /// mean. If rounding leaves the mean less precise than a bucket, the extremes are unknown.
    pub(crate) fn of_runs(
        &self,
        runs: &RangeInclusive<u32>,
        reported: Total,
    ) -> DistributionSummary {
        let of = |run, moments| {
            if runs.contains(&run) {
                moments
            } else {
                DistributionSummary::NONE
            }
        };
        let found = of(self.ended.0, self.ended.1).merged(of(self.run, self.moments));
        let until = self.until(*runs.end());
        let count = until
            .count
            .saturating_sub(reported.count)
            .saturating_sub(found.count);
        if count == 0 {
            return found;
        }
        let sum = until.sum - reported.sum - found.sum;
        let mean = sum / count as f64;
        let late = DistributionSummary {
            count,
            sum,
            mean,
            is_whole: self.was_whole,
            ..DistributionSummary::NONE
        };
        let magnitudes = until.sum.abs() + reported.sum.abs() + found.sum.abs();
        let is_exact = self.was_whole && magnitudes <= EXACT_INTEGERS;
        let noise = ROUNDING * magnitudes / count as f64;
        found.merged(
            if is_exact || noise <= Precision::FourDigits.max_error() * mean.abs() {
                DistributionSummary {
                    min: mean,
                    max: mean,
                    ..late
                }
            } else {
                late
            },
        )
    }
}

impl Tally {
    pub(crate) fn new() -> Self {
        let zero = || AtomicU64::new(0);
        Self {
            written: zero(),
            run: AtomicU32::new(0),
            fractions: AtomicU32::new(0),
            pending: std::array::from_fn(|_| zero()),
            sequence: zero(),
            folded: Folded {
                count: zero(),
                first: zero(),
                sum: zero(),
                distances: zero(),
                squares: zero(),
                min: AtomicU64::new(f64::INFINITY.to_bits()),
                max: AtomicU64::new(f64::NEG_INFINITY.to_bits()),
                before: [zero(), zero()],
                ended: Ended {
                    run: AtomicU32::new(0),
                    fractions: AtomicU32::new(0),
                    count: zero(),
                    values: std::array::from_fn(|_| zero()),
                },
            },
        }
    }

    /// Adds a sample, which is finite and small enough to be squared. For the owner only.
    #[inline(always)]
    pub(crate) fn add(&self, sample: f64, run: u32) {
        // Relaxed, here and in everything that the owner does: only it writes, so it reads its own
        // stores.
        if run != self.run.load(Ordering::Relaxed) {
            self.begin(run);
        }
        let written = self.written.load(Ordering::Relaxed);
        set(&self.pending[written as usize % PENDING], sample);
        // Release, paired with the Acquire in `try_sums`: a thread that sees the number sees the
        // sample.
        self.written.store(written + 1, Ordering::Release);
        if written as usize % PENDING == PENDING - 1 {
            self.fold(|_| {});
        }
    }

    /// Begins another run, whose sums include only its own samples.
    #[cold]
    #[inline(never)]
    fn begin(&self, run: u32) {
        self.fold(|sums| {
            self.folded
                .ended
                .set(self.run.load(Ordering::Relaxed), sums.moments());
            self.run.store(run, Ordering::Relaxed);
            *sums = Sums {
                count: sums.count,
                before: sums.total(),
                was_whole: sums.was_whole && sums.is_whole,
                ..Sums::NONE
            };
            self.folded.begin(sums.before);
        });
    }

    /// Adds all pending samples to the sums, and then runs `then` before readers see the result.
    #[inline(never)]
    fn fold(&self, then: impl FnOnce(&mut Sums)) {
        let sequence = self.sequence.load(Ordering::Relaxed);
        self.sequence.store(sequence + 1, Ordering::Relaxed);
        // Release fence, paired with the Acquire fence in `try_sums`: a thread that sees any of the
        // stores below, or a sample in a place that they make free, sees the odd number above.
        fence(Ordering::Release);
        let mut sums = self.folded.get(&self.fractions);
        sums.add_all(&self.pending, self.written.load(Ordering::Relaxed));
        then(&mut sums);
        self.folded.set(sums);
        let fractions =
            [sums.is_whole, sums.was_whole && sums.is_whole].map(|is_whole| u32::from(!is_whole));
        self.fractions.store(
            (fractions[0] * IN_RUN) | (fractions[1] * EVER),
            Ordering::Relaxed,
        );
        // Release, paired with the Acquire in `try_sums`: a thread that sees the new number sees
        // all of the sums.
        self.sequence.store(sequence + 2, Ordering::Release);
    }

    /// Returns the number of samples.
    pub(crate) fn count(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Returns the sum of all samples of all runs; `None` as for [`try_read`](Self::try_read).
    pub(crate) fn try_sum(&self) -> Option<f64> {
        self.try_sums(|sums, _| sums.total().sum)
    }

    /// Returns all numbers as they were between two samples; `None` if the owner folded in the
    /// meantime.
    pub(crate) fn try_read(&self) -> Option<Reading> {
        self.try_sums(|sums, run| Reading {
            run,
            moments: sums.moments(),
            ended: self.folded.ended.get(),
            before: sums.before,
            was_whole: sums.was_whole && sums.is_whole,
        })
    }

    fn try_sums<R>(&self, read: impl FnOnce(Sums, u32) -> R) -> Option<R> {
        // Acquire, and the fence below: see `fold`.
        let before = self.sequence.load(Ordering::Acquire);
        let mut sums = self.folded.get(&self.fractions);
        // Acquire: see `add`.
        let written = self.written.load(Ordering::Acquire);
        let run = self.run.load(Ordering::Relaxed);
        // More samples are pending than there are places: the owner has folded and written since.
        if !sums.add_all(&self.pending, written) {
            return None;
        }
        let found = read(sums, run);
        fence(Ordering::Acquire);
        let is_whole = before.is_multiple_of(2) && self.sequence.load(Ordering::Relaxed) == before;
        is_whole.then_some(found)
    }
}

impl Folded {
    fn get(&self, fractions: &AtomicU32) -> Sums {
        let fractions = fractions.load(Ordering::Relaxed);
        let [count, sum] = &self.before;
        Sums {
            before: Total {
                count: count.load(Ordering::Relaxed),
                sum: get(sum),
            },
            count: self.count.load(Ordering::Relaxed),
            first: get(&self.first),
            sum: get(&self.sum),
            distances: get(&self.distances),
            squares: get(&self.squares),
            min: get(&self.min),
            max: get(&self.max),
            is_whole: fractions & IN_RUN == 0,
            was_whole: fractions & EVER == 0,
        }
    }

    fn set(&self, sums: Sums) {
        self.count.store(sums.count, Ordering::Relaxed);
        set(&self.first, sums.first);
        set(&self.sum, sums.sum);
        set(&self.distances, sums.distances);
        set(&self.squares, sums.squares);
        set(&self.min, sums.min);
        set(&self.max, sums.max);
    }

    /// Stores the totals of earlier runs. Separate from [`set`](Self::set), because it is rare.
    fn begin(&self, Total { count, sum }: Total) {
        self.before[0].store(count, Ordering::Relaxed);
        set(&self.before[1], sum);
    }
}

impl Ended {
    fn get(&self) -> (u32, DistributionSummary) {
        let [sum, mean, squares, min, max] = self.values.each_ref().map(get);
        let count = self.count.load(Ordering::Relaxed);
        let is_whole = self.fractions.load(Ordering::Relaxed) == 0;
        (
            self.run.load(Ordering::Relaxed),
            DistributionSummary {
                count,
                sum,
                min,
                max,
                mean,
                squares,
                is_whole,
            },
        )
    }

    fn set(
        &self,
        run: u32,
        DistributionSummary {
            count,
            sum,
            min,
            max,
            mean,
            squares,
            is_whole,
        }: DistributionSummary,
    ) {
        self.run.store(run, Ordering::Relaxed);
        self.fractions
            .store(u32::from(!is_whole), Ordering::Relaxed);
        self.count.store(count, Ordering::Relaxed);
        for (place, value) in self.values.iter().zip([sum, mean, squares, min, max]) {
            set(place, value);
        }
    }
}
