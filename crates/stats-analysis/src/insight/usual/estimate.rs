//! The usual value, the scale and the record of one quantity.

use super::{Usual, YOUNG};

/// The number of first values that are not clamped.
const UNCLAMPED: f32 = 16.0;
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

pub(super) fn floor_of(floor: f32, usual: f32) -> f32 {
    let part = SCALE_PART * usual.abs();
    if part > floor { part } else { floor }
}

/// The estimates for one quantity.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimate {
    pub(super) usual: f32,
    pub(super) scale: f32,
    pub(super) record: f32,
    pub(super) seen: f32,
}

impl Estimate {
    pub(super) fn spread(self, floor: f32) -> f32 {
        (3.0 * self.scale).max(floor_of(floor, self.usual))
    }

    pub(super) fn reach(self, floor: f32) -> f32 {
        self.record.max(self.spread(floor))
    }

    /// Returns the estimate after another value, by the rule of this module. Has no branches, so
    /// that one instruction handles several series. Uses comparisons instead of `max` and `min`,
    /// which also check for NaN.
    #[inline(always)]
    pub(super) fn learn(self, value: f32, floor: f32, forget: f32) -> Self {
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
pub(in super::super) struct UsualValue(Estimate);

impl UsualValue {
    /// Creates the usual value of a duration that was learned.
    pub(in super::super) fn new(usual_ms: f64, scale_ms: f64) -> Self {
        Self(Estimate {
            usual: usual_ms as f32,
            scale: scale_ms as f32,
            record: 0.0,
            seen: YOUNG,
        })
    }

    pub(in super::super) fn usual(&self) -> f64 {
        self.0.usual.into()
    }

    pub(in super::super) fn scale(&self) -> f64 {
        self.0.scale.into()
    }

    pub(in super::super) fn record(&self) -> f64 {
        self.0.record.into()
    }

    /// Returns what is usual for a duration in milliseconds.
    pub(in super::super) fn get(&self) -> Usual {
        Usual {
            value: self.usual(),
            scale: self.scale(),
            floor: floor_of(FLOOR_MS, self.0.usual).into(),
        }
    }

    /// Returns the number of values that were learned, up to 64.
    pub(in super::super) fn values_seen(&self) -> u32 {
        self.0.seen as u32
    }

    /// Makes a duration the usual value, and keeps the scale and the record.
    pub(in super::super) fn restart(&mut self, ms: f64) {
        self.0.usual = ms as f32;
    }

    /// Learns the first durations once more, now that all of them are known. Up to a tenth of them
    /// may be far from the rest, such as the durations of frames that load.
    pub(in super::super) fn relearn(&mut self, first: &mut [f64]) {
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
    pub(in super::super) fn learn(&mut self, ms: f64, max_record: f64) {
        self.0 = self.0.learn(ms as f32, FLOOR_MS, FORGET_TIMES);
        self.0.record = self.0.record.min(max_record as f32);
    }
}
