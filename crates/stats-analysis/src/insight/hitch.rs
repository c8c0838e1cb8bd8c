//! The explanation of one frame. The rule by which frames are noticed is in `trigger`.

use crate::sort::sort_by;
use std::borrow::Cow;
use std::fmt;

use stats_core::Unit;

use super::leaks::Leak;
use super::periodic::Periodic;
use super::system::{ThreadTimes, is_thread_figure, thread_of};
use super::trigger::least_ms;
use super::verdict::has_answer;
use crate::format::fixed_text;

/// A sentence names a series beside the culprit if its share is larger. A series of amounts that is no
/// spike in the frame has at most this share.
pub(super) const NAMED: f64 = 0.25;

/// If the excess of the work and that of the whole frame differ by more than this, in milliseconds, a
/// verdict tells both.
pub(super) const MAX_WAITING_MS: f64 = 0.5;

/// Words for the time of a frame in no scope.
const IN_NO_SCOPE: &str = "in no scope";

/// Returns words for the time in which a thread waited for a processor, by the path of its series.
pub(super) fn ready_name(path: &str) -> Cow<'static, str> {
    match thread_of(path) {
        Some(thread) => format!("waiting for a processor in thread {thread}").into(),
        None => "waiting for a processor".into(),
    }
}

/// Everything that an insight found in a run.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Findings {
    /// The hitches, in the order of their frames, with those that [no player sees](Hitch::is_seen).
    pub hitches: Vec<Hitch>,
    /// The levels that keep growing, each with the unit of its series.
    pub leaks: Vec<(Leak, Unit)>,
    /// The stalls that recur at a regular interval.
    pub periodic: Vec<Periodic>,
}

impl Findings {
    /// Returns findings; sorts the hitches by their frames.
    #[must_use]
    pub fn new(mut hitches: Vec<Hitch>, leaks: Vec<(Leak, Unit)>, periodic: Vec<Periodic>) -> Self {
        sort_by(&mut hitches, |a, b| a.frame.cmp(&b.frame));
        Self {
            hitches,
            leaks,
            periodic,
        }
    }
}

/// A frame that was longer than usual, or did more work than usual, with its explanation.
#[derive(Clone, Debug, PartialEq)]
pub struct Hitch {
    /// The index of the frame.
    pub frame: u64,
    /// Its duration in milliseconds.
    pub frame_ms: f64,
    /// The usual duration at that time, in milliseconds. If the thread of the frame waited less than usual
    /// for a processor, the difference is subtracted, so a typical frame took longer than this.
    pub usual_ms: f64,
    /// The time beyond the usual, in milliseconds. Includes the excess of waits only if a wait made
    /// the frame long.
    pub excess_ms: f64,
    /// The work beyond the usual, in milliseconds: of the thread of the frame, and of the threads for which
    /// it waited. Waits and times without a processor are no work. If the system tells how long the thread
    /// of the frame ran, its part is at most that.
    pub work_ms: f64,
    /// The explanation in one sentence.
    pub verdict: String,
    /// Whether one series explains at least 45 % of the excess.
    pub single_culprit: bool,
    /// The series that moved, best explanation first.
    pub findings: Vec<Finding>,
    /// The number of hitches with the same culprit; `None` without a single culprit, or if no player
    /// [sees](Self::is_seen) this hitch.
    pub repeats: Option<Repeats>,
    /// Where the system says that the time of the frame went; `None` if it is not known.
    pub thread_times: Option<ThreadTimes>,
}

impl Hitch {
    /// Returns whether a player sees it: the frame itself was longer than a usual one by more than 1 ms,
    /// and by more than a quarter or 4.2 ms, whichever is less. Otherwise, the frame did more work, and
    /// waited less: a list of frames has it, but it is no hitch to be counted or announced.
    #[must_use]
    pub fn is_seen(&self) -> bool {
        let spared_ms = self.thread_times.map_or(0.0, |times| times.spared_ms);
        let usual_ms = self.usual_ms + spared_ms;
        self.frame_ms - usual_ms > least_ms(usual_ms)
    }

    /// Returns the share of the excess that is in none of the findings, so that the sum of all parts
    /// is 1. `None` if that is less than half a percent, or if no finding is a part of the excess. A
    /// timer around the culprit contains its part.
    #[must_use]
    pub fn rest_share(&self) -> Option<f64> {
        let parts = self.findings.iter();
        let parts = parts.filter(|finding| finding.is_part && finding.role != Role::Via);
        let sum: f64 = parts.map(|finding| finding.share).sum();
        let rest = 1.0 - sum;
        (sum > 0.0 && rest.abs() >= 0.005).then_some(rest)
    }

    /// Returns `22.1 ms more work, 14.3 ms longer`: [how much more work](Self::work_ms) was done, and by
    /// how much the frame was longer than a usual one. `None` if the work exceeds the usual by at most
    /// 0.5 ms, or if the frame was longer by its [excess](Self::excess_ms), within 0.5 ms. The two differ
    /// if the frame also waited for longer than usual, such as for a display, or for less time.
    #[must_use]
    pub fn work_text(&self) -> Option<String> {
        let longer_ms = self.frame_ms - self.usual_ms;
        let is_all = (longer_ms - self.excess_ms).abs() <= MAX_WAITING_MS;
        if is_all || self.work_ms <= MAX_WAITING_MS {
            return None;
        }
        let [work, longer] = [self.work_ms, longer_ms.abs()].map(|ms| fixed_text(ms, 1));
        let longer = match longer.as_str() {
            "0.0" => "no longer".to_owned(),
            _ if longer_ms < 0.0 => format!("{longer} ms shorter"),
            _ => format!("{longer} ms longer"),
        };
        Some(format!("{work} ms more work, {longer}"))
    }

    /// Returns what explains most of the excess; `None` without a single culprit.
    #[must_use]
    pub fn culprit(&self) -> Option<&Finding> {
        self.findings.first().filter(|_| self.single_culprit)
    }

    /// Returns the findings that the [verdict](Self::verdict) names with their shares: up to three that
    /// explain the excess together, the [`culprit`](Self::culprit) first. Empty if the excess has no such
    /// explanation.
    pub fn culprits(&self) -> impl Iterator<Item = &Finding> {
        let first = self.findings.first().filter(|_| has_answer(self));
        let further = self.findings.iter().skip(1);
        let further = further.filter(move |one| first.is_some() && one.role == Role::Culprit);
        first.into_iter().chain(further.take(2))
    }
}

/// A series that moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The path. For a self time, this is the path of the timer; for the time in no scope, it is
    /// `unaccounted`.
    pub path: String,
    /// The number of the series; `None` for the time in no scope.
    pub series: Option<u32>,
    /// Its role in the frame.
    pub role: Role,
    /// The share of the frame's excess that it explains, from 0 to 1. The shares of all
    /// [parts](Self::is_part) add up to 1 with the [rest](Hitch::rest_share). For series that are no
    /// scopes, the share is an estimate of at most 0.5.
    pub share: f64,
    /// Whether the share is a part of the excess beside the others; otherwise it is an estimate, or inside
    /// another part.
    pub is_part: bool,
    /// Whether it is the time in which a thread waited for a processor.
    pub is_ready: bool,
    /// The value in the frame; for a timer, its self time. On the thread of the frame, this is at
    /// most the part that can lie in the frame.
    pub value: f64,
    /// The usual value: an estimate. Whole if no value of a count, or of a number of bytes, has had
    /// a fraction.
    pub usual: f64,
    /// The farthest value of recent *usual* frames, on the side of `value`: `usual`, moved toward `value` by
    /// the largest distance of a usual frame from it. It is no record of the run. Frames that are not usual,
    /// such as earlier hitches, do not count, and a distance halves within 1,400 frames. If `value` and
    /// `usual` are not negative, it is not negative. If `usual` is whole, it is whole.
    pub record: f64,
    /// The unit of `value`, `usual` and `record`.
    pub unit: Unit,
}

impl Finding {
    /// Returns words for what it is: `in no scope`, `waiting for a processor`, the same `in thread NAME`,
    /// or else the path.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        match self.role {
            Role::Unaccounted => IN_NO_SCOPE.into(),
            _ if self.is_ready => ready_name(&self.path),
            _ => self.path.as_str().into(),
        }
    }

    /// Returns the name of the thread that waited for a processor, unless it is that of the frame.
    /// `None` for a finding that [is no such time](Self::is_ready).
    #[must_use]
    pub fn ready_thread(&self) -> Option<&str> {
        thread_of(&self.path).filter(|_| self.is_ready)
    }

    /// Returns whether a sentence names this series beside the culprit: a count, a number of bytes or
    /// the like that moved far. Page faults have words of their own.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.role == Role::MovedWith
            && self.unit != Unit::Milliseconds
            && self.share > NAMED
            && !is_thread_figure(&self.path, self.unit)
    }
}

/// The role of a series in a hitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It made the frame long.
    Culprit,
    /// The culprit ran in this timer.
    Via,
    /// It moved, but does not explain the frame by itself.
    MovedWith,
    /// The frame waited here.
    Wait,
    /// The time of the frame in no scope.
    Unaccounted,
}

impl Role {
    /// Returns the name in JSON: `culprit`, `via`, `moved-with`, `wait` or `unaccounted`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Culprit => "culprit",
            Self::Via => "via",
            Self::MovedWith => "moved-with",
            Self::Wait => "wait",
            Self::Unaccounted => "unaccounted",
        }
    }
}

/// The number of hitches with one culprit. Frames that [no player sees](Hitch::is_seen) do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// The number of hitches with this culprit, including this one.
    pub on: usize,
    /// The number of hitches so far, up to [`MAX_HITCHES`](super::MAX_HITCHES).
    pub of: usize,
    /// Whether the culprit moved less than half as far in all recent [usual](super) frames. Hitches
    /// are not usual frames. The distance of an earlier frame halves within 1,400 frames.
    pub never_otherwise: bool,
}

impl fmt::Display for Repeats {
    /// Writes `the same culprit in 4 of 5 hitches, in no recent usual frame`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the same culprit in {} of {} hitches", self.on, self.of)?;
        if self.never_otherwise {
            f.write_str(", in no recent usual frame")?;
        }
        Ok(())
    }
}
