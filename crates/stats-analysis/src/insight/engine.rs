//! The engine, which turns frames into hitches, leaks and periodic stalls.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use stats_core::limits::LATE_FRAMES;
use stats_core::source::Survey;
use stats_core::{FRAME_TIME, Mark, SeriesInfo, SeriesKind, Unit};

use super::attribution::MATCH;
use super::budgets::Watch;
use super::earlier::Earlier;
use super::events::{Event, Events, OverBudget};
use super::facts::{AllFacts, Facts, Form, grow, is_of_statistics};
use super::follow::Followed;
use super::hitch::{Hitch, Repeats, Role};
use super::leaks::{Leak, Leaks};
use super::moment::Moment;
use super::periodic::{self, Periodic, Search};
use super::ranking;
use super::slowdown::{Slowdown, Slowdowns};
use super::structure::{OtherTimes, Structure};
use super::system::SystemSeries;
use super::trigger::{Judgment, MIN_MS, SURE, Times, Trigger};
use super::usual::{Usual, UsualValues};
use crate::pace::limit_ms;

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

/// Which series have fractions. Examines a few series in each frame, because a series that has
/// fractions nearly always has one.
#[derive(Clone, Debug, Default)]
struct Fractions {
    /// By the number of the series.
    has: Vec<bool>,
    /// The next series to examine.
    next: usize,
}

impl Fractions {
    /// The number of series that are examined in a frame.
    const CHUNK: usize = 128;

    fn take(&mut self, values: &[f64]) {
        let begin = if self.next < values.len() {
            self.next
        } else {
            0
        };
        self.next = values.len().min(begin + Self::CHUNK);
        self.examine(begin..self.next, values);
    }

    fn examine(&mut self, part: Range<usize>, values: &[f64]) {
        if self.has.len() < values.len() {
            grow(&mut self.has, values.len(), false);
        }
        for (has, value) in self.has[part.clone()].iter_mut().zip(&values[part]) {
            *has |= value.is_finite() && value.fract() != 0.0;
        }
    }
}

/// The newest frames, as long as their times are far from usual. If these times become usual, so do
/// the values of all series.
#[derive(Clone, Debug, Default)]
struct Away {
    /// The sum of each series over these frames, without the first one.
    sums: Vec<f32>,
    /// The number of these frames.
    frames: u32,
}

impl Away {
    /// Takes the values of a frame that was judged. Restarts the usual values at a new level.
    fn take(&mut self, values: &[f64], trigger: &Trigger, usual_values: &mut UsualValues) {
        let has_new_level = trigger.has_new_level();
        if !trigger.is_away() && !has_new_level {
            if self.frames > 0 {
                *self = Self::default();
            }
            return;
        }
        self.frames += 1;
        // Most long frames are single ones, which need no sums. So the first one is left out.
        if self.frames == 2 {
            self.sums = vec![0.0; values.len()];
        }
        // A value that is unknown in any frame makes the sum unknown.
        for (sum, value) in self.sums.iter_mut().zip(values) {
            *sum += *value as f32;
        }
        if has_new_level {
            let frames = (self.frames - 1) as f32;
            usual_values.restart(self.sums.iter().map(|sum| sum / frames));
            *self = Self::default();
        }
    }
}

impl Insight {
    /// Creates an engine without series.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a series, or replaces its facts. Its first value is its value in the next frame.
    pub fn set_series(&mut self, number: u32, facts: Facts) {
        let info = facts.info(number);
        match facts.of {
            Some(of) => self.set_companion(of, number, Form::of(&info), facts.is_deferred),
            None => self.set_own(&info),
        }
    }

    /// Adds a listed series with its calls and its self time, or replaces their facts.
    pub fn set_listed(&mut self, info: &SeriesInfo<'_>) {
        self.set_own(info);
        let count = match info.kind {
            SeriesKind::Timer => SeriesKind::TimerCalls,
            _ => SeriesKind::HistogramSamples,
        };
        let companions = [
            (info.calls, count, Unit::Count),
            (info.self_time, SeriesKind::TimerSelf, info.unit),
        ];
        for (id, kind, unit) in companions {
            if let Some(id) = id {
                let form = Form { kind, unit };
                self.set_companion(info.id.number(), id.number(), form, info.is_deferred);
            }
        }
    }

    /// Sets the facts of a series that belongs to no other one.
    fn set_own(&mut self, info: &SeriesInfo<'_>) {
        let number = info.id.number();
        if info.kind == SeriesKind::FrameTime {
            // It is what the other series explain.
            self.clock = Some(number);
            if info.budget.is_some() {
                self.set_frame_budget(info.budget);
            }
            return;
        }
        let before = self.facts.form(number);
        let form = Form::of(info);
        self.set_form(number, form, info.is_deferred);
        let may_leak = form.may_leak() && !is_of_statistics(info.path);
        if may_leak && !before.is_some_and(Form::may_leak) {
            self.leaks.add(number, form.floor());
        }
        self.facts.set_budget(number, info.budget);
        self.system.set(info);
        if !self.looks_up_paths {
            self.facts.set_path(number, info.path);
        }
        if info.kind == SeriesKind::Timer {
            self.structure.set_timer(info);
        } else if before.is_some_and(|form| form.kind == SeriesKind::Timer) {
            self.structure.remove(number);
        }
    }

    /// Sets the facts of the calls, the samples or the self time of a series.
    fn set_companion(&mut self, of: u32, number: u32, form: Form, is_deferred: bool) {
        self.set_form(number, form, is_deferred);
        self.structure.set_companion(of, form.kind, number);
    }

    fn set_form(&mut self, number: u32, form: Form, is_deferred: bool) {
        if self.is_deferred(number) != is_deferred {
            keep_in(&mut self.deferred, number, is_deferred);
        }
        let before = self.facts.form(number);
        if before == Some(form) {
            return;
        }
        self.usual_values.set(number as usize, form.floor());
        self.facts.set_form(number, form);
    }

    /// Returns whether a number has a series.
    pub fn has_series(&self, number: u32) -> bool {
        self.facts.form(number).is_some() || self.clock == Some(number)
    }

    /// Returns the number of the timer around a timer: its newest scope was inside that timer's, or
    /// it is a pass of the GPU's frame. `None` if there is none, and if it is not known.
    pub fn timer_around(&self, number: u32) -> Option<u32> {
        self.structure.around(number)
    }

    /// Returns a number for the thread, or the device, on which a timer runs. Timers with the same
    /// number run one after the other or inside each other. `None` if it is not known, and for a timer
    /// of several threads.
    pub fn lane_of(&self, number: u32) -> Option<u16> {
        self.structure.lane(number)
    }

    /// Returns whether the values of a series become known a few frames later.
    pub fn is_deferred(&self, number: u32) -> bool {
        self.deferred.binary_search(&number).is_ok()
    }

    /// Returns whether the values of any series become known a few frames later.
    pub fn has_deferred(&self) -> bool {
        !self.deferred.is_empty()
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

    /// Looks up the paths of the series that may explain the frames that wait to be ranked: of each
    /// frame, the 1,024 timers that took longest, with those around them, and the 1,024 other series
    /// that moved farthest. The remaining ones are not ranked. Takes a few nanoseconds for each
    /// series. Does nothing if all paths are stored.
    ///
    /// `append_path` appends the path of a series, if it has one.
    pub fn look_up_paths(&mut self, mut append_path: impl FnMut(u32, &mut String)) {
        if self.looks_up_paths {
            self.structure.update();
            for moment in &self.noticed {
                look_up(&mut self.facts, &self.structure, moment, &mut append_path);
            }
        }
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

    /// Sets the thread that ends the frames. Default: `main`, or the first known thread of a timer
    /// if no timer runs on `main`.
    pub fn set_frame_thread(&mut self, thread: Option<&str>) {
        self.structure.set_frame_thread(thread);
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
        let ready_if_ran = |thread: Option<&str>, ms: f64| {
            let ms = (1.0 - MATCH) * ms;
            self.system.ready_if_ran(thread, ms, (known, usual_values))
        };
        let times = Times {
            frame: frame_ms,
            waits,
            scopes,
            system,
        };
        let waited_for_ms = || {
            let known = (known, usual_values);
            structure.waited_for_ms(&others.long, known, (SURE, pace), ready_if_ran)
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
                let times = (frame, frame_ms, self.trigger.usual_ms());
                moment.fill(times, values, &self.usual_values);
                moment.spare(self.trigger.spared_ms(system));
                forget(&self.deferred, &mut moment.values);
                moment.fill_before(&self.others[1..]);
                self.noticed.push_back(moment);
            }
        }
        self.compare_with_budgets(frame, frame_ms, values);
        judgment == Judgment::Noticed
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
    /// [facts](Facts::budget).
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

    /// Adds a value of a deferred series. If its frame is waiting to be ranked, or was the last one
    /// ranked, the next call of [`rank_noticed`](Self::rank_noticed) takes the value into account.
    /// Otherwise, the value is ignored.
    pub fn set_late_value(&mut self, number: u32, frame: u64, value: f64) {
        if let Some(ranked) = self.ranked.take_if(|moment| moment.frame == frame) {
            self.noticed.push_front(ranked);
        }
        let of_frame = |moment: &&mut Moment| moment.frame == frame;
        if let Some(moment) = self.noticed.iter_mut().find(of_frame)
            && let Some(known) = moment.values.get_mut(number as usize)
        {
            *known = value;
        }
    }

    /// Ranks the frames that were noticed since the last call, and adds the results to
    /// [`hitches`](Self::hitches). Takes 6 to 25 ns for each series and frame.
    pub fn rank_noticed(&mut self) {
        while let Some(mut moment) = self.noticed.pop_front() {
            let hitch = self.rank(&mut moment);
            let is_new = !std::mem::replace(&mut moment.is_known, true);
            if !is_new {
                self.hitches.retain(|known| known.frame != moment.frame);
            }
            let frame = moment.frame;
            // Without late values, it is not ranked again.
            self.ranked = Some(moment).filter(|_| !self.deferred.is_empty());
            // Neither its work nor a wait made the frame long.
            if hitch.excess_ms < MIN_MS {
                continue;
            }
            while self.hitches.len() >= self.max_hitches() {
                self.hitches.pop_front();
            }
            if is_new && hitch.is_seen() {
                self.events.add_hitch(frame);
            }
            let hitch = self.with_repeats(hitch);
            let at = self
                .hitches
                .partition_point(|known| known.frame < hitch.frame);
            self.hitches.insert(at, hitch);
        }
        self.forget_looked_up();
    }

    /// Returns the numbers of the series that may explain the newest noticed frame: the timers that
    /// took longest, and the other series that moved. At most 1,024 of each.
    pub fn candidates(&self) -> Vec<u32> {
        let Some(moment) = self.noticed.back() else {
            return Vec::new();
        };
        let timers = moment.longest(&self.structure, MAX_MOVED);
        let moved = moment.farthest(|series| is_other(&self.facts, series), MAX_MOVED);
        timers.into_iter().chain(moved).collect()
    }

    /// Frees the memory that is not needed while no frames are taken: frames that wait to be
    /// ranked, levels that do not grow, and a search for periodic stalls, which begins again.
    pub fn rest(&mut self) {
        (self.ranked, self.away, self.search) = (None, Away::default(), None);
        self.noticed = VecDeque::new();
        self.leaks.rest();
    }

    fn forget_looked_up(&mut self) {
        if self.looks_up_paths {
            self.facts.forget_paths();
        }
    }

    /// Explains any frame, such as one that was not noticed, by comparison with the current
    /// usual values. The result is not added to [`hitches`](Self::hitches).
    pub fn explain(&self, frame: u64, frame_ms: f64, values: &[f64]) -> Hitch {
        let mut moment = Moment::default();
        let times = (frame, frame_ms, self.trigger.usual_ms());
        moment.fill(times, values, &self.usual_values);
        let system = self.system.of_values(values, frame_ms);
        moment.spare(self.trigger.spared_ms(system));
        if frame == self.newest.frame + 1 {
            moment.fill_before(&self.others[..FRAMES_BEFORE]);
        }
        let mut fractions = self.fractions.clone();
        fractions.examine(0..values.len(), values);
        self.rank_with(&mut moment, &fractions)
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

    /// Returns the periodic stalls, including those that have [ended](Periodic::has_ended). Frames that
    /// [no player sees](Hitch::is_seen) are none. Takes about 0.2 ms with 16 hitches, 3 ms with 64 and
    /// 25 ms with 256, and up to 80 ms if there are as many long frames between the hitches.
    /// [`look_for_periodic`](Self::look_for_periodic) divides this among frames.
    pub fn periodic(&self) -> Vec<Periodic> {
        self.periodic_search()
            .finish(|frame| hitch_of(&self.hitches, frame))
    }

    /// Does a part of a search for periodic stalls, which takes 0.1 to 0.3 ms. Begins a search if none
    /// goes on. Returns the stalls if this was the last part, otherwise `None`.
    ///
    /// The stalls are those that [`periodic`](Self::periodic) would have returned when the search began.
    /// Call it after a hitch, once in each frame until it returns them: in one or two frames with 16
    /// hitches, in about 50 with 256, and in up to 350 if there are as many long frames between the
    /// hitches.
    pub fn look_for_periodic(&mut self) -> Option<Vec<Periodic>> {
        let search = self.search.take();
        let mut search = search.unwrap_or_else(|| Box::new(self.periodic_search()));
        let found = search.step(|frame| hitch_of(&self.hitches, frame));
        self.search = Some(search).filter(|_| found.is_none());
        found
    }

    fn periodic_search(&self) -> Search {
        let began = |hitch: &Hitch| {
            let at = self.began.partition_point(|one| one.frame < hitch.frame);
            self.began.get(at).copied()
        };
        let hitches = self.hitches.iter();
        let hitches = hitches.filter_map(|hitch| Some((hitch, began(hitch)?)));
        // Older hitches are forgotten, so the frames before the first kept one do not count.
        let is_full = hitches.clone().count() >= self.max_hitches();
        let first = hitches.clone().next().filter(|_| is_full);
        let frames = first.map_or(self.frames, |(_, first)| {
            self.frames.min(self.newest.frame - first.frame + 1)
        });
        let seen = hitches.filter(|(hitch, _)| hitch.is_seen());
        Search::new(seen, &self.long, self.newest, frames)
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

    pub(super) fn rank(&self, moment: &mut Moment) -> Hitch {
        self.rank_with(moment, &self.fractions)
    }

    fn rank_with(&self, moment: &mut Moment, fractions: &Fractions) -> Hitch {
        let structure = self.structure();
        moment.confine(&structure);
        let facts = (&self.facts, fractions.has.as_slice(), &self.system);
        ranking::rank(&structure, facts, moment)
    }

    /// Ranks a moment whose paths are not looked up yet.
    pub(super) fn rank_once(
        &mut self,
        moment: &mut Moment,
        mut path_of: impl FnMut(u32) -> Option<String>,
    ) -> Hitch {
        if self.looks_up_paths {
            self.structure.update();
            let mut append_path = |series, text: &mut String| {
                text.push_str(&path_of(series).unwrap_or_default());
            };
            look_up(&mut self.facts, &self.structure, moment, &mut append_path);
        }
        let hitch = self.rank(moment);
        self.forget_looked_up();
        hitch
    }

    fn with_repeats(&self, mut hitch: Hitch) -> Hitch {
        let culprit =
            (hitch.culprit()).filter(|culprit| culprit.role == Role::Culprit && hitch.is_seen());
        hitch.repeats = culprit.map(|culprit| {
            let seen = || self.hitches.iter().filter(|known| known.is_seen());
            let same = seen().filter(|known| {
                let first = known.findings.first();
                first.is_some_and(|first| first.series == culprit.series)
            });
            let distance = (culprit.value - culprit.usual).abs();
            Repeats {
                on: same.count() + 1,
                of: seen().count() + 1,
                never_otherwise: (culprit.record - culprit.usual).abs() < 0.5 * distance,
            }
        });
        hitch
    }
}

/// The number of timers, and of other series, in a moment whose paths are looked up.
const MAX_MOVED: usize = 1024;

/// Looks up the paths of the series that may explain a moment.
fn look_up(
    facts: &mut AllFacts,
    structure: &Structure,
    moment: &Moment,
    append_path: &mut impl FnMut(u32, &mut String),
) {
    let timers = moment.longest(structure, MAX_MOVED);
    let moved = moment.farthest(|series| is_other(facts, series), MAX_MOVED);
    for series in timers.into_iter().chain(moved) {
        if facts.path(series).is_empty() {
            facts.look_up_path(series, |text| append_path(series, text));
        }
    }
}

/// Returns whether a series is neither a timer nor belongs to one.
fn is_other(facts: &AllFacts, series: u32) -> bool {
    facts.form(series).is_some_and(|form| !form.is_timed())
}

/// Returns the hitch of a frame among hitches in the order of their frames.
fn hitch_of(hitches: &VecDeque<Hitch>, frame: u64) -> Option<&Hitch> {
    let at = hitches.binary_search_by_key(&frame, |hitch| hitch.frame);
    hitches.get(at.ok()?)
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

/// Adds a number to a sorted list, or removes it.
fn keep_in(list: &mut Vec<u32>, number: u32, is_in: bool) {
    match (list.binary_search(&number), is_in) {
        (Err(place), true) => list.insert(place, number),
        (Ok(place), false) => _ = list.remove(place),
        _ => {}
    }
}
