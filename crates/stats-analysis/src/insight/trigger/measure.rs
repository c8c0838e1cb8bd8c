//! One of the times by which frames are judged.

use super::super::usual::UsualValue;
use super::tail::Tail;
use super::{MIN_MS, WARM_UP_FRAMES, least_ms};

/// The minimum excess as a multiple of the record.
const RECORDS: f64 = 1.25;
/// A time is far from usual if its distance is more than this many scales. A longer time must also
/// be beyond the [`Tail`], unless a few scopes explain it.
const SCALES: f64 = 4.0;
/// A time that exceeds the usual one by this share of the minimum excess is near a hitch.
const NEAR: f64 = 0.9;
/// If more than one frame in this many is near a hitch, such peaks are usual.
const NEAR_ONE_IN: u16 = 300;
/// The [`Measure::near_lately`] after the fourth of such peaks.
const NEAR_OFTEN: u16 = 3 * NEAR_ONE_IN;
/// If more than this many consecutive frames are all longer, or all shorter, than usual, their time
/// is a new level.
const LEVEL: usize = 12;
/// If more than one in this many frames is long for a while, long frames are usual.
pub(super) const OFTEN: u32 = 5;
/// The maximum of [`Measure::long_lately`], at which long frames are usual.
const MAX_LONG_LATELY: u32 = 16 * (OFTEN - 1);

/// One of the times by which frames are judged.
#[derive(Clone, Debug, Default)]
pub(super) struct Measure {
    pub(super) usual: UsualValue,
    /// The times of the warm-up; empty after it.
    first: Vec<f64>,
    /// The excess of the frame that was noticed last, in milliseconds.
    pub(super) noticed_rise: f64,
    /// The number of newest frames that were all longer, or all shorter, than usual.
    pub(super) in_a_row: usize,
    is_shorter: bool,
    /// Rises by [`NEAR_ONE_IN`] in a usual frame that is [near](NEAR) a hitch, and falls by 1 in any
    /// other.
    near_lately: u16,
    /// The times of these frames.
    run: [f64; LEVEL + 1],
    /// Rises by [`OFTEN`] − 1 in a long frame, and falls by 1 in any other.
    long_lately: u32,
    tail: Tail,
}

impl Measure {
    /// Returns the excess of a long frame, in milliseconds; 0 for any other frame. Also returns
    /// whether the time has reached a new level.
    pub(super) fn judge(&mut self, ms: f64, is_explained: &impl Fn(f64) -> bool) -> (f64, bool) {
        let mut rise = self.rise(ms);
        if rise > 0.0 && !self.is_beyond(rise) && !is_explained(rise) {
            rise = 0.0;
        }
        if rise == 0.0 || (rise < 0.0) != self.is_shorter {
            self.in_a_row = 0;
        }
        self.is_shorter = rise < 0.0;
        self.long_lately = if rise > 0.0 {
            (self.long_lately + OFTEN - 1).min(MAX_LONG_LATELY)
        } else {
            self.long_lately.saturating_sub(1)
        };
        if rise == 0.0 {
            return (0.0, false);
        }
        self.run[self.in_a_row] = ms;
        self.in_a_row += 1;
        if self.in_a_row == self.run.len() {
            // The median, because the newest frame may be a hitch, and the first one a transition.
            self.run.sort_unstable_by(f64::total_cmp);
            self.usual.restart(self.run[LEVEL / 2]);
            (self.in_a_row, self.long_lately, self.noticed_rise) = (0, 0, 0.0);
            let rise = Some(self.rise(ms)).filter(|rise| self.is_beyond(*rise));
            return (rise.unwrap_or_default(), true);
        }
        let is_often = self.long_lately == MAX_LONG_LATELY;
        (if is_often { 0.0 } else { rise.max(0.0) }, false)
    }

    /// Returns how far a time is from usual, in milliseconds; 0 if it is near, and negative if it
    /// is shorter.
    fn rise(&self, ms: f64) -> f64 {
        let Self { usual, .. } = self;
        let rise = ms - usual.usual();
        let far = rise.abs();
        let is_far = usual.values_seen() >= WARM_UP_FRAMES
            && far > least_ms(usual.usual())
            && far > SCALES * usual.scale();
        if is_far { rise } else { 0.0 }
    }

    /// Returns whether an excess is beyond those of usual frames.
    fn is_beyond(&self, rise: f64) -> bool {
        rise > self.spread() && rise > RECORDS * self.usual.record()
    }

    /// Returns the distance from usual that usual frames rarely exceed.
    fn spread(&self) -> f64 {
        self.tail.end() * self.usual.scale().max(self.tail.scale)
    }

    pub(super) fn learn(&mut self, ms: f64) {
        let near_ms = NEAR * least_ms(self.usual.usual());
        self.near_lately = if ms - self.usual.usual() >= near_ms {
            (self.near_lately + NEAR_ONE_IN).min(NEAR_OFTEN + NEAR_ONE_IN)
        } else {
            self.near_lately.saturating_sub(1)
        };
        if self.usual.values_seen() >= WARM_UP_FRAMES {
            self.tail.learn(ms - self.usual.usual());
        }
        // Limits the record to the noise: frames of the warm-up may be long, and a peak that is a
        // little too short to be noticed must not hide the next one.
        // If there are many such peaks, those that are a little longer are no hitches, either.
        let max_record = MIN_MS.max(self.spread());
        let max_record = if self.near_lately >= NEAR_OFTEN {
            max_record.max(near_ms)
        } else {
            max_record
        };
        let before = self.usual.values_seen();
        self.usual.learn(ms, max_record);
        let seen = self.usual.values_seen();
        // An unknown time is not learned.
        if seen > before && seen <= WARM_UP_FRAMES {
            self.first.push(ms);
            if seen == WARM_UP_FRAMES {
                self.usual.relearn(&mut std::mem::take(&mut self.first));
                (self.tail.scale, self.tail.frames) = (self.usual.scale(), seen.into());
            }
        }
    }
}
