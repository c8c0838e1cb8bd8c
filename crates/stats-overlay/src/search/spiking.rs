//! The series that spiked in the last minute, ranked, to answer `spiking`.
//!
//! The search for hitches knows what is usual for every series, and keeps the values that changed in
//! the last frames. The answer comes from both: first all kept frames are judged, and then each new
//! one. A frame that is judged costs a few nanoseconds for each series that changed in it.
//!
//! A value is above the bar if its excess over the usual value is more than 7.5 scales, half of the
//! usual value, and the floor. Most values of a counter of rare events are 0, so its events are
//! compared with each other: an event is above the bar only if its excess is also more than 1.5 times
//! the *largest event*, that of the last minute. A spike raises the largest event by half only, so
//! that a single large event does not hide the next, and frequent ones become usual.
//!
//! Values above the bar belong together if fewer than 8 frames are between them. The first of them is
//! a spike. A later one is a spike only if its excess is more than 1.5 times that of the last spike
//! among them. A new level is therefore one spike, and what happens in every 8th frame is usual. The
//! first kept value of a series is no spike, because the series may have fallen to a new level since.
//!
//! Times come first, ordered by their largest excess over the usual value in milliseconds. All
//! other series follow, ordered by the highest multiple of their usual value. A time is left out if
//! its excess is less than 0.1 ms or 1 % of the usual frame time, because nobody can notice it.

use std::cmp::Ordering;
use std::collections::HashMap;

use stats_analysis::insight::Usual;
use stats_core::{SeriesId, SeriesKind, Unit};

use crate::data::allowance::Allowance;
use crate::data::listing::Listing;
use crate::data::recent::Recent;
use crate::data::throttle::Throttle;

/// How long a spike is listed, in seconds.
const LISTED_SECS: f64 = 60.0;
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
/// The factor by which an excess has to be larger than an earlier one.
const LARGER: f32 = 1.5;
/// Values above the bar with fewer frames below it between them belong together.
const NEAR: u32 = 8;

/// A series that spiked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spiked {
    pub(crate) unit: Unit,
    /// The value of the worst spike, and the usual value before it.
    pub(crate) peak: f64,
    pub(super) usual: f64,
    /// The number of spikes since the series was listed.
    pub(crate) count: u32,
    /// The time of the last spike.
    last_secs: f64,
}

impl Spiked {
    /// Returns the excess of the worst spike over the usual value, in the series' unit.
    pub(crate) fn excess(&self) -> f64 {
        self.peak - self.usual
    }

    /// Returns the peak as a multiple of the usual value; `None` for a time, and if the usual value
    /// is not positive.
    pub(crate) fn times(&self) -> Option<f64> {
        let is_multiple = self.usual > 0.0 && ms_per(self.unit).is_none();
        is_multiple.then(|| self.peak / self.usual)
    }

    /// Returns the importance of the spike: first whether it is a time, then its size.
    fn weight(&self) -> (bool, f64) {
        match ms_per(self.unit) {
            Some(ms) => (true, self.excess() * ms),
            None => (false, self.times().unwrap_or(f64::MAX)),
        }
    }

    /// Returns the order in the ranking: the spike that matters most comes first.
    fn rank(&self, other: &Self) -> Ordering {
        let ((is_time, weight), (is_other_time, other_weight)) = (self.weight(), other.weight());
        let by_weight = other_weight.total_cmp(&weight);
        is_other_time.cmp(&is_time).then(by_weight)
    }
}

/// Returns the milliseconds in a unit of time.
fn ms_per(unit: Unit) -> Option<f64> {
    match unit {
        Unit::Seconds => Some(1000.0),
        Unit::Milliseconds => Some(1.0),
        Unit::Microseconds => Some(0.001),
        _ => None,
    }
}

/// What is known of the values of a series so far.
#[derive(Clone, Copy, Debug)]
struct Past {
    /// The excess of the last spike. 0 before the first spike, and NaN before the first value.
    above: f32,
    /// The frame in which the value fell below the bar; `None` while it is above, and before it
    /// ever was.
    fell: Option<u32>,
    /// The excess of the largest event of a series that is mostly zero, and when it was set.
    event: f32,
    event_secs: f32,
}

impl Past {
    const NONE: Self = Self {
        above: f32::NAN,
        fell: None,
        event: 0.0,
        event_secs: f32::NEG_INFINITY,
    };

    /// Judges a value by the rule of this module. Returns whether it is a spike. The same value
    /// again changes nothing.
    fn judge(&mut self, value: f64, usual: &Usual, (frame, now_secs): (u64, f64)) -> bool {
        let (excess, now_secs) = ((value - usual.value) as f32, now_secs as f32);
        let frame = frame as u32;
        let is_event = usual.is_mostly_zero() && value != 0.0;
        let is_compared = now_secs - self.event_secs <= LISTED_SECS as f32;
        let is_large = is_compared && excess > LARGER * self.event;
        let is_on = self.above > 0.0 && self.fell.is_none();
        if excess > usual.bar() as f32 && (!is_event || is_on || is_large) {
            let is_far = |fell| frame.wrapping_sub(fell) >= NEAR;
            let last = if self.fell.is_some_and(is_far) {
                0.0
            } else {
                self.above
            };
            let is_spike = excess > LARGER * last;
            if is_spike && is_event {
                (self.event, self.event_secs) = (LARGER * self.event, now_secs);
            }
            if is_spike || self.above.is_nan() {
                self.above = excess;
            }
            self.fell = None;
            return is_spike;
        }
        if is_on {
            self.fell = Some(frame);
        } else if self.above.is_nan() {
            self.above = 0.0;
        }
        if is_event && excess > 0.0 && (excess > self.event || !is_compared) {
            (self.event, self.event_secs) = (excess, now_secs);
        }
        false
    }
}

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

    /// Returns the spikes of a series.
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
mod tests {
    use super::*;
    use crate::data::listing::tests::listing_of_infos;
    use stats_analysis::insight::{Facts, Insight};
    use stats_core::SeriesInfo;
    use stats_testing::Random;

    const MS: Unit = Unit::Milliseconds;

    /// Advances to a time, with a usual frame time of 10 ms.
    fn at(spiking: &mut Spiking, now_secs: f64) {
        (spiking.frame_ms, spiking.now_secs) = (10.0, now_secs);
    }

    fn usual(value: f64, scale: f64) -> Usual {
        let floor = 0.01;
        Usual {
            value,
            scale,
            floor,
        }
    }

    /// Returns the frames that are spikes, by the rule of the module, from all values at once.
    fn specified(values: &[f64], usual: &Usual) -> Vec<usize> {
        let (mut spikes, mut event, mut last) = (Vec::new(), None, None);
        for (frame, value) in values.iter().enumerate() {
            let excess = value - usual.value;
            let is_event = usual.scale >= usual.value.abs() && *value != 0.0;
            let is_on = last.is_some_and(|(_, at)| at + 1 == frame);
            let is_large = !is_event || is_on || event.is_some_and(|event| excess > 1.5 * event);
            let bar = (7.5 * usual.scale)
                .max(0.5 * usual.value.abs())
                .max(usual.floor);
            if excess <= bar || !is_large {
                if is_event && excess > 0.0 {
                    event = Some(event.unwrap_or(excess).max(excess));
                }
                continue;
            }
            let near = last
                .filter(|(_, at)| frame - at <= 8)
                .map(|(excess, _)| excess);
            let is_spike = frame > 0 && near.is_none_or(|near| excess > 1.5 * near);
            if is_spike {
                spikes.push(frame);
                event = event.map(|event| if is_event { 1.5 * event } else { event });
            }
            let of_group = near.filter(|_| !is_spike).unwrap_or(excess);
            last = Some((of_group, frame));
        }
        spikes
    }

    #[test]
    fn spikes_found_in_steps_are_those_of_a_pass_from_scratch() {
        let (mut random, mut found) = (Random::new(39), 0);
        for round in 0..40 {
            let series = 1 + random.below(150) as usize;
            let paths: Vec<String> = (0..series).map(|at| format!("x/{at}")).collect();
            let (kind, unit) = (SeriesKind::Counter, Unit::Count);
            let numbered = (0..).map(SeriesId::new);
            let mut infos: Vec<SeriesInfo<'_>> = (numbered.zip(&paths))
                .map(|(id, path)| SeriesInfo::new(id, path, kind, unit))
                .collect();
            infos.push(SeriesInfo::frame_time(SeriesId::new(series as u32)));
            let listing = listing_of_infos(&infos.iter().collect::<Vec<_>>());
            let mut all: Vec<Usual> = (0..series)
                .map(|_| match random.below(3) {
                    0 => usual(0.25, 0.5),
                    1 => usual(10.0, 0.5),
                    _ => usual(4.0, 0.0),
                })
                .collect();
            let usual_frame = usual(10.0, 0.5);
            all.push(usual_frame);
            let of = |number: u32| all.get(number as usize).copied();
            let mut values = vec![Vec::new(); series + 1];
            let (mut recent, mut stepped) = (Recent::default(), Spiking::default());
            let learn = |spiking: &mut Spiking, recent: &Recent, units: usize| {
                let mut allowance = Allowance::of_units(units);
                let known = (Some(usual_frame), of);
                spiking.learn(recent, known, &listing, &mut allowance);
            };
            for frame in 0..2000 {
                let ms = if random.below(100) == 0 { 20.0 } else { 10.0 };
                for (values, usual) in values.iter_mut().zip(&all[..series]) {
                    let newest = values.last().copied().unwrap_or(usual.value);
                    values.push(match random.below(80) {
                        0 => usual.value * (1 + random.below(8)) as f64,
                        1 => usual.value + random.below(3) as f64 * 0.5,
                        2..10 => newest,
                        _ if usual.value < 1.0 => 0.0,
                        _ => usual.value,
                    });
                }
                values[series].push(ms);
                let newest: Vec<f64> = values.iter().map(|values| values[frame]).collect();
                recent.take(frame as u64, ms, &newest, &[]);
                if random.below(3) == 0 {
                    learn(&mut stepped, &recent, random.below(4) as usize);
                }
            }
            assert_eq!(recent.count(0..u64::MAX), 2000);
            let mut at_once = Spiking::default();
            learn(&mut stepped, &recent, usize::MAX);
            learn(&mut at_once, &recent, usize::MAX);
            assert!(stepped.rank(false) && at_once.rank(false));
            assert_eq!(ids(&stepped), ids(&at_once), "round {round}");
            assert_eq!(stepped.spiked, at_once.spiked, "round {round}");
            // The same from the values alone.
            let mut expected: Vec<Spiked> = Vec::new();
            for ((values, usual), number) in values.iter().zip(&all).zip(0..) {
                let spikes = specified(values, usual);
                let known = stepped.get(SeriesId::new(number));
                assert_eq!(known.map_or(0, |known| known.count as usize), spikes.len());
                let peak = spikes
                    .iter()
                    .map(|&frame| values[frame])
                    .fold(f64::MIN, f64::max);
                assert!(known.is_none_or(|known| known.peak == peak && known.usual == usual.value));
                expected.extend(known);
                found += spikes.len();
            }
            expected.sort_by(|a, b| a.rank(b));
            let ranked = stepped.ranked().filter_map(|id| stepped.get(id).copied());
            let order = |all: Vec<Spiked>| all.iter().map(Spiked::weight).collect::<Vec<_>>();
            assert_eq!(order(ranked.collect()), order(expected), "round {round}");
        }
        assert!(found > 10_000, "{found}");
    }

    /// Returns the frames that are spikes.
    fn spikes(frames: u64, usual: Usual, mut value: impl FnMut(u64) -> f64) -> Vec<u64> {
        let mut past = Past::NONE;
        let mut is_spike = |frame| past.judge(value(frame), &usual, (frame, frame as f64 * 0.01));
        (0..frames).filter(|&frame| is_spike(frame)).collect()
    }

    #[test]
    fn a_new_level_is_one_spike_and_a_level_from_before_is_none() {
        let level = |frame| if frame < 50 { 10.0 } else { 30.0 };
        assert_eq!(spikes(100, usual(10.0, 1.0), level), [50]);
        let fallen = |frame| {
            if frame < 50 {
                30.0 + (frame % 3) as f64
            } else {
                10.0
            }
        };
        assert_eq!(spikes(100, usual(10.0, 1.0), fallen), [0; 0]);
    }

    #[test]
    fn rare_events_are_compared_with_each_other() {
        let rare = usual(0.025, 0.05);
        let every_40 = |frame| if frame % 40 == 0 { 1.0 } else { 0.0 };
        assert_eq!(spikes(20_000, rare, every_40), [0; 0]);
        let with_large = |frame| match frame {
            4000 | 4200 => 20.0,
            _ => every_40(frame),
        };
        assert_eq!(spikes(20_000, rare, with_large), [4000, 4200]);
        let large_now = |frame| {
            if frame < 4000 {
                every_40(frame)
            } else {
                20.0 * every_40(frame)
            }
        };
        assert!(spikes(9000, rare, large_now).len() < 10);
    }

    /// Returns the frames of the second half of a series that are spikes compared with what an
    /// insight learns from it.
    fn learned_spikes(frames: u64, mut value: impl FnMut(u64) -> f64) -> Vec<u64> {
        let (mut insight, mut past) = (Insight::new(), Past::NONE);
        insight.set_series(0, Facts::new("x", SeriesKind::Gauge, Unit::Count));
        let mut is_spike = |frame: u64| {
            let value = value(frame);
            insight.take_frame(frame, 10.0, &[value]);
            let usual = insight.usual(0);
            usual.is_some_and(|usual| past.judge(value, &usual, (frame, frame as f64 * 0.01)))
        };
        let all = (0..frames).filter(|&frame| is_spike(frame));
        all.filter(|&frame| frame >= frames / 2).collect()
    }

    #[test]
    fn noise_is_usual_and_spikes_in_it_are_found() {
        let mut random = Random::new(12);
        let found = learned_spikes(6000, |frame| {
            let noise = 4.0 + random.below(1000) as f64 / 1000.0;
            noise + if frame % 500 == 499 { 12.0 } else { 0.0 }
        });
        assert_eq!(found, [3499, 3999, 4499, 4999, 5499, 5999]);
        let mut random = Random::new(15);
        let mut uniform = || (random.below(1 << 50) as f64 + 0.5) / (1_u64 << 50) as f64;
        let normal = |u: f64, v: f64| (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        let found = learned_spikes(40_000, |_| 1000.0 + 300.0 * normal(uniform(), uniform()));
        assert!(found.len() <= 1, "normal: {}", found.len());
        let found = learned_spikes(40_000, |_| -1000.0 * uniform().ln());
        assert!(found.len() <= 50, "exponential: {}", found.len());
    }

    #[test]
    fn a_large_spike_does_not_hide_the_next() {
        let found = learned_spikes(2000, |frame| match frame {
            1500 => 10_000.0,
            1510 => 30.0,
            _ => 10.0,
        });
        assert_eq!(found, [1500, 1510]);
    }

    #[test]
    fn events_every_few_frames_are_usual() {
        let mut random = Random::new(13);
        for every in [2, 3, 4, 6, 8] {
            let found = learned_spikes(6000, |frame| {
                let noise = random.below(100) as f64 / 100.0;
                noise + if frame % every == 0 { 30.0 } else { 10.0 }
            });
            // Until the usual value settles, for bursts in every 6th frame.
            assert!(found.len() < 10, "every {every} frames: {found:?}");
        }
        for every in [40, 100, 400] {
            let value = |frame| if frame % every == 7 { 30.0 } else { 10.0 };
            let found = learned_spikes(6000, value);
            assert_eq!(found.len() as u64, 3000 / every, "every {every} frames");
        }
    }

    #[test]
    fn a_slow_rise_is_usual() {
        let mut random = Random::new(14);
        for noise in [0, 5] {
            let value = |frame| 1000.0 + frame as f64 + random.below(noise + 1) as f64;
            assert_eq!(learned_spikes(20_000, value), [0; 0]);
        }
    }

    #[test]
    fn rare_events_that_an_insight_learned_are_usual() {
        let found = learned_spikes(10_000, |frame| match frame {
            8000 => 20.0,
            _ if frame % 40 == 0 => 1.0,
            _ => 0.0,
        });
        assert_eq!(found, [8000]);
    }

    #[test]
    fn a_new_level_becomes_usual() {
        let found = learned_spikes(1000, |frame| match frame {
            900 => 90.0,
            600.. => 30.0,
            _ => 10.0,
        });
        assert_eq!(found, [600, 900]);
    }

    #[test]
    fn the_same_value_again_changes_nothing() {
        let mut random = Random::new(6);
        for usual in [usual(0.1, 0.2), usual(10.0, 1.0)] {
            let (mut once, mut twice) = (Past::NONE, Past::NONE);
            for frame in 0..3000 {
                let value = if random.below(9) == 0 {
                    random.below(90) as f64
                } else {
                    0.0
                };
                let now = (frame, frame as f64 * 0.01);
                let is_spike = once.judge(value, &usual, now);
                assert_eq!(twice.judge(value, &usual, now), is_spike);
                assert!(!twice.judge(value, &usual, now));
                assert_eq!(format!("{once:?}"), format!("{twice:?}"));
            }
        }
    }

    fn ids(spiking: &Spiking) -> Vec<u32> {
        spiking.ranked().map(SeriesId::number).collect()
    }

    #[test]
    fn times_come_first_by_milliseconds_and_the_rest_by_multiples() {
        let mut spiking = Spiking::default();
        at(&mut spiking, 0.0);
        spiking.note(SeriesId::new(1), Unit::Count, 500.0, 5.0);
        spiking.note(SeriesId::new(2), MS, 3.0, 1.0);
        spiking.note(SeriesId::new(3), Unit::Seconds, 0.006, 0.001);
        spiking.note(SeriesId::new(4), Unit::Bytes, 9e9, 1e9);
        spiking.note(SeriesId::new(5), Unit::Microseconds, 4000.0, 1000.0);
        spiking.note(SeriesId::new(6), MS, 30.0, 10.0);
        assert!(spiking.rank(false));
        assert_eq!(ids(&spiking), [6, 3, 5, 2, 1, 4]);
    }

    #[test]
    fn times_too_small_to_notice_are_left_out() {
        let mut spiking = Spiking::default();
        at(&mut spiking, 0.0);
        for (id, value) in [(1, 0.109), (2, 0.111)] {
            spiking.note(SeriesId::new(id), MS, value, 0.01);
            spiking.note(
                SeriesId::new(id + 10),
                Unit::Microseconds,
                value * 1000.0,
                10.0,
            );
        }
        // 1 % of 100 ms is more than 0.1 ms.
        spiking.frame_ms = 100.0;
        spiking.note(SeriesId::new(3), MS, 1.0, 0.01);
        spiking.note(SeriesId::new(4), MS, 1.1, 0.01);
        spiking.rank(false);
        assert_eq!(ids(&spiking), [4, 2, 12]);
    }

    #[test]
    fn a_spike_is_listed_for_a_minute_with_its_peak_and_its_count() {
        let mut spiking = Spiking::default();
        let id = SeriesId::new(1);
        for (secs, value) in [(0.0, 20.0), (30.0, 50.0), (31.0, 40.0)] {
            at(&mut spiking, secs);
            spiking.note(id, MS, value, 10.0);
        }
        at(&mut spiking, 91.0);
        spiking.rank(false);
        let spiked = *spiking.get(id).unwrap();
        assert_eq!(
            (spiked.peak, spiked.excess(), spiked.count),
            (50.0, 40.0, 3)
        );
        assert_eq!(spiking.secs_since(&spiked), 60.0);
        at(&mut spiking, 92.1);
        assert!(spiking.rank(false));
        assert!(ids(&spiking).is_empty());
    }

    #[test]
    fn the_searched_time_grows_to_a_minute() {
        let mut spiking = Spiking::default();
        let texts = [0.0, 1.0, 7.9, 59.9, 60.0, 895.0].map(|secs| {
            at(&mut spiking, secs);
            spiking.searched_text()
        });
        assert_eq!(
            texts,
            [
                "the last second",
                "the last second",
                "the last 7 s",
                "the last 59 s",
                "the last minute",
                "the last minute"
            ]
        );
    }

    #[test]
    fn ranks_change_once_a_second_and_new_series_follow_while_held() {
        let mut spiking = Spiking::default();
        let note = |spiking: &mut Spiking, id: u32, value: f64| {
            spiking.note(SeriesId::new(id), MS, value, 10.0);
        };
        at(&mut spiking, 0.0);
        note(&mut spiking, 1, 20.0);
        assert!(spiking.rank(false));
        at(&mut spiking, 0.9);
        note(&mut spiking, 2, 30.0);
        assert!(!spiking.rank(false));
        assert_eq!(ids(&spiking), [1]);
        at(&mut spiking, 1.1);
        assert!(spiking.rank(true));
        assert_eq!(ids(&spiking), [1, 2], "new series follow");
        at(&mut spiking, 200.0);
        assert!(!spiking.rank(true));
        assert_eq!(ids(&spiking), [1, 2], "old series stay");
        at(&mut spiking, 201.1);
        note(&mut spiking, 2, 30.0);
        assert!(spiking.rank(false));
        assert_eq!(ids(&spiking), [2]);
    }

    #[test]
    fn the_number_of_series_is_bounded() {
        let mut spiking = Spiking::default();
        at(&mut spiking, 0.0);
        for id in 0..3 * MAX_SPIKED as u32 {
            spiking.note(SeriesId::new(id), MS, 20.0 + f64::from(id), 10.0);
        }
        spiking.rank(false);
        assert_eq!(ids(&spiking).len(), RANKED);
        assert_eq!(spiking.spiked.len(), RANKED);
        assert_eq!(ids(&spiking)[0], MAX_SPIKED as u32 - 1);
    }
}
