//! Ranks the series that moved in a frame.

use crate::sort::sort_by;
use stats_core::Unit;

use super::attribution::{Attribution, MIN_MATCHED_MS, SINGLE, Scope};
use super::facts::{AllFacts, Form};
use super::hitch::{Finding, Hitch, NAMED, Role, ready_name};
use super::moment::Moment;
use super::structure::{Place, Structure, TimerSeries};
use super::system::{SystemSeries, in_ms};
use super::trigger::{self, MIN_PART};
use super::usual::Usual;
use super::verdict;

/// Other series lead if the three best scopes explain less than this share.
const EXPLAINED: f64 = 0.5;
/// A further culprit has at least this share, and at least this fraction of the best culprit's
/// share.
const FURTHER: f64 = 0.2;
const FURTHER_PART: f64 = 0.4;
/// The minimum share of a scope that is listed.
const LISTED: f64 = 0.03;
/// The minimum share of another series that leads. At this share, its distance from the usual value
/// is 1.25 times the largest earlier one.
const LEADS: f64 = 0.1;
/// The largest surprise of an amount that changed by at most a quarter of the usual one. Its share
/// does not lead.
const MAX_TRIVIAL: f64 = 1.2;
/// A time of a series other than a timer moved with the frame if it changed by at least this share
/// of the excess.
const LONG: f64 = 0.05;
/// The largest distance that affects the order of series, as a multiple of the largest earlier one.
const MAX_NOVELTY: f64 = 1_000.0;
/// A parent on the path to the culprit is listed if its child has at least this share of the
/// parent's excess.
const DESCENT: f64 = 0.7;
/// The scopes inside another one explain the frame together if they have at least this share of its
/// excess, and if that scope usually takes at most this share of the time in all scopes.
const AROUND: f64 = 0.75;
const AROUND_USUAL: f64 = 0.6;
/// Among such scopes, those whose inner scopes have at least this fraction of the largest excess
/// are candidates for the innermost one.
const AROUND_PART: f64 = 0.9;
/// An estimate below this share of the other values of its series stands for 0.
const NOTHING: f64 = 1e-6;
/// The maximum number of findings of each role.
const MAX_FINDINGS: usize = 8;
/// The maximum number of timers around a timer. A larger number means a cycle.
const MAX_AROUND: usize = 64;

/// Explains a frame. `has_fraction` says of each series whether any of its values is not whole.
pub(super) fn rank(
    structure: &Structure,
    (facts, has_fraction, system): (&AllFacts, &[bool], &SystemSeries),
    moment: &Moment,
) -> Hitch {
    let ranking = Ranking {
        structure,
        facts,
        has_fraction,
        system,
        moment,
        attribution: Attribution::new(structure, system, moment),
    };
    ranking.hitch()
}

/// Ranks one moment.
struct Ranking<'a> {
    structure: &'a Structure,
    facts: &'a AllFacts,
    has_fraction: &'a [bool],
    system: &'a SystemSeries,
    moment: &'a Moment,
    attribution: Attribution,
}

impl Ranking<'_> {
    fn hitch(&self) -> Hitch {
        let mut findings = self.findings();
        let is_longer = self.attribution.excess_ms > 0.0;
        if !is_longer {
            // There is no excess to divide into shares.
            findings.iter_mut().for_each(|finding| finding.share = 0.0);
        }
        let has_usual = self.moment.usual_ms > 0.0;
        if !is_longer || !has_usual || self.attribution.is_broad {
            acquit(&mut findings);
        }
        let first = findings.first();
        let best = first.map_or(0.0, |first| first.share);
        let is_single = first.is_some_and(|first| first.role != Role::MovedWith) && best >= SINGLE;
        let mut is_in_many = false;
        let mut hitch = Hitch {
            frame: self.moment.frame,
            frame_ms: self.moment.frame_ms,
            usual_ms: self.moment.usual_ms,
            excess_ms: self.attribution.excess_ms,
            work_ms: self.attribution.work_ms,
            verdict: String::new(),
            single_culprit: is_single && has_usual && !self.attribution.is_broad,
            findings,
            repeats: None,
            thread_times: self.system.thread_times(self.moment),
        };
        if is_longer
            && has_usual
            && !verdict::has_answer(&hitch)
            && !self.attribution.is_ready_alone
            && let Some(mut around) = self.around_all()
        {
            (hitch.findings).retain(|finding| finding.series != around.series);
            acquit(&mut hitch.findings);
            // It contains their parts.
            for finding in &mut hitch.findings {
                finding.is_part &= !self.is_inside(finding, around.series);
            }
            // Together with the other parts, it may exceed what their shares refer to.
            let others = hitch.findings.iter().filter(|finding| finding.is_part);
            let others: f64 = others.map(|finding| finding.share).sum();
            let sum = (around.share + others).max(1.0);
            let shared = (hitch.findings.iter_mut()).filter(|finding| self.is_scope(finding));
            for finding in shared.chain([&mut around]) {
                finding.share /= sum;
            }
            hitch.findings.insert(0, around);
            (hitch.single_culprit, is_in_many) = (true, true);
        }
        if !verdict::has_answer(&hitch) && verdict::in_no_scope(&hitch).is_none() {
            // The sentence names no part of the excess, either.
            let parts = hitch.findings.iter_mut().filter(|one| one.is_part);
            acquit(parts);
        }
        (hitch.findings.iter_mut()).for_each(|finding| self.settle(finding));
        hitch.verdict = if !has_usual {
            verdict::without_usual(&hitch)
        } else if is_longer {
            let began = self.moment.confined.began_before.first();
            let began = began.map(|(at, _)| self.path(self.structure.timers[*at].series));
            let waited_in = self.waited_in_text(&hitch);
            let calls = self.calls(&hitch).filter(|_| !is_in_many);
            let first = hitch.findings.first();
            let is_here =
                first.is_some_and(|first| first.role != Role::Wait && waited_in.is_none());
            let further = verdict::Further {
                is_in_many,
                is_blocked: self.attribution.is_blocked && is_here,
                calls,
                waited_in,
                began,
                ready: self.ready_texts(),
                faults: self.system.faults(self.moment, hitch.excess_ms),
            };
            verdict::sentence(&hitch, further, self.times())
        } else {
            verdict::not_longer(&hitch, "usual")
        };
        hitch
    }

    /// Returns the findings in the order in which they are shown.
    fn findings(&self) -> Vec<Finding> {
        let (mut findings, unaccounted) = self.scope_findings();
        let culprit = findings.first().and_then(|first| first.series);
        let (faults, moved) = (self.moved(culprit).into_iter())
            .partition::<Vec<_>, _>(|finding| self.is_fault(finding));
        if self.attribution.explained() < EXPLAINED
            && !self.attribution.is_waiting
            && !self.attribution.is_broad
            && !self.attribution.is_spread
        {
            add_by_share(&mut findings, moved);
        } else {
            if culprit.is_some_and(|series| self.structure.position(series).is_some()) {
                findings.extend(self.via());
            }
            findings.extend(moved.into_iter().take(MAX_FINDINGS));
        }
        findings.extend(faults);
        // Time in no scope explains nothing, so it ranks below every culprit.
        if let Some(unaccounted) = unaccounted {
            let is_better = |first: &Finding| {
                first.share < LEADS.min(unaccounted.share)
                    || first.role == Role::MovedWith && unaccounted.share >= SINGLE
            };
            let is_unexplained = findings.first().is_none_or(is_better);
            if is_unexplained {
                let began_before = self.began_before().into_iter();
                findings.splice(0..0, std::iter::once(unaccounted).chain(began_before));
            } else {
                findings.push(unaccounted);
            }
        }
        findings.extend(self.further_waits());
        for finding in findings.iter_mut().filter(|one| one.path.is_empty()) {
            finding.path = finding
                .series
                .map(|series| self.path(series))
                .unwrap_or_default();
        }
        findings
    }

    /// Returns the scopes with the largest excess.
    fn listed(&self) -> Vec<&Scope> {
        let scopes = self.attribution.scopes.iter();
        let is_listed = |scope: &&Scope| self.attribution.share(scope.ms) >= LISTED;
        scopes.take_while(is_listed).take(MAX_FINDINGS).collect()
    }

    /// Returns the whole that the scopes share: the excess of the frame, or the sum of the listed
    /// scopes if that is larger. It can be larger because other scopes took less than usual.
    fn whole_ms(&self) -> f64 {
        let all_ms: f64 = self.listed().iter().map(|scope| scope.ms).sum();
        let wait = self.attribution.waits.first();
        let wait_ms = wait.filter(|_| self.attribution.is_waiting);
        let wait_ms = wait_ms.map_or(0.0, |(_, ms)| *ms);
        let other_ms = self.attribution.ready_ms() + self.attribution.rests_ms() + wait_ms;
        (all_ms + other_ms).max(self.attribution.excess_ms)
    }

    /// Returns the scopes by their share, and the time in no scope. The wait that made the frame
    /// long comes first.
    fn scope_findings(&self) -> (Vec<Finding>, Option<Finding>) {
        let listed = self.listed();
        let whole_ms = self.whole_ms();
        let share = |scope: &Scope| scope.ms / whole_ms;
        let best_ready = self.attribution.ready.first();
        let best_ready = best_ready.map_or(0.0, |ready| ready.ms / whole_ms);
        let best_scope = listed.first().map_or(0.0, |first| share(first));
        let best = best_scope.max(best_ready);
        let ready = self.attribution.ready_ms() / whole_ms;
        let (mut findings, mut unaccounted) = (Vec::new(), None);
        for scope in listed {
            let part = share(scope).clamp(0.0, 1.0);
            let Some(timer) = scope.timer else {
                unaccounted = Some(self.unaccounted_finding(scope.ms, part));
                continue;
            };
            // If the frame waited, a scope with a small share is not a culprit.
            let least = if self.attribution.is_waiting {
                FURTHER
            } else {
                FURTHER.min(best)
            };
            // Beside the system, what remains of the excess is divided by the same rule.
            let is_culprit = if self.attribution.is_ready_alone {
                false
            } else if best_ready < LISTED {
                part >= least && part >= FURTHER_PART * best
            } else {
                part >= FURTHER * (1.0 - ready)
                    && part >= FURTHER_PART * best_scope
                    && self.would_be_noticed(timer, scope)
            };
            let role = if is_culprit {
                Role::Culprit
            } else {
                Role::MovedWith
            };
            let mut finding = self.timer_finding(timer, role, part);
            if let Some((_, ms)) = scope.before {
                finding.value = ms;
            }
            findings.push(finding);
        }
        findings.extend(self.ready_findings(whole_ms, best));
        let rests = self.attribution.rests.iter();
        let rests = rests.map(|(at, ms)| self.wait_finding(*at, ms / whole_ms));
        findings.extend(rests.filter(|rest| rest.share >= LISTED));
        sort_by(&mut findings, |a, b| b.share.total_cmp(&a.share));
        if self.attribution.is_waiting
            && let Some((timer, ms)) = self.attribution.waits.first()
        {
            findings.insert(0, self.wait_finding(*timer, (ms / whole_ms).max(0.0)));
        }
        (findings, unaccounted)
    }

    /// Returns whether a frame would have been noticed if it were longer by this part of a timer
    /// only. The times of a timer vary with the time without a processor, and the running time does
    /// not.
    fn would_be_noticed(&self, at: usize, scope: &Scope) -> bool {
        let timer = &self.structure.timers[at];
        let series = timer.self_series().unwrap_or(timer.series) as usize;
        let reach = self.moment.reach.get(series).copied().unwrap_or_default();
        let is_waited_for = scope.waited_in.is_some();
        // A frame that waited for it is noticed whatever its record is.
        let is_sure = is_waited_for && self.moment.is_sure(series);
        if is_sure && scope.has_run {
            return scope.ms >= self.system.least_running_ms(self.moment);
        }
        let (least_ms, usual_ms) = if scope.has_run && !is_waited_for {
            (0.0, self.system.usual_without_ready(self.moment))
        } else if is_sure {
            (0.0, self.moment.usual_ms)
        } else {
            (f64::from(reach), self.moment.usual_ms)
        };
        scope.ms >= trigger::least_ms(usual_ms) && scope.ms > least_ms
    }

    /// Returns the times without a processor. `best` is the largest share of all.
    fn ready_findings(&self, whole_ms: f64, best: f64) -> Vec<Finding> {
        let listed = self.attribution.ready.iter().filter_map(|ready| {
            let share = (ready.ms / whole_ms).clamp(0.0, 1.0);
            let path = self.system.path_of(ready.series)?;
            let (value, usual) = self.system.times(ready.series, self.moment)?;
            let is_culprit = share >= FURTHER.min(best);
            (share >= LISTED).then(|| Finding {
                path,
                series: Some(ready.series),
                role: if is_culprit {
                    Role::Culprit
                } else {
                    Role::MovedWith
                },
                share,
                is_part: true,
                is_ready: true,
                value,
                usual,
                record: self.moment.record(ready.series as usize),
                unit: Unit::Milliseconds,
            })
        });
        listed.collect()
    }

    fn is_fault(&self, finding: &Finding) -> bool {
        let series = finding.series;
        series.is_some_and(|series| self.system.is_fault(series))
    }

    /// Returns the words for each of the times without a processor, by the number of the series.
    fn ready_texts(&self) -> Vec<(u32, String)> {
        let busy = self.system.machine_percent(self.moment);
        let busy = busy.map_or_else(String::new, |load| format!(" (machine {load:.0} % busy)"));
        let texts = self.attribution.ready.iter().filter_map(|ready| {
            let name = ready_name(&self.system.path_of(ready.series)?);
            let timers = &self.structure.timers;
            let during = ready.during.map(|at| self.path(timers[at].series));
            let during = during.map_or_else(String::new, |path| format!(" during {path}"));
            let waited = ready.waited_in.map(|at| self.path(timers[at].series));
            let waited = waited.map_or_else(String::new, |path| format!(", waited for in {path}"));
            let text = format!("{name}{during}{busy}{waited}");
            Some((ready.series, text))
        });
        texts.collect()
    }

    /// Returns the waits that are not listed yet: those that did not make the frame long, and the
    /// declared ones in which it waited for a scope.
    fn further_waits(&self) -> Vec<Finding> {
        let Attribution {
            scopes,
            waits,
            rests,
            ..
        } = &self.attribution;
        let unmatched = waits.iter().filter(|(_, ms)| *ms > MIN_MATCHED_MS);
        let unmatched = unmatched
            .filter(|_| !self.attribution.is_waiting)
            .map(|(timer, _)| *timer);
        let of_others = self.attribution.ready.iter();
        let of_others = of_others.filter_map(|ready| ready.waited_in);
        let waited_in = scopes.iter().filter_map(|scope| scope.waited_in);
        let waited_in = waited_in.chain(of_others);
        let whole_ms = self.whole_ms();
        let is_listed = |wait: &usize| {
            let mut rests = rests.iter();
            rests.any(|(at, ms)| at == wait && ms / whole_ms >= LISTED)
        };
        let declared = waited_in
            .filter(|wait| self.structure.timers[*wait].is_wait)
            .filter(|wait| !is_listed(wait));
        let mut further: Vec<usize> = Vec::new();
        for wait in unmatched.chain(declared) {
            if !further.contains(&wait) {
                further.push(wait);
            }
        }
        let further = further.into_iter();
        further.map(|wait| self.wait_finding(wait, 0.0)).collect()
    }

    /// Makes the estimates of a finding as exact as its value: whole for a series of whole things,
    /// and 0 if they are negligible. No sentence names a series that merely moved and is no spike, apart
    /// from times.
    fn settle(&self, finding: &mut Finding) {
        let series = finding.series.filter(|_| finding.role == Role::MovedWith);
        let form = series.and_then(|series| Some((series as usize, self.facts.form(series)?)));
        let is_little = form.is_some_and(|(at, form)| self.is_within(at, form, |one| one.bar()));
        if is_little {
            finding.share = finding.share.min(NAMED);
        }
        let is_counted = matches!(finding.unit, Unit::Count | Unit::Bytes);
        let is_whole = is_counted
            && finding.series.is_some_and(|series| {
                self.has_fraction.get(series as usize).copied() != Some(true)
            });
        let all = [finding.value, finding.usual, finding.record];
        let most = all.map(f64::abs).into_iter().fold(0.0, f64::max);
        let settled = |estimate: f64| match estimate {
            // Adding 0 makes a rounded −0 positive.
            _ if is_whole => estimate.round() + 0.0,
            _ if estimate.abs() < NOTHING * most => 0.0,
            _ => estimate,
        };
        (finding.usual, finding.record) = (settled(finding.usual), settled(finding.record));
        // The mean of several frames may be a part of a thing.
        if finding.value.abs() >= 0.5 {
            finding.value = settled(finding.value);
        }
    }

    /// Returns whether the share of a finding is a part of the frame's time.
    fn is_scope(&self, finding: &Finding) -> bool {
        let is_time = |series| {
            let mut ready = self.attribution.ready.iter();
            self.structure.position(series).is_some() || ready.any(|ready| ready.series == series)
        };
        finding.series.is_none_or(is_time)
    }

    /// Returns whether a finding is a scope inside a timer.
    fn is_inside(&self, finding: &Finding, around: Option<u32>) -> bool {
        let mut next = finding
            .series
            .and_then(|series| self.structure.position(series));
        for _ in 0..MAX_AROUND {
            let Some(timer) = next.map(|at| &self.structure.timers[at]) else {
                return false;
            };
            if Some(timer.series) == around {
                return true;
            }
            next = self.structure.parent(timer);
        }
        false
    }

    /// Returns the scopes that ended in the frame but began before it, with the most time that can
    /// lie in the frame.
    fn began_before(&self) -> Vec<Finding> {
        let others_ms = self.total_ms(|timer| {
            let began = self.moment.confined.began_before.iter();
            let series = began.map(|(at, _)| self.structure.timers[*at].series);
            !series.into_iter().any(|series| series == timer.series)
        });
        let room_ms = (self.moment.frame_ms - others_ms.0).max(0.0);
        let began = self.moment.confined.began_before.iter();
        let finding = |&(at, whole_ms): &(usize, f64)| Finding {
            value: room_ms.min(whole_ms),
            ..self.timer_finding(at, Role::MovedWith, 0.0)
        };
        began.map(finding).take(MAX_FINDINGS).collect()
    }

    fn wait_finding(&self, at: usize, share: f64) -> Finding {
        self.timer_finding(at, Role::Wait, share)
    }

    fn timer_finding(&self, at: usize, role: Role, share: f64) -> Finding {
        let timer = &self.structure.timers[at];
        let series = timer.own_series();
        Finding {
            path: self.path(timer.series),
            series: Some(timer.series),
            role,
            share,
            is_part: true,
            is_ready: false,
            value: self.moment.own_ms(self.structure, timer),
            usual: self.moment.usual_own_ms(self.structure, timer),
            record: self.moment.record(series),
            unit: Unit::Milliseconds,
        }
    }

    fn path(&self, series: u32) -> String {
        self.facts.path(series).to_owned()
    }

    /// Returns the innermost scope whose inner scopes explain the frame only together. A scope that
    /// usually takes most of the frame explains nothing.
    fn around_all(&self) -> Option<Finding> {
        let timers = &self.structure.timers;
        let mut together = vec![0.0; timers.len()];
        for scope in &self.attribution.scopes {
            let mut next = scope.timer.filter(|_| scope.waited_in.is_none());
            for _ in 0..MAX_AROUND {
                let Some(at) = next else { break };
                together[at] += scope.ms;
                next = self.structure.parent(&timers[at]);
            }
        }
        let usual = |at: usize| self.moment.usual(timers[at].series as usize);
        // Usual times are estimates, and those of the scopes inside may be too short together.
        for (at, ms) in together.iter_mut().enumerate() {
            *ms = ms.min(self.moment.total_ms(&timers[at]) - usual(at));
        }
        let least_ms = AROUND * self.attribution.excess_ms;
        let most_usual = AROUND_USUAL * self.scopes_ms().1;
        let is_around = |at: &usize| {
            let timer = &timers[*at];
            let is_work = timer.place == Place::Frame && !timer.is_wait;
            is_work && usual(*at) <= most_usual && together[*at] >= least_ms
        };
        let around: Vec<usize> = (0..timers.len()).filter(is_around).collect();
        let most_ms = around.iter().map(|at| together[*at]).fold(0.0, f64::max);
        let around = (around.into_iter()).filter(|at| together[*at] >= AROUND_PART * most_ms);
        let at = around.min_by(|a, b| usual(*a).total_cmp(&usual(*b)))?;
        let share = together[at] / self.whole_ms();
        let finding = self.timer_finding(at, Role::Culprit, share);
        let series = timers[at].series as usize;
        Some(Finding {
            value: self.moment.total_ms(&timers[at]),
            usual: self.moment.usual(series),
            record: self.moment.record(series),
            ..finding
        })
    }

    /// Returns the timers around the culprit, innermost first, as long as most of their excess
    /// comes from it.
    fn via(&self) -> Vec<Finding> {
        let mut via = Vec::new();
        let best = self.attribution.scopes.first();
        let Some(mut at) = best.and_then(|scope| scope.timer) else {
            return via;
        };
        let timers = &self.structure.timers;
        let total_ms = |at: usize| self.moment.total_ms(&timers[at]);
        let inclusive = |at: usize| total_ms(at) - self.moment.usual(timers[at].series as usize);
        let whole_ms = self.whole_ms();
        // A shorter wait in the same timer may offset the excess of the culprit.
        let is_usual = |parent: usize, at: usize| {
            inclusive(parent) < LISTED * whole_ms && total_ms(parent) >= total_ms(at)
        };
        while let Some(parent) = self.structure.parent(&timers[at])
            && via.len() < MAX_AROUND
            && !is_usual(parent, at)
            && inclusive(at) >= DESCENT * inclusive(parent)
        {
            let share = (inclusive(parent) / whole_ms).clamp(0.0, 1.0);
            let mut finding = self.timer_finding(parent, Role::Via, share);
            let series = timers[parent].series as usize;
            (finding.value, finding.usual) = (total_ms(parent), self.moment.usual(series));
            finding.record = self.moment.record(series);
            via.push(finding);
            at = parent;
        }
        via.truncate(MAX_FINDINGS);
        via
    }

    /// Returns the other series that moved farther than ever before. Series with paths near the
    /// culprit's path, and series that moved far, come first: each segment that the paths share
    /// counts as much as doubling the surprise. They have no paths yet.
    fn moved(&self, culprit: Option<u32>) -> Vec<Finding> {
        let culprit = culprit.map(|series| self.path(series)).unwrap_or_default();
        let mut moved: Vec<(f64, f64, u32)> = (0..self.facts.end())
            .filter(|series| self.moment.novelty(*series as usize) > 1.0)
            .filter(|series| !self.is_frame(*series as usize))
            .filter(|series| !self.system.is_consequence(*series))
            .filter_map(|series| {
                let surprise = self.surprise(series as usize, self.facts.form(series)?)?;
                // Without a path, it moved less than all that have one.
                let path = Some(self.facts.path(series)).filter(|path| !path.is_empty())?;
                let near = shared_segments(path, &culprit) as f64;
                Some((near + surprise.min(MAX_NOVELTY).log2(), surprise, series))
            })
            .collect();
        sort_by(&mut moved, |a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        let finding = |(_, surprise, series): &(f64, f64, u32)| {
            let at = *series as usize;
            Finding {
                // Set if it is listed.
                path: String::new(),
                series: Some(*series),
                role: Role::MovedWith,
                share: 0.5 * (1.0 - 1.0 / surprise),
                is_part: false,
                is_ready: false,
                value: self.moment.value(at),
                usual: self.moment.usual(at),
                record: self.moment.record(at),
                unit: (self.facts.form(*series)).map_or(Unit::Count, |form| form.unit),
            }
        };
        moved.iter().map(finding).collect()
    }

    /// Returns how unlikely the value of a series is; `None` if the value explains nothing.
    fn surprise(&self, at: usize, form: Form) -> Option<f64> {
        let is_per_frame = form.kind.is_per_frame();
        // A new counter counted nothing before, but the earlier value of a level is unknown.
        let was_known = is_per_frame || self.moment.is_learned[at];
        // A rate is derived from the frame time.
        let is_derived = form.is_timed() || form.unit == Unit::Hertz;
        if !was_known || is_derived || self.is_short(at, form.unit) {
            return None;
        }
        // Another thread counts more in a longer frame.
        let off_pace = if is_per_frame {
            self.moment.off_pace(at)
        } else {
            f64::INFINITY
        };
        let surprise = self.moment.surprise(at, form.floor());
        let most = if self.is_within(at, form, |usual| MIN_PART * usual.value.abs()) {
            MAX_TRIVIAL
        } else {
            f64::INFINITY
        };
        (off_pace > 1.0).then(|| surprise.min(off_pace).min(most))
    }

    /// Returns whether a value is no time, and at most this far from the usual one.
    fn is_within(&self, at: usize, form: Form, bar: impl Fn(Usual) -> f64) -> bool {
        let usual = self.moment.what_is_usual(at, form.floor());
        in_ms(form.unit).is_none() && self.moment.excess(at).abs() <= bar(usual)
    }

    /// Returns whether a series is a time that changed by only a small part of the excess. Many
    /// times do so in a long frame, because the machine is busy.
    fn is_short(&self, at: usize, unit: Unit) -> bool {
        let Some(in_ms) = in_ms(unit) else {
            return false;
        };
        let change_ms = (self.moment.value(at) - self.moment.usual(at)).abs() * in_ms;
        change_ms < LONG * self.attribution.excess_ms
    }

    /// Returns whether a series is the duration of the frame, in any unit of time, or a rate
    /// derived from it.
    fn is_frame(&self, at: usize) -> bool {
        let (value, usual) = (self.moment.value(at), self.moment.usual(at));
        let (frame, usual_frame) = (self.moment.frame_ms, self.moment.learned_usual_ms());
        let is_near = |a: f64, b: f64| (a - b).abs() <= 0.05 * b.abs();
        let is_time =
            |in_ms: f64| is_near(value * in_ms, frame) && is_near(usual * in_ms, usual_frame);
        [1e3, 1.0, 1e-3, 1e-6].into_iter().any(is_time)
            || is_near(value * frame, 1e3) && is_near(usual * usual_frame, 1e3)
    }

    /// Returns the usual number of calls of the culprit and the number in the frame, if that is unusual.
    fn calls(&self, hitch: &Hitch) -> Option<(f64, f64)> {
        let series = hitch.findings.first()?.series?;
        let timer = &self.structure.timers[self.structure.position(series)?];
        let calls = timer.calls()? as usize;
        (self.moment.novelty(calls) > 1.0)
            .then(|| (self.moment.usual(calls), self.moment.value(calls)))
    }

    /// Returns words for how the frame waited for the first finding: the path of the timer in which
    /// it waited and, if the finding is of an earlier frame, which one. `None` if it did not wait.
    fn waited_in_text(&self, hitch: &Hitch) -> Option<String> {
        let best = self.attribution.scopes.first()?;
        let timers = &self.structure.timers;
        let is_first = hitch.findings.first()?.series == Some(timers[best.timer?].series);
        let wait = best.waited_in.filter(|_| is_first)?;
        let path = self.path(timers[wait].series);
        Some(match best.before {
            None => format!(", waited for in {path}"),
            Some((1, _)) => format!(" of the previous frame, waited for in {path}"),
            Some((frames, _)) => format!(" of {frames} frames earlier, waited for in {path}"),
        })
    }

    /// Returns the part that took longer than usual, and by what factor. The part is the frame, or
    /// all of its scopes together if a shorter wait for the display hides their excess.
    fn times(&self) -> (&'static str, f64) {
        let Moment {
            frame_ms, usual_ms, ..
        } = self.moment;
        let (now, usual) = self.scopes_ms();
        let is_hidden = frame_ms - usual_ms < 0.5 * self.attribution.excess_ms;
        if is_hidden && usual > 0.0 && now > usual {
            ("all scopes together took", now / usual)
        } else {
            ("the whole frame was", frame_ms / usual_ms)
        }
    }

    /// Returns the time in scopes on the thread of the frame, without waits, and the usual one.
    fn scopes_ms(&self) -> (f64, f64) {
        self.total_ms(|timer| !timer.is_wait)
    }

    /// Returns the total self time of some timers on the thread of the frame, and the usual one.
    fn total_ms(&self, is_included: impl Fn(&TimerSeries) -> bool) -> (f64, f64) {
        let timers = self.structure.timers.iter();
        let on_frame = timers.filter(|timer| timer.place == Place::Frame && is_included(timer));
        on_frame.fold((0.0, 0.0), |(now, usual), timer| {
            (
                now + self.moment.own_ms(self.structure, timer),
                usual + self.moment.usual_own_ms(self.structure, timer),
            )
        })
    }

    /// Returns the finding of the time in no scope.
    fn unaccounted_finding(&self, ms: f64, share: f64) -> Finding {
        let (in_scopes, usual_in_scopes) = self.total_ms(|_| true);
        let usual = (self.moment.usual_ms - usual_in_scopes).max(0.0);
        let outside = self.moment.frame_ms - in_scopes;
        let most = if outside >= 0.0 {
            outside
        } else {
            self.moment.frame_ms
        };
        Finding {
            path: "unaccounted".to_owned(),
            series: None,
            role: Role::Unaccounted,
            share,
            is_part: true,
            is_ready: false,
            value: (usual + ms).min(most),
            usual: usual.min(most),
            record: usual.min(most),
            unit: Unit::Milliseconds,
        }
    }
}

/// Lists the culprits as series that merely moved.
fn acquit<'a>(findings: impl IntoIterator<Item = &'a mut Finding>) {
    for finding in findings {
        if finding.role == Role::Culprit {
            finding.role = Role::MovedWith;
        }
    }
}

/// Adds the series that moved, sorts all by their share, and makes one that moved far the culprit.
/// More work makes a frame long, so values that fell come last.
fn add_by_share(findings: &mut Vec<Finding>, mut moved: Vec<Finding>) {
    let is_less = |one: &Finding| one.value < one.usual;
    sort_by(&mut moved, |a, b| {
        (is_less(a).cmp(&is_less(b))).then(b.share.total_cmp(&a.share))
    });
    moved.truncate(MAX_FINDINGS);
    let fell = moved.split_off(moved.partition_point(|one| !is_less(one)));
    let best = findings.first().map_or(0.0, |first| first.share);
    let is_far = |first: &&mut Finding| first.share > best.max(LEADS);
    if let Some(first) = moved.first_mut().filter(is_far) {
        first.role = Role::Culprit;
    }
    findings.extend(moved);
    sort_by(findings, |a, b| b.share.total_cmp(&a.share));
    findings.extend(fell);
}

/// Returns the number of leading segments that two paths share.
fn shared_segments(a: &str, b: &str) -> usize {
    let both = a.split('/').zip(b.split('/'));
    both.take_while(|(a, b)| a == b).count()
}
