//! Ranks the series that moved on a noticed frame.

use std::collections::HashMap;

use stats_core::{SeriesKind, Unit};

use super::facts::Facts;
use super::hitch::{Finding, Hitch, Role};
use super::moment::Moment;
use super::verdict;

/// The minimum share of a single culprit.
const SINGLE: f64 = 0.45;
/// Other series lead if the three best scopes explain less than this.
const EXPLAINED: f64 = 0.5;
/// A further culprit has at least this share, and at least this multiple of the best one's.
const FURTHER: f64 = 0.2;
const FURTHER_PART: f64 = 0.4;
/// Another series can lead from this share on, which means that it is 1.25 times as far from usual
/// as ever before.
const LEADS: f64 = 0.1;
/// The largest relative difference between a wait and an excess that matches it.
const MATCH: f64 = 0.25;
/// A scope that is not declared as a wait is matched only by one that is this many times as far
/// from usual as ever before.
const SURE: f64 = 2.0;
/// The minimum excess that is matched, in milliseconds.
const MIN_MATCHED_MS: f64 = 0.5;
/// A parent on the path to the culprit is listed if its child has at least this share of its
/// excess.
const DESCENT: f64 = 0.7;
/// The maximum number of findings of each role.
const MAX_FINDINGS: usize = 8;
/// The maximum number of timers around a timer. More would be a cycle.
const MAX_AROUND: usize = 64;

/// Where a timer runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// On the thread of the frame.
    Frame,
    /// On another thread, or device.
    Other(u32),
    /// Not known, or on several threads.
    Unknown,
}

/// The facts about the series in the form that ranking needs. Rebuilt when facts change.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    timers: Vec<TimerSeries>,
    /// Series that are neither timers nor belong to one.
    others: Vec<u32>,
    /// The self-time series of the scopes, and of the waits, on the frame's thread.
    self_times: [Vec<u32>; 2],
    /// The timers on the frame's thread that have no self-time series.
    without_self: Vec<usize>,
    /// Timers by the number of their series.
    by_series: HashMap<u32, usize>,
}

#[derive(Clone, Debug)]
struct TimerSeries {
    series: u32,
    self_series: Option<u32>,
    calls: Option<u32>,
    parent: Option<usize>,
    children: Vec<usize>,
    place: Place,
    is_wait: bool,
}

impl Structure {
    pub(super) fn new(facts: &[Option<Facts>], frame_thread: Option<&str>) -> Self {
        let mut threads: HashMap<&str, u32> = HashMap::new();
        let mut structure = Self::default();
        let numbered = || {
            (0_u32..)
                .zip(facts)
                .filter_map(|(at, facts)| Some((at, facts.as_ref()?)))
        };
        let frame_thread = frame_thread.or_else(|| usual_frame_thread(facts));
        // Captures may have the thread, the parent or the wait only in the facts of the self time.
        let of_self: HashMap<u32, &Facts> = numbered()
            .filter(|(_, facts)| facts.kind == SeriesKind::TimerSelf)
            .filter_map(|(_, facts)| Some((facts.of?, facts)))
            .collect();
        for (series, facts) in numbered() {
            match facts.kind {
                SeriesKind::Timer => {
                    let own = of_self.get(&series);
                    let thread = facts.thread.as_deref();
                    let thread = thread.or_else(|| own?.thread.as_deref());
                    let place = match (thread, frame_thread) {
                        _ if facts.is_deferred => Place::Other(u32::MAX),
                        // No timer has a known thread.
                        (None, None) => Place::Frame,
                        (Some(thread), Some(frame)) if thread == frame => Place::Frame,
                        (Some(thread), _) => {
                            let next = threads.len() as u32;
                            Place::Other(*threads.entry(thread).or_insert(next))
                        }
                        (None, Some(_)) => Place::Unknown,
                    };
                    structure.by_series.insert(series, structure.timers.len());
                    structure.timers.push(TimerSeries {
                        series,
                        self_series: None,
                        calls: None,
                        parent: None,
                        children: Vec::new(),
                        place,
                        is_wait: facts.is_wait || own.is_some_and(|own| own.is_wait),
                    });
                }
                kind if kind.is_companion() => {}
                // A rate is derived from the frame time, and explains nothing.
                _ if facts.unit == Unit::Hertz => {}
                _ => structure.others.push(series),
            }
        }
        for (series, facts) in numbered() {
            let of = facts.of.and_then(|of| structure.by_series.get(&of));
            if let Some(timer) = of.map(|at| &mut structure.timers[*at]) {
                match facts.kind {
                    SeriesKind::TimerSelf => timer.self_series = Some(series),
                    SeriesKind::TimerCalls => timer.calls = Some(series),
                    _ => {}
                }
            }
            let parent = facts.parent.or_else(|| of_self.get(&series)?.parent);
            let parent = parent.and_then(|of| structure.by_series.get(&of));
            if let (Some(&parent), Some(&at)) = (parent, structure.by_series.get(&series))
                && parent != at
            {
                structure.timers[at].parent = Some(parent);
                structure.timers[parent].children.push(at);
            }
        }
        let all = structure.timers.iter().enumerate();
        for (at, timer) in all.filter(|(_, timer)| timer.place == Place::Frame) {
            match timer.self_series {
                Some(series) => structure.self_times[usize::from(timer.is_wait)].push(series),
                None => structure.without_self.push(at),
            }
        }
        structure
    }

    /// Returns the total times of the scopes and of the waits on the frame's thread.
    pub(super) fn busy_ms(&self, values: &[f64]) -> (f64, f64) {
        let value = |at: usize| {
            let value = values.get(at).copied().unwrap_or_default();
            if value.is_finite() { value } else { 0.0 }
        };
        let sum = |series: &Vec<u32>| series.iter().map(|at| value(*at as usize)).sum::<f64>();
        let [mut scopes, mut waits] = self.self_times.each_ref().map(sum);
        for timer in self.without_self.iter().map(|at| &self.timers[*at]) {
            let ms = self.own_ms(timer, value);
            *(if timer.is_wait {
                &mut waits
            } else {
                &mut scopes
            }) += ms;
        }
        (scopes, waits)
    }

    /// Returns the self time of a timer: the value of its self-time series, or else its time minus
    /// that of the timers inside it.
    fn own_ms(&self, timer: &TimerSeries, value: impl Fn(usize) -> f64) -> f64 {
        if let Some(series) = timer.self_series {
            return value(series as usize);
        }
        let inside = timer.children.iter().map(|child| &self.timers[*child]);
        let inside = inside.filter(|child| child.place == timer.place);
        let inside_ms: f64 = inside.map(|child| value(child.series as usize)).sum();
        value(timer.series as usize) - inside_ms
    }
}

/// Returns the thread that most likely ends the frames of a capture: `main`, or else the first
/// known thread of a timer.
fn usual_frame_thread(facts: &[Option<Facts>]) -> Option<&str> {
    let mut threads = facts
        .iter()
        .flatten()
        .filter_map(|facts| facts.thread.as_deref());
    let first = threads.clone().next();
    threads.find(|thread| *thread == "main").or(first)
}

/// A scope that may have made the frame long.
#[derive(Clone, Copy, Debug)]
struct Scope {
    /// The timer, or `None` for the time in no scope.
    timer: Option<usize>,
    /// The time that it adds to the frame, in milliseconds.
    ms: f64,
    /// The timer that waited for it.
    waited_in: Option<usize>,
}

/// Ranks one moment.
struct Ranking<'a> {
    structure: &'a Structure,
    facts: &'a [Option<Facts>],
    moment: &'a Moment,
    /// The self excess of each timer.
    excess: Vec<f64>,
}

/// Explains a noticed frame.
pub(super) fn rank(structure: &Structure, facts: &[Option<Facts>], moment: &Moment) -> Hitch {
    let excess = structure.timers.iter().map(|timer| {
        let value = structure.own_ms(timer, |at| moment.value(at));
        value - structure.own_ms(timer, |at| moment.usual(at))
    });
    let ranking = Ranking {
        structure,
        facts,
        moment,
        excess: excess.collect(),
    };
    ranking.hitch()
}

impl Ranking<'_> {
    fn hitch(&self) -> Hitch {
        let frame_excess = self.moment.frame_ms - self.moment.usual_ms;
        let mut scopes = self.scopes(frame_excess);
        let mut waits = Vec::new();
        self.hand_on(&mut scopes, &mut waits, frame_excess);
        let waited_ms: f64 = waits.iter().map(|(_, ms)| ms).sum();
        let longest_wait = waits.iter().map(|(_, ms)| *ms).fold(0.0, f64::max);
        // Less time in no scope is less waiting for a display, which is not measured.
        let rest = scopes.iter().find(|scope| scope.timer.is_none());
        let idle_ms = rest.map_or(0.0, |rest| (-rest.ms).max(0.0));
        let busy_excess = frame_excess - waited_ms + idle_ms;
        let is_waiting = longest_wait > 0.0
            && longest_wait >= SINGLE * frame_excess
            && busy_excess < 0.3 * frame_excess;
        let excess_ms = if is_waiting {
            frame_excess
        } else {
            busy_excess
        };
        let share = |ms: f64| (ms / excess_ms.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        scopes.sort_by(|a, b| b.ms.total_cmp(&a.ms));
        let explained: f64 = scopes
            .iter()
            .filter(|scope| scope.timer.is_some())
            .take(3)
            .map(|scope| share(scope.ms))
            .sum();
        let is_broad = self.is_broad(&scopes, excess_ms);
        let mut findings = Vec::new();
        let best = scopes.first().map_or(0.0, |scope| share(scope.ms));
        for scope in scopes
            .iter()
            .take_while(|scope| share(scope.ms) >= 0.03)
            .take(MAX_FINDINGS)
        {
            let part = share(scope.ms);
            let is_culprit = part >= FURTHER.min(best) && part >= FURTHER_PART * best;
            findings.push(self.scope_finding(scope, part, is_culprit));
        }
        waits.sort_by(|a, b| b.1.total_cmp(&a.1));
        if let Some((timer, ms)) = waits.first().filter(|_| is_waiting) {
            findings.insert(0, self.wait_finding(*timer, share(*ms)));
        }
        let unaccounted = findings
            .iter()
            .position(|finding| finding.role == Role::Unaccounted)
            .map(|at| findings.remove(at));
        let culprit = findings.first().and_then(|first| first.series);
        let mut moved = self.moved(culprit);
        if explained < EXPLAINED && !is_waiting && !is_broad {
            moved.sort_by(|a, b| b.share.total_cmp(&a.share));
            moved.truncate(MAX_FINDINGS);
            let best = findings.first().map_or(0.0, |first| first.share);
            let is_far = |first: &&mut Finding| first.share > best.max(LEADS);
            if let Some(first) = moved.first_mut().filter(is_far) {
                first.role = Role::Culprit;
            }
            findings.extend(moved);
            findings.sort_by(|a, b| b.share.total_cmp(&a.share));
        } else {
            moved.truncate(MAX_FINDINGS);
            findings.extend(self.via(&scopes, share));
            findings.extend(moved);
        }
        // Time in no scope explains nothing, so it ranks below every series that moved far.
        let is_unexplained = findings.first().is_none_or(|first| first.share < LEADS);
        let at = if is_unexplained { 0 } else { findings.len() };
        if let Some(unaccounted) = unaccounted {
            findings.insert(at, unaccounted);
        }
        if !is_waiting {
            let rest = waits.iter().filter(|(_, ms)| *ms > MIN_MATCHED_MS);
            findings.extend(rest.map(|(timer, _)| self.wait_finding(*timer, 0.0)));
        }
        let waited_in = scopes.iter().filter_map(|scope| scope.waited_in);
        for wait in waited_in.filter(|wait| self.structure.timers[*wait].is_wait) {
            findings.push(self.wait_finding(wait, 0.0));
        }
        let first = findings.first();
        let best = first.map_or(0.0, |first| first.share);
        let is_single = first.is_some_and(|first| first.role != Role::MovedWith) && best >= SINGLE;
        let mut hitch = Hitch {
            frame: self.moment.frame,
            frame_ms: self.moment.frame_ms,
            usual_ms: self.moment.usual_ms,
            excess_ms,
            verdict: String::new(),
            single_culprit: is_single && !is_broad,
            findings,
            repeats: None,
        };
        let calls = self.calls(&hitch);
        hitch.verdict = verdict::sentence(&hitch, calls, self.is_waited_for(&scopes));
        hitch
    }

    /// Returns the excess of each scope on the frame's thread and of the time in no scope. They add
    /// up to the excess of the frame.
    fn scopes(&self, frame_excess: f64) -> Vec<Scope> {
        let timers = || self.structure.timers.iter().zip(&self.excess).enumerate();
        let scope = |timer, ms| Scope {
            timer,
            ms,
            waited_in: None,
        };
        let mut scopes: Vec<Scope> = timers()
            .filter(|(_, (timer, _))| timer.place == Place::Frame)
            .map(|(at, (_, ms))| scope(Some(at), *ms))
            .collect();
        let mut rest = frame_excess - scopes.iter().map(|scope| scope.ms).sum::<f64>();
        // Scopes on no known thread take their excess from the rest, as long as some is left.
        let mut unplaced: Vec<Scope> = timers()
            .filter(|(_, (timer, ms))| timer.place == Place::Unknown && **ms > 0.0)
            .map(|(at, (_, ms))| scope(Some(at), *ms))
            .collect();
        unplaced.sort_by(|a, b| b.ms.total_cmp(&a.ms));
        for mut scope in unplaced {
            scope.ms = scope.ms.min(rest);
            if scope.ms > 0.0 {
                rest -= scope.ms;
                scopes.push(scope);
            }
        }
        scopes.push(scope(None, rest));
        scopes
    }

    /// Attributes each wait to the scope that the frame waited for. Waits without a match are moved
    /// to `waits`.
    fn hand_on(&self, scopes: &mut Vec<Scope>, waits: &mut Vec<(usize, f64)>, excess_ms: f64) {
        let others = self.others_excess();
        scopes.retain_mut(|scope| {
            let is_wait = scope
                .timer
                .is_some_and(|at| self.structure.timers[at].is_wait);
            let is_long = scope.ms >= MIN_MATCHED_MS && scope.ms >= 0.2 * excess_ms;
            let is_suspect = is_wait || scope.ms >= SINGLE * excess_ms;
            if is_long
                && is_suspect
                && let Some(found) = self.matching(scope.ms, &others, is_wait)
            {
                scope.waited_in = scope.timer;
                scope.timer = Some(found);
                return true;
            }
            if let Some(at) = scope.timer.filter(|_| is_wait) {
                waits.push((at, scope.ms));
            }
            !is_wait
        });
    }

    /// Returns the scopes on other threads that took longer than usual, with the thread of each
    /// unless there are several.
    fn others_excess(&self) -> Vec<(usize, Option<u32>, f64)> {
        let timers = self.structure.timers.iter().zip(&self.excess).enumerate();
        let other = |(at, (timer, ms)): (usize, (&TimerSeries, &f64))| {
            let thread = match timer.place {
                Place::Frame => return None,
                Place::Other(thread) => Some(thread),
                Place::Unknown => None,
            };
            (!timer.is_wait && *ms > 0.1).then_some((at, thread, *ms))
        };
        timers.filter_map(other).collect()
    }

    /// Returns the scope on another thread whose own excess, or whose thread's total excess, is
    /// nearest to `ms`.
    fn matching(
        &self,
        ms: f64,
        others: &[(usize, Option<u32>, f64)],
        is_wait: bool,
    ) -> Option<usize> {
        let distance = |other: f64| (other - ms).abs() / other.max(ms);
        let is_new = |at: usize| {
            let timer = &self.structure.timers[at];
            let series = timer.self_series.unwrap_or(timer.series) as usize;
            self.moment.novelty(series) > if is_wait { 1.0 } else { SURE }
        };
        let most = if is_wait { MATCH } else { MATCH / 2.0 };
        let single = others
            .iter()
            // A scope of several threads may also have run on that of the frame.
            .filter(|(_, thread, _)| is_wait || thread.is_some())
            .filter(|(at, _, other)| distance(*other) <= most && is_new(*at))
            .min_by(|a, b| distance(a.2).total_cmp(&distance(b.2)))
            .map(|(at, _, _)| *at);
        if single.is_some() || !is_wait {
            return single;
        }
        let mut threads: HashMap<u32, f64> = HashMap::new();
        for (_, thread, other) in others {
            if let Some(thread) = thread {
                *threads.entry(*thread).or_default() += other;
            }
        }
        let matched = others
            .iter()
            .filter(|(_, thread, _)| thread.is_some_and(|at| distance(threads[&at]) <= MATCH));
        matched
            .max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)))
            .map(|(at, _, _)| *at)
    }

    /// Returns whether nearly all scopes took longer by about the same factor.
    fn is_broad(&self, scopes: &[Scope], excess_ms: f64) -> bool {
        let rise = excess_ms / self.moment.usual_ms.max(f64::MIN_POSITIVE);
        let usual = |scope: &Scope| {
            let timer = &self.structure.timers[scope.timer?];
            Some(self.structure.own_ms(timer, |at| self.moment.usual(at)))
        };
        let Some(best) = scopes.iter().find(|scope| scope.timer.is_some()) else {
            return false;
        };
        let best_usual = usual(best).unwrap_or_default();
        if best.ms > 2.0 * rise * best_usual {
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
        risen > 0.7 * all && all > 1.3 * best_usual
    }

    fn scope_finding(&self, scope: &Scope, share: f64, is_culprit: bool) -> Finding {
        let Some(at) = scope.timer else {
            return Finding {
                path: "unaccounted".to_owned(),
                series: None,
                role: Role::Unaccounted,
                share,
                value: scope.ms,
                usual: 0.0,
                record: 0.0,
                unit: Unit::Milliseconds,
            };
        };
        let role = if is_culprit {
            Role::Culprit
        } else {
            Role::MovedWith
        };
        self.timer_finding(at, role, share)
    }

    fn wait_finding(&self, at: usize, share: f64) -> Finding {
        self.timer_finding(at, Role::Wait, share)
    }

    fn timer_finding(&self, at: usize, role: Role, share: f64) -> Finding {
        let timer = &self.structure.timers[at];
        let own = |value: &dyn Fn(usize) -> f64| self.structure.own_ms(timer, value);
        let series = timer.self_series.unwrap_or(timer.series) as usize;
        Finding {
            path: self.path(timer.series),
            series: Some(timer.series),
            role,
            share,
            value: own(&|at| self.moment.value(at)),
            usual: own(&|at| self.moment.usual(at)),
            record: self.moment.record(series),
            unit: Unit::Milliseconds,
        }
    }

    fn path(&self, series: u32) -> String {
        let facts = self.facts.get(series as usize).and_then(Option::as_ref);
        facts.map_or_else(String::new, |facts| facts.path.clone())
    }

    /// Returns the timers around the culprit, innermost first, as long as most of their excess
    /// comes from it.
    fn via(&self, scopes: &[Scope], share: impl Fn(f64) -> f64) -> Vec<Finding> {
        let mut via = Vec::new();
        let Some(mut at) = scopes.first().and_then(|scope| scope.timer) else {
            return via;
        };
        let inclusive = |at: usize| {
            self.moment
                .excess(self.structure.timers[at].series as usize)
        };
        while let Some(parent) = self.structure.timers[at].parent
            && via.len() < MAX_AROUND
            && inclusive(at) >= DESCENT * inclusive(parent)
        {
            let mut finding = self.timer_finding(parent, Role::Via, share(inclusive(parent)));
            let series = self.structure.timers[parent].series as usize;
            (finding.value, finding.usual) = (self.moment.value(series), self.moment.usual(series));
            finding.record = self.moment.record(series);
            via.push(finding);
            at = parent;
        }
        via.truncate(MAX_FINDINGS);
        via
    }

    /// Returns the other series that moved farther than ever before, those with paths nearest to
    /// the culprit's first.
    fn moved(&self, culprit: Option<u32>) -> Vec<Finding> {
        let culprit = culprit.map(|series| self.path(series)).unwrap_or_default();
        let mut moved: Vec<(usize, f64, u32)> = self
            .structure
            .others
            .iter()
            .map(|&series| (series, self.moment.novelty(series as usize)))
            .filter(|(series, novelty)| *novelty > 1.0 && !self.is_frame(*series as usize))
            .map(|(series, novelty)| {
                let facts = self.facts[series as usize].as_ref();
                let path = facts.map_or("", |facts| facts.path.as_str());
                (shared_segments(path, &culprit), novelty, series)
            })
            .collect();
        moved.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        let finding = |(_, novelty, series): &(usize, f64, u32)| {
            let at = *series as usize;
            Finding {
                path: self.path(*series),
                series: Some(*series),
                role: Role::MovedWith,
                share: 0.5 * (1.0 - 1.0 / novelty),
                value: self.moment.value(at),
                usual: self.moment.usual(at),
                record: self.moment.record(at),
                unit: self.facts[at]
                    .as_ref()
                    .map_or(Unit::Count, |facts| facts.unit),
            }
        };
        moved.iter().map(finding).collect()
    }

    /// Returns whether a series is the duration of the frame, or a rate derived from it.
    fn is_frame(&self, at: usize) -> bool {
        let (value, usual) = (self.moment.value(at), self.moment.usual(at));
        let (frame, usual_frame) = (self.moment.frame_ms, self.moment.usual_ms);
        let is_near = |a: f64, b: f64| (a - b).abs() <= 0.05 * b.abs();
        is_near(value, frame) && is_near(usual, usual_frame)
            || is_near(value * frame, 1e3) && is_near(usual * usual_frame, 1e3)
    }

    /// Returns the usual and the current number of calls of the culprit, if the latter is unusual.
    fn calls(&self, hitch: &Hitch) -> Option<(f64, f64)> {
        let series = hitch.findings.first()?.series?;
        let timer = &self.structure.timers[*self.structure.by_series.get(&series)?];
        let calls = timer.calls? as usize;
        (self.moment.novelty(calls) > 1.0)
            .then(|| (self.moment.usual(calls), self.moment.value(calls)))
    }

    /// Returns where the frame waited for the best scope.
    fn is_waited_for(&self, scopes: &[Scope]) -> Option<String> {
        let wait = scopes.first()?.waited_in?;
        Some(self.path(self.structure.timers[wait].series))
    }
}

/// Returns the number of leading segments that two paths share.
fn shared_segments(a: &str, b: &str) -> usize {
    let both = a.split('/').zip(b.split('/'));
    both.take_while(|(a, b)| a == b).count()
}
