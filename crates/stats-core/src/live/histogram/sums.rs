//! What the samples of a run add up to: added side by side, from where they wait.

use crate::distribution::moments::{Moments, is_whole};
use crate::live::counter::PENDING;
use crate::live::sync::{AtomicU64, Ordering};

/// How many samples there were, and what they add up to, over all runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Total {
    pub(crate) count: u64,
    pub(crate) sum: f64,
}

/// What the samples of a run add up to.
///
/// Distances are from the first sample of the run, so that a large mean takes no digits from the
/// deviation: the first sample is one of them, and what its distance from the mean costs in digits
/// is what it adds to the deviation. That takes no division for each sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    /// Of all runs.
    pub(super) count: u64,
    pub(super) before: Total,
    pub(super) first: f64,
    pub(super) sum: f64,
    pub(super) distances: f64,
    pub(super) squares: f64,
    /// The wrong way round before the run's first sample.
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) is_whole: bool,
    /// Of the samples of all runs.
    pub(super) was_whole: bool,
}

/// How many samples are added side by side. An addition takes several cycles, in which others can
/// begin.
const LANES: usize = 4;

/// What some samples add up to: each lane has every fourth of them.
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

    /// All samples, of all runs.
    pub(super) fn total(&self) -> Total {
        Total {
            count: self.count,
            sum: self.before.sum + self.sum,
        }
    }

    /// Adds the samples from the last one counted here up to `written`, each from its place;
    /// `false` where there are no places for so many.
    #[inline(always)]
    pub(super) fn add_all(&mut self, pending: &[AtomicU64; PENDING], written: u64) -> bool {
        // Places are folded at the latest when the last is taken, so that those that are pending
        // are one behind the other.
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
        // Looked at for as long as it may still be so: among times in milliseconds that is one
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

    pub(super) fn moments(&self) -> Moments {
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
        // Saturating, for a reader that the owner gets in the way of.
        let count = self.count.saturating_sub(self.before.count);
        let mean_distance = if count == 0 {
            0.0
        } else {
            distances / count as f64
        };
        let squares = (squares - distances * mean_distance).max(0.0);
        Moments {
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
            // Plain comparisons, in this order, since no sample is NaN: one instruction each.
            self.min = if self.min < sample { self.min } else { sample };
            self.max = if self.max > sample { self.max } else { sample };
        }
    }
}

#[inline(always)]
pub(super) fn get(number: &AtomicU64) -> f64 {
    // Relaxed: the numbers that are read before and after order what has to be.
    f64::from_bits(number.load(Ordering::Relaxed))
}

#[inline(always)]
pub(super) fn set(number: &AtomicU64, value: f64) {
    number.store(value.to_bits(), Ordering::Relaxed);
}
