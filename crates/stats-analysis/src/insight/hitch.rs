//! The answer about one frame.

use stats_core::Unit;

/// A frame that was longer than usual, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Hitch {
    /// The frame.
    pub frame: u64,
    /// Its duration.
    pub frame_ms: f64,
    /// The usual duration.
    pub usual_ms: f64,
    /// How much more was done than usual: the excess of the duration without that of waits, if
    /// those are not the reason.
    pub excess_ms: f64,
    /// The answer in one sentence.
    pub verdict: String,
    /// Whether one series explains at least 45 % of the excess.
    pub single_culprit: bool,
    /// What moved, best first.
    pub findings: Vec<Finding>,
    /// How often the same culprit was found; `None` without a single culprit.
    pub repeats: Option<Repeats>,
}

/// A series that moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The path; of a self time, that of the timer. `unaccounted` for the time in no scope.
    pub path: String,
    /// The number of the series; `None` for the time in no scope.
    pub series: Option<u32>,
    /// What it has to do with the frame.
    pub role: Role,
    /// The part of the frame's excess that it explains, from 0 to 1. Of scopes on the thread of the
    /// frame, the shares add up to 1, apart from those that took less than usual. Of other series,
    /// an estimate of at most 0.5.
    pub share: f64,
    /// The value in the frame; of a timer, its self time.
    pub value: f64,
    /// The usual value.
    pub usual: f64,
    /// The value farthest from the usual one in the frames before, on the same side.
    pub record: f64,
    /// The unit of the values.
    pub unit: Unit,
}

/// What a series has to do with a hitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It made the frame long.
    Culprit,
    /// The culprit ran in this timer.
    Via,
    /// It moved, and does not explain the frame by itself.
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

/// How often one culprit was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// The number of hitches with this culprit, including this one.
    pub on: usize,
    /// The number of hitches so far, up to [`MAX_HITCHES`](super::MAX_HITCHES).
    pub of: usize,
    /// Whether it never moved half as far in another frame.
    pub never_otherwise: bool,
}
