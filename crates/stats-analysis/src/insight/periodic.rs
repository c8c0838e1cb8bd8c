//! Periodic stalls: stalls that recur at equal intervals.
//!
//! A comb is a series of slots at equal distances, and is fitted to the hitches. Each pair of
//! hitches proposes a period and a phase. The comb begins and ends so that the number of its
//! hitches, minus twice the number of its empty slots, is as large as possible. So at least two of
//! three slots have a hitch. If frames vary, some
//! beats of a stall are missed, so the comb is also extended across gaps until only half of its slots
//! have a hitch. A hitch beyond a gap may be on a slot by chance, so the longer comb must be a hundred
//! times less likely by chance than the shorter one.
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
//! The file `search` tries the combs in turn, and fits them with `fit`, which also computes how likely a
//! fit is by chance.

use std::borrow::Cow;
use std::collections::HashMap;

use super::hitch::{Finding, Hitch, Role, ready_name};
use crate::format::{count_text, fixed_text};
use fit::{line, tolerance};
pub(super) use search::Search;
use search::Stall;

mod fit;
mod search;

/// The minimum number of stalls of a [`Periodic`].
pub const MIN_STALLS: usize = 4;
/// The minimum number of frames of a period.
const MIN_PERIOD: f64 = 4.0;
/// A stall has ended if it has not come for this many periods.
const ENDED: f64 = 4.0;
/// If all but one in this many hitches are a whole number of periods apart, to the frame, this is
/// not a coincidence.
const INEXACT: usize = 5;
/// The spread, in frames, of stalls at constant times, because each waits for a frame to begin.
const WAITED: f64 = 0.25;

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
    /// [`FRAME_TIME`](stats_core::FRAME_TIME) if it leads fewer than half of them.
    pub path: String,
    /// The number of its series; `None` for the frame time and for the time in no scope.
    pub series: Option<u32>,
    /// The role that this path has in them; `None` for the frame time.
    pub role: Option<Role>,
    /// Whether it is the time in which a thread waited for a processor.
    pub is_ready: bool,
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

    /// Returns what stalls as text: the path of the culprit, `time in no scope`, or `waiting for a
    /// processor`.
    #[must_use]
    pub fn what(&self) -> Cow<'_, str> {
        match self.role {
            Some(Role::Unaccounted) => "time in no scope".into(),
            _ if self.is_ready => ready_name(&self.path),
            _ => self.path.as_str().into(),
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
    fn choose_axis(&mut self, on: &[Stall], frame_secs: f64) {
        let (first, last) = (on[0].at, on[on.len() - 1].at);
        let slot_of = |at: Start| {
            let distance = self.axis.place(at) - self.axis.place(first);
            (distance / self.period).round()
        };
        let slots: Vec<f64> = on.iter().map(|stall| slot_of(stall.at)).collect();
        let mean = (last.frame - first.frame) as f64 / slots[slots.len() - 1];
        for period in [mean.round(), mean.round() - 1.0, mean.round() + 1.0] {
            let mut phases: HashMap<u64, usize> = HashMap::new();
            for stall in on {
                *phases
                    .entry(stall.at.frame % (period as u64).max(1))
                    .or_default() += 1;
            }
            let exact = phases.into_values().max().unwrap_or_default();
            if period >= MIN_PERIOD && exact * INEXACT >= on.len() * (INEXACT - 1) {
                (self.axis, self.period) = (Axis::Frames, period);
                return;
            }
        }
        let fitted = |axis: Axis| {
            let places = on.iter().map(|stall| axis.place(stall.at));
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
fn frames_per_second(on: &[Stall]) -> f64 {
    let (first, last) = (on[0].at, on[on.len() - 1].at);
    (last.frame - first.frame) as f64 / (last.secs - first.secs)
}

/// Returns the finding with the largest total share over all hitches; `None` if it leads fewer than half
/// of them.
fn moved_on_all<'a>(hitches: impl Iterator<Item = &'a Hitch> + Clone) -> Option<&'a Finding> {
    let mut shares: HashMap<Option<u32>, (f64, &Finding)> = HashMap::new();
    for hitch in hitches.clone() {
        let moved = hitch.findings.iter();
        for finding in moved.filter(|finding| finding.role != Role::Via) {
            let entry = shares.entry(finding.series).or_insert((0.0, finding));
            entry.0 += finding.share;
        }
    }
    let best = shares.into_iter().max_by(|(a_key, a), (b_key, b)| {
        // Choose the first of several equal series, because a map has no order.
        a.0.total_cmp(&b.0).then(b_key.cmp(a_key))
    });
    let (series, (_, finding)) = best?;
    let leads = |hitch: &&'a Hitch| {
        let first = hitch.findings.first();
        first.is_some_and(|first| first.series == series)
    };
    let count = hitches.clone().filter(leads).count();
    (2 * count >= hitches.count()).then_some(finding)
}

#[cfg(test)]
mod tests;
