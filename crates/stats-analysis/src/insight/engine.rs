//! The engine, which turns frames into hitches, leaks and periodic stalls.
//!
//! - `listed`: the series that it knows, and `fractions`: which of them have fractions;
//! - `away`: the frames since the times are far from usual;
//! - `ranked`: explains frames, and keeps the hitches among them;
//! - `stalls`: looks for periodic stalls among the hitches.

use std::borrow::Cow;
use std::collections::VecDeque;

use stats_core::limits::LATE_FRAMES;
use stats_core::source::Survey;
use stats_core::{FRAME_TIME, Mark, Unit};

use super::budgets::Watch;
use super::earlier::Earlier;
use super::events::{Event, Events, OverBudget};
use super::facts::AllFacts;
use super::follow::Followed;
use super::hitch::Hitch;
use super::leaks::{Leak, Leaks};
use super::moment::Moment;
use super::of_kinds::OfKinds;
use super::periodic::{self, Periodic, Search};
use super::slowdown::{Slowdown, Slowdowns};
use super::structure::{OtherTimes, Structure};
use super::system::SystemSeries;
use super::trigger::{Judgment, SURE, Times, Trigger};
use super::usual::{Usual, UsualValues};
use crate::pace::limit_ms;
use away::Away;
use fractions::Fractions;

mod away;
mod fractions;
mod listed;
mod ranked;
mod stalls;

/// The number of hitches that are kept, unless [`Insight::keep_hitches`] sets a larger number.
pub const MAX_HITCHES: usize = 256;

/// The number of noticed frames that may wait to be ranked. A further frame replaces the oldest.
pub const MAX_NOTICED: usize = 4;

/// The maximum number of frames between work and a wait for it.
const FRAMES_BEFORE: usize = 2;

/// Notices unusual frames and ranks what could have caused them. See the [module](super).
#[derive(Clone, Debug, Default)]
pub struct Insight {
    facts: AllFacts,
    /// The number of the frame time, if it is among the series.
    clock: Option<u32>,
    /// Whether paths are looked up before a frame is ranked, instead of stored.
    looks_up_paths: bool,
    structure: Structure,
    /// The duration of the previous frame.
    previous_ms: f64,
    /// The numbers of the deferred series, in ascending order.
    deferred: Vec<u32>,
    system: SystemSeries,
    usual_values: UsualValues,
    of_kinds: OfKinds,
    fractions: Fractions,
    trigger: Trigger,
    /// The times of the newest frames, newest first.
    others: [OtherTimes; 1 + FRAMES_BEFORE],
    away: Away,
    earlier: Earlier,
    leaks: Leaks,
    slowdowns: Slowdowns,
    noticed: VecDeque<Moment>,
    /// The moment that was ranked last, in case late values arrive for it.
    ranked: Option<Moment>,
    hitches: VecDeque<Hitch>,
    /// The number of hitches that are kept, if it is more than [`MAX_HITCHES`].
    kept: usize,
    /// The times at which noticed frames began. They cover at least all kept hitches.
    began: VecDeque<periodic::Start>,
    /// The newest frames that were long but followed a noticed frame too soon.
    long: VecDeque<periodic::Start>,
    /// The number of frames taken.
    frames: u64,
    newest: periodic::Start,
    /// The search for periodic stalls that goes on.
    search: Option<Box<Search>>,
    frame_budget: FrameBudget,
    events: Events,
    pub(super) followed: Followed,
}

/// The budget of the frame time, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
struct FrameBudget {
    ms: Option<f64>,
    watch: Watch,
}

impl Insight {
    /// Creates an engine without series.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an engine that takes less memory. It stores no paths, so call
    /// [`look_up_paths`](Self::look_up_paths) before [`rank_noticed`](Self::rank_noticed). A
    /// [`Leak`] has no path. With more than 256 levels that may leak, those that rise are followed,
    /// so a leak among the others is found about 30 seconds later, and up to three minutes later if
    /// it fluctuates. A leak under waves of more than a minute may not be found.
    pub fn compact() -> Self {
        let mut insight = Self {
            looks_up_paths: true,
            ..Self::default()
        };
        insight.leaks.limit();
        insight
    }

    /// Looks up the paths of the series that crossed their budgets, for a
    /// [compact](Self::compact) engine. Call it after [`take_frame`](Self::take_frame). Does nothing
    /// if none did.
    pub fn look_up_event_paths(&mut self, path_of: impl FnMut(u32) -> Option<String>) {
        self.events.look_up_paths(path_of);
    }

    /// Sets the number of hitches that are kept. It is at least [`MAX_HITCHES`], the default. A
    /// hitch takes a few kilobytes.
    pub fn keep_hitches(&mut self, max: usize) {
        self.kept = max;
    }

    fn max_hitches(&self) -> usize {
        self.kept.max(MAX_HITCHES)
    }

    /// Takes a frame: its duration, and the value of each series by its number. Returns whether the
    /// frame was noticed; [`rank_noticed`](Self::rank_noticed) then explains it.
    ///
    /// Pass frames in order. A value that is missing or NaN is unknown. Allocates if series were
    /// added, and for the first long frames.
    pub fn take_frame(&mut self, frame: u64, frame_ms: f64, values: &[f64]) -> bool {
        self.take(frame, frame_ms, values, &[])
    }

    /// Takes a frame as [`take_frame`](Self::take_frame) does, with the values of a survey. Most series
    /// whose values [did not change](Survey::still_groups) cost nothing. If the frame before was not
    /// taken, all values count as changed.
    pub fn take_survey(&mut self, frame: u64, frame_ms: f64, survey: Survey<'_>) -> bool {
        self.take(frame, frame_ms, survey.values(), survey.still_groups())
    }

    fn take(&mut self, frame: u64, frame_ms: f64, values: &[f64], still_groups: &[bool]) -> bool {
        self.frames += 1;
        let is_next = frame == self.newest.frame + 1;
        let still_groups = if is_next { still_groups } else { &[] };
        self.usual_values.note_changes(still_groups);
        self.fractions.take(values);
        // No late value arrives for it any more.
        let is_late = |ranked: &Moment| frame > ranked.frame + LATE_FRAMES;
        if self.ranked.as_ref().is_some_and(is_late) {
            self.ranked = None;
        }
        let max_hitches = self.max_hitches();
        // When the frame began, in seconds since the first one did.
        let secs = self.newest.secs + self.previous_ms.max(0.0) / 1e3;
        self.newest = periodic::Start { frame, secs };
        self.structure.update();
        let structure = &self.structure;
        let (mut scopes, waits) = structure.busy_ms(values);
        // If a scope was open for many frames and ends in this frame, it reports the time of all of
        // them. If the previous frame ended within a scope, that scope has at most the time of both
        // frames.
        let most_ms = frame_ms + std::mem::replace(&mut self.previous_ms, frame_ms);
        let known = self.earlier.without(structure, values, frame_ms);
        if scopes > 1.01 * most_ms + 0.1 {
            scopes = f64::NAN;
        }
        let system = self.system.of_values(values, frame_ms);
        let usual_values = &self.usual_values;
        let pace = (frame_ms / self.trigger.usual_ms()).max(1.0);
        // Before the usual values learn from this frame.
        self.others.rotate_right(1);
        let others = &mut self.others[0];
        structure.read_others(values, &self.deferred, usual_values, others);
        let ran_and_ready = |thread: Option<&str>, ms: f64| {
            let known = (known, usual_values);
            self.system.ran_and_ready(thread, ms, known)
        };
        let times = Times {
            frame: frame_ms,
            waits,
            scopes,
            system,
        };
        let waited_for_ms = || {
            let known = (known, usual_values);
            structure.waited_for_ms(&others.long, known, (SURE, pace), ran_and_ready)
        };
        let new_ms = || structure.new_excess_ms(known, usual_values, (SURE, pace));
        let judgment = self.trigger.judge(times, new_ms, waited_for_ms);
        self.leaks.take_frame(frame_ms / 1e3, values);
        self.slowdowns.take_frame(frame, frame_ms);
        self.away.take(known, &self.trigger, &mut self.usual_values);
        match judgment {
            Judgment::Usual => {
                if !std::ptr::eq(known, values) {
                    self.usual_values.note_all_changed();
                }
                self.usual_values.learn(known);
                let is_longer = self.trigger.is_longer_kind();
                self.of_kinds.learn(is_longer, frame_ms, known);
            }
            Judgment::Long => {
                // More work in less time is no stall.
                if frame_ms >= self.trigger.usual_ms() {
                    keep(&mut self.long, self.newest, max_hitches);
                }
            }
            Judgment::Noticed => {
                keep(&mut self.began, self.newest, max_hitches + MAX_NOTICED);
                self.fractions.examine(0..values.len(), values);
                let mut moment = if self.noticed.len() >= MAX_NOTICED {
                    self.noticed.pop_front().unwrap_or_default()
                } else {
                    Moment::default()
                };
                self.compare(&mut moment, (frame, frame_ms), values);
                forget(&self.deferred, &mut moment.values);
                moment.fill_before(&self.others[1..]);
                self.noticed.push_back(moment);
            }
        }
        self.compare_with_budgets(frame, frame_ms, values);
        judgment == Judgment::Noticed
    }

    /// Returns the noticed frame to which the newest frame belongs: that was long, too, but it followed
    /// another long frame, or came soon after the noticed one. `None` if it was not long, or was noticed
    /// itself.
    pub fn belongs_to(&self) -> Option<u64> {
        let newest = self.newest.frame;
        let is_long = (self.long.back()).is_some_and(|long| long.frame == newest);
        let noticed = self.began.back().filter(|_| is_long)?;
        Some(noticed.frame)
    }

    fn compare_with_budgets(&mut self, frame: u64, frame_ms: f64, values: &[f64]) {
        let over = |path: &str, series, (value, budget), unit| OverBudget {
            frame,
            path: path.to_owned(),
            series,
            value,
            budget,
            unit,
        };
        let FrameBudget { ms, watch } = &mut self.frame_budget;
        if let Some(ms) = *ms
            && watch.crosses(frame_ms, limit_ms(ms))
        {
            let unit = Unit::Milliseconds;
            let over = over(FRAME_TIME, self.clock, (frame_ms, ms), unit);
            self.events.add_over_budget(over);
        }
        let Self { facts, events, .. } = self;
        let AllFacts { budgets, .. } = facts;
        let mut budgets = std::mem::take(budgets);
        budgets.take(values, |number, value, budget| {
            let unit = facts.form(number).map_or(Unit::Count, |form| form.unit);
            let path = facts.path(number);
            events.add_over_budget(over(path, Some(number), (value, budget), unit));
        });
        facts.budgets = budgets;
    }

    /// Sets the budget of the frame time, in milliseconds; `None` for none, the default. A listed
    /// frame time with a budget sets it, too. The budgets of other series are those of their
    /// [facts](super::Facts::budget).
    pub fn set_frame_budget(&mut self, ms: Option<f64>) {
        if self.frame_budget.ms != ms {
            let watch = Watch::default();
            self.frame_budget = FrameBudget { ms, watch };
        }
    }

    /// Returns the oldest event that was not taken yet: a hitch that was
    /// [ranked](Self::rank_noticed), a series that crossed its budget, a leak or a periodic stall.
    /// Returns `None` if there is none.
    ///
    /// Call it once a frame until it returns `None`. At most [`MAX_EVENTS`](super::MAX_EVENTS)
    /// events wait; [`Event::Lost`] tells how many were replaced before they were taken. A frame
    /// without an event allocates nothing.
    ///
    /// [`follow`](Self::follow) finds all events. A program that calls
    /// [`take_frame`](Self::take_frame) itself also calls [`note_leaks`](Self::note_leaks) and
    /// [`note_periodic`](Self::note_periodic).
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.poll(&self.hitches)
    }

    /// Adds an event for each of these [leaks](Self::leaks) that was not among those of the last
    /// call.
    pub fn note_leaks(&mut self, leaks: &[Leak]) {
        self.events.note_leaks(self.newest.frame, leaks);
    }

    /// Adds an event for each of these [periodic stalls](Self::periodic) that was not among those
    /// of the last call, with the same culprit and about the same interval.
    pub fn note_periodic(&mut self, stalls: &[Periodic]) {
        self.events.note_periodic(self.newest.frame, stalls);
    }

    /// Returns the number of frames that are still needed to learn what is usual, at first
    /// [`WARM_UP_FRAMES`](super::WARM_UP_FRAMES), and about how many milliseconds they will take.
    /// No frame is noticed until it is 0.
    pub fn frames_to_learn(&self) -> (u32, f64) {
        let frames = self.trigger.frames_to_learn();
        (frames, f64::from(frames) * self.trigger.usual_ms())
    }

    /// Returns what is usual for a series; `None` before 32 of its values were learned.
    pub fn usual(&self, number: u32) -> Option<Usual> {
        if self.clock == Some(number) {
            return self.usual_frame();
        }
        self.usual_values.get(number as usize)
    }

    /// Returns what is usual for the frame time, in milliseconds; `None` before it is learned.
    pub fn usual_frame(&self) -> Option<Usual> {
        (self.trigger.frames_to_learn() == 0).then(|| self.trigger.usual())
    }

    /// Skips frames that took `ms` in total. Nothing is learned from them, but their time counts
    /// toward the rates of leaks and the periods of stalls.
    pub fn skip(&mut self, ms: f64) {
        self.newest.secs += self.previous_ms.max(0.0) / 1e3;
        self.previous_ms = ms;
        self.trigger.skip(ms);
        self.leaks.take_frame(ms / 1e3, &[]);
        self.slowdowns.skip();
    }

    /// Takes the marks of a frame that ended, in the order of their frames: those about a
    /// [freeze](stats_core::FreezeWatch) are an [event](Event::Frozen). Returns whether the whole
    /// program stood still in the frame, which then says nothing about its length:
    /// [skip](Self::skip) it. [`follow`](Self::follow) does both. The cost is that of a binary search.
    pub fn note_marks(&mut self, frame: u64, marks: &[Mark]) -> bool {
        self.events.note_marks(frame, marks)
    }

    /// Frees the memory that is not needed while no frames are taken: frames that wait to be
    /// ranked, levels that do not grow, and a search for periodic stalls, which begins again.
    pub fn rest(&mut self) {
        (self.ranked, self.away, self.search) = (None, Away::default(), None);
        self.noticed = VecDeque::new();
        self.leaks.rest();
    }

    /// Returns the hitches, oldest first, with the frames that did more work but that
    /// [no player sees](Hitch::is_seen).
    pub fn hitches(&self) -> &VecDeque<Hitch> {
        &self.hitches
    }

    /// Returns the levels that keep growing. The fastest growth, relative to the value, comes
    /// first. The cost is linear in the number of levels.
    pub fn leaks(&self) -> Vec<Leak> {
        self.leaks.found(&self.facts)
    }

    /// Returns the slowdown that lasts: the frame time rose by at least a fifth, two seconds ago or
    /// longer. `None` if there is none, and after 30 seconds, because the new time is then usual.
    pub fn slowdown(&self) -> Option<Slowdown> {
        self.slowdowns.found()
    }

    /// Calls `visit` with each timer that is not a wait, and with the series of its self time, or
    /// its own number if it has none. Leaves out timers whose values become known later.
    pub fn for_each_timer(&self, mut visit: impl FnMut(u32, u32)) {
        let timers = self.structure.timers.iter().filter(|timer| !timer.is_wait);
        for timer in timers.filter(|timer| !self.is_deferred(timer.series)) {
            visit(timer.series, timer.own_series() as u32);
        }
    }

    /// Returns the structure of the newest facts.
    pub(super) fn structure(&self) -> Cow<'_, Structure> {
        let mut structure = Cow::Borrowed(&self.structure);
        if !structure.is_current() {
            structure.to_mut().update();
        }
        structure
    }

    pub(super) fn usual_values(&self) -> &UsualValues {
        &self.usual_values
    }

    /// Replaces the values of deferred series, which are not known yet, with NaN.
    pub(super) fn forget_deferred(&self, values: &mut [f64]) {
        forget(&self.deferred, values);
    }
}

/// Adds a start, and removes the oldest one if there are more than `max`.
fn keep(starts: &mut VecDeque<periodic::Start>, newest: periodic::Start, max: usize) {
    if starts.len() >= max {
        starts.pop_front();
    }
    starts.push_back(newest);
}

/// Replaces the values of some series with NaN.
fn forget(numbers: &[u32], values: &mut [f64]) {
    for &number in numbers {
        if let Some(value) = values.get_mut(number as usize) {
            *value = f64::NAN;
        }
    }
}
