//! One of the times by which frames are judged.

use super::kinds::Kinds;
use super::norm::Norm;
use super::{LARGER, WARM_UP_FRAMES, least_ms};

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
    norm: Norm,
    kinds: Kinds,
    /// The times of the warm-up; empty after it.
    first: Vec<f64>,
    /// The excess of the frame that was noticed last, in milliseconds.
    noticed_rise: f64,
    /// The number of newest frames that were all longer, or all shorter, than usual.
    in_a_row: usize,
    is_shorter: bool,
    /// The times of these frames.
    run: [f64; LEVEL + 1],
    /// Rises by [`NEAR_ONE_IN`] in a usual frame that is [near](NEAR) a hitch, and falls by 1 in any
    /// other.
    near_lately: u16,
    /// Rises by [`OFTEN`] − 1 in a long frame, and falls by 1 in any other.
    long_lately: u32,
}

impl Measure {
    /// Returns what is usual, whatever the kind of a frame is.
    pub(super) fn norm(&self) -> &Norm {
        &self.norm
    }

    /// Returns what is usual for frames of about this time: those of the longer of two kinds, if it
    /// is longer than the mean of both.
    fn norm_of(&self, ms: f64) -> &Norm {
        let longer = self.kinds.longer();
        longer
            .filter(|_| ms > self.norm.usual_ms())
            .unwrap_or(&self.norm)
    }

    /// Returns whether a frame is of the longer of two kinds; `None` if all frames are of one kind,
    /// or the time is not known.
    pub(super) fn is_longer_kind(&self, ms: f64) -> Option<bool> {
        let longer = self.kinds.longer().filter(|_| ms.is_finite());
        longer.map(|_| self.kinds.is_longer(ms))
    }

    /// Returns whether the newest frame was far from usual.
    pub(super) fn is_away(&self) -> bool {
        self.in_a_row > 0
    }

    /// Returns the excess of a long frame, in milliseconds; 0 for any other frame. Also returns
    /// whether the time has reached a new level.
    pub(super) fn judge(&mut self, ms: f64, is_explained: &impl Fn(f64) -> bool) -> (f64, bool) {
        let mut rise = self.rise(ms);
        if rise > 0.0 && !self.norm_of(ms).is_beyond(rise) && !is_explained(rise) {
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
            self.norm.restart(self.run[LEVEL / 2]);
            self.kinds.restart(&self.norm);
            (self.in_a_row, self.long_lately, self.noticed_rise) = (0, 0, 0.0);
            let rise = Some(self.rise(ms)).filter(|rise| self.norm.is_beyond(*rise));
            return (rise.unwrap_or_default(), true);
        }
        let is_often = self.long_lately == MAX_LONG_LATELY;
        (if is_often { 0.0 } else { rise.max(0.0) }, false)
    }

    /// Returns how far a time is from usual, in milliseconds; 0 if it is near, and negative if it
    /// is shorter.
    fn rise(&self, ms: f64) -> f64 {
        if self.norm.times_seen() < WARM_UP_FRAMES {
            return 0.0;
        }
        let norm = self.norm_of(ms);
        // Between two kinds, a time is near both.
        let is_between = ms > self.norm.usual_ms() && ms < norm.usual_ms();
        if is_between { 0.0 } else { norm.rise(ms) }
    }

    /// Returns whether an excess is much larger than that of the frame that was noticed last.
    pub(super) fn is_larger(&self, rise: f64) -> bool {
        rise > LARGER * self.noticed_rise
    }

    /// Notes the time of a noticed frame.
    pub(super) fn note_noticed(&mut self, ms: f64) {
        self.noticed_rise = (ms - self.norm_of(ms).usual_ms()).max(0.0);
    }

    /// Learns the time of a usual frame. `others_ms` is the scale of what it contains of other programs.
    pub(super) fn learn(&mut self, ms: f64, others_ms: f64) {
        let usual_ms = self.norm_of(ms).usual_ms();
        let near_ms = NEAR * least_ms(usual_ms);
        self.near_lately = if ms - usual_ms >= near_ms {
            (self.near_lately + NEAR_ONE_IN).min(NEAR_OFTEN + NEAR_ONE_IN)
        } else {
            self.near_lately.saturating_sub(1)
        };
        // If there are many peaks near a hitch, those that are a little longer are no hitches, either.
        let is_near_often = self.near_lately >= NEAR_OFTEN;
        let least_record = if is_near_often { near_ms } else { 0.0 };
        let before = self.norm.times_seen();
        let has_first = before >= WARM_UP_FRAMES;
        self.norm.learn(ms, least_record, has_first);
        if has_first {
            self.kinds.learn(ms, &self.norm, others_ms);
            return;
        }
        let seen = self.norm.times_seen();
        // An unknown time is not learned.
        if seen > before {
            self.first.push(ms);
        }
        if seen == WARM_UP_FRAMES {
            let mut first = std::mem::take(&mut self.first);
            self.norm.relearn(&mut first);
            self.kinds.begin(&first, &self.norm);
        }
    }
}
