//! The rule by which frames are noticed.

use super::usual::{Usual, UsualValue};
use measure::Measure;

mod kinds;
mod measure;
mod norm;
mod tail;

/// The number of frames at the beginning of a run that are never hitches. They show what is usual.
pub const WARM_UP_FRAMES: u32 = 60;
/// The minimum excess in milliseconds.
pub(super) const MIN_MS: f64 = 1.0;
/// The minimum excess as a multiple of the usual time.
pub(super) const MIN_PART: f64 = 0.25;
/// The excess that a player sees, however long a usual frame is: a refresh of a display of 240 Hz,
/// which is also about [`MIN_PART`] of a frame at 60 Hz.
const SEEN_MS: f64 = 1e3 / 240.0;
/// A time is far from usual if its distance is more than this many scales.
const SCALES: f64 = 4.0;
/// A frame within the noise is noticed if its unusual scopes, and the time in no scope if that is
/// unusual, explain at least this share of its excess.
const EXPLAINED: f64 = 0.5;
/// A time explains the excess only if it is longer than usual by more than this many times three
/// scales. Its record does not matter: a stall in a frame that was short otherwise may have set it.
pub(super) const SURE: f64 = 4.0;
/// The time after a noticed frame, in milliseconds and in frames, whichever ends first, during which
/// another one is noticed only if its excess is this many times as large.
const DEAD_MS: f64 = 200.0;
/// So long at 60 Hz. A stall that recurs every 45 frames is one hitch each time, however fast the game is.
const DEAD_FRAMES: u32 = 12;
const LARGER: f64 = 1.5;
/// The position of the running time in [`Trigger::measures`].
const RUNNING: usize = 3;

/// Judges frames by their duration, by their time without waits, by the time in scopes, and by the
/// time in which their thread ran.
///
/// Vertical synchronization can hide a spike in the duration, and a wait for a worker can hide it
/// in the time without waits. The time in scopes shows the work even if the wait is not declared.
/// On a busy machine, these three vary with the time in which the thread waited for a processor. The
/// running time does not. It includes the time for which another thread ran longer than usual, as far as
/// the frame waited for that.
#[derive(Clone, Debug, Default)]
pub(super) struct Trigger {
    /// The duration, the time without waits, the time in scopes, and the [running](RUNNING) time with
    /// that of another thread for which the frame waited.
    measures: [Measure; 4],
    /// The time in no scope.
    outside: UsualValue,
    /// The time in which the thread waited for a processor.
    ready: UsualValue,
    since_noticed_ms: f64,
    /// The number of frames since then.
    since_noticed: u32,
    was_long: bool,
    has_new_level: bool,
    is_longer_kind: Option<bool>,
}

/// The times of a frame, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    pub(super) frame: f64,
    /// The time in waits on the frame's thread.
    pub(super) waits: f64,
    /// The time in other scopes on the frame's thread.
    pub(super) scopes: f64,
    /// The time in which the thread ran, and in which it waited for a processor, if the system tells.
    pub(super) system: Option<(f64, f64)>,
}

/// The judgment of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgment {
    /// The usual values learn from it.
    Usual,
    /// The frame is long, but it comes too soon after a noticed frame that was about as long. Or it
    /// did more work than usual in less time.
    Long,
    /// It is noticed, and will be explained.
    Noticed,
}

/// Returns the minimum excess of a noticed frame, in milliseconds, by the usual time.
pub(super) fn least_ms(usual_ms: f64) -> f64 {
    MIN_MS.max((MIN_PART * usual_ms).min(SEEN_MS))
}

/// Returns the excess from which on a time is far from usual, in milliseconds, by the usual time and its
/// scale. A longer time must also be beyond the [`tail`], unless a few scopes explain it.
pub(super) fn least_rise(usual_ms: f64, scale_ms: f64) -> f64 {
    least_ms(usual_ms).max(SCALES * scale_ms)
}

impl Trigger {
    pub(super) fn usual_ms(&self) -> f64 {
        self.measures[0].norm().usual_ms()
    }

    /// Returns how much less than usual the thread of a frame waited for a processor, in milliseconds;
    /// 0 if it is less than [`MIN_MS`].
    ///
    /// On a busy machine, such a frame is short, whatever it does.
    pub(super) fn spared_ms(&self, system: Option<(f64, f64)>) -> f64 {
        let spared_ms = system.map_or(0.0, |(_, ready_ms)| self.ready.usual() - ready_ms);
        // What the thread usually runs for, no frame is spared.
        let running_ms = self.measures[RUNNING].norm().usual_ms();
        let spared_ms = spared_ms.min(self.usual_ms() - running_ms);
        if spared_ms >= MIN_MS { spared_ms } else { 0.0 }
    }

    /// Returns what is usual for the frame time, in milliseconds.
    pub(super) fn usual(&self) -> Usual {
        self.measures[0].norm().get()
    }

    /// Returns the number of frames that the warm-up still lacks.
    pub(super) fn frames_to_learn(&self) -> u32 {
        WARM_UP_FRAMES.saturating_sub(self.measures[0].norm().times_seen())
    }

    /// Returns whether any of the newest frames' times was far from usual.
    pub(super) fn is_away(&self) -> bool {
        self.measures.iter().any(Measure::is_away)
    }

    /// Returns whether a time reached a new level in the newest frame.
    pub(super) fn has_new_level(&self) -> bool {
        self.has_new_level
    }

    /// Returns whether the newest frame was of the longer of two kinds; `None` if all frames are of one
    /// kind. The running time says it best, then the time in scopes, and then the time without waits.
    pub(super) fn is_longer_kind(&self) -> Option<bool> {
        self.is_longer_kind
    }

    /// Adds the time of frames that are not judged.
    pub(super) fn skip(&mut self, ms: f64) {
        self.note_time(ms);
        self.was_long = false;
    }

    fn note_time(&mut self, ms: f64) {
        self.since_noticed_ms += ms.max(0.0);
        self.since_noticed = self.since_noticed.saturating_add(1);
    }

    /// Judges a frame. `new_ms` returns the total excess of the scopes that took longer than usual
    /// by more than [`SURE`] times the distance beyond which a time is unusual. `waited_for_ms` returns
    /// how much longer than usual the frame waited for another thread that, as the system tells, ran
    /// longer.
    pub(super) fn judge(
        &mut self,
        times: Times,
        new_ms: impl Fn() -> f64,
        waited_for_ms: impl FnOnce() -> f64,
    ) -> Judgment {
        let outside_ms = times.frame - times.waits - times.scopes;
        let outside = self.outside;
        let new_ms = || {
            let excess_ms = outside_ms - outside.usual();
            let is_new = excess_ms > SURE * 3.0 * outside.scale();
            new_ms() + if is_new { excess_ms } else { 0.0 }
        };
        let is_explained = |excess_ms: f64| new_ms() >= EXPLAINED * excess_ms;
        let (running_ms, ready_ms) = times.system.unwrap_or((f64::NAN, f64::NAN));
        let (mut is_long, mut is_larger) = (false, false);
        // More work is not a hitch if a shorter wait more than offsets it, unless that wait was only for
        // a processor.
        let longer_ms = times.frame + self.spared_ms(times.system) - self.usual_ms();
        let is_shorter = longer_ms < -MIN_MS;
        let waited_for_ms = if longer_ms >= MIN_MS && times.system.is_some() {
            waited_for_ms()
        } else {
            0.0
        };
        let measured = [
            times.frame,
            times.frame - times.waits,
            times.scopes,
            running_ms + waited_for_ms,
        ];
        let by_time = self.measures.iter().zip(measured).rev();
        let mut kinds = by_time.map(|(measure, ms)| measure.is_longer_kind(ms));
        self.is_longer_kind = kinds.find_map(|kind| kind);
        self.has_new_level = false;
        for (at, (measure, ms)) in self.measures.iter_mut().zip(measured).enumerate() {
            let (rise, is_new_level) = measure.judge(ms, &is_explained);
            self.has_new_level |= is_new_level;
            // Builds beside the program began or ended.
            if at == 0 && is_new_level && ready_ms.is_finite() {
                self.ready.restart(ready_ms);
            }
            is_long |= rise > 0.0;
            is_larger |= measure.is_larger(rise);
        }
        let is_dead = self.since_noticed_ms < DEAD_MS && self.since_noticed < DEAD_FRAMES;
        self.note_time(times.frame);
        let was_long = std::mem::replace(&mut self.was_long, is_long && !is_shorter);
        let measures = self.measures.iter_mut().zip(measured);
        if !is_long {
            let others_ms = self.ready.scale();
            for (at, (measure, ms)) in measures.enumerate() {
                measure.learn(ms, if at == RUNNING { 0.0 } else { others_ms });
            }
            self.outside.learn(outside_ms, f64::INFINITY);
            self.ready.learn(ready_ms, f64::INFINITY);
            return Judgment::Usual;
        }
        // Long frames in a row are one hitch.
        if is_shorter || (was_long || is_dead) && !is_larger {
            return Judgment::Long;
        }
        (self.since_noticed_ms, self.since_noticed) = (0.0, 0);
        measures.for_each(|(measure, ms)| measure.note_noticed(ms));
        Judgment::Noticed
    }
}

#[cfg(test)]
mod tests;
