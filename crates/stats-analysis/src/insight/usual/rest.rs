//! Series whose values stay the same.
//!
//! Chunks of 256 series whose values stay the same **rest**: a frame does not read them. Each series of
//! such a chunk either never had another value, or has learned 64 values, and its distance is within
//! the limit. It stays there, because the scale shrinks no faster than the distance. After k more
//! frames with the same value:
//!
//! ```text
//! m = x − q · d
//! s = q · s + k · α · (1 − α)^(k − 1) · |d|      q = (1 − α)^k
//! r = 0.9995^(k − 1) · max(0.9995 · r, |d|)
//! ```
//!
//! These factors are the same for all series of a chunk. A resting chunk is updated by them when a
//! value of it changes, and a reader of a single series computes the same.

use super::{Estimate, YOUNG};

/// The factor that counts as 0. Arithmetic with numbers below 1e-38 takes far longer.
const NOTHING: f32 = 1e-30;

/// The factors of the frames in which a chunk rested.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// Of the distance from the usual value, and of the scale.
    shrunk: f32,
    /// Of the distance, as a part of the scale.
    spread: f32,
    /// Of the record.
    kept: f32,
    /// Of the distance, as a record.
    far: f32,
    /// The number of frames, up to [`YOUNG`].
    frames: f32,
}

impl Rest {
    pub(super) const BEGUN: Self = Self {
        shrunk: 1.0,
        spread: 0.0,
        kept: 1.0,
        far: 0.0,
        frames: 0.0,
    };

    /// Adds a frame.
    pub(super) fn add(&mut self, forget: f32) {
        let step = 1.0 / YOUNG;
        self.spread = (1.0 - step) * self.spread + step * self.shrunk;
        self.shrunk *= 1.0 - step;
        // In the first frame, the distance itself becomes a record.
        self.far = if self.frames == 0.0 {
            1.0
        } else {
            forget * self.far
        };
        self.kept *= forget;
        for factor in [
            &mut self.spread,
            &mut self.shrunk,
            &mut self.far,
            &mut self.kept,
        ] {
            if *factor < NOTHING {
                *factor = 0.0;
            }
        }
        self.frames = (self.frames + 1.0).min(YOUNG);
    }

    /// Returns the estimates of a series with this value after the frames.
    #[inline(always)]
    pub(super) fn apply(self, before: Estimate, value: f32) -> Estimate {
        let is_value = value.abs() < f32::INFINITY;
        let distance = if is_value { value - before.usual } else { 0.0 };
        let (kept, far) = (self.kept * before.record, self.far * distance.abs());
        let now = Estimate {
            usual: value - self.shrunk * distance,
            scale: self.shrunk * before.scale + self.spread * distance.abs(),
            record: if far > kept { far } else { kept },
            seen: (before.seen + self.frames).min(YOUNG),
        };
        if is_value { now } else { before }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_of_the_same_value_leave_that_value_alone() {
        let mut rest = Rest::BEGUN;
        (0..500_000).for_each(|_| rest.add(0.9995));
        let before = Estimate {
            usual: 1.0,
            scale: 1.0,
            record: 5.0,
            seen: YOUNG,
        };
        let now = rest.apply(before, 2.0);
        assert_eq!([now.usual, now.scale, now.record], [2.0, 0.0, 0.0]);
    }
}
