//! The series that spiked in the last minute, ranked, to answer `spiking`.
//!
//! The search for hitches knows what is usual for every series, and keeps the values that changed in
//! the last frames. The answer comes from both: first all kept frames are judged, and then each new
//! one. A frame that is judged costs a few nanoseconds for each series that changed in it.
//!
//! `past` has the rule, and `spiked` the order of the ranking. A time is left out if its excess is less
//! than 0.1 ms or 1 % of the usual frame time, because nobody can notice it.

use std::collections::HashMap;

use stats_analysis::insight::Usual;
use stats_core::{SeriesId, SeriesKind, Unit};

use crate::data::allowance::Allowance;
use crate::data::listing::Listing;
use crate::data::recent::Recent;
use crate::data::throttle::Throttle;
use past::{LISTED_SECS, Past};
use spiked::ms_per;

mod past;
mod spiked;

pub(crate) use spiked::Spiked;

/// The interval at which ranks change, in seconds.
const RANKED_SECS: f64 = 1.0;
/// The minimum excess of a time, in milliseconds and as a share of the usual frame time.
const MIN_MS: f64 = 0.1;
const MIN_PART: f64 = 0.01;
/// The maximum number of ranked series, and of all series whose spikes are kept until the next
/// ranking.
const RANKED: usize = 1000;
const MAX_SPIKED: usize = 4 * RANKED;
/// The number of values that are judged in a unit of allowance.
const JUDGED_IN_A_UNIT: usize = 32;

/// The series that spiked, and their ranks.
#[derive(Debug, Default)]
pub(crate) struct Spiking {
    /// By the number of the series id.
    past: Vec<Past>,
    /// By the number of the series id.
    spiked: HashMap<u32, Spiked>,
    /// The ids in the order of the ranking.
    ranked: Vec<u32>,
    ranking: Throttle,
    /// The usual frame time; 0 while unknown.
    frame_ms: f64,
    /// The total time of the judged frames.
    now_secs: f64,
    /// The next frame to judge.
    next: u64,
    /// Whether all frames that were kept at first have been judged.
    has_begun: bool,
}

impl Spiking {
    /// Returns whether all frames that were kept at first have been judged.
    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Returns whether any value of a series was judged.
    pub(super) fn knows(&self, id: SeriesId) -> bool {
        let past = self.past.get(id.number() as usize);
        past.is_some_and(|past| !past.above.is_nan())
    }

    /// Judges the kept frames that are new, until the allowance is used up. `usual` says what is
    /// usual for a frame's duration, and for a series by its number.
    pub(crate) fn learn(
        &mut self,
        recent: &Recent,
        (usual_frame, usual): (Option<Usual>, impl Fn(u32) -> Option<Usual>),
        listing: &Listing,
        allowance: &mut Allowance,
    ) {
        if self.past.len() < recent.series() {
            self.past.resize(recent.series(), Past::NONE);
        }
        // The first chunk is free, so that each pass gets on, however little is left of it.
        let mut is_first = true;
        while is_first || allowance.has_left() {
            let mut values = 0;
            let visited = recent.visit_changes(self.next, &mut |frame, ms, changed| {
                self.learn_frame(frame, ms, usual_frame);
                changed.for_each_value(|number, value| {
                    values += 1;
                    self.learn_value(frame, number, value, usual(number), listing);
                });
            });
            if !visited {
                self.has_begun |= self.next > 0;
                return;
            }
            allowance.spend(if is_first {
                0
            } else {
                values / JUDGED_IN_A_UNIT
            });
            is_first = false;
        }
    }

    /// Adds the duration of a frame to the total time.
    fn learn_frame(&mut self, frame: u64, ms: f64, usual: Option<Usual>) {
        // Frames may have ended that were not kept.
        let since = if self.next == 0 { 0 } else { frame - self.next };
        self.now_secs += (since + 1) as f64 * ms / 1e3;
        self.next = frame + 1;
        if let Some(usual) = usual {
            self.frame_ms = usual.value;
        }
    }

    /// Judges the value of a series in a frame.
    fn learn_value(
        &mut self,
        frame: u64,
        number: u32,
        value: f64,
        usual: Option<Usual>,
        listing: &Listing,
    ) {
        if !value.is_finite() {
            return;
        }
        let (id, at) = (SeriesId::new(number), number as usize);
        let Some(usual) = usual else {
            (self.past[at].above, self.past[at].fell) = (0.0, None);
            return;
        };
        if self.past[at].judge(value, &usual, (frame, self.now_secs))
            && let Some(entry) = listing.entry_of(id)
            // A self time spikes with its timer.
            && listing.entry(entry).kind != SeriesKind::TimerSelf
        {
            self.note(id, listing.entry(entry).unit, value, usual.value);
        }
    }

    /// Notes a spike of a series, unless it is too small to notice.
    fn note(&mut self, id: SeriesId, unit: Unit, value: f64, usual: f64) {
        let spike = Spiked {
            unit,
            peak: value,
            usual,
            count: 1,
            last_secs: self.now_secs,
        };
        let min_ms = MIN_MS.max(self.frame_ms * MIN_PART);
        if ms_per(unit).is_some_and(|ms| spike.excess() * ms < min_ms) {
            return;
        }
        if let Some(spiked) = self.spiked.get_mut(&id.number()) {
            if spike.excess() > spiked.excess() {
                (spiked.peak, spiked.usual) = (value, usual);
            }
            spiked.count = spiked.count.saturating_add(1);
            spiked.last_secs = self.now_secs;
        } else if self.spiked.len() < MAX_SPIKED {
            self.spiked.insert(id.number(), spike);
        }
    }

    /// Ranks the series once a second. While rows are `held`, ranked series keep their places and
    /// new ones follow. Returns whether anything changed.
    pub(crate) fn rank(&mut self, held: bool) -> bool {
        if !self.ranking.take(self.now_secs, RANKED_SECS) {
            return false;
        }
        let before = self.ranked.clone();
        if !held {
            let now_secs = self.now_secs;
            let is_listed = |spiked: &Spiked| now_secs - spiked.last_secs <= LISTED_SECS;
            self.spiked.retain(|_, spiked| is_listed(spiked));
            self.ranked.clear();
        }
        let first = self.ranked.len();
        let new = self.spiked.keys().filter(|id| !self.ranked.contains(id));
        let new: Vec<u32> = new.copied().collect();
        self.ranked.extend(new);
        let spiked = &self.spiked;
        self.ranked[first..].sort_unstable_by(|a, b| match (spiked.get(a), spiked.get(b)) {
            (Some(left), Some(right)) => left.rank(right).then(a.cmp(b)),
            _ => a.cmp(b),
        });
        for id in self
            .ranked
            .drain(self.ranked.len().min(RANKED.max(first))..)
        {
            self.spiked.remove(&id);
        }
        self.ranked != before
    }

    /// Returns the ids of the series in the order of the ranking.
    pub(crate) fn ranked(&self) -> impl Iterator<Item = SeriesId> {
        self.ranked.iter().map(|&number| SeriesId::new(number))
    }

    pub(crate) fn get(&self, id: SeriesId) -> Option<&Spiked> {
        self.spiked.get(&id.number())
    }

    /// Returns the time that was searched for spikes, as text: the last minute, or less if less is
    /// kept.
    pub(crate) fn searched_text(&self) -> String {
        match self.now_secs {
            LISTED_SECS.. => "the last minute".to_owned(),
            secs @ 2.0.. => format!("the last {:.0} s", secs.floor()),
            _ => "the last second".to_owned(),
        }
    }

    /// Returns the time since the last spike of a series, in seconds.
    pub(crate) fn secs_since(&self, spiked: &Spiked) -> f64 {
        (self.now_secs - spiked.last_secs).max(0.0)
    }
}

#[cfg(test)]
mod tests;
