//! Fits stalls to a comb, and computes how likely the fit is by chance.

use std::ops::Range;

use super::MIN_STALLS;

/// The number of stalls that make up for an empty slot, in a comb without gaps and in one with some.
pub(super) const EMPTY: [f64; 2] = [2.0, 0.5];
/// The number of times that a comb is fitted, each time from the result of the last.
const FITS: usize = 3;
/// The maximum distance of a hitch from its slot, as a share of the period.
const TOLERANCE: f64 = 0.04;
/// The maximum distance of a hitch from its slot in frames, for long periods.
const MAX_TOLERANCE: f64 = 6.0;
/// The same for a comb whose stalls are exactly on their slots: the rounding to a frame, of a period
/// that is no whole number of frames or of a stall at a constant time.
pub(super) const EXACT: f64 = 0.5;
/// A proposed comb is judged by at most this many slots in each direction.
const JUDGED_SLOTS: f64 = 6.0;

/// The memory of fits, and the work that they did.
#[derive(Clone, Debug, Default)]
pub(super) struct Spare {
    /// Lists that are used again, because thousands of combs may be fitted after a hitch.
    pub(super) lists: Vec<Vec<(usize, f64)>>,
    /// The number of stalls that were compared with a comb.
    pub(super) work: usize,
}

/// A comb that was fitted to stalls.
pub(super) struct Fit {
    pub(super) phase: f64,
    pub(super) period: f64,
    /// The positions of the stalls on the comb, and their slots.
    pub(super) on: Vec<(usize, f64)>,
    /// The number of stalls on the comb, including those before its beginning and after its end.
    pub(super) all: usize,
    /// The number of frames in which a stall is on a slot.
    pub(super) width: f64,
}

impl Fit {
    /// Fits a comb to the stalls within a tolerance of a phase and a period. Repeats this, because
    /// the period becomes more exact with each stall. `None` if too few stalls are on the comb.
    ///
    /// The comb begins and ends where this makes the number of its stalls, minus `empty` times the
    /// number of its empty slots, as large as possible. At least half of its slots have a stall.
    /// `spare` has memory for further combs, and counts the work.
    pub(super) fn of(
        at: &[f64],
        (mut phase, mut period): (f64, f64),
        (tolerance, empty): (fn(f64) -> f64, f64),
        spare: &mut Spare,
    ) -> Option<Self> {
        let (mut on, mut all) = (spare.lists.pop().unwrap_or_default(), 0);
        for _ in 0..FITS {
            let tolerance = tolerance(period);
            spare.work += at.len();
            on.clear();
            for (index, place) in at.iter().enumerate() {
                let slot = ((place - phase) / period).round();
                if (place - phase - slot * period).abs() <= tolerance
                    && on.last().is_none_or(|&(_, last)| last < slot)
                {
                    on.push((index, slot));
                }
            }
            all = on.len();
            let dense = densest(&on, empty);
            on.truncate(dense.end);
            on.drain(..dense.start);
            let points = on.iter().map(|&(index, slot)| (slot, at[index]));
            let fitted = line(points).filter(|_| is_filled(&on));
            let Some(fitted) = fitted else {
                spare.lists.push(on);
                return None;
            };
            (phase, period) = fitted;
        }
        let tolerance = tolerance(period);
        let width = if tolerance > EXACT {
            2.0 * tolerance + 1.0
        } else {
            1.0
        };
        Some(Self {
            phase,
            period,
            on,
            all,
            width,
        })
    }

    /// Returns the probability that stalls at random frames produce this comb, for each pair of
    /// stalls. `stalls` is the number of all stalls in `frames` frames.
    ///
    /// Two adjacent stalls define a comb. A comb with few adjacent stalls is defined by few pairs. A comb
    /// that leaves out stalls near its slots is one of several of the same length.
    pub(super) fn chance(&self, stalls: usize, frames: u64) -> f64 {
        let slots = self.on[self.on.len() - 1].1 - self.on[0].1 + 1.0;
        let pairs = self.on.windows(2);
        let adjacent = pairs.filter(|pair| pair[1].1 - pair[0].1 < 1.5).count();
        let ranges = (self.all - self.on.len() + 1) as f64;
        let others = (stalls - 2, self.width / frames.max(1) as f64);
        let filled = filled_by_chance(self.on.len() - 2, slots as usize - 2, others);
        ranges * (slots - 1.0) / adjacent.max(1) as f64 * filled
    }
}

/// Returns an upper bound of the probability that at least `min` of some slots have a stall, if each
/// of `stalls` stalls is on any slot with the probability `part`.
pub(super) fn filled_by_chance(min: usize, slots: usize, (stalls, part): (usize, f64)) -> f64 {
    // The sum over all choices of slots and of the stalls on them. Smaller if there are few stalls.
    let choices = (0..min).map(|at| {
        let of_slots = (slots - at) as f64 / (at + 1) as f64;
        of_slots * stalls.saturating_sub(at) as f64 * part
    });
    let each = (stalls as f64 * part).min(1.0);
    binomial_tail(min, slots, each).min(choices.product())
}

/// Returns whether these stalls are enough, and fill at least half of the slots.
fn is_filled(on: &[(usize, f64)]) -> bool {
    let slots = |first: &(usize, f64), last: &(usize, f64)| last.1 - first.1 + 1.0;
    let slots = on
        .first()
        .zip(on.last())
        .map(|(first, last)| slots(first, last));
    on.len() >= MIN_STALLS && slots.is_some_and(|slots| 2.0 * on.len() as f64 >= slots)
}

/// Returns the range of these stalls for which their number, minus `empty` times the number of
/// empty slots between them, is largest.
fn densest(on: &[(usize, f64)], empty: f64) -> Range<usize> {
    let (mut best, mut most) = (0..0, 0.0);
    let (mut begin, mut score) = (0, 0.0);
    for (at, (_, slot)) in on.iter().enumerate() {
        if at > 0 {
            score -= empty * (slot - on[at - 1].1 - 1.0);
        }
        if score <= 0.0 {
            (begin, score) = (at, 0.0);
        }
        score += 1.0;
        if score >= most {
            (best, most) = (begin..at + 1, score);
        }
    }
    best
}

/// Returns whether a proposed comb is plausible: at least half of the next slots after its phase, or
/// of those before it, have a stall. Most proposed combs are not plausible.
pub(super) fn is_plausible(at: &[f64], (phase, period): (f64, f64)) -> bool {
    let tolerance = tolerance(period);
    let is_dense = |direction: f64| {
        let end = if direction > 0.0 { at.len() - 1 } else { 0 };
        let slots = ((at[end] - phase).abs() / period + 0.5)
            .floor()
            .min(JUDGED_SLOTS) as u32;
        let empty = (1..=slots).filter(|slot| {
            let place = phase + direction * f64::from(*slot) * period;
            let next = at.partition_point(|one| *one < place - tolerance);
            at.get(next).is_none_or(|next| *next > place + tolerance)
        });
        let most = slots as usize / 2;
        slots >= 2 && empty.take(most + 1).count() <= most
    };
    is_dense(1.0) || is_dense(-1.0)
}

pub(super) fn tolerance(period: f64) -> f64 {
    (TOLERANCE * period).clamp(1.0, MAX_TOLERANCE)
}

/// Returns the intercept and the slope of the line through points; `None` if they share one place.
pub(super) fn line(points: impl Iterator<Item = (f64, f64)> + Clone) -> Option<(f64, f64)> {
    let count = points.clone().count() as f64;
    let sum = |of: fn((f64, f64)) -> f64| points.clone().map(of).sum::<f64>();
    let (x, y) = (sum(|(x, _)| x) / count, sum(|(_, y)| y) / count);
    let xx = sum(|(x, _)| x * x) - count * x * x;
    let slope = (sum(|(x, y)| x * y) - count * x * y) / xx;
    (xx > 0.0).then_some((y - slope * x, slope))
}

/// Returns the probability of at least `min` successes in `trials` independent trials, each with
/// the probability `chance`.
pub(super) fn binomial_tail(min: usize, trials: usize, chance: f64) -> f64 {
    if min == 0 || chance >= 1.0 {
        return 1.0;
    }
    // Computes each term from the previous one, in logarithms, which do not overflow.
    let mut term = trials as f64 * (1.0 - chance).ln();
    let mut tail = 0.0;
    for successes in 0..=trials {
        if successes >= min {
            tail += term.exp();
        }
        let next = (trials - successes) as f64 / (successes + 1) as f64;
        term += (next * chance / (1.0 - chance)).ln();
    }
    tail.min(1.0)
}
