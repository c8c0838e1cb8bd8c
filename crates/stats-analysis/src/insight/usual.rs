//! The usual value of each series, and how far it varies.
//!
//! For the value x of a frame, with d = x − m and the limit l = 3 · max(s, floor):
//!
//! ```text
//! m += α · clamp(d, ±l)      the usual value
//! s += α · (min(|d|, l) − s) the scale: the mean distance from the usual value
//! r  = max(0.9995 r, |d|)    the record: the largest distance, which halves in 1,400 frames
//! α  = max(1/64, 1/(n + 1))  after n values; 1/2 up to the 16th
//! ```
//!
//! The floor is 20 µs, half a count or 1 KiB, and at least 1 % of the usual value. The usual value
//! is not known during the first 16 values, and one of them may be from a frame that loads for
//! seconds. So these are not clamped, and they are forgotten soon: α is 1/2, and the record halves
//! with each.
//!
//! [`rest`] says which series a frame does not read.

use std::ops::Range;

use stats_core::limits::SURVEY_GROUP;

use super::facts::grow;
use rest::Rest;

mod rest;

/// The number of first values that are not clamped.
const UNCLAMPED: f32 = 16.0;
/// The number of values after which a series learns at a constant rate.
const YOUNG: f32 = 64.0;
/// With more series than this, only one half of them learns each frame.
const HALVED: usize = 32_000;
/// The number of series that learn at once.
const CHUNK: usize = 256;
const _: () = assert!(CHUNK.is_multiple_of(SURVEY_GROUP));
/// The factor by which a record decays in each frame.
const FORGET: f32 = 0.9995;
/// The factor by which the records of a frame's times decay in each frame. They decay over minutes,
/// because they decide which frames are noticed.
const FORGET_TIMES: f32 = 0.9999;
/// The factor by which a record decays during the first frames of a series.
const FORGET_FIRST: f32 = 0.5;
/// The rate at which the first values are learned.
const LEARN_FIRST: f32 = 0.5;
/// The floor of a duration, in milliseconds.
const FLOOR_MS: f32 = 0.02;
/// The minimum floor, as a share of the usual value.
const SCALE_PART: f32 = 0.01;

/// The number of values after which [`Insight::usual`](super::Insight::usual) knows a series.
const KNOWN: f32 = 32.0;

/// The minimum distance from the usual value to the bar of a spike, in scales. Scales are mean
/// distances, so this is 6 standard deviations of a normal distribution.
const BAR_SCALES: f64 = 7.5;
/// The minimum distance from the usual value to the bar of a spike, as a share of the usual value.
const BAR_PART: f64 = 0.5;

/// What is usual for a series, in its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usual {
    /// The usual value.
    pub value: f64,
    /// The mean distance from the usual value. 0 or more.
    pub scale: f64,
    /// The distance that counts as none. Above 0.
    pub floor: f64,
}

impl Usual {
    /// Returns the excess that a value must exceed to be a spike: 7.5 scales, half of the usual
    /// value, and the floor.
    pub fn bar(&self) -> f64 {
        let by_value = BAR_PART * self.value.abs();
        (BAR_SCALES * self.scale).max(by_value).max(self.floor)
    }

    /// Returns whether most values are 0, so that a value says more about the values that are not 0
    /// than the usual value does.
    pub fn is_mostly_zero(&self) -> bool {
        self.scale >= self.value.abs()
    }
}

/// The estimates of all series, in one array for each kind of estimate, so that a frame is one pass
/// over contiguous numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct UsualValues {
    usual: Vec<f32>,
    scale: Vec<f32>,
    record: Vec<f32>,
    /// The number of values that were learned, up to [`YOUNG`].
    seen: Vec<u8>,
    /// 0 for a number without a series.
    floors: Vec<f32>,
    /// The values of the series in resting chunks.
    rested: Vec<f32>,
    chunks: Vec<Chunk>,
    /// The number of frames in which one half learned.
    halves: u64,
}

/// What is known of [`CHUNK`] consecutive series.
#[derive(Clone, Copy, Debug, Default)]
struct Chunk {
    /// Whether all series have learned [`YOUNG`] values.
    is_old: bool,
    /// Whether a value may have changed since the chunk learned last.
    has_changed: bool,
    /// How the estimates changed since the chunk began to rest; `None` if they are current.
    rest: Option<Rest>,
}

impl UsualValues {
    /// Returns the same series without anything learned.
    pub(super) fn forgotten(&self) -> Self {
        let mut new = Self::default();
        for (at, &floor) in self.floors.iter().enumerate() {
            new.set(at, floor);
        }
        new
    }

    pub(super) fn len(&self) -> usize {
        self.usual.len()
    }

    /// Adds a series, or changes its floor, which is positive.
    pub(super) fn set(&mut self, at: usize, floor: f32) {
        let len = self.len().max(at + 1);
        self.chunks.resize(len.div_ceil(CHUNK), Chunk::default());
        self.wake(at / CHUNK);
        let Self {
            usual,
            scale,
            record,
            seen,
            floors,
            rested,
            ..
        } = self;
        for all in [&mut *usual, scale, record, floors, rested] {
            grow(all, len, 0.0);
        }
        grow(seen, len, 0);
        if floors[at] == 0.0 {
            // Values may have arrived for the number before it had a series.
            (usual[at], scale[at], record[at], seen[at]) = (0.0, 0.0, 0.0, 0);
        }
        self.floors[at] = floor;
        self.chunks[at / CHUNK].is_old = false;
    }

    /// Returns the estimates of a series.
    fn estimate(&self, at: usize) -> Estimate {
        let before = Estimate {
            usual: self.usual[at],
            scale: self.scale[at],
            record: self.record[at],
            seen: self.seen[at].into(),
        };
        match self.chunks[at / CHUNK].rest {
            Some(rest) => rest.apply(before, self.rested[at]),
            None => before,
        }
    }

    /// Returns the usual value of a series; 0 if there is none.
    #[inline]
    pub(super) fn usual_of(&self, at: usize) -> f64 {
        let Some(&usual) = self.usual.get(at) else {
            return 0.0;
        };
        // Most readers ask for series whose values just changed.
        match self.chunks[at / CHUNK].rest {
            None => usual.into(),
            Some(_) => self.estimate(at).usual.into(),
        }
    }

    /// Calls `visit` with the estimates of the first series: the usual value, the scale, the record,
    /// the [reach](Estimate::reach), and whether any value was learned.
    pub(super) fn for_each(&self, len: usize, mut visit: impl FnMut([f32; 4], bool)) {
        let len = len.min(self.len());
        for (chunk, start) in self.chunks.iter().zip((0..len).step_by(CHUNK)) {
            let part = start..len.min(start + CHUNK);
            let estimates = (self.usual[part.clone()].iter())
                .zip(&self.scale[part.clone()])
                .zip(
                    self.record[part.clone()]
                        .iter()
                        .zip(&self.seen[part.clone()]),
                );
            let others = self.floors[part.clone()].iter().zip(&self.rested[part]);
            for (((usual, scale), (record, seen)), (floor, rested)) in estimates.zip(others) {
                let before = Estimate {
                    usual: *usual,
                    scale: *scale,
                    record: *record,
                    seen: (*seen).into(),
                };
                let of = chunk
                    .rest
                    .map_or(before, |rest| rest.apply(before, *rested));
                visit(
                    [of.usual, of.scale, of.record, of.reach(*floor)],
                    of.seen > 0.0,
                );
            }
        }
    }

    /// Makes the estimates of a chunk current.
    fn wake(&mut self, chunk: usize) {
        let Some(rest) = self.chunks[chunk].rest.take() else {
            return;
        };
        let part = chunk * CHUNK..self.len().min((chunk + 1) * CHUNK);
        let estimates = (self.usual[part.clone()].iter_mut())
            .zip(&mut self.scale[part.clone()])
            .zip(
                self.record[part.clone()]
                    .iter_mut()
                    .zip(&mut self.seen[part.clone()]),
            );
        for (((usual, scale), (record, seen)), value) in estimates.zip(&self.rested[part]) {
            let before = Estimate {
                usual: *usual,
                scale: *scale,
                record: *record,
                seen: (*seen).into(),
            };
            let now = rest.apply(before, *value);
            (*usual, *scale, *record) = (now.usual, now.scale, now.record);
            *seen = now.seen as u8;
        }
    }

    /// Returns the distance beyond which a value is unusual: three scales, and at least the floor.
    #[inline]
    pub(super) fn spread(&self, at: usize) -> f64 {
        let of = match self.chunks[at / CHUNK].rest {
            None => Estimate {
                usual: self.usual[at],
                scale: self.scale[at],
                ..Estimate::default()
            },
            Some(_) => self.estimate(at),
        };
        of.spread(self.floors[at]).into()
    }

    /// Returns what is usual for a series; `None` if it has too few values.
    pub(super) fn get(&self, at: usize) -> Option<Usual> {
        let floor = self.floors.get(at).copied().filter(|floor| *floor > 0.0)?;
        let of = self.estimate(at);
        (of.seen >= KNOWN).then(|| Usual {
            value: of.usual.into(),
            scale: of.scale.into(),
            floor: floor_of(floor, of.usual).into(),
        })
    }

    /// Notes which values changed since the frame before: those of the groups that are not
    /// [still](stats_core::source::Survey::still_groups).
    pub(super) fn note_changes(&mut self, still_groups: &[bool]) {
        let mut groups = still_groups.chunks(CHUNK / SURVEY_GROUP);
        for chunk in &mut self.chunks {
            let groups = groups.next().unwrap_or(&[false]);
            chunk.has_changed |= !groups.iter().fold(true, |all, is_still| all & is_still);
        }
    }

    /// Notes that any value may have changed.
    pub(super) fn note_all_changed(&mut self) {
        self.note_changes(&[]);
    }

    /// Learns the values of a frame; NaN stands for a missing value. Does not read those of resting
    /// chunks, unless a change was [noted](Self::note_changes).
    pub(super) fn learn(&mut self, values: &[f64]) {
        let len = self.len().min(values.len());
        let half = (len / 2).next_multiple_of(CHUNK);
        let is_halved = len > HALVED;
        // This is the Thue-Morse sequence. Each half learns as many even frames as odd frames, so
        // that work in every second frame is usual for both halves.
        let is_second_half = self.halves.count_ones() % 2 == 1;
        let part = match (is_halved, is_second_half) {
            (false, _) => 0..len,
            (true, false) => 0..half,
            (true, true) => half..len,
        };
        self.halves += u64::from(is_halved);
        let forget = if is_halved { FORGET * FORGET } else { FORGET };
        // In single precision first, so that the loop processes four series at once, not two.
        let mut singles = [0.0; CHUNK];
        for start in part.clone().step_by(CHUNK) {
            let number = start / CHUNK;
            let has_changed = std::mem::take(&mut self.chunks[number].has_changed);
            if let Some(rest) = self.chunks[number].rest.as_mut().filter(|_| !has_changed) {
                rest.add(forget);
                continue;
            }
            self.wake(number);
            let chunk = start..part.end.min(start + CHUNK);
            for (single, value) in singles.iter_mut().zip(&values[chunk.clone()]) {
                *single = *value as f32;
            }
            self.learn_chunk(chunk.clone(), &singles, forget);
            // Values of series beyond those of the frame are not known.
            let is_whole = chunk.len() == CHUNK;
            if !has_changed && is_whole && self.may_rest(chunk.clone(), &singles) {
                self.rested[chunk].copy_from_slice(&singles);
                self.chunks[number].rest = Some(Rest::BEGUN);
            }
        }
    }

    /// Returns whether each series of a chunk would learn the same value by the formula for rests.
    /// Without a value, it learns nothing.
    fn may_rest(&self, chunk: Range<usize>, values: &[f32; CHUNK]) -> bool {
        let estimates = (self.usual[chunk.clone()].iter())
            .zip(&self.scale[chunk.clone()])
            .zip(&self.record[chunk.clone()]);
        let ages = self.floors[chunk.clone()].iter().zip(&self.seen[chunk]);
        let all = values.iter().zip(estimates.zip(ages));
        all.fold(true, |all, (value, (estimate, (floor, seen)))| {
            let ((usual, scale), record) = estimate;
            let floor = floor_of(*floor, *usual);
            let limit = 3.0 * if *scale > floor { *scale } else { floor };
            let distance = (value - usual).abs();
            let is_constant = (distance == 0.0) & (*scale == 0.0) & (*record == 0.0);
            let is_within = (distance <= limit) & (f32::from(*seen) == YOUNG);
            // NaN is not within, and not finite.
            all & (is_constant | is_within | !value.is_finite())
        })
    }

    /// Replaces each usual value that is far from the given value of its series.
    pub(super) fn restart(&mut self, values: impl Iterator<Item = f32>) {
        (0..self.chunks.len()).for_each(|chunk| self.wake(chunk));
        for (at, value) in values.enumerate().take(self.len()) {
            let floor = floor_of(self.floors[at], self.usual[at]);
            let limit = 3.0 * self.scale[at].max(floor);
            let distance = (value - self.usual[at]).abs();
            // An unknown value is never farther.
            if distance > limit && distance < f32::INFINITY {
                self.usual[at] = value;
            }
        }
    }

    fn learn_chunk(&mut self, chunk: Range<usize>, values: &[f32; CHUNK], forget: f32) {
        let all = chunk.start..self.len().min(chunk.start + CHUNK);
        let is_old = &mut self.chunks[chunk.start / CHUNK].is_old;
        let seen = &mut self.seen[all];
        let estimates = (self.usual[chunk.clone()].iter_mut())
            .zip(&mut self.scale[chunk.clone()])
            .zip(&mut self.record[chunk.clone()]);
        let estimates = estimates.zip(values.iter().zip(&self.floors[chunk]));
        let learn = |estimate: ((&mut f32, &mut f32), &mut f32), value, floor, seen| {
            let ((usual, scale), record) = estimate;
            let before = Estimate {
                usual: *usual,
                scale: *scale,
                record: *record,
                seen,
            };
            let now = before.learn(value, floor, forget);
            (*usual, *scale, *record) = (now.usual, now.scale, now.record);
            now.seen
        };
        // A constant age saves most of the work.
        if *is_old {
            for (estimate, (value, floor)) in estimates {
                learn(estimate, *value, *floor, YOUNG);
            }
        } else {
            for ((estimate, (value, floor)), seen) in estimates.zip(&mut *seen) {
                *seen = learn(estimate, *value, *floor, f32::from(*seen)) as u8;
            }
            *is_old = seen.iter().all(|seen| f32::from(*seen) == YOUNG);
        }
    }
}

fn floor_of(floor: f32, usual: f32) -> f32 {
    let part = SCALE_PART * usual.abs();
    if part > floor { part } else { floor }
}

/// The estimates for one quantity.
#[derive(Clone, Copy, Debug, Default)]
struct Estimate {
    usual: f32,
    scale: f32,
    record: f32,
    seen: f32,
}

impl Estimate {
    fn spread(self, floor: f32) -> f32 {
        (3.0 * self.scale).max(floor_of(floor, self.usual))
    }

    fn reach(self, floor: f32) -> f32 {
        self.record.max(self.spread(floor))
    }

    /// Returns the estimate after another value, by the rule of this module. Has no branches, so
    /// that one instruction handles several series. Uses comparisons instead of `max` and `min`,
    /// which also check for NaN.
    #[inline(always)]
    fn learn(self, value: f32, floor: f32, forget: f32) -> Self {
        let Self {
            usual,
            scale,
            record,
            seen,
        } = self;
        let is_value = value.abs() < f32::INFINITY;
        let is_first = seen == 0.0;
        let distance = if is_value { value - usual } else { 0.0 };
        let (young, old) = (1.0 / (seen + 1.0), 1.0 / YOUNG);
        let is_early = seen > 0.0 && seen < UNCLAMPED;
        let young = if is_early { LEARN_FIRST } else { young };
        let step = if young > old { young } else { old };
        let step = if is_value { step } else { 0.0 };
        let floor = floor_of(floor, usual);
        let limit = 3.0 * if scale > floor { scale } else { floor };
        let limit = if seen < UNCLAMPED { f32::MAX } else { limit };
        let above = if distance > limit { limit } else { distance };
        let clamped = if above < -limit { -limit } else { above };
        // The first value is the usual one.
        let off = if is_first { 0.0 } else { clamped.abs() };
        let forget = if seen < UNCLAMPED {
            FORGET_FIRST
        } else {
            forget
        };
        let decayed = if is_value { forget * record } else { record };
        let far = if is_first { 0.0 } else { distance.abs() };
        let more = if seen < YOUNG { seen + 1.0 } else { YOUNG };
        Self {
            usual: usual + step * clamped,
            scale: scale + step * (off - scale),
            record: if far > decayed { far } else { decayed },
            seen: if is_value { more } else { seen },
        }
    }
}

/// The usual value of a single quantity that is not a series.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UsualValue(Estimate);

impl UsualValue {
    pub(super) fn usual(&self) -> f64 {
        self.0.usual.into()
    }

    pub(super) fn scale(&self) -> f64 {
        self.0.scale.into()
    }

    pub(super) fn record(&self) -> f64 {
        self.0.record.into()
    }

    /// Returns what is usual for a duration in milliseconds.
    pub(super) fn get(&self) -> Usual {
        Usual {
            value: self.usual(),
            scale: self.scale(),
            floor: floor_of(FLOOR_MS, self.0.usual).into(),
        }
    }

    /// Returns the number of values that were learned, up to 64.
    pub(super) fn values_seen(&self) -> u32 {
        self.0.seen as u32
    }

    /// Makes a duration the usual value, and keeps the scale and the record.
    pub(super) fn restart(&mut self, ms: f64) {
        self.0.usual = ms as f32;
    }

    /// Learns the first durations once more, now that all of them are known. Up to a tenth of them
    /// may be far from the others, such as those of frames that load.
    pub(super) fn relearn(&mut self, first: &mut [f64]) {
        if first.is_empty() {
            return;
        }
        let count = first.len();
        first.sort_unstable_by(f64::total_cmp);
        let median = first[count / 2];
        let mut far: Vec<f64> = first.iter().map(|ms| (ms - median).abs()).collect();
        far.sort_unstable_by(f64::total_cmp);
        let limit = 3.0 * far[count * 9 / 10].max(FLOOR_MS.into());
        for ms in first.iter_mut() {
            *ms = ms.clamp(median - limit, median + limit);
        }
        let usual = first.iter().sum::<f64>() / count as f64;
        let far = first.iter().map(|ms| (ms - usual).abs());
        self.0.usual = usual as f32;
        self.0.scale = (far.clone().sum::<f64>() / count as f64) as f32;
        self.0.record = far.fold(0.0, f64::max) as f32;
    }

    /// Learns a duration. It cannot set a record above `max_record`.
    pub(super) fn learn(&mut self, ms: f64, max_record: f64) {
        self.0 = self.0.learn(ms as f32, FLOOR_MS, FORGET_TIMES);
        self.0.record = self.0.record.min(max_record as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    /// The rule of the module, one series and one frame at a time.
    fn by_the_rule(values: &[f64], floor: f32) -> [f32; 3] {
        let [mut m, mut s, mut r] = [0.0_f32; 3];
        let known = values.iter().map(|x| *x as f32).filter(|x| x.is_finite());
        for (n, x) in known.enumerate() {
            if n == 0 {
                m = x;
                continue;
            }
            let d = x - m;
            let min_scale = floor.max(0.01 * m.abs());
            let l = if n < 16 {
                f32::INFINITY
            } else {
                3.0 * s.max(min_scale)
            };
            let a = if n < 16 {
                0.5
            } else {
                (1.0 / (n + 1) as f32).max(1.0 / 64.0)
            };
            m += a * d.clamp(-l, l);
            s += a * (d.abs().min(l) - s);
            r = (if n < 16 { 0.5 } else { 0.9995 } * r).max(d.abs());
        }
        [m, s, r]
    }

    fn get(usual_values: &UsualValues, at: usize) -> [f32; 3] {
        let of = usual_values.estimate(at);
        [of.usual, of.scale, of.record]
    }

    #[test]
    fn estimates_follow_the_rule_for_series_of_any_age() {
        let mut random = Random::new(1);
        let mut all: Vec<Vec<f64>> = (0..37).map(|_| random.series(500)).collect();
        for series in &mut all {
            for value in series.iter_mut() {
                *value = match random.below(20) {
                    0 => f64::NAN,
                    _ => *value,
                };
            }
        }
        let mut usual_values = UsualValues::default();
        for frame in 0..500 {
            // A new series every ten frames.
            let known = all.len().min(1 + frame / 10);
            (0..known).for_each(|at| usual_values.set(at, 0.5));
            let values: Vec<f64> = all[..known].iter().map(|series| series[frame]).collect();
            learn(&mut usual_values, &values);
        }
        for (at, series) in all.iter().enumerate() {
            let expected = by_the_rule(&series[at * 10..], 0.5);
            for (found, expected) in get(&usual_values, at).into_iter().zip(expected) {
                let is_close = (found - expected).abs() <= 1e-4 * expected.abs().max(1e-3);
                assert!(is_close, "{at}: {found} {expected}");
            }
        }
    }

    /// Learns the values of a frame. Every value may have changed.
    fn learn(usual_values: &mut UsualValues, values: &[f64]) {
        usual_values.note_all_changed();
        usual_values.learn(values);
    }

    /// Returns which groups have the values of the frame before.
    fn still_groups(before: &[f64], values: &[f64]) -> Vec<bool> {
        let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        let groups = before.chunks(SURVEY_GROUP).zip(values.chunks(SURVEY_GROUP));
        groups.map(|(old, new)| bits(old) == bits(new)).collect()
    }

    #[test]
    fn resting_chunks_learn_what_a_pass_over_all_values_teaches() {
        for (series, frames) in [(3 * CHUNK + 20, 3000), (HALVED + 3 * CHUNK, 400)] {
            let mut random = Random::new(series as u64);
            let (mut all, mut some) = (UsualValues::default(), UsualValues::default());
            for at in 0..series {
                for values in [&mut all, &mut some] {
                    values.set(at, [0.5, 0.02][at % 2]);
                }
            }
            let mut values: Vec<f64> = (0..series).map(|at| (at % 50) as f64 / 3.0).collect();
            let (mut rested, mut woken) = (0, 0);
            for frame in 0..frames {
                let before = values.clone();
                let chunks = series.div_ceil(CHUNK);
                if frame < 150 || random.below(40) == 0 {
                    // All values of a few series, or of a chunk, change.
                    let count = [1, CHUNK as u64][random.index(2)];
                    let first = random.index(chunks) * CHUNK;
                    for at in (first..series).take(random.below(count + 1) as usize) {
                        values[at] = match random.below(30) {
                            0 => f64::NAN,
                            1 => f64::INFINITY,
                            2 => 1e6,
                            3..12 => 0.0,
                            _ => (at % 50) as f64 / 3.0 + random.below(100) as f64 / 50.0,
                        };
                    }
                }
                some.note_changes(&still_groups(&before, &values));
                // What is noted in a frame that teaches nothing still counts.
                if random.below(20) > 0 {
                    let resting = |of: &UsualValues| {
                        of.chunks
                            .iter()
                            .filter(|chunk| chunk.rest.is_some())
                            .count()
                    };
                    let before = resting(&some);
                    learn(&mut all, &values);
                    some.learn(&values);
                    rested += resting(&some);
                    woken += usize::from(resting(&some) < before);
                }
                if random.below(500) == 0 {
                    let levels = || values.iter().map(|value| *value as f32 + 1.0);
                    all.restart(levels());
                    some.restart(levels());
                }
                for at in (0..series).skip(frame % 7).step_by(1 + series / 100) {
                    let (found, expected) = (get(&some, at), get(&all, at));
                    let tolerance = 1e-4 * expected[0].abs().max(expected[2]).max(1e-3);
                    for (found, expected) in found.into_iter().zip(expected) {
                        let error = (found - expected).abs();
                        assert!(error <= tolerance, "{frame}, {at}: {found} {expected}");
                    }
                    assert_eq!(some.estimate(at).seen, all.estimate(at).seen);
                }
            }
            assert!(rested > 1000 && woken > 5, "{rested} {woken}");
        }
    }

    #[test]
    fn what_is_usual_is_known_after_32_values() {
        let mut usual_values = UsualValues::default();
        usual_values.set(1, 0.5);
        for count in 1..=100 {
            learn(&mut usual_values, &[10.0; 4]);
            let usual = usual_values.get(1);
            assert_eq!(usual.is_some(), count >= 32, "{count}");
            assert!(usual.is_none_or(|usual| usual.value == 10.0 && usual.bar() == 5.0));
            // 0 and 9 have no series.
            assert_eq!((usual_values.get(0), usual_values.get(9)), (None, None));
        }
    }

    #[test]
    fn the_bar_of_a_spike_is_the_largest_of_its_parts() {
        let bar = |value, scale, floor| {
            let usual = Usual {
                value,
                scale,
                floor,
            };
            usual.bar()
        };
        assert_eq!(bar(-10.0, 0.5, 1.0), 5.0);
        assert_eq!(bar(10.0, 2.0, 1.0), 15.0);
        assert_eq!(bar(0.0, 0.0, 0.5), 0.5);
    }

    #[test]
    fn values_before_a_series_was_added_teach_it_nothing() {
        let mut usual_values = UsualValues::default();
        usual_values.set(3, 0.5);
        (0..100).for_each(|_| learn(&mut usual_values, &[900.0; 4]));
        usual_values.set(1, 0.5);
        (0..100).for_each(|_| learn(&mut usual_values, &[10.0; 4]));
        let expected = by_the_rule(&[10.0; 100], 0.5);
        for (found, expected) in get(&usual_values, 1).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
        }
    }

    #[test]
    fn a_series_whose_values_begin_late_learns_its_first_values() {
        let mut usual_values = UsualValues::default();
        (0..2).for_each(|at| usual_values.set(at, 0.5));
        (0..100).for_each(|_| learn(&mut usual_values, &[10.0]));
        (0..100).for_each(|_| learn(&mut usual_values, &[10.0, 500.0]));
        for (at, expected) in [(0, [10.0; 200].as_slice()), (1, &[500.0; 100])] {
            assert_eq!(get(&usual_values, at), by_the_rule(expected, 0.5), "{at}");
        }
    }

    #[test]
    fn halves_learn_values_of_every_second_frame() {
        let many = HALVED + 2;
        let mut usual_values = UsualValues::default();
        (0..many).for_each(|at| usual_values.set(at, 0.5));
        for frame in 0..600 {
            learn(&mut usual_values, &vec![f64::from(frame % 2) * 10.0; many]);
        }
        for at in [0, many - 1] {
            assert!(get(&usual_values, at)[2] > 4.0, "{at}");
            assert!((3.0..7.0).contains(&get(&usual_values, at)[0]), "{at}");
        }
    }

    #[test]
    fn halves_of_many_series_learn_in_turn() {
        let many = HALVED + 2;
        let mut usual_values = UsualValues::default();
        (0..many).for_each(|at| usual_values.set(at, 0.5));
        for _ in 0..200 {
            learn(&mut usual_values, &vec![10.0; many]);
        }
        for _ in 0..300 {
            learn(&mut usual_values, &vec![14.0; many]);
        }
        for at in [0, many / 2 - 1, many / 2, many - 1] {
            assert!(
                (get(&usual_values, at)[0] - 13.0).abs() < 1.0,
                "{}",
                get(&usual_values, at)[0]
            );
        }
    }
}
