//! The rule by which frames are noticed.

use super::baseline::Baseline;

/// The number of first frames that are never noticed.
const WARM_UP: u32 = 60;
/// The minimum excess in milliseconds.
const MIN_MS: f64 = 1.0;
/// The minimum excess as a multiple of the scale, of the usual time, and of the record.
const SCALES: f64 = 4.0;
const PART: f64 = 0.25;
const RECORDS: f64 = 1.25;
/// The time after a noticed frame during which no other is noticed, in milliseconds.
const DEAD_MS: f64 = 200.0;
/// After this many long frames in a row, their length is a new level.
const LEVEL: u32 = 12;

/// Judges frames by their duration, by their time without waits, and by the time in scopes.
///
/// Vertical synchronization can hide a spike in the duration, and a wait for a worker can hide it
/// in the time without waits. The time in scopes shows work even if a wait beside it is not
/// declared.
#[derive(Clone, Debug, Default)]
pub(super) struct Trigger {
    times: [Baseline; 3],
    since_noticed_ms: f64,
    long_in_a_row: u32,
}

/// The times of a frame, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    pub(super) frame: f64,
    /// The time in waits on the frame's thread.
    pub(super) waits: f64,
    /// The time in other scopes on the frame's thread.
    pub(super) scopes: f64,
}

/// The judgment of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgment {
    /// The baselines learn from it.
    Usual,
    /// It is long, but too soon after a noticed one.
    Long,
    /// It is noticed, and will be explained.
    Noticed,
}

impl Trigger {
    pub(super) fn usual_ms(&self) -> f64 {
        self.times[0].usual()
    }

    pub(super) fn judge(&mut self, times: Times) -> Judgment {
        let measured = [times.frame, times.frame - times.waits, times.scopes];
        let is_long = self.times.iter().zip(measured).any(|(usual, ms)| {
            let rise = ms - usual.usual();
            usual.values_seen() >= WARM_UP
                && rise > MIN_MS
                && rise > SCALES * usual.scale()
                && rise > PART * usual.usual()
                && rise > RECORDS * usual.record()
        });
        let since_noticed_ms = self.since_noticed_ms;
        self.since_noticed_ms += times.frame.max(0.0);
        self.long_in_a_row = if is_long { self.long_in_a_row + 1 } else { 0 };
        if !is_long || self.long_in_a_row > LEVEL {
            for (usual, ms) in self.times.iter_mut().zip(measured) {
                // Frames of the warm-up may be long; their records are limited.
                let max_record = MIN_MS.max(PART * usual.usual());
                usual.learn(ms, max_record.max(SCALES * usual.scale()));
            }
            return Judgment::Usual;
        }
        if since_noticed_ms < DEAD_MS {
            return Judgment::Long;
        }
        self.since_noticed_ms = 0.0;
        Judgment::Noticed
    }
}
