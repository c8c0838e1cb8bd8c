//! Estimates a series' usual value in eight bytes, without a history.
//!
//! Each value moves the median toward it by a step proportional to the spread, and grows or shrinks
//! the spread (the median distance from the median) by a few percent. Both settle where half of the
//! values lie on either side. These are estimates: after a jump to another level, a few dozen
//! frames pass before the new level counts as usual.
//!
//! Frames of 0 are ignored: a counter of rare events is compared with its other events, not with
//! the silence between them.

/// Values learned before any value counts as unusual.
const LEARNT: u16 = 30;
/// How far the estimates move per value once they have settled.
const STEP: f32 = 0.06;
/// A spike is at least this many spreads above the median,
const SPREADS: f32 = 8.0;
/// and at least this fraction of the median above it.
const PART: f32 = 0.5;
/// The spread counts as at least this fraction of the median.
const LEAST_SPREAD: f32 = 0.01;
/// Values are clamped to this magnitude so that the estimates stay finite.
const LARGEST: f64 = 1e30;

/// Running estimates of median and spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Baseline {
    median: f32,
    spread: f32,
    learnt: u16,
}

impl Baseline {
    /// An estimate that has learned nothing.
    pub(super) const NEW: Self = Self {
        median: 0.0,
        spread: 0.0,
        learnt: 0,
    };

    /// Learns a value. Returns whether it is a spike compared with the values before it.
    #[inline]
    pub(crate) fn learn(&mut self, value: f64) -> bool {
        if value == 0.0 {
            return false;
        }
        let value = value.clamp(-LARGEST, LARGEST) as f32;
        if self.learnt == 0 {
            *self = Self {
                median: value,
                spread: value.abs() * 0.1,
                learnt: 1,
            };
            return false;
        }
        let above = value - self.median;
        let spread = self.spread.max(self.median.abs() * LEAST_SPREAD);
        let spikes =
            self.learnt >= LEARNT && above > spread * SPREADS && above > self.median.abs() * PART;
        let step = STEP.max(1.0 / f32::from(self.learnt + 1));
        self.median += above.clamp(-spread * step, spread * step);
        self.spread = spread
            * if above.abs() > spread {
                1.0 + step
            } else {
                1.0 - step
            };
        self.learnt += u16::from(self.learnt < LEARNT);
        spikes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn estimates_approach_the_median_and_the_spread() {
        let mut random = Random::new(11);
        for scale in [1e-6, 1.0, 4e9] {
            let mut usual = Baseline::NEW;
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
        let mut usual = Baseline::NEW;
        for frame in 1..6000 {
            let noise = 4.0 + random.below(1000) as f64 / 1000.0;
            let is_spike = frame % 500 == 0;
            assert_eq!(
                usual.learn(if is_spike { noise + 12.0 } else { noise }),
                is_spike,
                "frame {frame}"
            );
        }
    }

    #[test]
    fn a_new_level_becomes_usual() {
        let mut usual = Baseline::NEW;
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
        let mut usual = Baseline::NEW;
        for frame in 0..5000 {
            assert!(!usual.learn(if frame % 40 == 0 { 1.0 } else { 0.0 }));
        }
        assert!(usual.learn(20.0));
    }

    #[test]
    fn estimates_stay_finite() {
        let mut usual = Baseline::NEW;
        for frame in 0..20_000 {
            usual.learn([f64::MAX, f64::MIN, 1e-300, -1.0][frame % 4]);
            assert!(usual.median.is_finite() && usual.spread.is_finite());
        }
    }
}
