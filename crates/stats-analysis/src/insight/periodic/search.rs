//! A search for the combs of stalls, which goes on in several steps.

use crate::sort::sort_by;
use std::collections::VecDeque;

use stats_core::FRAME_TIME;

use super::super::hitch::{Hitch, Role};
use super::fit::{EMPTY, EXACT, Fit, Spare, is_plausible, tolerance};
use super::{Axis, Comb, MIN_PERIOD, MIN_STALLS, Periodic, Start, frames_per_second, moved_on_all};

/// The largest probability that a comb occurs by chance.
const CHANCE: f64 = 1e-3;
/// The chance of a comb with gaps of empty slots is divided by this factor. So stalls beyond a gap are on
/// a comb only if they make it a hundred times less likely by chance, and the search for such combs
/// makes a comb by chance only a hundredth more likely.
const SURER: f64 = 0.01;
/// The number of newest stalls that propose periods.
const NEWEST: usize = 24;
/// The maximum number of periods between the two hitches of a pair, if not all slots between them
/// have a hitch.
const MAX_PERIODS: u32 = 3;
/// The maximum number of culprits whose hitches are examined on their own.
const MAX_CULPRITS: usize = 4;
/// The maximum number of stalls per hitch.
const MAX_PARTS: usize = 12;
/// The most work of a step, in stalls that are compared with a comb. The last comb of a step is fitted
/// completely.
const STEP: usize = 32_768;
/// The work to decide whether a proposed comb is plausible, which most are not.
const PROPOSAL: usize = 16;

/// A long frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stall {
    /// When it began.
    pub(super) at: Start,
    /// Whether it was noticed.
    is_hitch: bool,
    /// The series of its culprit.
    culprit: Option<u32>,
}

/// Returns the stalls in order: the hitches, and the long frames that do not directly follow
/// another long frame.
fn stalls<'a>(
    hitches: impl Iterator<Item = (&'a Hitch, Start)>,
    long: &VecDeque<Start>,
) -> Vec<Stall> {
    let noticed = hitches.map(|(hitch, at)| {
        let first = hitch.findings.first();
        let culprit = first.filter(|first| first.role == Role::Culprit);
        Stall {
            at,
            is_hitch: true,
            culprit: culprit.and_then(|first| first.series),
        }
    });
    let long = long.iter().map(|at| Stall {
        at: *at,
        is_hitch: false,
        culprit: None,
    });
    let mut all: Vec<Stall> = noticed.chain(long).collect();
    let order = |stall: &Stall| (stall.at.frame, !stall.is_hitch);
    sort_by(&mut all, |a, b| order(a).cmp(&order(b)));
    let mut before = None;
    all.retain(|stall| {
        let previous = before.replace(stall.at.frame);
        stall.is_hitch || previous.is_some_and(|previous| stall.at.frame > previous + 1)
    });
    all
}

/// A search for the periodic stalls among the hitches at its beginning. The result is that of one long
/// step.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Search {
    /// The stalls that are on no comb yet, in order.
    left: Vec<Stall>,
    /// The number of frames in which they occurred.
    frames: u64,
    frame_secs: f64,
    /// The sets of stalls that are still examined: first the set of all stalls, and if it has no comb, a set
    /// for each culprit.
    sets: VecDeque<Set>,
    has_culprits: bool,
    /// The best comb of the sets that were examined.
    best: Option<Comb>,
    found: Vec<Periodic>,
    pub(super) spare: Spare,
}

impl Search {
    /// Begins a search in hitches, which are in frame order, each with its beginning. `long` are frames
    /// soon after a hitch that were about as long, `newest` is the newest frame, and `frames` is the
    /// number of frames in which these hitches occurred.
    pub(in super::super) fn new<'a>(
        hitches: impl Iterator<Item = (&'a Hitch, Start)> + Clone,
        long: &VecDeque<Start>,
        newest: Start,
        frames: u64,
    ) -> Self {
        let Some((_, first)) = hitches.clone().next() else {
            return Self::default();
        };
        let since = newest.frame.saturating_sub(first.frame) + 1;
        let mut search = Self {
            left: stalls(hitches, long),
            frames,
            frame_secs: (newest.secs - first.secs) / since as f64,
            ..Self::default()
        };
        search.examine_all();
        search
    }

    /// Goes on to the end, and returns the periodic stalls. `hitch_of` is as for [`step`](Self::step).
    pub(in super::super) fn finish<'a>(
        mut self,
        hitch_of: impl Fn(u64) -> Option<&'a Hitch>,
    ) -> Vec<Periodic> {
        loop {
            if let Some(found) = self.step(&hitch_of) {
                return found;
            }
        }
    }

    /// Does a part of the search. Returns the periodic stalls if this was the last part. `hitch_of`
    /// returns the hitch of a frame, if it is still known.
    pub(in super::super) fn step<'a>(
        &mut self,
        hitch_of: impl Fn(u64) -> Option<&'a Hitch>,
    ) -> Option<Vec<Periodic>> {
        self.spare.work = 0;
        loop {
            if let Some(set) = self.sets.front_mut() {
                let known = (self.left.as_slice(), self.frames, self.frame_secs);
                if !set.examine(known, &mut self.spare) {
                    return None;
                }
                let best = self.sets.pop_front().and_then(Set::certain);
                let chance = self.best.as_ref().map_or(f64::INFINITY, |best| best.chance);
                if let Some(best) = best.filter(|best| best.chance < chance) {
                    self.best = Some(best);
                }
            } else if let Some(comb) = self.best.take() {
                self.take(comb, &hitch_of);
                self.examine_all();
                return None;
            } else if !std::mem::replace(&mut self.has_culprits, true) {
                self.examine_culprits();
            } else {
                return Some(std::mem::take(&mut self.found));
            }
        }
    }

    fn examine_all(&mut self) {
        let all = Set::new((0..self.left.len()).collect(), 1);
        self.sets.push_back(all);
        self.has_culprits = false;
    }

    /// Examines the stalls with the same culprit, for those culprits that have the most stalls.
    fn examine_culprits(&mut self) {
        let stalls = self.left.iter().enumerate();
        let mut stalls: Vec<(u32, usize)> = stalls
            .filter_map(|(at, stall)| Some((stall.culprit?, at)))
            .collect();
        sort_by(&mut stalls, |a, b| a.0.cmp(&b.0));
        let mut groups: Vec<Vec<usize>> = stalls
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|group| (MIN_STALLS..self.left.len()).contains(&group.len()))
            .map(|group| group.iter().map(|(_, at)| *at).collect())
            .collect();
        sort_by(&mut groups, |a, b| b.len().cmp(&a.len()));
        groups.truncate(MAX_CULPRITS);
        let count = groups.len() as u32;
        let sets = groups.into_iter().map(|group| Set::new(group, count));
        self.sets.extend(sets);
    }

    /// Takes the stalls of a comb.
    fn take<'a>(&mut self, mut comb: Comb, hitch_of: impl Fn(u64) -> Option<&'a Hitch>) {
        let on: Vec<Stall> = comb.on.iter().map(|at| self.left[*at]).collect();
        let mut at = 0;
        self.left.retain(|_| {
            at += 1;
            comb.on.binary_search(&(at - 1)).is_err()
        });
        let noticed = on.iter().filter(|stall| stall.is_hitch);
        // Too few of these long frames are hitches.
        if noticed.clone().count() * MAX_PARTS <= on.len() {
            return;
        }
        comb.choose_axis(&on, self.frame_secs);
        let noticed: Vec<&Hitch> = noticed
            .filter_map(|stall| hitch_of(stall.at.frame))
            .collect();
        let moved = moved_on_all(noticed.iter().copied());
        let (period_frames, period_secs) = match comb.axis {
            Axis::Frames => (comb.period, None),
            Axis::Time(frame_secs) => {
                let secs = comb.period * frame_secs;
                (secs * frames_per_second(&on), Some(secs))
            }
        };
        self.found.push(Periodic {
            period_frames,
            period_secs,
            first_frame: on[0].at.frame,
            count: on.len(),
            path: moved.map_or(FRAME_TIME, |moved| &moved.path).to_owned(),
            series: moved.and_then(|moved| moved.series),
            role: moved.map(|moved| moved.role),
            is_ready: moved.is_some_and(|moved| moved.is_ready),
            frames: on.iter().map(|stall| stall.at.frame).collect(),
        });
    }
}

/// A set of stalls, and the best comb of those that were tried so far.
#[derive(Clone, Debug)]
struct Set {
    /// The positions of these stalls in the list of all.
    of: Vec<usize>,
    /// The number of sets that are examined, including this one.
    sets: u32,
    /// The axes that were begun.
    axes: usize,
    axis: Axis,
    /// The places of the stalls on this axis; empty if one of them is not finite.
    at: Vec<f64>,
    /// The next proposal: two stalls, and the number of periods between them.
    next: (usize, usize, u32),
    /// The number of combs that were tried.
    combs: u32,
    best: Option<Comb>,
}

impl Set {
    fn new(of: Vec<usize>, sets: u32) -> Self {
        Self {
            of,
            sets,
            axes: 0,
            axis: Axis::Frames,
            at: Vec::new(),
            next: (0, 1, 1),
            combs: 0,
            best: None,
        }
    }

    /// Tries combs until the work of a step is done. Returns whether all were tried.
    fn examine(
        &mut self,
        (all, frames, frame_secs): (&[Stall], u64, f64),
        spare: &mut Spare,
    ) -> bool {
        while spare.work < STEP {
            spare.work += PROPOSAL;
            let Some((first, second, period)) = self.propose() else {
                let axes = [Axis::Frames, Axis::Time(frame_secs)];
                let Some(axis) = axes.get(self.axes) else {
                    return true;
                };
                self.axes += 1;
                self.begin(*axis, all);
                continue;
            };
            if period < MIN_PERIOD {
                continue;
            }
            // Near their slots, and exactly on them. Those with gaps hardly count: see `SURER`.
            self.combs += 2 * u32::from(period == self.at[second] - self.at[first]);
            let is_known = |best: &Comb| best.proposes(self.axis, (first, second), period);
            if self.best.as_ref().is_some_and(is_known) {
                continue;
            }
            let chance = self.best.as_ref().map_or(f64::INFINITY, |best| best.chance);
            let of = (first, period);
            if let Some(comb) = fit(self.axis, &self.at, of, (frames, chance), spare) {
                self.best = Some(comb);
            }
        }
        false
    }

    fn begin(&mut self, axis: Axis, all: &[Stall]) {
        self.axis = axis;
        self.at.clear();
        let places = self.of.iter().map(|at| axis.place(all[*at].at));
        self.at.extend(places);
        if self.at.iter().any(|place| !place.is_finite()) {
            self.at.clear();
        }
        let first = self.at.len().saturating_sub(NEWEST);
        self.next = (first, first + 1, 1);
    }

    /// Returns the next proposed comb of the axis: two stalls on it, and its period.
    fn propose(&mut self) -> Option<(usize, usize, f64)> {
        let (first, second, periods) = self.next;
        if second >= self.at.len() {
            return None;
        }
        // If all slots between the two have hitches, the number of hitches equals the number of
        // periods.
        let all = (second - first) as u32;
        self.next = if periods < MAX_PERIODS {
            (first, second, periods + 1)
        } else if periods == MAX_PERIODS && all > MAX_PERIODS {
            (first, second, all)
        } else if second + 1 < self.at.len() {
            (first, second + 1, 1)
        } else {
            (first + 1, first + 2, 1)
        };
        let distance = self.at[second] - self.at[first];
        Some((first, second, distance / f64::from(periods)))
    }

    /// Returns the best comb, in positions of the list of all stalls, if it is certain.
    fn certain(self) -> Option<Comb> {
        let (combs, sets) = (f64::from(self.combs), f64::from(self.sets));
        let is_certain = |best: &Comb| best.chance * combs * sets < CHANCE;
        let mut best = self.best.filter(is_certain)?;
        best.on.iter_mut().for_each(|at| *at = self.of[*at]);
        Some(best)
    }
}

/// Fits a comb to the stalls near a proposed comb, which contains `at[first]`. Its chance is computed from
/// the stalls near their slots, and from the stalls exactly on their slots; the smaller one counts.
/// `None` if it is not smaller than `most`.
fn fit(
    axis: Axis,
    at: &[f64],
    (first, period): (usize, f64),
    (frames, most): (u64, f64),
    spare: &mut Spare,
) -> Option<Comb> {
    if !is_plausible(at, (at[first], period)) {
        return None;
    }
    let mut fitted = |empty: f64, surer: f64| {
        let near = Fit::of(at, (at[first], period), (tolerance, empty), spare)?;
        let exact = Fit::of(at, (near.phase, near.period), (|_| EXACT, empty), spare);
        let chance_of = |fit: &Fit| fit.chance(at.len(), frames);
        let chance = chance_of(&near).min(exact.as_ref().map_or(1.0, chance_of));
        spare.lists.extend(exact.map(|exact| exact.on));
        Some((near, chance / surer))
    };
    let [without_gaps, with_gaps] = EMPTY;
    let dense = fitted(without_gaps, 1.0);
    let has_all = |dense: &(Fit, f64)| dense.0.all == dense.0.on.len();
    let sparse = if dense.as_ref().is_some_and(has_all) {
        None
    } else {
        fitted(with_gaps, SURER)
    };
    let (chosen, other) = match (dense, sparse) {
        (Some(dense), Some(sparse)) if sparse.1 < dense.1 => (sparse, Some(dense)),
        (Some(dense), sparse) => (dense, sparse),
        (None, sparse) => (sparse?, None),
    };
    let (near, chance) = chosen;
    let comb = (chance < most).then(|| Comb {
        axis,
        period: near.period,
        chance,
        on: near.on.iter().map(|(index, _)| *index).collect(),
    });
    spare.lists.extend(
        other
            .map(|(other, _)| other.on)
            .into_iter()
            .chain([near.on]),
    );
    comb
}
