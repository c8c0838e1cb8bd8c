//! What is usual for a time, and how far from it a time is unusual.

use super::super::usual::{Usual, UsualValue};
use super::tail::Tail;
use super::{MIN_MS, least_rise};

/// The minimum excess as a multiple of the record.
const RECORDS: f64 = 1.25;

/// What is usual for a time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Norm {
    value: UsualValue,
    tail: Tail,
}

impl Norm {
    /// Creates a norm that was learned.
    pub(super) fn new(usual_ms: f64, scale_ms: f64) -> Self {
        let value = UsualValue::new(usual_ms, scale_ms);
        let tail = Tail::new(scale_ms);
        Self { value, tail }
    }

    pub(super) fn usual_ms(&self) -> f64 {
        self.value.usual()
    }

    pub(super) fn scale_ms(&self) -> f64 {
        self.value.scale()
    }

    pub(super) fn get(&self) -> Usual {
        self.value.get()
    }

    /// Returns the number of times that were learned, up to 64.
    pub(super) fn times_seen(&self) -> u32 {
        self.value.values_seen()
    }

    /// Returns how far a time is from usual, in milliseconds; 0 if it is near, and negative if it
    /// is shorter.
    pub(super) fn rise(&self, ms: f64) -> f64 {
        let rise = ms - self.usual_ms();
        if rise.abs() > least_rise(self.usual_ms(), self.scale_ms()) {
            rise
        } else {
            0.0
        }
    }

    /// Returns whether an excess is beyond those of usual frames.
    pub(super) fn is_beyond(&self, rise: f64) -> bool {
        rise > self.spread() && rise > RECORDS * self.value.record()
    }

    /// Returns the distance from usual that usual frames rarely exceed.
    fn spread(&self) -> f64 {
        self.tail.end() * self.scale_ms().max(self.tail.scale())
    }

    /// Learns a time. Its record is at most `least_record`, 1 ms or the noise, whichever is largest.
    ///
    /// So frames of the warm-up may be long, and a peak that is a little too short to be noticed does
    /// not hide the next one.
    pub(super) fn learn(&mut self, ms: f64, least_record: f64, learns_tail: bool) {
        if learns_tail && ms.is_finite() {
            self.tail.learn(ms - self.usual_ms());
        }
        let max_record = MIN_MS.max(self.spread()).max(least_record);
        self.value.learn(ms, max_record);
    }

    /// Learns the first times once more, now that all of them are known.
    pub(super) fn relearn(&mut self, first: &mut [f64]) {
        self.value.relearn(first);
        self.tail.begin(self.scale_ms(), first.len());
    }

    /// Makes a time the usual one, and keeps the scale and the record.
    pub(super) fn restart(&mut self, ms: f64) {
        self.value.restart(ms);
    }
}
