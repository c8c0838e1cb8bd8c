//! Estimates the usual values of a series in 16 bytes, without a history.
//!
//! A spike by this estimate should also be one by the rule of the views
//! (`stats-analysis/src/spike.rs`). That rule keeps the last 120 values of each series on screen; a
//! survey has no room for them. Instead, this estimate keeps three numbers and adjusts them with
//! each value:
//!
//! - the **median** moves by a step that is proportional to the spread, toward the value;
//! - the **spread**, the median distance from the median, grows or shrinks by a few percent. Both
//!   settle where half of the values lie on either side;
//! - the **habit** is the distance above the median that one in eight frames or more reaches. It is
//!   an expectile (Newey and Powell, *Asymmetric least squares estimation and testing*, 1987):
//!   values above pull at it 20 times as hard as values below. A value more than three bars away
//!   moves it as if it were three bars away.
//!
//! A value is a spike if it lies above the median by more than 9 spreads (6 × 1.4826 median
//! absolute deviations), half the median, and 1.5 times the habit. What happens every few frames is
//! therefore usual, as is a slow rise. After a jump to another level, the new level becomes usual
//! within a few dozen frames.
//!
//! Frames of 0 are ignored: a counter of rare events is compared with its other events, not with
//! the zeros between them.

/// The number of values learned before any value counts as unusual.
const LEARNED: u16 = 30;
/// The distance by which a value moves the estimates once they have settled, in spreads.
const STEP: f32 = 0.06;
/// A spike is at least this many spreads above the median.
const SPREADS: f32 = 9.0;
/// A spike also exceeds the median by at least this fraction of the median.
const PART: f32 = 0.5;
/// A spike also exceeds the median by at least this multiple of the habit.
const ABOVE_HABIT: f32 = 1.5;
/// The share of the distance by which the habit moves toward a value above it, and toward a value
/// below it.
const HABIT_UP: f32 = 0.22;
const HABIT_DOWN: f32 = HABIT_UP / 20.0;
/// A value that is farther from the median than this many bars moves the habit as if it were
/// exactly this far away.
const FARTHEST: f32 = 3.0;
/// The spread counts as at least this fraction of the median.
const MIN_SPREAD: f32 = 0.01;
/// Values are clamped to this magnitude so that the estimates stay finite.
const LARGEST: f64 = 1e30;

/// Running estimates of median, spread and habit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UsualValue {
    median: f32,
    spread: f32,
    /// The distance from the median.
    habit: f32,
    learned: u16,
}

impl UsualValue {
    /// An estimate that has learned nothing.
    pub(super) const NEW: Self = Self {
        median: 0.0,
        spread: 0.0,
        habit: 0.0,
        learned: 0,
    };

    /// Returns the usual value.
    pub(super) fn usual(self) -> f64 {
        f64::from(self.median)
    }

    /// Learns a value. Returns whether it is a spike compared with the values before it.
    #[inline]
    pub(super) fn learn(&mut self, value: f64) -> bool {
        value != 0.0 && self.learn_event(value.clamp(-LARGEST, LARGEST) as f32)
    }

    fn learn_event(&mut self, value: f32) -> bool {
        if self.learned == 0 {
            *self = Self {
                median: value,
                spread: value.abs() * 0.1,
                habit: 0.0,
                learned: 1,
            };
            return false;
        }
        let above = value - self.median;
        let spread = self.spread.max(self.median.abs() * MIN_SPREAD);
        let bar = (spread * SPREADS)
            .max(self.median.abs() * PART)
            .max(self.habit * ABOVE_HABIT);
        let step = STEP.max(1.0 / f32::from(self.learned + 1));
        self.median += above.clamp(-spread * step, spread * step);
        self.spread = spread
            * if above.abs() > spread {
                1.0 + step
            } else {
                1.0 - step
            };
        let pull = above.clamp(0.0, bar * FARTHEST) - self.habit;
        self.habit += pull * if pull > 0.0 { HABIT_UP } else { HABIT_DOWN };
        self.learned += u16::from(self.learned < LEARNED);
        self.learned >= LEARNED && above > bar
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    /// Returns the frames of the second half of a series that are spikes.
    fn spikes(frames: u64, mut value: impl FnMut(u64) -> f64) -> Vec<u64> {
        let mut usual = UsualValue::NEW;
        let all = (0..frames).filter(|&frame| usual.learn(value(frame)));
        all.filter(|&frame| frame >= frames / 2).collect()
    }

    #[test]
    fn estimates_approach_the_median_and_the_spread() {
        let mut random = Random::new(11);
        for scale in [1e-6, 1.0, 4e9] {
            let mut usual = UsualValue::NEW;
            let mut medians = 0.0;
            for frame in 0..4000 {
                // Uniform between 5 and 15: median 10, spread 2.5.
                usual.learn(scale * (5.0 + random.below(10_001) as f64 / 1000.0));
                medians += if frame >= 2000 {
                    f64::from(usual.median) / scale / 2000.0
                } else {
                    0.0
                };
            }
            let spread = f64::from(usual.spread) / scale;
            assert!((medians - 10.0).abs() < 0.6, "{medians}");
            assert!((1.5..4.0).contains(&spread), "{spread}");
        }
    }

    #[test]
    fn spikes_are_detected_and_noise_is_not() {
        let mut random = Random::new(12);
        let found = spikes(6000, |frame| {
            let noise = 4.0 + random.below(1000) as f64 / 1000.0;
            noise + if frame % 500 == 499 { 12.0 } else { 0.0 }
        });
        assert_eq!(found, [3499, 3999, 4499, 4999, 5499, 5999]);
    }

    #[test]
    fn a_large_spike_does_not_hide_the_next() {
        let found = spikes(2000, |frame| match frame {
            1500 => 10_000.0,
            1510 => 30.0,
            _ => 10.0,
        });
        assert_eq!(found, [1500, 1510]);
    }

    #[test]
    fn events_every_few_frames_are_usual() {
        let mut random = Random::new(13);
        for every in [2, 3, 4, 6, 8] {
            let found = spikes(6000, |frame| {
                let noise = random.below(100) as f64 / 100.0;
                noise + if frame % every == 0 { 30.0 } else { 10.0 }
            });
            assert!(found.is_empty(), "every {every} frames: {found:?}");
        }
        for every in [40, 100, 400] {
            let found = spikes(6000, |frame| if frame % every == 7 { 30.0 } else { 10.0 });
            assert_eq!(found.len() as u64, 3000 / every, "every {every} frames");
        }
    }

    #[test]
    fn a_slow_rise_is_usual() {
        let mut random = Random::new(14);
        for noise in [0, 5] {
            let found = spikes(20_000, |frame| {
                1000.0 + frame as f64 + random.below(noise + 1) as f64
            });
            assert!(found.is_empty(), "{found:?}");
        }
    }

    #[test]
    fn a_new_level_becomes_usual() {
        let mut usual = UsualValue::NEW;
        for _ in 0..200 {
            usual.learn(10.0);
        }
        assert!(usual.learn(30.0));
        for _ in 0..200 {
            usual.learn(30.0);
        }
        assert!(!usual.learn(30.0) && usual.learn(90.0));
    }

    #[test]
    fn rare_events_are_compared_with_each_other() {
        let mut usual = UsualValue::NEW;
        for frame in 0..5000 {
            assert!(!usual.learn(if frame % 40 == 0 { 1.0 } else { 0.0 }));
        }
        assert!(usual.learn(20.0));
    }

    #[test]
    fn estimates_stay_finite() {
        let mut usual = UsualValue::NEW;
        for frame in 0..20_000 {
            usual.learn([f64::MAX, f64::MIN, 1e-300, -1.0][frame % 4]);
            assert!(usual.median.is_finite() && usual.spread.is_finite());
            assert!(usual.habit.is_finite());
        }
    }
}
