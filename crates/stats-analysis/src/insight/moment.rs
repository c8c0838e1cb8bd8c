//! A noticed frame, with everything that its ranking needs.

use std::collections::HashSet;

use super::confined::Confined;
use super::structure::{OtherTimes, Place, Structure, TimerSeries};
use super::trigger::SURE;
use super::usual::{Usual, UsualValues};

/// The largest relative distance between a value that rises with the duration of the frame and the
/// value that this duration explains.
const PACE_PART: f64 = 0.1;
/// The record of normally distributed values, in scales.
const NORMAL_RECORD: f64 = 4.0;
/// The largest surprise of a series that never moved before, and of one that rarely moves.
const FIRST: f64 = 2.1;
const RARE: f64 = 2.5;

/// The values of a frame and the usual values at that time. Takes 25 bytes for each series. A
/// moment can be ranked on another thread, and again when late values are known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// The frame.
    pub frame: u64,
    /// Its duration.
    pub frame_ms: f64,
    /// The usual duration, of a frame whose thread waited no longer for a processor than this one.
    pub usual_ms: f64,
    /// How much less than usual the thread of the frame waited for a processor.
    pub(super) spared_ms: f64,
    pub(super) values: Vec<f64>,
    pub(super) usual: Vec<f32>,
    pub(super) record: Vec<f32>,
    /// The distance beyond which a value is new.
    pub(super) reach: Vec<f32>,
    /// The typical distance from the usual value.
    pub(super) scale: Vec<f32>,
    /// Whether the series had a value before.
    pub(super) is_learned: Vec<bool>,
    /// The timers on other threads that took unusually long in the frames before.
    pub(super) before: Vec<Before>,
    pub(super) confined: Confined,
    /// Whether the same frame was ranked before.
    pub(super) is_known: bool,
}

/// A timer that took unusually long in a frame before the noticed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Before {
    /// The distance from the noticed frame, in frames: at least 1.
    pub(super) frames: usize,
    /// The number of the timer's series.
    pub(super) series: u32,
    /// Its self time in that frame, and the usual one.
    pub(super) ms: f64,
    pub(super) usual_ms: f64,
    /// The total self time of all timers on its thread, or on the GPU, in that frame.
    pub(super) thread_ms: f64,
}

impl Moment {
    /// Keeps the timers that took unusually long in the frames before this one. `times` contains
    /// the times of these frames, newest first.
    pub(super) fn fill_before(&mut self, times: &[OtherTimes]) {
        for (frames, times) in (1..).zip(times) {
            let before = times.long.iter().map(|long| Before {
                frames,
                series: long.series,
                ms: long.ms.into(),
                usual_ms: long.usual_ms.into(),
                thread_ms: times.total_ms(long.place),
            });
            self.before.extend(before);
        }
    }

    /// Returns the duration of the frame as a multiple of the usual one, at least 1. Work that does
    /// not depend on frames, such as that of a thread that is always busy, grows by this factor.
    pub(super) fn pace(&self) -> f64 {
        let usual_ms = self.learned_usual_ms();
        if usual_ms > 0.0 {
            (self.frame_ms / usual_ms).max(1.0)
        } else {
            1.0
        }
    }

    /// Returns the distance of a value from the usual value times the pace, as a multiple of the
    /// tolerance. Up to 1, the pace explains the value. Infinite if the frame is not longer or the
    /// value is not larger than usual.
    ///
    /// The tolerance includes that of counts, which vary with the square root of the time.
    pub(super) fn off_pace(&self, at: usize) -> f64 {
        let (value, usual) = (self.value(at), self.usual(at));
        let pace = self.pace();
        if pace <= 1.0 || usual < 0.0 || value <= usual {
            return f64::INFINITY;
        }
        let reach = f64::from(self.reach.get(at).copied().unwrap_or_default());
        let tolerance = PACE_PART * pace * usual + (pace.sqrt() - 1.0) * reach;
        (value - pace * usual).abs() / tolerance
    }

    /// Replaces the moment by a frame. Allocates only if there are more series than ever before.
    pub(super) fn fill(
        &mut self,
        (frame, frame_ms, usual_ms): (u64, f64, f64),
        values: &[f64],
        usual_values: &UsualValues,
    ) {
        let len = usual_values.len().min(values.len());
        (self.frame, self.frame_ms, self.usual_ms) = (frame, frame_ms, usual_ms);
        self.is_known = false;
        self.spared_ms = 0.0;
        self.before.clear();
        self.values.clear();
        self.values.extend_from_slice(&values[..len]);
        let Self {
            usual,
            record,
            reach,
            scale,
            is_learned,
            ..
        } = self;
        for list in [&mut *usual, record, reach, scale] {
            list.clear();
            list.reserve_exact(len);
        }
        is_learned.clear();
        is_learned.reserve_exact(len);
        usual_values.for_each(
            len,
            |[of_usual, of_scale, of_record, of_reach], has_learned| {
                usual.push(of_usual);
                scale.push(of_scale);
                record.push(of_record);
                reach.push(of_reach);
                is_learned.push(has_learned);
            },
        );
    }

    /// Compares a series with another usual value, which has another scale. The values that usual frames
    /// reach stay the same.
    pub(super) fn compare_with(&mut self, at: usize, (usual, scale): (f32, f32), floor: f32) {
        let Some(value) = self.values.get(at).filter(|value| value.is_finite()) else {
            return;
        };
        let side = (*value as f32 - usual).signum();
        let reached = self.usual[at] + side * self.record[at];
        let record = ((reached - usual) * side).max(0.0);
        (self.usual[at], self.scale[at], self.record[at]) = (usual, scale, record);
        self.reach[at] = record.max(3.0 * scale).max(floor);
    }

    /// Compares the frame with usual ones in which the thread waited for a processor for less time, by
    /// `ms`, as it did in this frame.
    pub(super) fn spare(&mut self, ms: f64) {
        self.spared_ms = ms.clamp(0.0, self.usual_ms.max(0.0));
        self.usual_ms -= self.spared_ms;
    }

    /// Returns the usual duration of a frame, whatever this one waited for a processor. The usual values
    /// of the series belong to such frames.
    pub(super) fn learned_usual_ms(&self) -> f64 {
        self.usual_ms + self.spared_ms
    }

    /// Returns the series that pass a filter and moved farther than ever before: at most `max`,
    /// those that moved farthest.
    pub(super) fn farthest(&self, filter: impl Fn(u32) -> bool, max: usize) -> Vec<u32> {
        let moved = self.moved().filter(|series| filter(*series));
        let mut moved: Vec<(f64, u32)> = moved
            .map(|series| (self.novelty(series as usize), series))
            .collect();
        if moved.len() > max {
            moved.select_nth_unstable_by(max, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            moved.truncate(max);
        }
        moved.into_iter().map(|(_, series)| series).collect()
    }

    /// Returns the timers with the largest excess, at most `max` of them, and the timers around these.
    pub(super) fn longest(&self, structure: &Structure, max: usize) -> Vec<u32> {
        let excess_ms = |timer: &TimerSeries| {
            self.own_ms(structure, timer) - self.usual_own_ms(structure, timer)
        };
        let timers = structure.timers.iter().enumerate();
        let mut longest: Vec<(f64, usize)> = timers
            .map(|(at, timer)| (excess_ms(timer), at))
            .filter(|(excess_ms, _)| *excess_ms > 0.0)
            .collect();
        if longest.len() > max {
            longest.select_nth_unstable_by(max, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            longest.truncate(max);
        }
        let before = self.before.iter();
        let before = before.filter_map(|before| structure.position(before.series));
        let mut found = HashSet::new();
        for at in longest.into_iter().map(|(_, at)| at).chain(before) {
            let mut next = Some(at);
            while let Some(at) = next.filter(|at| found.insert(structure.timers[*at].series)) {
                next = structure.parent(&structure.timers[at]);
            }
        }
        let mut found: Vec<u32> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// Returns the series whose values are farther from the usual ones than ever before.
    fn moved(&self) -> impl Iterator<Item = u32> {
        let distances = self.values.iter().zip(&self.usual).zip(&self.reach);
        let moved = distances.map(|((value, usual), reach)| {
            // Infinite and unknown values are no distance.
            let distance = (*value - f64::from(*usual)).abs();
            distance > f64::from(*reach) && distance < f64::INFINITY
        });
        (0..)
            .zip(moved)
            .filter_map(|(series, moved)| moved.then_some(series))
    }

    /// Returns a value's distance from the usual one; 0 if it is not known.
    pub(super) fn excess(&self, at: usize) -> f64 {
        let Some(value) = self.values.get(at).filter(|value| value.is_finite()) else {
            return 0.0;
        };
        value - f64::from(self.usual[at])
    }

    /// Returns what is usual for a series. `floor` is the distance below which two values are equal.
    pub(super) fn what_is_usual(&self, at: usize, floor: f32) -> Usual {
        Usual {
            value: self.usual(at),
            scale: self.scale.get(at).copied().unwrap_or_default().into(),
            floor: floor.into(),
        }
    }

    /// Returns a value's distance from the usual value, as a multiple of the distance beyond which
    /// a value is new.
    pub(super) fn novelty(&self, at: usize) -> f64 {
        let reach = self.reach.get(at).copied().unwrap_or(f32::INFINITY);
        self.excess(at).abs() / f64::from(reach.max(f32::MIN_POSITIVE))
    }

    /// Returns whether a value is longer than usual by more than [`SURE`] times three scales, whatever
    /// its record is: a stall in an earlier frame that was not noticed may have set that.
    pub(super) fn is_sure(&self, at: usize) -> bool {
        let scale = self.scale.get(at).copied().unwrap_or(f32::INFINITY);
        self.excess(at) > SURE * 3.0 * f64::from(scale)
    }

    /// Returns the novelty that an equally unlikely value would have in a normally distributed
    /// series.
    ///
    /// The larger the record is in scales, the heavier is the tail of the series, and the more
    /// often a value exceeds the record by a given factor. In a power law, the probability of this
    /// depends only on the logarithm of the factor, divided by the logarithm of the record in
    /// scales. If a series rarely moves, too few distances are known to judge a new one, so the
    /// result is limited.
    pub(super) fn surprise(&self, at: usize, floor: f32) -> f64 {
        let novelty = self.novelty(at);
        let scale = self
            .scale
            .get(at)
            .copied()
            .unwrap_or_default()
            .max(floor / 3.0);
        let reach = self.reach.get(at).copied().unwrap_or(f32::INFINITY);
        let record = self.record.get(at).copied().unwrap_or_default();
        let most = match (record <= 2.0 * floor, 3.0 * scale <= floor) {
            (true, _) => FIRST,
            (false, true) => RARE,
            (false, false) => f64::INFINITY,
        };
        let spread = f64::from(reach / scale).max(NORMAL_RECORD);
        novelty.powf(NORMAL_RECORD.ln() / spread.ln()).min(most)
    }

    pub(super) fn value(&self, at: usize) -> f64 {
        self.values
            .get(at)
            .copied()
            .filter(|value| value.is_finite())
            .unwrap_or_else(|| self.usual(at))
    }

    pub(super) fn usual(&self, at: usize) -> f64 {
        self.usual.get(at).copied().unwrap_or_default().into()
    }

    /// Confines the times on the thread of the frame to its duration, before it is ranked.
    pub(super) fn confine(&mut self, structure: &Structure) {
        self.confined = Confined::default();
        let usual_ms = self.learned_usual_ms();
        self.confined = Confined::new(structure, self.frame_ms, usual_ms, |at| {
            let timer = &structure.timers[at];
            (
                self.own_ms(structure, timer),
                self.usual_own_ms(structure, timer),
            )
        });
    }

    /// Returns the self time of a timer: on the thread of the frame, at most the part that lies in
    /// the frame.
    pub(super) fn own_ms(&self, structure: &Structure, timer: &TimerSeries) -> f64 {
        let confined = self.confined.own_ms.get(&timer.series).copied();
        confined.unwrap_or_else(|| structure.own_ms(timer, |at| self.value(at)))
    }

    /// Returns the time of a timer with the scopes inside it: on the thread of the frame, at most
    /// the part that can lie in the frame.
    pub(super) fn total_ms(&self, timer: &TimerSeries) -> f64 {
        let ms = self.value(timer.series as usize);
        if timer.place == Place::Frame {
            ms.min(self.frame_ms)
        } else {
            ms
        }
    }

    /// Returns the usual self time of a timer.
    pub(super) fn usual_own_ms(&self, structure: &Structure, timer: &TimerSeries) -> f64 {
        let ms = structure.own_ms(timer, |at| self.usual(at));
        // Learned while its thread was not known.
        let usual_ms = self.learned_usual_ms();
        if structure.is_on_frame(timer) && usual_ms > 0.0 {
            ms.min(usual_ms)
        } else {
            ms
        }
    }

    /// Returns the value that is as far from the usual value as the most unusual earlier one, on
    /// the same side as the value of the frame. It is not negative if these values are not.
    pub(super) fn record(&self, at: usize) -> f64 {
        let far = f64::from(self.record.get(at).copied().unwrap_or_default());
        let (usual, value) = (self.usual(at), self.value(at));
        let record = usual + far.copysign(self.excess(at));
        if usual.min(value) >= 0.0 {
            record.max(0.0)
        } else {
            record
        }
    }
}
