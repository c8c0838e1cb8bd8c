//! Periodic stalls: stalls that recur at equal intervals.
//!
//! A comb is a series of slots at equal distances, and is fitted to the hitches. Each pair of
//! hitches proposes a period and a phase. The comb begins and ends so that the number of its
//! hitches, minus twice the number of its empty slots, is as large as possible. So at least two of
//! three slots have a hitch. A comb is certain if it has at least four hitches, and the probability
//! that hitches at random frames produce any such comb is below 1 in 1,000. Hitches exactly on their
//! slots are less likely by chance than hitches near them, so fewer of them are certain.
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

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;

use stats_core::FRAME_TIME;

use super::hitch::{Hitch, Role};
use crate::format::{count_text, fixed_text};

/// The minimum number of stalls of a [`Periodic`].
pub const MIN_STALLS: usize = 4;
/// The number of stalls that make up for an empty slot.
const EMPTY: f64 = 2.0;
/// The number of times that a comb is fitted, each time from the result of the last.
const FITS: usize = 3;
/// The largest probability that a comb occurs by chance.
const CHANCE: f64 = 1e-3;
/// The maximum distance of a hitch from its slot, as a share of the period.
const TOLERANCE: f64 = 0.04;
/// The maximum distance of a hitch from its slot in frames, for long periods.
const MAX_TOLERANCE: f64 = 6.0;
/// The same for a comb whose stalls are exactly on their slots: the rounding to a frame, of a period
/// that is no whole number of frames or of a stall at a constant time.
const EXACT: f64 = 0.5;
/// The minimum number of frames of a period.
const MIN_PERIOD: f64 = 4.0;
/// A proposed comb is judged by at most this many slots in each direction.
const JUDGED_SLOTS: f64 = 6.0;
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
        let (path, series) = moved_on_all(noticed);
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
    for axis in [Axis::Frames, Axis::Time(frame_secs)] {
        let at: Vec<f64> = stalls.iter().map(|(_, at)| axis.place(*at)).collect();
        if at.iter().any(|place| !place.is_finite()) {
            continue;
        }
        for (first, second, period) in proposals(&at) {
            // Near their slots, and exactly on them.
            combs += 2 * u32::from(period == at[second] - at[first]);
            let is_known = |best: &Comb| best.proposes(axis, (first, second), period);
            if best.as_ref().is_some_and(is_known) {
                continue;
            }
            if let Some(comb) = fit(axis, &at, first, period, frames)
                && best.as_ref().is_none_or(|best| comb.chance < best.chance)
            {
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
/// the stalls near their slots, or of those exactly on them if that is smaller.
fn fit(axis: Axis, at: &[f64], first: usize, period: f64, frames: u64) -> Option<Comb> {
    if !is_plausible(at, (at[first], period)) {
        return None;
    }
    let near = Fit::of(at, (at[first], period), tolerance)?;
    let exact = Fit::of(at, (near.phase, near.period), |_| EXACT);
    let chance = |fit: &Fit| fit.chance(at.len(), frames);
    Some(Comb {
        axis,
        period: near.period,
        chance: chance(&near).min(exact.as_ref().map_or(1.0, chance)),
        on: near.on.into_iter().map(|(index, _)| index).collect(),
    })
}

/// A comb that was fitted to stalls.
struct Fit {
    phase: f64,
    period: f64,
    /// The positions of the stalls on the comb, and their slots.
    on: Vec<(usize, f64)>,
    /// The number of stalls on the comb, including those before its beginning and after its end.
    all: usize,
    /// The number of frames in which a stall is on a slot.
    width: f64,
}

impl Fit {
    /// Fits a comb to the stalls within a tolerance of a phase and a period. Repeats this, because
    /// the period becomes more exact with each stall. `None` if too few stalls are on the comb.
    ///
    /// The comb begins and ends where this makes the number of its stalls, minus [`EMPTY`] times the
    /// number of its empty slots, as large as possible.
    fn of(
        at: &[f64],
        (mut phase, mut period): (f64, f64),
        tolerance: fn(f64) -> f64,
    ) -> Option<Self> {
        let (mut on, mut all) = (Vec::new(), 0);
        for _ in 0..FITS {
            let tolerance = tolerance(period);
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
            let dense = densest(&on);
            on.truncate(dense.end);
            on.drain(..dense.start);
            if on.len() < MIN_STALLS {
                return None;
            }
            (phase, period) = line(on.iter().map(|&(index, slot)| (slot, at[index])))?;
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
    /// Two adjacent stalls define a comb. One with few adjacent stalls is defined by few pairs, and
    /// one that leaves out stalls near its slots is one of several of the same length.
    fn chance(&self, stalls: usize, frames: u64) -> f64 {
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
fn filled_by_chance(min: usize, slots: usize, (stalls, part): (usize, f64)) -> f64 {
    // The sum over all choices of slots and of the stalls on them. Smaller if there are few stalls.
    let choices = (0..min).map(|at| {
        let of_slots = (slots - at) as f64 / (at + 1) as f64;
        of_slots * stalls.saturating_sub(at) as f64 * part
    });
    let each = (stalls as f64 * part).min(1.0);
    binomial_tail(min, slots, each).min(choices.product())
}

/// Returns the range of these stalls for which their number, minus [`EMPTY`] times the number of
/// empty slots between them, is largest.
fn densest(on: &[(usize, f64)]) -> Range<usize> {
    let (mut best, mut most) = (0..0, 0.0);
    let (mut begin, mut score) = (0, 0.0);
    for (at, (_, slot)) in on.iter().enumerate() {
        if at > 0 {
            score -= EMPTY * (slot - on[at - 1].1 - 1.0);
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
fn is_plausible(at: &[f64], (phase, period): (f64, f64)) -> bool {
    let tolerance = tolerance(period);
    let is_dense = |direction: f64| {
        let end = if direction > 0.0 { at.len() - 1 } else { 0 };
        let slots = ((at[end] - phase).abs() / period + 0.5)
            .floor()
            .min(JUDGED_SLOTS);
        let filled = (1..=slots as u32).filter(|slot| {
            let place = phase + direction * f64::from(*slot) * period;
            let next = at.partition_point(|one| *one < place - tolerance);
            at.get(next).is_some_and(|next| *next <= place + tolerance)
        });
        slots >= 2.0 && filled.count() as f64 >= 0.5 * slots
    };
    is_dense(1.0) || is_dense(-1.0)
}

fn tolerance(period: f64) -> f64 {
    (TOLERANCE * period).clamp(1.0, MAX_TOLERANCE)
}

/// Returns the intercept and the slope of the line through points; `None` if they share one place.
fn line(points: impl Iterator<Item = (f64, f64)> + Clone) -> Option<(f64, f64)> {
    let count = points.clone().count() as f64;
    let sum = |of: fn((f64, f64)) -> f64| points.clone().map(of).sum::<f64>();
    let (x, y) = (sum(|(x, _)| x) / count, sum(|(_, y)| y) / count);
    let xx = sum(|(x, _)| x * x) - count * x * x;
    let slope = (sum(|(x, y)| x * y) - count * x * y) / xx;
    (xx > 0.0).then_some((y - slope * x, slope))
}

/// Returns the probability of at least `min` successes in `trials` independent trials, each with
/// the probability `chance`.
fn binomial_tail(min: usize, trials: usize, chance: f64) -> f64 {
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

/// Returns the path and the series with the largest total share over all hitches, or
/// [`FRAME_TIME`] and no series if this path leads fewer than half of the hitches.
fn moved_on_all<'a>(hitches: impl Iterator<Item = &'a Hitch> + Clone) -> (String, Option<u32>) {
    let mut shares: HashMap<&str, (f64, Option<u32>)> = HashMap::new();
    for hitch in hitches.clone() {
        let moved = hitch.findings.iter();
        for finding in moved.filter(|finding| finding.role != Role::Via) {
            let entry = shares.entry(&finding.path).or_insert((0.0, finding.series));
            entry.0 += finding.share;
        }
    }
    let best = shares.into_iter().max_by(|(a_path, a), (b_path, b)| {
        // Choose the first of several equal paths, because a map has no order.
        a.0.total_cmp(&b.0).then(b_path.cmp(a_path))
    });
    let leads = |path: &str| {
        let first = |hitch: &Hitch| {
            hitch
                .findings
                .first()
                .is_some_and(|first| first.path == path)
        };
        let count = hitches.clone().filter(|hitch| first(hitch)).count();
        2 * count >= hitches.clone().count()
    };
    match best {
        Some((path, (_, series))) if leads(path) => (path.to_owned(), series),
        _ => (FRAME_TIME.to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::super::hitch::Finding;
    use super::*;

    #[test]
    fn the_tail_agrees_with_the_definition() {
        let choose =
            |n: u32, k: u32| (0..k).fold(1.0, |c, i| c * f64::from(n - i) / f64::from(i + 1));
        for (n, p) in [(5, 0.5), (12, 0.1), (20, 0.03)] {
            for min in 1..=n {
                let expected: f64 = (min..=n)
                    .map(|k| {
                        choose(n, k) * f64::powi(p, k as i32) * f64::powi(1.0 - p, (n - k) as i32)
                    })
                    .sum();
                let found = binomial_tail(min as usize, n as usize, p);
                assert!((found / expected - 1.0).abs() < 1e-9, "{n} {p} {min}");
            }
        }
    }

    fn hitch(frame: u64) -> Hitch {
        Hitch {
            frame,
            frame_ms: 30.0,
            usual_ms: 10.0,
            excess_ms: 20.0,
            verdict: String::new(),
            single_culprit: false,
            findings: Vec::new(),
            repeats: None,
            thread_times: None,
        }
    }

    #[test]
    fn stalls_of_one_culprit_are_found_among_many_other_hitches() {
        let of = |series: u32, frame: u64| Hitch {
            findings: vec![Finding {
                path: format!("scope {series}"),
                series: Some(series),
                role: Role::Culprit,
                share: 0.9,
                is_part: true,
                value: 21.0,
                usual: 1.0,
                record: 1.0,
                unit: stats_core::Unit::Milliseconds,
            }],
            ..hitch(frame)
        };
        let mut random = stats_testing::Random::new(3);
        let (mut alarms, mut found) = (0, 0);
        for _ in 0..40 {
            let mut hitches: Vec<Hitch> = (0..60)
                .map(|_| of(random.below(3) as u32, random.below(900)))
                .collect();
            for is_planted in [false, true] {
                if is_planted {
                    hitches.extend((0..13).map(|at| of(7, 20 + at * 66)));
                }
                hitches.sort_by_key(|hitch| hitch.frame);
                hitches.dedup_by_key(|hitch| hitch.frame);
                let at = |frame| Start {
                    frame,
                    secs: frame as f64 / 60.0,
                };
                let all: Vec<_> = hitches.iter().map(|one| (one, at(one.frame))).collect();
                let combs = find(&all, &VecDeque::new(), at(900), 900);
                let is_seven = |comb: &&Periodic| comb.series == Some(7);
                let sevens = combs.iter().filter(is_seven).count();
                found += usize::from(sevens == 1);
                alarms += combs.len() - sevens;
            }
        }
        assert!(found >= 38, "{found} of 40");
        assert!(alarms <= 1, "{alarms}");
    }

    #[test]
    fn a_stall_without_a_common_culprit_names_the_frame_time() {
        let named = |paths: &[&str]| {
            let hitches = paths.iter().enumerate().map(|(at, path)| Hitch {
                findings: vec![Finding {
                    path: (*path).to_owned(),
                    series: Some(7),
                    role: Role::Culprit,
                    share: 0.9,
                    is_part: true,
                    value: 21.0,
                    usual: 1.0,
                    record: 1.0,
                    unit: stats_core::Unit::Milliseconds,
                }],
                ..hitch(100 + 120 * at as u64)
            });
            let hitches: Vec<Hitch> = hitches.collect();
            moved_on_all(hitches.iter())
        };
        let all = (FRAME_TIME.to_owned(), None);
        assert_eq!(named(&["a", "b", "c", "d", "a"]), all);
        assert_eq!(named(&["a", "b", "a", "d", "a"]), ("a".to_owned(), Some(7)));
    }

    fn found(frames: impl IntoIterator<Item = u64>, end: u64) -> Vec<(f64, usize)> {
        found_with(frames, [], end)
    }

    fn found_with(
        frames: impl IntoIterator<Item = u64>,
        long: impl IntoIterator<Item = u64>,
        end: u64,
    ) -> Vec<(f64, usize)> {
        let at = |frame| Start {
            frame,
            secs: frame as f64 / 60.0,
        };
        let hitches: Vec<Hitch> = frames.into_iter().map(hitch).collect();
        let hitches: Vec<_> = hitches.iter().map(|one| (one, at(one.frame))).collect();
        let combs = find(&hitches, &long.into_iter().map(at).collect(), at(end), end);
        combs
            .iter()
            .map(|comb| (comb.period_frames.round(), comb.count))
            .collect()
    }

    #[test]
    fn a_comb_is_found_beside_other_hitches_and_irregular_ones_are_not() {
        assert_eq!(found((0..8).map(|at| 100 + at * 120), 1000), [(120.0, 8)]);
        let others = [137, 322, 500, 911];
        let mut with_others: Vec<u64> = (0..15).map(|at| 100 + at * 120).chain(others).collect();
        with_others.sort_unstable();
        let combs = found(with_others, 1800);
        assert_eq!(combs.first().map(|comb| comb.0), Some(120.0), "{combs:?}");
        assert_eq!(found([100, 217, 300, 444, 700, 702, 810], 1000), []);
    }

    #[test]
    fn few_stalls_at_exactly_equal_distances_are_certain_and_about_equal_ones_are_not() {
        // All hitches of a short run.
        assert_eq!(found((0..6).map(|at| 90 + at * 60), 450), [(60.0, 6)]);
        for period in [20, 45, 75, 90] {
            let four = || (0..4).map(|at| 70 + at * period);
            assert_eq!(found(four(), 360), [(period as f64, 4)], "{period}");
            // Three of them say nothing.
            assert_eq!(found(four().take(3), 360), []);
            let about = four().zip([0, 2, 0, 2]).map(|(frame, later)| frame + later);
            assert_eq!(found(about, 360), [], "{period}");
        }
    }

    #[test]
    fn the_bound_of_the_chance_is_above_the_share_of_random_runs() {
        let mut random = stats_testing::Random::new(11);
        for (slots, stalls, part) in [(2, 2, 0.05), (3, 5, 0.1), (6, 12, 0.05), (4, 3, 0.2)] {
            let rounds = 20_000;
            let mut counts = vec![0_u32; slots + 1];
            for _ in 0..rounds {
                let mut has = vec![false; slots];
                for _ in 0..stalls {
                    let at = (random.below(1_000_000) as f64 / 1e6 / part) as usize;
                    has.get_mut(at).into_iter().for_each(|has| *has = true);
                }
                counts[has.iter().filter(|has| **has).count()] += 1;
            }
            for min in 1..=slots {
                let share = f64::from(counts[min..].iter().sum::<u32>()) / f64::from(rounds);
                let bound = filled_by_chance(min, slots, (stalls, part));
                assert!(
                    share <= 1.15 * bound + 1e-3,
                    "{min} {slots} {stalls}: {share} {bound}"
                );
            }
        }
    }

    #[test]
    fn random_hitches_have_no_period_at_any_time_of_a_run() {
        let mut random = stats_testing::Random::new(17);
        let mut false_alarms = 0;
        for _ in 0..60 {
            let mut at = 60;
            let mut next = |_| {
                let uniform = (random.below(10_000) + 1) as f64 / 10_000.0;
                at += 13 + (-300.0 * uniform.ln()) as u64;
                at
            };
            let frames: Vec<u64> = (0..16).map(&mut next).collect();
            let is_found =
                |count: usize| !found(frames[..count].to_vec(), frames[count - 1]).is_empty();
            false_alarms += u32::from((4..=16).any(is_found));
        }
        assert!(false_alarms <= 2, "{false_alarms} of 60 runs");
    }

    #[test]
    fn a_stall_has_its_own_beginning_and_end() {
        let mut random = stats_testing::Random::new(5);
        for round in 0..40_u64 {
            let (begin, period) = (2_000 + 37 * round, 60 + round);
            let planted: Vec<u64> = (0..25).map(|at| begin + at * period).collect();
            let last = planted[24];
            let chance = (0..12).map(|_| random.below(begin)).collect::<Vec<_>>();
            let mut all: Vec<u64> = planted.into_iter().chain(chance).collect();
            all.sort_unstable();
            all.dedup();
            let hitches: Vec<Hitch> = all.into_iter().map(hitch).collect();
            let at = |frame| Start {
                frame,
                secs: frame as f64 / 60.0,
            };
            let hitches: Vec<_> = hitches.iter().map(|one| (one, at(one.frame))).collect();
            let combs = find(&hitches, &VecDeque::new(), at(10_000), 10_000);
            let [comb] = &combs[..] else {
                panic!("{round} {combs:?}")
            };
            // A hitch may lie on the comb before its beginning by chance.
            let slots = (begin - comb.first_frame.min(begin) + period / 2) / period;
            assert!(slots <= 1, "{round} {comb:?}");
            assert_eq!(comb.period_frames, period as f64);
            assert_eq!(comb.newest_frame(), last);
            assert!(comb.has_ended(last + 5 * period) && !comb.has_ended(last + 3 * period));
        }
    }

    #[test]
    fn stalls_at_equal_times_are_found_at_any_frame_rate() {
        let mut random = stats_testing::Random::new(8);
        for round in 0..20 {
            // The rate wanders between 30 and 120 frames a second; a stall comes every 2 seconds.
            let (mut secs, mut rate) = (0.0, 60.0_f64);
            let mut stalls: Vec<(Hitch, Start)> = Vec::new();
            let mut next_secs = 1.0 + round as f64 / 10.0;
            let mut newest = Start { frame: 0, secs };
            for frame in 0..2400 {
                newest = Start { frame, secs };
                if secs >= next_secs {
                    stalls.push((hitch(frame), newest));
                    next_secs += 2.0;
                }
                rate = (rate + random.below(200) as f64 / 50.0 - 1.99).clamp(30.0, 120.0);
                secs += 1.0 / rate;
            }
            let hitches: Vec<_> = stalls.iter().map(|(hitch, at)| (hitch, *at)).collect();
            let combs = find(&hitches, &VecDeque::new(), newest, 2400);
            let comb = combs.first().expect("a comb");
            assert_eq!((combs.len(), comb.count), (1, stalls.len()), "{combs:?}");
            assert!(
                comb.period_secs
                    .is_none_or(|secs| (secs - 2.0).abs() < 0.02)
            );
            assert!(stalls.iter().all(|(hitch, _)| comb.has(hitch.frame)));
        }
    }

    #[test]
    fn random_hitches_of_a_long_run_have_no_period() {
        let mut random = stats_testing::Random::new(7);
        let mut false_alarms = 0;
        for _ in 0..30 {
            let mut at = 0;
            let mut next = |_| {
                let uniform = (random.below(10_000) + 1) as f64 / 10_000.0;
                at += 13 + (-27.0 * uniform.ln()) as u64;
                at
            };
            let frames: Vec<u64> = (0..256).map(&mut next).collect();
            let newest = frames[255];
            false_alarms += u32::from(!found(frames, newest).is_empty());
        }
        assert!(false_alarms <= 1, "{false_alarms} of 30");
    }

    #[test]
    fn stalls_in_quick_succession_have_the_period_of_all_of_them() {
        for parts in 2..=6_u64 {
            // Every 9 frames; only some of them are hitches.
            let stalls = || (0..20 * parts).map(|at| 100 + at * 9);
            let hitches = stalls().step_by(parts as usize);
            let long = stalls().filter(|frame| !(frame - 100).is_multiple_of(9 * parts));
            let combs = found_with(hitches.clone(), long, 100 + 180 * parts);
            assert_eq!(combs, [(9.0, 20 * parts as usize)], "{parts}");
            // Each hitch takes several frames, which are no stalls of their own.
            let long = hitches.clone().flat_map(|frame| [frame + 1, frame + 2]);
            let combs = found_with(hitches, long, 100 + 180 * parts);
            assert_eq!(combs, [(9.0 * parts as f64, 20)], "{parts}");
        }
    }
}
