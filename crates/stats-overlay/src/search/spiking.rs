//! The series that spiked in the last minute, ranked, to answer `spiking`.
//!
//! Times come first, ordered by their largest excess over the usual value in milliseconds. All
//! other series follow, ordered by the highest multiple of their usual value. A time is left out if
//! its excess is less than 0.1 ms or 1 % of the usual frame time, because nobody can notice it.

use std::cmp::Ordering;
use std::collections::HashMap;

use stats_core::{SeriesId, Unit};

use crate::data::throttle::Throttle;
use crate::search::usual_value::UsualValue;

/// How long a spike is listed, in seconds.
const LISTED_SECS: f64 = 60.0;
/// The interval at which ranks change, in seconds.
const RANKED_SECS: f64 = 1.0;
/// The minimum excess of a time, in milliseconds and as a share of the usual frame time.
const MIN_MS: f64 = 0.1;
const MIN_PART: f64 = 0.01;
/// The usual frame time while it is unknown.
const FRAME_MS: f64 = 1000.0 / 60.0;
/// The maximum number of ranked series, and of all series whose spikes are kept until the next
/// ranking.
const RANKED: usize = 1000;
const MAX_SPIKED: usize = 4 * RANKED;

/// The id under which the frame time is ranked.
pub(crate) const FRAME_TIME_ID: SeriesId = SeriesId::new(u32::MAX);

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

/// The series that spiked, and their ranks.
#[derive(Debug, Default)]
pub(crate) struct Spiking {
    /// By the number of the series id.
    spiked: HashMap<u32, Spiked>,
    /// The ids in the order of the ranking.
    ranked: Vec<u32>,
    ranking: Throttle,
    now_secs: f64,
    /// When the search for spikes began.
    began_secs: Option<f64>,
    frame_time: Option<UsualValue>,
}

impl Spiking {
    /// Learns the duration of a frame, and notes whether it is a spike.
    pub(super) fn learn_frame_time(&mut self, time_ms: f64, now_secs: f64) {
        self.now_secs = now_secs;
        self.began_secs.get_or_insert(now_secs);
        let usual = self.frame_time.get_or_insert(UsualValue::NEW);
        let before = usual.usual();
        if usual.learn(time_ms) {
            self.note(FRAME_TIME_ID, Unit::Milliseconds, time_ms, before);
        }
    }

    /// Notes a spike of a series, unless it is too small to notice.
    pub(super) fn note(&mut self, id: SeriesId, unit: Unit, value: f64, usual: f64) {
        let spike = Spiked {
            unit,
            peak: value,
            usual,
            count: 1,
            last_secs: self.now_secs,
        };
        let known = self.frame_time.map_or(0.0, UsualValue::usual);
        let frame_ms = if known > 0.0 { known } else { FRAME_MS };
        let min_ms = MIN_MS.max(frame_ms * MIN_PART);
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

    /// Returns the time that was searched for spikes, as text: the last minute, or less if the
    /// search began later.
    pub(crate) fn searched_text(&self) -> String {
        let secs = self.now_secs - self.began_secs.unwrap_or(self.now_secs);
        match secs {
            LISTED_SECS.. => "the last minute".to_owned(),
            2.0.. => format!("the last {:.0} s", secs.floor()),
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

    const MS: Unit = Unit::Milliseconds;

    /// Advances to a time, with a usual frame time of 10 ms.
    fn at(spiking: &mut Spiking, now_secs: f64) {
        (0..200).for_each(|_| spiking.learn_frame_time(10.0, now_secs));
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
        spiking.learn_frame_time(30.0, 0.0);
        assert!(spiking.rank(false));
        assert_eq!(ids(&spiking), [u32::MAX, 3, 5, 2, 1, 4]);
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
        (0..4000).for_each(|_| spiking.learn_frame_time(100.0, 0.0));
        spiking.spiked.remove(&u32::MAX);
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
        let texts = [5.0, 6.0, 12.9, 64.9, 65.0, 900.0].map(|secs| {
            spiking.learn_frame_time(10.0, secs);
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
