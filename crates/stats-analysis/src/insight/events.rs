//! What an insight found, as events that a program takes once a frame.

use std::collections::VecDeque;
use std::fmt;

use stats_core::{FROZEN, LogLine, Mark, STOOD_STILL, Unit};

use super::hitch::{Hitch, Role};
use super::leaks::Leak;
use super::periodic::Periodic;
use crate::format::value_text;

/// The number of events that wait to be taken. A further one replaces the oldest.
pub const MAX_EVENTS: usize = 64;

/// Two intervals of stalls are the same if they differ by at most this share.
const SAME_INTERVAL: f64 = 0.1;

/// Something that an [`Insight`](super::Insight) found: a reason to save the last minute, to write a
/// line to a log, or to stop a test. `Display` writes that line.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A frame was longer than usual, so that [a player sees it](Hitch::is_seen). The verdict includes what
    /// was known when the event was taken; a value that becomes known later changes only the one in
    /// [`hitches`](super::Insight::hitches).
    Hitch(Hitch),
    /// A level keeps growing. There is one event for each leak, and another if it stopped and
    /// began again.
    Leak {
        /// The newest frame when it was found.
        frame: u64,
        /// The level.
        leak: Leak,
    },
    /// Stalls recur at equal intervals. There is one event for each culprit and interval.
    Periodic {
        /// The newest frame when it was found.
        frame: u64,
        /// The stalls.
        stall: Periodic,
    },
    /// A series crossed its budget, after at least 60 frames within it.
    OverBudget(OverBudget),
    /// A frame has ended that had not ended for a long time, while there was a
    /// [watch](stats_core::FreezeWatch) for such frames.
    Frozen {
        /// The frame.
        frame: u64,
        /// What the watch found: the time, and the open scopes of each thread.
        lines: Vec<String>,
    },
    /// This many events were replaced by newer ones, because nobody took them. They are older than
    /// the next event.
    Lost(u64),
}

/// The first frame in which a series is over its budget.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OverBudget {
    /// The frame. For a deferred series, the frame in which the value became known.
    pub frame: u64,
    /// The path of the series.
    pub path: String,
    /// The number of the series; `None` for a frame time that is not among the series.
    pub series: Option<u32>,
    /// The value in that frame, in `unit`.
    pub value: f64,
    /// The budget, in `unit`. A frame time may exceed its budget by [10 %](crate::pace::SLACK) first.
    pub budget: f64,
    /// The unit of `value` and `budget`.
    pub unit: Unit,
}

impl Event {
    /// Returns the name of its kind: `hitch`, `leak`, `periodic`, `over-budget`, `frozen` or
    /// `lost`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hitch(_) => "hitch",
            Self::Leak { .. } => "leak",
            Self::Periodic { .. } => "periodic",
            Self::OverBudget(_) => "over-budget",
            Self::Frozen { .. } => "frozen",
            Self::Lost(_) => "lost",
        }
    }

    /// Returns its frame; `None` for lost events.
    #[must_use]
    pub fn frame(&self) -> Option<u64> {
        match self {
            Self::Hitch(hitch) => Some(hitch.frame),
            Self::Leak { frame, .. }
            | Self::Periodic { frame, .. }
            | Self::Frozen { frame, .. } => Some(*frame),
            Self::OverBudget(over) => Some(over.frame),
            Self::Lost(_) => None,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(frame) = self.frame() {
            write!(f, "frame {frame}: ")?;
        }
        match self {
            Self::Hitch(hitch) => f.write_str(&hitch.verdict),
            Self::Leak { leak, .. } => {
                let Leak { path, .. } = leak;
                match leak.seconds_to_budget {
                    None => write!(f, "{path} keeps growing"),
                    Some(0.0) => write!(f, "{path} keeps growing; it is over its budget"),
                    Some(secs) => {
                        write!(
                            f,
                            "{path} keeps growing; it reaches its budget in {secs:.0} s"
                        )
                    }
                }
            }
            Self::Periodic { stall, .. } => {
                let interval = stall.interval_text();
                write!(
                    f,
                    "{} stalls every {interval}, {} times",
                    stall.what(),
                    stall.count
                )
            }
            Self::OverBudget(over) => {
                let text = |value| value_text(value, over.unit);
                let (value, budget) = (text(over.value), text(over.budget));
                write!(f, "{} is over budget: {value} of {budget}", over.path)
            }
            Self::Frozen { lines, .. } => f.write_str(&lines.join("; ")),
            Self::Lost(events) => write!(f, "{events} events were not taken in time"),
        }
    }
}

/// An event that waits. Hitches are looked up when they are taken, so that values that become known
/// late still improve them.
#[derive(Clone, Debug)]
enum Waiting {
    Hitch(u64),
    Other(Event),
}

/// The events that wait, and what was told before.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    waiting: VecDeque<Waiting>,
    lost: u64,
    /// The number of waiting events whose paths are not looked up yet.
    unnamed: usize,
    /// The numbers of the leaks that were told and still grow.
    leaks: Vec<u32>,
    stalls: Vec<Stall>,
    /// The newest frame that was told as frozen.
    frozen: Option<u64>,
}

/// Stalls that were told.
#[derive(Clone, Debug)]
struct Stall {
    series: Option<u32>,
    role: Option<Role>,
    period_frames: f64,
}

impl Stall {
    fn is(&self, stall: &Periodic) -> bool {
        let ratio = stall.period_frames / self.period_frames;
        // Neither the frame time nor the time in no scope has a series.
        let is_same = match self.series {
            Some(_) => stall.series == self.series,
            None => stall.series.is_none() && stall.role == self.role,
        };
        is_same && (ratio - 1.0).abs() <= SAME_INTERVAL
    }
}

impl Events {
    /// Returns the oldest event.
    pub(super) fn poll(&mut self, hitches: &VecDeque<Hitch>) -> Option<Event> {
        if self.lost > 0 {
            return Some(Event::Lost(std::mem::take(&mut self.lost)));
        }
        loop {
            match self.waiting.pop_front()? {
                Waiting::Other(event) => return Some(event),
                Waiting::Hitch(frame) => {
                    let at = hitches.partition_point(|hitch| hitch.frame < frame);
                    // A value that became known late may have shown that it is none.
                    if let Some(hitch) = hitches.get(at).filter(|hitch| hitch.frame == frame) {
                        return Some(Event::Hitch(hitch.clone()));
                    }
                }
            }
        }
    }

    pub(super) fn add_hitch(&mut self, frame: u64) {
        self.add(Waiting::Hitch(frame));
    }

    pub(super) fn add_over_budget(&mut self, over: OverBudget) {
        self.unnamed += usize::from(over.path.is_empty());
        self.add(Waiting::Other(Event::OverBudget(over)));
    }

    /// Adds an event for each leak that is not known, and forgets the others.
    pub(super) fn note_leaks(&mut self, frame: u64, leaks: &[Leak]) {
        self.leaks
            .retain(|known| leaks.iter().any(|leak| leak.series == *known));
        for leak in leaks {
            if !self.leaks.contains(&leak.series) {
                self.leaks.push(leak.series);
                let leak = leak.clone();
                self.add(Waiting::Other(Event::Leak { frame, leak }));
            }
        }
    }

    /// Adds an event for each periodic stall that is not known, and forgets the others.
    pub(super) fn note_periodic(&mut self, frame: u64, stalls: &[Periodic]) {
        self.stalls
            .retain(|known| stalls.iter().any(|stall| known.is(stall)));
        for stall in stalls {
            if let Some(known) = self.stalls.iter_mut().find(|known| known.is(stall)) {
                known.period_frames = stall.period_frames;
                continue;
            }
            self.stalls.push(Stall {
                series: stall.series,
                role: stall.role,
                period_frames: stall.period_frames,
            });
            let stall = stall.clone();
            self.add(Waiting::Other(Event::Periodic { frame, stall }));
        }
    }

    /// Adds an event for the lines about a freeze in a frame, once for each frame. Returns whether the
    /// whole program stood still in it.
    pub(super) fn note_marks(&mut self, frame: u64, marks: &[Mark]) -> bool {
        let first = marks.partition_point(|mark| mark.frames.start < frame);
        let of_frame = marks[first..]
            .iter()
            .take_while(|mark| mark.frames.start == frame);
        let lines = of_frame.filter_map(|mark| LogLine::of_mark(&mark.name));
        let (mut frozen, mut stood_still) = (Vec::new(), false);
        for line in lines {
            stood_still |= line.target == STOOD_STILL;
            if line.target == FROZEN {
                frozen.push(line.text.to_owned());
            }
        }
        if !frozen.is_empty() && self.frozen != Some(frame) {
            self.frozen = Some(frame);
            let lines = frozen;
            self.add(Waiting::Other(Event::Frozen { frame, lines }));
        }
        stood_still
    }

    /// Looks up the paths that are missing.
    pub(super) fn look_up_paths(&mut self, mut path_of: impl FnMut(u32) -> Option<String>) {
        if std::mem::take(&mut self.unnamed) == 0 {
            return;
        }
        for waiting in &mut self.waiting {
            if let Waiting::Other(Event::OverBudget(over)) = waiting
                && over.path.is_empty()
            {
                let path = over.series.and_then(&mut path_of);
                over.path = path.unwrap_or_default();
            }
        }
    }

    fn add(&mut self, event: Waiting) {
        if self.waiting.len() >= MAX_EVENTS {
            self.waiting.pop_front();
            self.lost += 1;
        }
        self.waiting.push_back(event);
    }
}
