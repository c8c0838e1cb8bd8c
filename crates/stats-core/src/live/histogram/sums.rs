//! The arithmetic of a tally: sums of a run's samples, added several at a time.

use crate::distribution::summary::{DistributionSummary, is_whole};
use crate::live::counter::PENDING;
use crate::live::sync::{AtomicU64, Ordering};

/// The number of samples of all runs, and their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Total {
    pub(crate) count: u64,
    pub(crate) sum: f64,
}

/// The sums of a run's samples.
///
/// Distances are from the first sample of the run, so that a large mean costs the deviation no
/// digits. If the first sample lies far from the mean, it enlarges the deviation as well, so few
/// digits are lost. Unlike a running mean, this needs no division for each sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    /// Samples of all runs.
    pub(super) count: u64,
    pub(super) before: Total,
    pub(super) first: f64,
    pub(super) sum: f64,
    pub(super) distances: f64,
    pub(super) squares: f64,
    /// Infinite, above `max`, before the run's first sample.
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) is_whole: bool,
    /// Whether all samples of earlier runs are whole numbers.
    pub(super) was_whole: bool,
}

/// The number of samples that are added side by side. An addition takes several cycles, and others
/// can begin in the meantime.
const LANES: usize = 4;

/// Partial sums: each lane has every fourth sample.
#[derive(Clone, Copy, Debug)]
struct Lanes {
    first: f64,
    sum: [f64; LANES],
    squares: [f64; LANES],
    min: f64,
    max: f64,
}

impl Sums {
    pub(super) const NONE: Self = Self {
        count: 0,
        before: Total { count: 0, sum: 0.0 },
        first: 0.0,
        sum: 0.0,
        distances: 0.0,
        squares: 0.0,
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
        is_whole: true,
        was_whole: true,
    };

    /// Returns all samples of all runs.
    pub(super) fn total(&self) -> Total {
        Total {
            count: self.count,
            sum: self.before.sum + self.sum,
        }
    }

    /// Adds the samples from the last one counted here up to `written`, each from its place.
    /// Returns `false` if there are not enough places.
    #[inline(always)]
    pub(super) fn add_all(&mut self, pending: &[AtomicU64; PENDING], written: u64) -> bool {
        // Places are folded no later than when the last one is taken, so the pending ones are
        // consecutive.
        let from = self.count as usize % PENDING;
        let Some(places) = pending
            .get(from..)
            .and_then(|rest| rest.get(..written.wrapping_sub(self.count) as usize))
        else {
            return false;
        };
        if self.count == self.before.count {
            self.first = places.first().map_or(0.0, get);
        }
        let zero = [0.0; LANES];
        let mut lanes = Lanes {
            first: self.first,
            sum: zero,
            squares: zero,
            min: self.min,
            max: self.max,
        };
        let (whole, rest) = places.as_chunks();
        for places in whole {
            lanes.add(places.each_ref().map(get));
        }
        self.merge(&lanes, (LANES * whole.len()) as f64);
        rest.iter().for_each(|place| self.add(get(place)));
        // Checked only while all samples so far are whole: with times in milliseconds, that is one
        // sample.
        self.is_whole = self.is_whole && places.iter().all(|place| is_whole(get(place)));
        self.count = written;
        true
    }

    #[inline(always)]
    fn merge(&mut self, lanes: &Lanes, count: f64) {
        let total = |[a, b, c, d]: [f64; LANES]| (a + b) + (c + d);
        let sum = total(lanes.sum);
        self.sum += sum;
        self.distances += sum - count * self.first;
        self.squares += total(lanes.squares);
        (self.min, self.max) = (lanes.min, lanes.max);
    }

    fn add(&mut self, sample: f64) {
        let distance = sample - self.first;
        self.sum += sample;
        self.distances += distance;
        self.squares += distance * distance;
        self.min = self.min.min(sample);
        self.max = self.max.max(sample);
    }

    pub(super) fn moments(&self) -> DistributionSummary {
        let &Self {
            first,
            sum,
            distances,
            squares,
            min,
            max,
            is_whole,
            ..
        } = self;
        // Saturating, for a reader that the owner interferes with.
        let count = self.count.saturating_sub(self.before.count);
        let mean_distance = if count == 0 {
            0.0
        } else {
            distances / count as f64
        };
        let squares = (squares - distances * mean_distance).max(0.0);
        DistributionSummary {
            count,
            sum,
            min,
            max,
            mean: first + mean_distance,
            squares,
            is_whole,
        }
    }
}

impl Lanes {
    #[inline(always)]
    fn add(&mut self, samples: [f64; LANES]) {
        for (at, sample) in samples.into_iter().enumerate() {
            let distance = sample - self.first;
            self.sum[at] += sample;
            self.squares[at] += distance * distance;
            // Plain comparisons in this order take one instruction each; no sample is NaN.
            self.min = if self.min < sample { self.min } else { sample };
            self.max = if self.max > sample { self.max } else { sample };
        }
    }
}

#[inline(always)]
pub(super) fn get(number: &AtomicU64) -> f64 {
    // Relaxed: the sequence number and the number of samples, read before and after, order what
    // matters.
    f64::from_bits(number.load(Ordering::Relaxed))
}

#[inline(always)]
pub(super) fn set(number: &AtomicU64, value: f64) {
    number.store(value.to_bits(), Ordering::Relaxed);
}
