//! Periodic stalls: stalls that recur at equal intervals.
//!
//! A comb is a series of slots at equal distances, and is fitted to the hitches. Each pair of
//! hitches proposes a period and a phase. The comb begins and ends so that the number of its
//! hitches, minus twice the number of its empty slots, is as large as possible. So at least two of
//! three slots have a hitch. The comb is extended across gaps, so that only half of its slots have
//! one, if that makes it a hundred times less likely by chance: some beats of a stall are missed if
//! frames vary, and a hitch beyond a gap may be on a slot by chance.
//!
//! A comb is certain if it has at least four hitches, and the probability that hitches at random frames
//! produce any such comb is below 1 in 1,000. Hitches exactly on their slots are less likely by chance
//! than hitches near them, so fewer of them are certain.
//!
//! Combs are fitted to the numbers of the frames and to the times at which they began. Some stalls
//! recur after a fixed number of frames. Others, such as an autosave, recur after a fixed time,
//! regardless of the number of frames.
//!
//! Hitches with the same culprit are also examined separately, because few of them occur by chance,
//! even if there are many other hitches.
//!
//! If stalls follow each other quickly, only some of them are noticed as hitches. So the long frames
//! after a hitch count, too, unless they follow another long frame directly.
//!
//! The file `fit` fits a comb, and computes how likely it is by chance.

use std::collections::{BTreeMap, HashMap, VecDeque};

use stats_core::FRAME_TIME;

use super::hitch::{Finding, Hitch, Role};
use crate::format::{count_text, fixed_text};
use fit::{EMPTY, EXACT, Fit, Spare, is_plausible, line, tolerance};

mod fit;

/// The minimum number of stalls of a [`Periodic`].
pub const MIN_STALLS: usize = 4;
/// The largest probability that a comb occurs by chance.
const CHANCE: f64 = 1e-3;
/// The chance of a comb with gaps of empty slots counts as if it were larger by the inverse of this
/// factor. So stalls beyond a gap are on a comb if they make it a hundred times less likely, and to look
/// for such combs, too, makes one by chance no likelier than by a hundredth.
const SURER: f64 = 0.01;
/// The minimum number of frames of a period.
const MIN_PERIOD: f64 = 4.0;
/// A stall has ended if it has not come for this many periods.
const ENDED: f64 = 4.0;
/// The number of newest stalls that propose periods.
const NEWEST: usize = 24;
/// The maximum number of periods between the two hitches of a pair, if not all slots between them
/// have a hitch.
const MAX_PERIODS: u32 = 3;
/// The maximum number of culprits whose hitches are examined on their own.
const MAX_CULPRITS: usize = 4;
/// If all but one in this many hitches are a whole number of periods apart, to the frame, this is
/// not a coincidence.
const INEXACT: usize = 5;
/// The spread, in frames, of stalls at constant times, because each waits for a frame to begin.
const WAITED: f64 = 0.25;
/// The maximum number of stalls per hitch.
const MAX_PARTS: usize = 12;

/// A stall that recurs at equal intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Periodic {
    /// The number of frames between two stalls; the mean number if the time between them is
    /// constant.
    pub period_frames: f64,
    /// The time between two stalls in seconds if this time is constant; `None` if the number of
    /// frames is constant.
    pub period_secs: Option<f64>,
    /// The frame of the first stall.
    pub first_frame: u64,
    /// The number of stalls, at least 4.
    pub count: usize,
    /// The path that explains the largest share of all of these stalls together, or
    /// [`FRAME_TIME`] if it leads fewer than half of them.
    pub path: String,
    /// The number of its series; `None` for the frame time and for the time in no scope.
    pub series: Option<u32>,
    /// The role that this path has in them; `None` for the frame time.
    pub role: Option<Role>,
    /// The frames of the stalls, in order.
    frames: Vec<u64>,
}

impl Periodic {
    /// Returns whether a frame is one of the stalls, or is within 4 % of the period (1 to 6 frames)
    /// of an expected stall.
    #[must_use]
    pub fn has(&self, frame: u64) -> bool {
        let newer = self.frames.partition_point(|stall| *stall <= frame);
        let before = newer
            .checked_sub(1)
            .map_or(self.first_frame, |at| self.frames[at]);
        let after = frame as f64 - before as f64;
        let slot = (after / self.period_frames).round();
        (after - slot * self.period_frames).abs() <= tolerance(self.period_frames)
    }

    /// Returns the newest of the stalls.
    #[must_use]
    pub fn newest_frame(&self) -> u64 {
        self.frames.last().copied().unwrap_or(self.first_frame)
    }

    /// Returns whether no stall has come in the last four periods before this frame.
    #[must_use]
    pub fn has_ended(&self, frame: u64) -> bool {
        frame.saturating_sub(self.newest_frame()) as f64 > ENDED * self.period_frames
    }

    /// Returns what stalls as text: the path of the culprit, or `time in no scope`.
    #[must_use]
    pub fn what(&self) -> &str {
        match self.role {
            Some(Role::Unaccounted) => "time in no scope",
            _ => &self.path,
        }
    }

    /// Returns the interval between two stalls as text: `90 frames` or `2.00 s`.
    #[must_use]
    pub fn interval_text(&self) -> String {
        match self.period_secs {
            Some(secs) => format!("{} s", fixed_text(secs, 2)),
            None => count_text(self.period_frames.round() as u64, "frame", "frames"),
        }
    }
}

/// A frame, and when it began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Start {
    pub(super) frame: u64,
    pub(super) secs: f64,
}

/// The quantity that is constant between stalls.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axis {
    Frames,
    /// Time, in frames of this mean duration in seconds, so that tolerances are the same.
    Time(f64),
}

impl Axis {
    fn place(self, moment: Start) -> f64 {
        match self {
            Self::Frames => moment.frame as f64,
            Self::Time(frame_secs) => moment.secs / frame_secs,
        }
    }
}

/// A long frame: its hitch, if it was noticed, and when it began.
type Stall<'a> = (Option<&'a Hitch>, Start);

/// Returns the stalls in order: the hitches, and the long frames that do not directly follow
/// another long frame.
fn stalls<'a>(hitches: &[(&'a Hitch, Start)], long: &VecDeque<Start>) -> Vec<Stall<'a>> {
    let noticed = hitches.iter().map(|(hitch, at)| (Some(*hitch), *at));
    let mut all: Vec<Stall<'_>> = noticed.chain(long.iter().map(|at| (None, *at))).collect();
    all.sort_by_key(|(hitch, at)| (at.frame, hitch.is_none()));
    let mut before = None;
    all.retain(|(hitch, at)| {
        let previous = before.replace(at.frame);
        hitch.is_some() || previous.is_some_and(|previous| at.frame > previous + 1)
    });
    all
}

/// Stalls at equal distances.
#[derive(Clone, Debug)]
struct Comb {
    axis: Axis,
    /// The distance on the axis.
    period: f64,
    /// The positions of the stalls in the list to which the comb was fitted, ascending.
    on: Vec<usize>,
    /// The probability that stalls at random frames produce this comb.
    chance: f64,
}

impl Comb {
    /// Decides whether the period is constant in frames or in time. A comb often fits both.
    ///
    /// If it is exact in frames, apart from one in [`INEXACT`] stalls, it is constant in frames.
    /// Otherwise, the axis with less spread decides. A stall at a constant time has to wait for the
    /// beginning of a frame, so its times spread by up to a frame.
    fn choose_axis(&mut self, on: &[Stall<'_>], frame_secs: f64) {
        let (first, last) = (on[0].1, on[on.len() - 1].1);
        let slot_of = |at: Start| {
            let distance = self.axis.place(at) - self.axis.place(first);
            (distance / self.period).round()
        };
        let slots: Vec<f64> = on.iter().map(|(_, at)| slot_of(*at)).collect();
        let mean = (last.frame - first.frame) as f64 / slots[slots.len() - 1];
        for period in [mean.round(), mean.round() - 1.0, mean.round() + 1.0] {
            let mut phases: HashMap<u64, usize> = HashMap::new();
            for (_, at) in on {
                *phases.entry(at.frame % (period as u64).max(1)).or_default() += 1;
            }
            let exact = phases.into_values().max().unwrap_or_default();
            if period >= MIN_PERIOD && exact * INEXACT >= on.len() * (INEXACT - 1) {
                (self.axis, self.period) = (Axis::Frames, period);
                return;
            }
        }
        let fitted = |axis: Axis| {
            let places = on.iter().map(|(_, at)| axis.place(*at));
            let points = slots.iter().copied().zip(places);
            let (phase, period) = line(points.clone())?;
            let far = points.map(|(slot, place)| (place - phase - slot * period).abs());
            Some((far.sum::<f64>() / on.len() as f64, axis, period))
        };
        let (Some(frames), Some(time)) = (fitted(Axis::Frames), fitted(Axis::Time(frame_secs)))
        else {
            return;
        };
        let chosen = if frames.0 + WAITED < time.0 {
            frames
        } else {
            time
        };
        if chosen.2 >= MIN_PERIOD {
            (self.axis, self.period) = (chosen.1, chosen.2);
        }
    }

    /// Returns whether a proposal repeats this comb: it comes from two stalls of the comb, and its
    /// period is the same or a multiple. A comb of a multiple is more likely to occur by chance.
    fn proposes(&self, axis: Axis, (first, second): (usize, usize), period: f64) -> bool {
        let multiple = (period / self.period).round();
        self.axis == axis
            && multiple >= 1.0
            && (period - multiple * self.period).abs() <= tolerance(period)
            && self.on.binary_search(&first).is_ok()
            && self.on.binary_search(&second).is_ok()
    }
}

/// Returns the mean number of frames in a second between the first and the last stall.
fn frames_per_second(on: &[Stall<'_>]) -> f64 {
    let (first, last) = (on[0].1, on[on.len() - 1].1);
    (last.frame - first.frame) as f64 / (last.secs - first.secs)
}

/// Returns the periodic stalls among hitches, which are in frame order, each with its beginning.
/// `long` are frames soon after a hitch that were about as long, `newest` is the newest frame, and
/// `frames` is the number of frames in which these hitches occurred.
pub(super) fn find(
    hitches: &[(&Hitch, Start)],
    long: &VecDeque<Start>,
    newest: Start,
    frames: u64,
) -> Vec<Periodic> {
    let Some((_, first)) = hitches.first() else {
        return Vec::new();
    };
    let since = newest.frame.saturating_sub(first.frame) + 1;
    let frame_secs = (newest.secs - first.secs) / since as f64;
    let mut left = stalls(hitches, long);
    let mut found = Vec::new();
    while let Some(mut comb) = best_comb(&left, frames, frame_secs, 1)
        .or_else(|| best_of_culprits(&left, frames, frame_secs))
    {
        let on: Vec<Stall<'_>> = comb.on.iter().map(|at| left[*at]).collect();
        let mut at = 0;
        left.retain(|_| {
            at += 1;
            comb.on.binary_search(&(at - 1)).is_err()
        });
        // Too few of these long frames are hitches.
        let noticed = on.iter().filter_map(|(hitch, _)| *hitch);
        if noticed.clone().count() * MAX_PARTS <= on.len() {
            continue;
        }
        comb.choose_axis(&on, frame_secs);
        let (path, series, role) = moved_on_all(noticed);
        let (period_frames, period_secs) = match comb.axis {
            Axis::Frames => (comb.period, None),
            Axis::Time(frame_secs) => {
                let secs = comb.period * frame_secs;
                (secs * frames_per_second(&on), Some(secs))
            }
        };
        found.push(Periodic {
            period_frames,
            period_secs,
            first_frame: on[0].1.frame,
            count: on.len(),
            path,
            series,
            role,
            frames: on.iter().map(|(_, at)| at.frame).collect(),
        });
    }
    found
}

/// Returns the best comb of hitches with the same culprit, among those with the most hitches.
fn best_of_culprits(stalls: &[Stall<'_>], frames: u64, frame_secs: f64) -> Option<Comb> {
    let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, (hitch, _)) in stalls.iter().enumerate() {
        let first = hitch.and_then(|hitch| hitch.findings.first());
        let culprit = first.filter(|first| first.role == Role::Culprit);
        if let Some(series) = culprit.and_then(|first| first.series) {
            groups.entry(series).or_default().push(at);
        }
    }
    groups.retain(|_, group| (MIN_STALLS..stalls.len()).contains(&group.len()));
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups.truncate(MAX_CULPRITS);
    let count = groups.len() as u32;
    let combs = groups.into_iter().filter_map(|group| {
        let some: Vec<Stall<'_>> = group.iter().map(|at| stalls[*at]).collect();
        let mut comb = best_comb(&some, frames, frame_secs, count)?;
        comb.on.iter_mut().for_each(|at| *at = group[*at]);
        Some(comb)
    });
    combs.min_by(|a, b| a.chance.total_cmp(&b.chance))
}

/// Returns the best comb of stalls, if it is certain. `sets` is the number of sets of stalls that
/// are examined, including this one.
fn best_comb(stalls: &[Stall<'_>], frames: u64, frame_secs: f64, sets: u32) -> Option<Comb> {
    let mut combs = 0_u32;
    let mut best: Option<Comb> = None;
    let mut spare = Spare::new();
    for axis in [Axis::Frames, Axis::Time(frame_secs)] {
        let at: Vec<f64> = stalls.iter().map(|(_, at)| axis.place(*at)).collect();
        if at.iter().any(|place| !place.is_finite()) {
            continue;
        }
        for (first, second, period) in proposals(&at) {
            // Near their slots, and exactly on them. Those with gaps hardly count: see `SURER`.
            combs += 2 * u32::from(period == at[second] - at[first]);
            let is_known = |best: &Comb| best.proposes(axis, (first, second), period);
            if best.as_ref().is_some_and(is_known) {
                continue;
            }
            let chance = best.as_ref().map_or(f64::INFINITY, |best| best.chance);
            let of = (first, period);
            if let Some(comb) = fit(axis, &at, of, (frames, chance), &mut spare) {
                best = Some(comb);
            }
        }
    }
    best.filter(|best| best.chance * f64::from(combs) * f64::from(sets) < CHANCE)
}

/// Returns the proposed combs of stalls at these places: two stalls on each, and its period.
fn proposals(at: &[f64]) -> impl Iterator<Item = (usize, usize, f64)> {
    let firsts = at.len().saturating_sub(NEWEST)..at.len();
    let pairs =
        firsts.flat_map(move |first| (first + 1..at.len()).map(move |second| (first, second)));
    let proposals = pairs.flat_map(move |(first, second)| {
        // If all slots between the two have hitches, the number of hitches equals the number of
        // periods.
        let all = (second - first) as u32;
        let all = Some(all).filter(|all| *all > MAX_PERIODS);
        let periods = (1..=MAX_PERIODS).chain(all);
        let distance = at[second] - at[first];
        periods.map(move |periods| (first, second, distance / f64::from(periods)))
    });
    proposals.filter(|(_, _, period)| *period >= MIN_PERIOD)
}

/// Fits a comb to the stalls near a proposed comb, which contains `at[first]`. Its chance is that of
/// the stalls near their slots, or of those exactly on them if that is smaller. `None` if it is not
/// smaller than `most`.
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
        spare.extend(exact.map(|exact| exact.on));
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
    spare.extend(
        other
            .map(|(other, _)| other.on)
            .into_iter()
            .chain([near.on]),
    );
    comb
}

/// Returns the path, the series and the role with the largest total share over all hitches, or
/// [`FRAME_TIME`] and no series if this path leads fewer than half of the hitches.
fn moved_on_all<'a>(
    hitches: impl Iterator<Item = &'a Hitch> + Clone,
) -> (String, Option<u32>, Option<Role>) {
    // A series of the program may have the path of the time in no scope.
    let key = |finding: &'a Finding| (finding.path.as_str(), finding.role == Role::Unaccounted);
    let mut shares: HashMap<(&str, bool), (f64, &Finding)> = HashMap::new();
    for hitch in hitches.clone() {
        let moved = hitch.findings.iter();
        for finding in moved.filter(|finding| finding.role != Role::Via) {
            let entry = shares.entry(key(finding)).or_insert((0.0, finding));
            entry.0 += finding.share;
        }
    }
    let best = shares.into_iter().max_by(|(a_key, a), (b_key, b)| {
        // Choose the first of several equal paths, because a map has no order.
        a.0.total_cmp(&b.0).then(b_key.cmp(a_key))
    });
    let leads = |wanted: (&str, bool)| {
        let first = |hitch: &&'a Hitch| hitch.findings.first().map(key) == Some(wanted);
        let count = hitches.clone().filter(first).count();
        2 * count >= hitches.clone().count()
    };
    match best {
        Some((of, (_, finding))) if leads(of) => {
            (finding.path.clone(), finding.series, Some(finding.role))
        }
        _ => (FRAME_TIME.to_owned(), None, None),
    }
}

#[cfg(test)]
mod tests;
