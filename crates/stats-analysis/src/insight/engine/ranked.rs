//! Explains frames, and keeps the hitches among them.

use super::super::facts::AllFacts;
use super::super::hitch::{Hitch, Repeats, Role};
use super::super::moment::Moment;
use super::super::ranking;
use super::super::structure::Structure;
use super::super::trigger::MIN_MS;
use super::fractions::Fractions;
use super::{FRAMES_BEFORE, Insight};

/// The number of timers, and of other series, in a moment whose paths are looked up.
const MAX_MOVED: usize = 1024;

impl Insight {
    /// Looks up the paths of the series that may explain the frames that wait to be ranked. For each
    /// frame, these are the 1,024 timers that took longest, with the timers around them, and the 1,024
    /// other series that moved farthest. The rest is not ranked. Takes a few nanoseconds for each
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

    fn forget_looked_up(&mut self) {
        if self.looks_up_paths {
            self.facts.forget_paths();
        }
    }

    /// Explains any frame, such as one that was not noticed, by comparison with the current
    /// usual values. The result is not added to [`hitches`](Self::hitches).
    pub fn explain(&self, frame: u64, frame_ms: f64, values: &[f64]) -> Hitch {
        let mut moment = Moment::default();
        self.compare(&mut moment, (frame, frame_ms), values);
        if frame == self.newest.frame + 1 {
            moment.fill_before(&self.others[..FRAMES_BEFORE]);
        }
        let mut fractions = self.fractions.clone();
        fractions.examine(0..values.len(), values);
        self.rank_with(&mut moment, &fractions)
    }

    /// Replaces a moment by a frame, which is compared with usual ones of its kind.
    pub(super) fn compare(&self, moment: &mut Moment, (frame, ms): (u64, f64), values: &[f64]) {
        let times = (frame, ms, self.trigger.usual_ms());
        moment.fill(times, values, &self.usual_values);
        let known = (&self.structure, self.deferred.as_slice());
        self.of_kinds.compare(moment, known, &self.usual_values);
        let system = self.system.of_values(values, ms);
        moment.spare(self.trigger.spared_ms(system));
    }

    fn rank(&self, moment: &mut Moment) -> Hitch {
        self.rank_with(moment, &self.fractions)
    }

    fn rank_with(&self, moment: &mut Moment, fractions: &Fractions) -> Hitch {
        let structure = self.structure();
        moment.confine(&structure);
        let facts = (&self.facts, fractions.has.as_slice(), &self.system);
        ranking::rank(&structure, facts, moment)
    }

    /// Ranks a moment whose paths are not looked up yet.
    pub(in super::super) fn rank_once(
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
