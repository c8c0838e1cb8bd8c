//! Takes the time without a processor from scopes and waits, because it made them longer.

use std::collections::HashMap;

use super::attribution::{Frame, LATE_PART, LONG_WAIT, MATCH, MIN_MATCHED_MS, Ready, Scope};
use super::structure::{GPU, Place};
use super::system::{Split, part_that_ran};
use super::trigger::MIN_MS;
use crate::sort::sort_by;

/// The largest difference between the excess of a scope and the time without a processor that caused
/// it, as a share of that time.
const SAME: f64 = 0.1;

/// The excess of a scope or a wait.
struct Part<'a> {
    ms: &'a mut f64,
    /// The part that is certainly not time without a processor.
    kept_ms: f64,
    /// Whether the number of its calls is unusually large, so that it had more to do.
    is_busier: bool,
    /// The distance from the usual time that is not unusual; 0 for a wait.
    reach_ms: f64,
    /// Whether it is a scope in which the thread ran for its unusually long running time.
    has_run: Option<&'a mut bool>,
}

impl<'a> Part<'a> {
    /// Creates a part that is a wait, or a scope of another thread.
    fn elsewhere(ms: &'a mut f64, kept_ms: f64) -> Self {
        Self {
            ms,
            kept_ms,
            is_busier: false,
            reach_ms: 0.0,
            has_run: None,
        }
    }

    fn shareable_ms(&self) -> f64 {
        (*self.ms - self.kept_ms).max(0.0)
    }
}

impl Frame<'_> {
    /// Takes the time without a processor from the scopes and waits. Also returns the excess of the
    /// time in which the thread waited for anything that no wait declares.
    ///
    /// The system does not tell in which scopes the thread had no processor. If it lost the
    /// processor once, it was in one of them, so a scope whose excess is that time loses all of it.
    /// Otherwise, all scopes become shorter by the same factor, with three exceptions. Scopes of other
    /// threads keep the time for which these threads ran. Waits, and then the time in no scope, keep
    /// what is left of the time in which the thread was blocked. And scopes with an unusual number of
    /// calls had more to do, so they keep the time in which the thread ran as far as possible. If the
    /// running time was longer than ever before, the scope in which the thread ran keeps its excess, if
    /// it is certain which one that was.
    pub(super) fn take_ready(
        &self,
        scopes: &mut [Scope],
        waits: &mut [(usize, f64)],
    ) -> (Vec<Ready>, f64) {
        let Some(split) = self.split else {
            return (Vec::new(), 0.0);
        };
        let mut blocked_ms = split.blocked_ms;
        let (waited_for, scopes): (Vec<_>, Vec<_>) =
            (scopes.iter_mut()).partition(|scope| scope.waited_in.is_some());
        let waits = waits.iter_mut().map(|(_, ms)| (0.0, ms));
        let mut elsewhere: Vec<_> = waits.chain(self.ran_elsewhere(waited_for)).collect();
        sort_by(&mut elsewhere, |a, b| b.0.total_cmp(&a.0));
        // The frame did not wait for other threads while its own had no processor.
        let longer_ms = self.moment.frame_ms - self.moment.usual_ms;
        let mut elsewhere_ms = (longer_ms - split.ready_ms).max(0.0);
        let mut parts: Vec<Part<'_>> = elsewhere
            .into_iter()
            .map(|(ran_ms, ms)| {
                let kept_ms = ms.clamp(0.0, blocked_ms.max(ran_ms)).min(elsewhere_ms);
                elsewhere_ms -= kept_ms;
                blocked_ms = (blocked_ms - kept_ms).max(0.0);
                Part::elsewhere(ms, kept_ms)
            })
            .collect();
        parts.extend(scopes.into_iter().map(|scope| Part {
            kept_ms: match scope.timer {
                Some(_) => 0.0,
                None => scope.ms.clamp(0.0, blocked_ms),
            },
            is_busier: self.is_busier(scope),
            reach_ms: self.reach_ms(scope),
            has_run: scope.timer.map(|_| &mut scope.has_run),
            ms: &mut scope.ms,
        }));
        note_runner(&mut parts, split, blocked_ms);
        // Of what is usual, most is in the usual times of other scopes. It explains nothing, and it is
        // in no excess if the thread ran for all of that.
        let whole_ms: f64 = parts.iter().map(Part::shareable_ms).sum();
        let has_run = split.new_running_ms >= MIN_MS
            && whole_ms <= (1.0 + MATCH) * (split.new_running_ms + split.ready_ms);
        let usual_ms = if has_run { 0.0 } else { split.usual_ready_ms };
        let taken_ms = take(&mut parts, split.ready_ms + usual_ms);
        let ready = Ready {
            series: split.series,
            ms: taken_ms.min(split.ready_ms),
            waited_in: None,
            during: None,
        };
        (vec![ready], blocked_ms)
    }

    /// Returns the excess of scopes of other threads, each after the part for which its thread
    /// [ran](Self::ran_elsewhere_ms). Each thread ran only once for all of its scopes, the longest first.
    fn ran_elsewhere<'b>(
        &self,
        mut scopes: Vec<&'b mut Scope>,
    ) -> impl Iterator<Item = (f64, &'b mut f64)> {
        sort_by(&mut scopes, |a, b| b.ms.total_cmp(&a.ms));
        let mut told: HashMap<Place, f64> = HashMap::new();
        scopes.into_iter().map(move |scope| {
            let place = scope.timer.map(|at| self.structure.timers[at].place);
            let told_ms = told.entry(place.unwrap_or(Place::Unknown)).or_default();
            let ran_ms = self.ran_elsewhere_ms(scope, *told_ms);
            *told_ms += ran_ms;
            scope.has_run = ran_ms > 0.0;
            (ran_ms, &mut scope.ms)
        })
    }

    /// Returns the part of a scope's excess for which another thread ran, as the system tells, beside a
    /// time that other scopes have of it. No time without a processor made it longer.
    pub(super) fn ran_elsewhere_ms(&self, scope: &Scope, told_ms: f64) -> f64 {
        let Some(at) = scope.timer.filter(|_| scope.before.is_none()) else {
            return 0.0;
        };
        let thread = match self.structure.timers[at].place {
            Place::Other(GPU) => return 0.0,
            Place::Other(thread) => self.structure.thread_name(thread),
            _ => None,
        };
        let ran_ms = self.system.ran_longer_ms(thread, self.moment) - told_ms;
        part_that_ran(self.excess[at], ran_ms).unwrap_or_default()
    }

    fn is_busier(&self, scope: &Scope) -> bool {
        let timer = scope.timer.map(|at| &self.structure.timers[at]);
        let calls = timer.and_then(|timer| timer.calls());
        calls.is_some_and(|calls| {
            let calls = calls as usize;
            self.moment.novelty(calls) > 1.0 && self.moment.excess(calls) > 0.0
        })
    }

    fn reach_ms(&self, scope: &Scope) -> f64 {
        let timer = scope.timer.map(|at| &self.structure.timers[at]);
        let series = timer.map(|timer| timer.self_series().unwrap_or(timer.series));
        let reach = series.and_then(|series| self.moment.reach.get(series as usize));
        reach.copied().unwrap_or_default().into()
    }

    /// Takes the time in which other threads had no processor from the waits for them. A wait that
    /// no scope explains, and no such time, may be explained in [part](super::part): returns the rest
    /// of such waits.
    pub(super) fn take_ready_of_others(
        &self,
        scopes: &mut Vec<Scope>,
        waits: &mut Vec<(usize, f64)>,
        frame_excess: f64,
        ready: &mut Vec<Ready>,
    ) -> Vec<(usize, f64)> {
        let mut rests = Vec::new();
        let mut left = self.system.ready_of_others(self.moment);
        scopes.retain_mut(|scope| {
            if let Some((at, share, series)) = self.late_with_ready(scope, &left)
                && let Some(found) = left.iter_mut().find(|left| left.series == series)
            {
                scope.timer = Some(at);
                // What they exceed the wait by, or lack, is no time of its own.
                found.ms = (1.0 - share) * scope.ms;
                scope.ms -= found.hand_over(found.ms, (scope.waited_in, None), ready);
                return true;
            }
            let Some(found) = self.ready_of(scope, &mut left) else {
                return true;
            };
            let during = scope.timer.filter(|_| self.is_busier(scope));
            scope.ms -= found.hand_over(scope.ms, (scope.waited_in, during), ready);
            scope.ms >= MIN_MATCHED_MS
        });
        // The longest wait that matches no scope comes first.
        sort_by(waits, |a, b| b.1.total_cmp(&a.1));
        waits.retain_mut(|(wait, ms)| {
            let is_long = *ms >= MIN_MATCHED_MS && *ms >= LONG_WAIT * frame_excess;
            if !is_long {
                return true;
            }
            if let Some(found) = self.ready_in(*wait, *ms, &mut left) {
                *ms -= found.hand_over(*ms, (Some(*wait), None), ready);
                return *ms > 0.0;
            }
            let Some(part) = self.part_of((*wait, *ms), scopes, &left) else {
                return true;
            };
            let mut rest_ms = *ms - part.scope.ms;
            if let Some(series) = part.ready
                && let Some(found) = left.iter_mut().find(|left| left.series == series)
            {
                // What they exceed the wait by, or lack, is no time of its own.
                found.ms = rest_ms;
                rest_ms -= found.hand_over(rest_ms, (Some(*wait), None), ready);
            }
            scopes.push(part.scope);
            if rest_ms > 0.0 {
                rests.push((*wait, rest_ms));
            }
            false
        });
        rests
    }

    /// Returns what is left of the time in which another thread had no processor, if that explains a
    /// wait that is longer by `ms`. It does if it was longer than ever before, and by nearly that
    /// much. On a busy machine that happens all the time, so it also does if it fits into the wait,
    /// and nearly fills the wait or its excess.
    fn ready_in<'a>(&self, wait: usize, ms: f64, left: &'a mut [Left]) -> Option<&'a mut Left> {
        let nearly = |found: f64, wanted: f64| found >= (1.0 - MATCH) * wanted;
        let new = longest(left).filter(|new| nearly(new.ms, ms)).is_some();
        if new {
            return longest(left);
        }
        let series = self.structure.timers[wait].series as usize;
        let wait_ms = *self.moment.values.get(series)?;
        let fits = |one: &&mut Left| {
            let is_inside = one.ms > 0.0 && one.value_ms <= (1.0 + SAME) * wait_ms;
            is_inside && (nearly(one.value_ms, wait_ms) || nearly(one.ms, ms))
        };
        let all = left.iter_mut().filter(fits);
        let found = all.max_by(|a, b| a.value_ms.total_cmp(&b.value_ms))?;
        // What is usual on a busy machine makes the wait longer, too.
        found.ms = found.ms.max(found.value_ms);
        Some(found)
    }

    /// Returns what is left of the time in which the thread of a scope that the frame waited for had
    /// no processor, if that is at least [`LATE_PART`] of the scope's excess.
    fn ready_of<'a>(&self, scope: &Scope, left: &'a mut [Left]) -> Option<&'a mut Left> {
        scope.waited_in?;
        let found = match self.structure.timers[scope.timer?].place {
            Place::Frame => None,
            Place::Other(thread) => {
                let series = self
                    .system
                    .ready_series(self.structure.thread_name(thread)?)?;
                (left.iter_mut()).find(|left| left.is_new && left.series == series)
            }
            // The frame waited for the last of several threads.
            Place::Unknown => longest(left),
        };
        found.filter(|left| left.ms >= LATE_PART * scope.ms)
    }
}

/// The part of another thread's excess without a processor that explains nothing yet.
pub(super) struct Left {
    /// The number of the series.
    pub(super) series: u32,
    pub(super) ms: f64,
    /// The whole time, with what is usual.
    pub(super) value_ms: f64,
    /// Whether it was longer than ever before.
    pub(super) is_new: bool,
}

impl Left {
    /// Adds up to `ms` of it to `ready`, once for each series and wait. Returns what was added.
    fn hand_over(
        &mut self,
        ms: f64,
        (waited_in, during): (Option<usize>, Option<usize>),
        ready: &mut Vec<Ready>,
    ) -> f64 {
        let ms = ms.min(self.ms);
        self.ms -= ms;
        self.value_ms -= ms;
        let is_same =
            |known: &&mut Ready| known.series == self.series && known.waited_in == waited_in;
        match ready.iter_mut().find(is_same) {
            Some(known) => known.ms += ms,
            None => ready.push(Ready {
                series: self.series,
                ms,
                waited_in,
                during,
            }),
        }
        ms
    }
}

/// Returns the thread with the most ready time left, of those with more than ever before.
fn longest(left: &mut [Left]) -> Option<&mut Left> {
    let by_ms = |a: &&mut Left, b: &&mut Left| a.ms.total_cmp(&b.ms).then(b.series.cmp(&a.series));
    left.iter_mut().filter(|one| one.is_new).max_by(by_ms)
}

/// Notes the scope in which the thread ran for its unusually long running time, if that is certain:
/// its excess is too long for anything else, or is the only one of about this time. Such a scope keeps
/// this time.
fn note_runner(parts: &mut [Part<'_>], split: Split, blocked_ms: f64) {
    let ms = split.new_running_ms;
    if ms < MIN_MS {
        return;
    }
    let not_run_ms = split.ready_ms + split.usual_ready_ms + blocked_ms;
    let is_runner = |part: &&mut Part<'_>| {
        let excess_ms = part.shareable_ms();
        part.has_run.is_some()
            && (excess_ms - not_run_ms >= (1.0 - MATCH) * ms
                || (excess_ms - ms).abs() <= MATCH * ms)
    };
    let mut runners = parts.iter_mut().filter(is_runner);
    let (Some(runner), None) = (runners.next(), runners.next()) else {
        return;
    };
    runner.kept_ms = runner.shareable_ms().min(ms);
    if let Some(has_run) = &mut runner.has_run {
        **has_run = true;
    }
}

/// Takes a time from the parts, as far as they have it. Returns what was taken.
fn take(parts: &mut [Part<'_>], ms: f64) -> f64 {
    if let Some(victim) = victim(parts, ms) {
        let taken_ms = victim.shareable_ms().min(ms);
        *victim.ms -= taken_ms;
        return taken_ms;
    }
    let sum = |is_busier: bool| -> f64 {
        let parts = parts.iter().filter(|part| part.is_busier == is_busier);
        parts.map(Part::shareable_ms).sum()
    };
    let (busier, others) = (sum(true), sum(false));
    let taken_ms = ms.min(busier + others);
    let left_ms = busier + others - taken_ms;
    let part_of = |left: f64, sum: f64| {
        if sum > 0.0 {
            (left / sum).min(1.0)
        } else {
            1.0
        }
    };
    let of_busier = part_of(left_ms, busier);
    let of_others = part_of(left_ms - of_busier * busier, others);
    for part in parts {
        let left = if part.is_busier { of_busier } else { of_others };
        *part.ms -= (1.0 - left) * part.shareable_ms();
    }
    taken_ms
}

/// Returns the only part whose excess is this time.
fn victim<'a, 'b>(parts: &'a mut [Part<'b>], ms: f64) -> Option<&'a mut Part<'b>> {
    let is_same = |part: &&mut Part<'_>| {
        let distance = (part.shareable_ms() - ms).abs();
        ms >= MIN_MATCHED_MS && distance <= part.reach_ms.min(SAME * ms).max(0.5 * SAME * ms)
    };
    let mut same = parts.iter_mut().filter(is_same);
    let first = same.next()?;
    (same.next().is_none() && !first.is_busier).then_some(first)
}
