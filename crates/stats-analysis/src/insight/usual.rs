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
//! [`estimate`] is the rule for one quantity, and [`rest`] says which series a frame does not read.

use std::ops::Range;

use stats_core::limits::SURVEY_GROUP;

use super::facts::grow;
pub(super) use estimate::UsualValue;
use estimate::{Estimate, floor_of};
use rest::Rest;

mod estimate;
mod rest;

/// The number of values after which a series learns at a constant rate.
const YOUNG: f32 = 64.0;
/// With more series than this, only one half of them learns each frame.
const HALVED: usize = 32_000;
/// The number of series that learn at once.
const CHUNK: usize = 256;
const _: () = assert!(CHUNK.is_multiple_of(SURVEY_GROUP));
/// The factor by which a record decays in each frame.
const FORGET: f32 = 0.9995;

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

    /// Returns the distance that counts as none for a series.
    pub(super) fn floor(&self, at: usize) -> f32 {
        let floor = self.floors.get(at).copied().unwrap_or_default();
        floor_of(floor, self.usual_of(at) as f32)
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

#[cfg(test)]
mod tests;
