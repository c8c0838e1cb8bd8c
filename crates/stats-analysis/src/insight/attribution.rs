//! Attributes the excess of a frame to scopes and waits.

use crate::sort::sort_by;
use std::collections::HashMap;

use super::moment::{Before, Moment};
use super::structure::{GPU, Place, Structure, TimerSeries};
use super::system::{Split, SystemSeries};
use super::trigger::MIN_MS;

/// The minimum share of a single culprit.
pub(super) const SINGLE: f64 = 0.45;
/// The share of the excess from which on the time without a processor explains a frame alone.
const ALONE: f64 = 0.8;
/// The largest relative difference between a wait and an excess that matches it.
pub(super) const MATCH: f64 = 0.25;
/// A scope that is not declared as a wait matches only a scope whose excess is smaller by at most
/// this share, because a wait is no longer than the work that it waits for. If the system tells that the
/// thread waited, it may be smaller by [`MATCH`], because the thread may have waited for more than one.
const SHORTER: f64 = 0.02;
/// A scope on another thread took longer if the pace of the frame does not explain at least this
/// share of its excess: in a long frame, a thread that is always busy does more of its usual work.
const BEYOND_PACE: f64 = 0.2;
/// A thread is always busy if its scopes usually take more than this share of a frame.
const ALWAYS_BUSY: f64 = 0.95;
/// The maximum time of a scope inside a frame, as a multiple of the duration of the frame.
const INSIDE: f64 = 1.05;
/// Relative differences count as equal if they differ by at most this much.
const AS_NEAR: f64 = 0.1;
/// A scope that is not declared as a wait matches only a scope that is farther from usual than ever
/// before, by more than this factor.
const NEW_RECORD: f64 = 2.0;
/// A scope stands out from others that took longer by the same factor if it explains more than this
/// share of the excess by itself.
const OUTSTANDING: f64 = 0.3;
/// The excess of a frame is spread over several scopes if those that exceed their records have at
/// least this share of it together.
const SPREAD: f64 = 0.7;
/// Nearly all scopes took longer if those that did usually take more than the first share of the
/// time in all scopes and, without the best scope, more than the second share.
const BROAD: f64 = 0.7;
const BROAD_OTHERS: f64 = 0.5;
/// The minimum excess of a thread that takes as long as a usual frame, as a share of the wait for
/// this thread.
pub(super) const LATE_PART: f64 = 0.5;
/// The minimum excess of a wait that made the frame long, as a share of the excess of the frame, and of a
/// scope that a wait was for, as a share of that of the wait.
pub(super) const LONG_WAIT: f64 = 0.2;
/// The largest relative distance of a frame from a whole number of refreshes.
const EVEN: f64 = 0.03;
/// The minimum time in no scope of a program that waits for its display there, as a share of a
/// usual frame.
const IDLE: f64 = 0.05;
/// The minimum work of a frame that missed a refresh, and the minimum excess of that work, as
/// shares of a usual frame.
const OVER: (f64, f64) = (0.95, 0.06);
/// The same for a frame of whole refreshes, because some displays need a frame early.
const OVER_EARLY: (f64, f64) = (0.8, 0.03);
/// How early a display needs a frame, as a share of a usual frame.
const EARLY: f64 = 0.2;
/// A timer with fewer calls in a usual frame is rare.
const RARE_CALLS: f64 = 0.5;
/// The minimum excess that is matched, in milliseconds.
pub(super) const MIN_MATCHED_MS: f64 = 0.5;

/// A scope that may have made the frame long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    /// The timer, or `None` for the time in no scope.
    pub(super) timer: Option<usize>,
    /// The time that it adds to the frame, in milliseconds.
    pub(super) ms: f64,
    /// The timer that waited for it.
    pub(super) waited_in: Option<usize>,
    /// If the timer ran in an earlier frame, the number of frames before this one, and its self
    /// time there.
    pub(super) before: Option<(usize, f64)>,
    /// Whether its thread certainly ran for its excess; on another thread, for at least half of it.
    pub(super) has_run: bool,
}

/// The time in which a thread waited for a processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ready {
    /// The number of the series.
    pub(super) series: u32,
    /// The time that it adds to the frame, in milliseconds.
    pub(super) ms: f64,
    /// If another thread waited, the timer that waited for this thread.
    pub(super) waited_in: Option<usize>,
    /// The timer in which another thread waited, if that had more to do than usual.
    pub(super) during: Option<usize>,
}

/// The scopes and waits that made a frame long.
pub(super) struct Attribution {
    /// The scopes on the frame's thread, those that it waited for, and the time in no scope. The
    /// largest excess is first.
    pub(super) scopes: Vec<Scope>,
    /// The waits that match no scope, and their excess in milliseconds. The longest is first.
    pub(super) waits: Vec<(usize, f64)>,
    /// The waits that a scope explains in part, and the rest of their excess in milliseconds.
    pub(super) rests: Vec<(usize, f64)>,
    /// The times without a processor, the longest first. Empty if they are not known.
    pub(super) ready: Vec<Ready>,
    /// Whether the thread of the frame waited for something that no wait declares, for at least
    /// [`SINGLE`] of the excess.
    pub(super) is_blocked: bool,
    /// The excess that shares refer to: that of the frame if a wait made it long, otherwise that of
    /// its busy time.
    pub(super) excess_ms: f64,
    /// Whether the time without a processor explains the frame alone: at least [`ALONE`] of the excess.
    pub(super) is_ready_alone: bool,
    /// How much more work the frame's thread did, and others for which it waited.
    pub(super) work_ms: f64,
    /// Whether a wait for no known scope made the frame long.
    pub(super) is_waiting: bool,
    /// Whether nearly all scopes took longer by about the same factor.
    pub(super) is_broad: bool,
    /// Whether scopes that each took longer than ever before explain the frame together.
    pub(super) is_spread: bool,
}

impl Attribution {
    pub(super) fn new(structure: &Structure, system: &SystemSeries, moment: &Moment) -> Self {
        let excess = structure
            .timers
            .iter()
            .map(|timer| moment.own_ms(structure, timer) - moment.usual_own_ms(structure, timer));
        let frame = Frame {
            structure,
            system,
            moment,
            split: system.split(moment),
            excess: excess.collect(),
        };
        frame.attribution()
    }

    /// Returns a time as a share of the excess, from 0 to 1.
    pub(super) fn share(&self, ms: f64) -> f64 {
        (ms / self.excess_ms.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    }

    /// Returns the share that the three scopes with the largest excess, and the time without a
    /// processor, explain.
    pub(super) fn explained(&self) -> f64 {
        let scopes = self.scopes.iter().filter(|scope| scope.timer.is_some());
        let explained: f64 = scopes.take(3).map(|scope| self.share(scope.ms)).sum();
        explained + self.share(self.ready_ms())
    }

    /// Returns the part of the excess that waits have beyond what scopes explain of them.
    pub(super) fn rests_ms(&self) -> f64 {
        self.rests.iter().map(|(_, ms)| ms).sum()
    }

    /// Returns the time without a processor that made the frame longer.
    pub(super) fn ready_ms(&self) -> f64 {
        self.ready.iter().map(|ready| ready.ms).sum()
    }
}

/// A timer on another thread, its thread, and its excess in milliseconds. A timer that ran on
/// several threads has no thread.
pub(super) type Other = (usize, Option<u16>, f64);

/// Returns whether the pace of the frame does not explain the excess of a scope on another thread.
/// `times` are that excess and the usual time.
pub(super) fn is_beyond_pace(times: (f64, f64), place: Place, pace: f64) -> bool {
    let (excess_ms, usual_ms) = times;
    // The GPU works once for each frame, however long that takes.
    let pace = if place == Place::Other(GPU) {
        1.0
    } else {
        pace
    };
    excess_ms - (pace - 1.0) * usual_ms >= BEYOND_PACE * excess_ms
}

/// Returns the scope with the largest excess, the first of equal ones.
pub(super) fn longest<'a>(others: impl Iterator<Item = &'a Other>) -> Option<usize> {
    let longest = others.max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)));
    longest.map(|(at, _, _)| *at)
}

/// Returns the difference of two times, relative to the longer one.
pub(super) fn distance(a: f64, b: f64) -> f64 {
    (a - b).abs() / a.max(b)
}

/// Returns whether its work made a frame miss a refresh: the work and its excess are at least
/// `least`, and the frame took no more refreshes than the work needs.
fn is_missed(work_ms: f64, moment: &Moment, (least, busy_excess): ((f64, f64), f64)) -> bool {
    let usual_ms = moment.usual_ms;
    let needed = (work_ms / usual_ms + EARLY).ceil();
    work_ms >= least.0 * usual_ms
        && busy_excess >= MIN_MS.max(least.1 * usual_ms)
        && moment.frame_ms <= INSIDE * needed * usual_ms
}

/// A frame, and how much longer each timer took in it.
pub(super) struct Frame<'a> {
    pub(super) structure: &'a Structure,
    pub(super) system: &'a SystemSeries,
    pub(super) moment: &'a Moment,
    /// How the system divides the excess; `None` if it does not tell.
    pub(super) split: Option<Split>,
    /// The self time of each timer minus the usual one, in milliseconds.
    pub(super) excess: Vec<f64>,
}

impl Frame<'_> {
    fn attribution(&self) -> Attribution {
        let frame_excess = self.moment.frame_ms - self.moment.usual_ms;
        let (mut scopes, surplus_ms) = self.scopes(frame_excess);
        let mut waits = Vec::new();
        self.hand_on(&mut scopes, &mut waits, frame_excess);
        let (mut ready, mut blocked_ms) = self.take_ready(&mut scopes, &mut waits);
        let mut rests =
            self.take_ready_of_others(&mut scopes, &mut waits, frame_excess, &mut ready);
        if scopes.iter().any(|scope| self.is_elsewhere(scope))
            || ready.iter().any(|one| one.waited_in.is_some())
        {
            self.limit(&mut scopes, &mut ready, &mut rests);
        }
        let waited_ms: f64 = waits.iter().map(|(_, ms)| ms).sum();
        let longest_wait = waits.iter().map(|(_, ms)| *ms).fold(0.0, f64::max);
        // If there is less time in no scope, the frame waited less for the display, which is not
        // measured. If there is more, it may have waited longer.
        let rest = scopes.iter().find(|scope| scope.timer.is_none());
        let mut rest_ms = rest.map_or(0.0, |rest| rest.ms);
        if rest_ms > 0.0 && self.waited_outside(rest_ms, frame_excess - waited_ms - surplus_ms) {
            scopes.retain(|scope| scope.timer.is_some());
            blocked_ms -= rest_ms;
        } else {
            // Or the thread waited for a processor in scopes, and usually does so in none.
            let usual_ready_ms = self.split.map_or(0.0, |split| split.usual_ready_ms);
            rest_ms = (rest_ms + usual_ready_ms + self.moment.spared_ms).min(0.0);
            // The time of nested scopes counts twice, which leaves too little time in no scope.
            if self.moment.confined.overlaps {
                rest_ms = 0.0;
            }
        }
        let busy_excess = frame_excess - waited_ms - rest_ms - surplus_ms;
        let is_waiting = longest_wait > (LONG_WAIT * frame_excess).max(0.0)
            && longest_wait + surplus_ms >= SINGLE * frame_excess
            && busy_excess < 0.3 * frame_excess
            && !self.missed_refresh(&waits, busy_excess);
        let excess_ms = if is_waiting {
            frame_excess
        } else {
            busy_excess
        };
        sort_by(&mut scopes, |a, b| b.ms.total_cmp(&a.ms));
        sort_by(&mut waits, |a, b| b.1.total_cmp(&a.1));
        sort_by(&mut ready, |a, b| b.ms.total_cmp(&a.ms));
        let ready_ms: f64 = ready.iter().map(|ready| ready.ms).sum();
        let rests_ms: f64 = rests.iter().map(|(_, ms)| ms).sum();
        let scopes_ms = excess_ms - ready_ms - rests_ms;
        let waiting_ms = if is_waiting { waited_ms } else { 0.0 };
        let elsewhere = scopes.iter().filter(|scope| self.is_elsewhere(scope));
        let elsewhere_ms: f64 = elsewhere.map(|scope| scope.ms).sum();
        let here_ms = scopes_ms - waiting_ms - elsewhere_ms;
        let ran_ms = self.split.map_or(f64::INFINITY, |split| split.running_ms);
        let split_ready_ms = self.split.map_or(0.0, |split| split.ready_ms);
        Attribution {
            work_ms: (here_ms.min(ran_ms).max(0.0) + elsewhere_ms).min(excess_ms.max(0.0)),
            is_ready_alone: split_ready_ms >= ALONE * excess_ms,
            is_broad: ready_ms < SINGLE * excess_ms && self.is_broad(&scopes, scopes_ms),
            is_spread: self.is_spread(&scopes, scopes_ms),
            scopes,
            ready,
            is_blocked: blocked_ms >= SINGLE * excess_ms.max(MIN_MS),
            waits,
            rests,
            excess_ms,
            is_waiting,
        }
    }

    /// Returns whether the frame waited for the display in no scope: it took two or more refreshes
    /// because of its work, and such frames usually spend time in no scope.
    fn waited_outside(&self, rest_ms: f64, frame_excess: f64) -> bool {
        let Moment {
            frame_ms, usual_ms, ..
        } = *self.moment;
        let Some(outside_ms) = self.outside_ms() else {
            return false;
        };
        let work_ms = frame_ms - outside_ms;
        self.is_even()
            && outside_ms - rest_ms >= IDLE * usual_ms
            && rest_ms >= LONG_WAIT * frame_excess
            && is_missed(work_ms, self.moment, (OVER, frame_excess - rest_ms))
    }

    /// Returns whether the work, with its usual waits, took about as long as a usual frame, so that
    /// the display showed the previous frame once more. The wait for the display is then longer
    /// than the work that caused it.
    fn missed_refresh(&self, waits: &[(usize, f64)], busy_excess: f64) -> bool {
        let Moment {
            frame_ms, usual_ms, ..
        } = *self.moment;
        let long_ms = LONG_WAIT * (frame_ms - usual_ms);
        let long = waits.iter().filter(|(_, ms)| *ms >= long_ms);
        let waited = long.map(|(at, _)| {
            let timer = &self.structure.timers[*at];
            self.moment.own_ms(self.structure, timer)
        });
        let work_ms = frame_ms - waited.sum::<f64>();
        let least = if self.is_even() { OVER_EARLY } else { OVER };
        is_missed(work_ms, self.moment, (least, busy_excess))
    }

    /// Returns the excess of each scope on the frame's thread and of the time in no scope.
    ///
    /// They add up to the excess of the frame minus the surplus, which is also returned: the time
    /// by which the usual times of the scopes exceed the usual time of a frame. Usual times are
    /// means, so there may be a surplus if the load varies. With it, the time in no scope would be
    /// longer than the scopes leave.
    fn scopes(&self, frame_excess: f64) -> (Vec<Scope>, f64) {
        let timers = || self.structure.timers.iter().zip(&self.excess).enumerate();
        let scope = |timer, ms| Scope {
            timer,
            ms,
            waited_in: None,
            before: None,
            has_run: false,
        };
        // `collect` would reserve up to twice as much.
        let mut scopes = Vec::with_capacity(self.structure.timers.len() + 1);
        let on_frame = timers().filter(|(_, (timer, _))| timer.place == Place::Frame);
        scopes.extend(on_frame.map(|(at, (_, ms))| scope(Some(at), *ms)));
        // What a scope usually waits for a processor is in its usual time.
        let spared_ms = self.moment.spared_ms;
        let in_scopes: f64 = scopes.iter().map(|scope| scope.ms).sum();
        let mut rest = frame_excess - spared_ms - in_scopes;
        let surplus_ms = self
            .outside_ms()
            .map_or(0.0, |outside| (rest - outside).max(0.0));
        rest -= surplus_ms;
        // Scopes on no known thread take their excess from the rest, as long as some is left.
        let mut unplaced: Vec<Scope> = timers()
            .filter(|(_, (timer, ms))| timer.place == Place::Unknown && **ms > 0.0)
            .filter(|(_, (timer, _))| {
                let own_ms = self.moment.own_ms(self.structure, timer);
                own_ms <= INSIDE * self.moment.frame_ms
            })
            .map(|(at, (_, ms))| scope(Some(at), *ms))
            .collect();
        sort_by(&mut unplaced, |a, b| b.ms.total_cmp(&a.ms));
        for mut scope in unplaced {
            scope.ms = scope.ms.min(rest);
            if scope.ms > 0.0 {
                rest -= scope.ms;
                scopes.push(scope);
            }
        }
        scopes.push(scope(None, rest));
        (scopes, surplus_ms)
    }

    /// Returns whether the work in scopes made the frame miss a refresh.
    fn is_missed_by_work(&self, scopes: &[Scope]) -> bool {
        let on_frame = scopes.iter().filter_map(|scope| {
            let timer = &self.structure.timers[scope.timer?];
            let is_work = timer.place == Place::Frame && !timer.is_wait;
            is_work.then(|| (self.moment.own_ms(self.structure, timer), scope.ms))
        });
        let (work_ms, excess_ms) = on_frame.fold((0.0, 0.0), |sum, (work_ms, excess_ms)| {
            (sum.0 + work_ms, sum.1 + excess_ms)
        });
        self.is_even() && is_missed(work_ms, self.moment, (OVER, excess_ms))
    }

    /// Returns whether the frame took two or more whole refreshes.
    pub(super) fn is_even(&self) -> bool {
        let refreshes = self.moment.frame_ms / self.moment.usual_ms;
        (refreshes - refreshes.round()).abs() <= EVEN * refreshes && refreshes > 1.5
    }

    /// Returns the time of the frame that no scope of its thread covers. `None` if the scopes take
    /// longer than the frame: then some began in an earlier frame, or ran in parallel with it.
    fn outside_ms(&self) -> Option<f64> {
        let timers = self.structure.timers.iter();
        let on_frame = timers.filter(|timer| timer.place == Place::Frame);
        let inside = on_frame.map(|timer| self.moment.own_ms(self.structure, timer));
        Some(self.moment.frame_ms - inside.sum::<f64>()).filter(|outside| *outside >= 0.0)
    }

    /// Attributes each wait to the scope that the frame waited for. Waits without a match are moved
    /// to `waits`.
    fn hand_on(&self, scopes: &mut Vec<Scope>, waits: &mut Vec<(usize, f64)>, excess_ms: f64) {
        let others = self.others_excess();
        // If so, the work of the frame made the wait for the display longer.
        let is_missed = self.is_missed_by_work(scopes);
        let timers = &self.structure.timers;
        let knows_display =
            (timers.iter()).any(|timer| timer.place == Place::Frame && timer.is_display_wait);
        scopes.retain_mut(|scope| {
            let is_wait = scope
                .timer
                .is_some_and(|at| self.structure.timers[at].is_wait);
            let is_long = scope.ms >= MIN_MATCHED_MS && scope.ms >= LONG_WAIT * excess_ms;
            let is_suspect = if is_wait {
                // Another wait than that for the display is no longer because of a refresh.
                let is_for_display = |at: usize| timers[at].is_display_wait || !knows_display;
                !(is_missed && scope.timer.is_some_and(is_for_display))
            } else {
                scope.ms >= SINGLE * excess_ms && self.may_have_waited(scope.ms)
            };
            if is_long
                && is_suspect
                && let Some((found, before)) = self.waited_for(scope.ms, &others, is_wait)
                && (is_wait || self.is_as_rare(found, scope))
            {
                scope.waited_in = scope.timer;
                (scope.timer, scope.before) = (Some(found), before);
                return true;
            }
            if let Some(at) = scope.timer.filter(|_| is_wait) {
                waits.push((at, scope.ms));
            }
            !is_wait
        });
    }

    /// Returns whether a timer is as rare as a scope that may have waited for it. If the program seldom
    /// enters that scope, it says more than a timer that runs in most frames, such as one around all jobs
    /// of a worker: it is why there was more to do.
    fn is_as_rare(&self, found: usize, scope: &Scope) -> bool {
        let is_rare = |at: usize| {
            let calls = self.structure.timers[at].calls();
            calls.is_some_and(|calls| self.moment.usual(calls as usize) < RARE_CALLS)
        };
        !scope.timer.is_some_and(is_rare) || is_rare(found)
    }

    /// Returns whether the thread of the frame may have waited for about this time in a scope that is
    /// not declared as a wait. In declared waits, it was blocked as well.
    fn may_have_waited(&self, ms: f64) -> bool {
        let timers = self.structure.timers.iter().zip(&self.excess);
        let declared = timers.filter(|(timer, _)| timer.is_wait && timer.place == Place::Frame);
        let declared_ms: f64 = declared.map(|(_, ms)| ms.max(0.0)).sum();
        let split = self.split.as_ref();
        split.is_none_or(|split| split.blocked_ms - declared_ms >= (1.0 - MATCH) * ms)
    }

    /// Returns the timer that the frame waited for `ms` longer than usual. If the timer ran in an
    /// earlier frame, also returns the number of frames before this one, and its self time there.
    fn waited_for(
        &self,
        ms: f64,
        others: &[Other],
        is_wait: bool,
    ) -> Option<(usize, Option<(usize, f64)>)> {
        if let Some(found) = self.matching(ms, others, is_wait) {
            return Some((found, None));
        }
        if !is_wait {
            return None;
        }
        if let Some(found) = self.on_several_threads(ms, others) {
            return Some((found, None));
        }
        let (found, before) = self.matching_before(ms)?;
        Some((found, Some((before.frames, before.ms))))
    }

    /// Returns the timers on other threads that took longer than usual, and longer than the pace of
    /// the frame explains.
    pub(super) fn others_excess(&self) -> Vec<Other> {
        let timers = self.structure.timers.iter().zip(&self.excess).enumerate();
        let other = |(at, (timer, ms)): (usize, (&TimerSeries, &f64))| {
            let thread = match timer.place {
                Place::Frame => return None,
                Place::Other(thread) => Some(thread),
                Place::Unknown => None,
            };
            if timer.is_wait || *ms <= 0.1 {
                return None;
            }
            let usual_ms = self.moment.usual_own_ms(self.structure, timer);
            let is_beyond = is_beyond_pace((*ms, usual_ms), timer.place, self.moment.pace())
                || self.sets_pace(timer.place, usual_ms);
            (is_beyond && !self.had_no_processor(thread, *ms)).then_some((at, thread, *ms))
        };
        timers.filter_map(other).collect()
    }

    /// Returns whether a scope of another thread usually takes most of the frame, and sets its pace: the
    /// frame usually waits for even longer, and not for the display, while its thread is not always busy.
    fn sets_pace(&self, place: Place, usual_ms: f64) -> bool {
        // Few scopes are as long, so the sums below are not computed for each timer.
        if usual_ms <= (1.0 - BEYOND_PACE) * self.moment.usual_ms {
            return false;
        }
        let timers = || self.structure.timers.iter();
        let of_usual = |timer: &TimerSeries| self.moment.usual_own_ms(self.structure, timer);
        let mut waits = timers().filter(|timer| timer.place == Place::Frame && timer.is_wait);
        let is_waited_for = waits.any(|wait| !wait.is_display_wait && of_usual(wait) >= usual_ms);
        let work = timers().filter(|timer| timer.place == place && !timer.is_wait);
        let busy_ms: f64 = work.map(of_usual).sum();
        is_waited_for && busy_ms <= ALWAYS_BUSY * self.moment.usual_ms
    }

    /// Returns whether a scope of another thread is longer by `ms` because that thread waited for a
    /// processor: for about that time, while it ran longer by less, or for most of it, while it ran longer
    /// by less than half.
    fn had_no_processor(&self, thread: Option<u16>, ms: f64) -> bool {
        let name = thread.and_then(|thread| self.structure.thread_name(thread));
        let times = name.and_then(|name| self.system.running_and_ready(name, self.moment));
        times.is_some_and(|[running_ms, ready_ms]| {
            let is_ready = |part: f64| ready_ms >= part * ms && running_ms < part * ms;
            is_ready(1.0 - MATCH) || is_ready(LATE_PART)
        })
    }

    /// Returns the scope on another thread whose own excess, or whose thread's total excess, is
    /// nearest to `ms`.
    fn matching(&self, ms: f64, others: &[Other], is_wait: bool) -> Option<usize> {
        let is_new = |at: usize| match is_wait {
            true => self.is_new_or_sure(at),
            false => self.novelty(at) > NEW_RECORD,
        };
        // The system tells that the thread was blocked for that time; see `may_have_waited`.
        let has_waited = is_wait || self.split.is_some();
        let is_near = |other: f64| match has_waited {
            true => distance(other, ms) <= MATCH,
            false => distance(other, ms) <= MATCH / 2.0 && other >= (1.0 - SHORTER) * ms,
        };
        let matching = || {
            let others = others.iter();
            // A scope of several threads may also have run on the thread of the frame.
            let others = others.filter(|(_, thread, _)| is_wait || thread.is_some());
            others.filter(|(at, _, other)| is_near(*other) && is_new(*at))
        };
        let distances = matching().map(|other| distance(other.2, ms));
        let nearest = distances.reduce(f64::min);
        let usual = |at: usize| {
            let timer = &self.structure.timers[at];
            self.moment.usual_own_ms(self.structure, timer)
        };
        // Of several that match as well, such as a pass and the whole frame of the GPU, the one
        // that is usually the shortest grew most.
        let single = nearest.and_then(|nearest| {
            let as_near = matching().filter(|other| distance(other.2, ms) <= nearest + AS_NEAR);
            as_near
                .min_by(|a, b| usual(a.0).total_cmp(&usual(b.0)))
                .map(|(at, _, _)| *at)
        });
        if single.is_some() || !is_wait {
            return single;
        }
        self.on_matching_thread(ms, others)
    }

    /// Returns the longest scope on a thread whose total excess matches a wait, or that was late.
    fn on_matching_thread(&self, ms: f64, others: &[Other]) -> Option<usize> {
        let mut threads: HashMap<u16, f64> = HashMap::new();
        for (_, thread, other) in others {
            if let Some(thread) = thread {
                *threads.entry(*thread).or_default() += other;
            }
        }
        let longest_of = |is_matched: &dyn Fn(u16) -> bool| {
            let of_threads = others.iter();
            longest(of_threads.filter(|(_, thread, _)| thread.is_some_and(is_matched)))
        };
        longest_of(&|thread| distance(threads[&thread], ms) <= MATCH).or_else(|| {
            // Part of its excess ran in parallel with the frame, or the display made the wait
            // longer.
            let is_late = |thread| threads[&thread] >= LATE_PART * ms && self.is_late(thread);
            longest_of(&is_late).filter(|at| {
                // With the time without a processor, it is certain enough.
                let left = self.system.ready_of_others(self.moment);
                self.novelty(*at) > 1.0 || self.with_ready(ms, others, &left).is_some()
            })
        })
    }

    /// Returns whether the mean call of a timer is not longer than the frame.
    pub(super) fn is_inside(&self, at: usize) -> bool {
        let timer = &self.structure.timers[at];
        let own_ms = self.moment.own_ms(self.structure, timer);
        let calls = timer.calls().map(|calls| self.moment.value(calls as usize));
        calls.is_none_or(|calls| own_ms <= INSIDE * self.moment.frame_ms * calls.max(1.0))
    }

    /// Returns the scope that ran on several threads at once and took longer than ever: on all
    /// threads together, longer by at least about `ms`. Its mean call is not longer than the frame.
    fn on_several_threads(&self, ms: f64, others: &[Other]) -> Option<usize> {
        let several = others.iter().filter(|(at, thread, other)| {
            thread.is_none() && *other >= (1.0 - MATCH) * ms && self.is_new_or_sure(*at)
        });
        longest(several.filter(|(at, _, _)| self.is_inside(*at)))
    }

    /// Returns the scope on another thread, or the pass of the GPU, that took longer in an earlier
    /// frame by about `ms`. In a pipeline, a frame waits for the work of the frame before. If none
    /// matches, returns the one with the largest excess on a thread that was late: the thread was
    /// busy for at least about a usual frame, and the excess is at least half of the wait.
    fn matching_before(&self, ms: f64) -> Option<(usize, Before)> {
        let far = |before: &Before| distance(before.ms - before.usual_ms, ms);
        let before = self.moment.before.iter();
        let matching = || before.clone().filter(|before| far(before) <= MATCH);
        let nearest = matching().map(far).reduce(f64::min);
        let found = nearest.and_then(|nearest| {
            let as_near = matching().filter(|before| far(before) <= nearest + AS_NEAR);
            as_near.min_by(|a, b| a.usual_ms.total_cmp(&b.usual_ms))
        });
        let is_late = |before: &&Before| {
            before.ms - before.usual_ms >= LATE_PART * ms
                && before.thread_ms >= 0.9 * self.moment.usual_ms
                && before.thread_ms
                    <= 1.1 * (self.moment.frame_ms + before.frames as f64 * self.moment.usual_ms)
        };
        let found = found.or_else(|| {
            let late = before.clone().filter(is_late);
            late.max_by(|a, b| (a.ms - a.usual_ms).total_cmp(&(b.ms - b.usual_ms)))
        })?;
        let timer = self.structure.position(found.series)?;
        Some((timer, *found))
    }

    /// Returns whether the scopes of another thread or device took at least about as long as a
    /// usual frame, and at most about as long as this one, so that they delayed this frame.
    fn is_late(&self, thread: u16) -> bool {
        let timers = self.structure.timers.iter();
        let of_thread =
            timers.filter(|timer| timer.place == Place::Other(thread) && !timer.is_wait);
        let own_ms = of_thread.map(|timer| self.moment.own_ms(self.structure, timer));
        let ms: f64 = own_ms.sum();
        ms >= 0.9 * self.moment.usual_ms && ms <= 1.1 * self.moment.frame_ms
    }

    /// Returns how far the self time of a timer is from usual, as a multiple of the distance beyond
    /// which it is new.
    fn novelty(&self, at: usize) -> f64 {
        let series = self.structure.timers[at].own_series();
        self.moment.novelty(series)
    }

    /// Returns whether a timer that matches a wait took longer than ever, or certainly longer than
    /// usual.
    fn is_new_or_sure(&self, at: usize) -> bool {
        let series = self.structure.timers[at].own_series();
        self.novelty(at) > 1.0 || self.moment.is_sure(series)
    }

    /// Returns whether scopes that each took longer than ever before explain the frame together.
    fn is_spread(&self, scopes: &[Scope], excess_ms: f64) -> bool {
        let is_new = |scope: &&Scope| scope.timer.is_some_and(|at| self.novelty(at) > 1.0);
        let new_ms: f64 = scopes
            .iter()
            .filter(is_new)
            .map(|scope| scope.ms.max(0.0))
            .sum();
        new_ms > SPREAD * excess_ms
    }

    /// Returns whether nearly all scopes took longer by about the same factor.
    fn is_broad(&self, scopes: &[Scope], excess_ms: f64) -> bool {
        let rise = excess_ms / self.moment.usual_ms.max(f64::MIN_POSITIVE);
        let usual = |scope: &Scope| {
            let timer = &self.structure.timers[scope.timer?];
            Some(self.moment.usual_own_ms(self.structure, timer))
        };
        let Some(best) = scopes.iter().find(|scope| scope.timer.is_some()) else {
            return false;
        };
        let best_usual = usual(best).unwrap_or_default();
        // Compare its excess beyond the rise that all scopes share.
        if best.ms - rise * best_usual > OUTSTANDING * excess_ms {
            return false;
        }
        let (mut all, mut risen) = (0.0, 0.0);
        for scope in scopes {
            let Some(usual) = usual(scope).filter(|ms| *ms > 0.0) else {
                continue;
            };
            all += usual;
            risen += if scope.ms >= 0.4 * rise * usual {
                usual
            } else {
                0.0
            };
        }
        let (others, others_risen) = (all - best_usual, risen - best_usual);
        risen > BROAD * all && others_risen > BROAD_OTHERS * others && all > 1.1 * best_usual
    }
}
