//! The spike rule: which frames of a series stand out.
//!
//! A spike is a frame that a player may have noticed, or that costs far more than its neighbors. A
//! fixed bar cannot tell: 20 ms is a spike in a game at 100 frames per second and a good frame in
//! one at 30. So a series without a budget sets its own bar.
//!
//! A frame is a spike if its value exceeds
//!
//! - the series' **budget**, if it has one; or
//! - the **bar** set by its recent past: the 120 frames before it. With fewer than 16 frames of
//!   past there is no bar.
//!
//! The bar lies above the median of the past by the largest of
//!
//! - **6 × 1.4826 × MAD**, where MAD is the median absolute deviation: the median of the distances
//!   from the median. This is Hampel's identifier (*The influence curve and its role in robust
//!   estimation*, 1974); the factor 1.4826 makes the MAD an estimate of the standard deviation of
//!   normally distributed values. Iglewicz and Hoaglin (*How to detect and handle outliers*, 1993)
//!   call a value an outlier beyond 3.5 such deviations. A game draws frames by the thousand, so
//!   the factor is 6 here;
//! - **half the median**, so that a nearly constant series has no spikes too small to see;
//! - **1.5 × the habit**: the distance from the median to the value that one in eight frames of the
//!   past reaches. What happens every few frames is normal.
//!
//! Median and MAD hardly move with a few outliers, so one spike does not hide the next. A new level
//! counts as spikes only until one in eight frames has reached it. Low values are never spikes.
//!
//! Values are finite; a NaN is never a spike.

use std::collections::VecDeque;

#[cfg(test)]
use stats_core::FrameSlice;

/// The number of frames in the past of a frame: two seconds at 60 frames per second.
pub(crate) const PAST: usize = 120;
/// The least number of frames in a past that sets a bar.
const LEAST_PAST: usize = 16;

/// Scales the MAD to the standard deviation of normally distributed values.
const SIGMA_PER_MAD: f64 = 1.4826;
const SIGMAS: f64 = 6.0;
/// The least distance from the median to the bar, as a multiple of the median.
const LEAST_RISE: f64 = 0.5;
/// A value that one in this many frames reaches is a habit.
const HABIT: usize = 8;
/// The least distance from the median to the bar, as a multiple of the habit's distance.
const ABOVE_HABIT: f64 = 1.5;

/// The limit that a spike exceeds, in the series' unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Over {
    /// The budget of the series.
    Budget(f64),
    /// The bar set by the frame's recent past.
    Usual {
        /// The median of the past.
        usual: f64,
        /// The bar: `usual` plus the distance that the [rule](self) asks for.
        bar: f64,
    },
}

/// A spike's value and the limit it exceeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The frame's value, in the series' unit.
    pub value: f64,
    /// The limit that the value exceeds.
    pub over: Over,
}

impl Over {
    /// Returns what the value is compared with in texts: the budget, or the usual value (not the
    /// bar).
    pub fn reference(self) -> f64 {
        match self {
            Self::Budget(budget) => budget,
            Self::Usual { usual, .. } => usual,
        }
    }
}

impl Verdict {
    /// Returns the value minus its [reference](Over::reference), in the series' unit.
    pub fn excess(&self) -> f64 {
        self.value - self.over.reference()
    }

    /// Returns the value as a multiple of its [reference](Over::reference); `None` if the reference
    /// is not positive or the quotient is not finite.
    pub fn times(&self) -> Option<f64> {
        let reference = self.over.reference();
        (reference > 0.0)
            .then(|| self.value / reference)
            .filter(|times| times.is_finite())
    }
}

/// Judges one frame of `window` from scratch: the specification of a
/// [`SpikeTrack`](crate::spikes::SpikeTrack).
///
/// Near the oldest end of `window` a part of the past may be gone, which a track remembers.
#[cfg(test)]
pub fn verdict(window: FrameSlice<'_>, frame: u64, budget: Option<f64>) -> Option<Verdict> {
    let value = window.at(frame)?;
    let mut past = Past::default();
    for value in window
        .within(frame.saturating_sub(PAST as u64)..frame)
        .iter()
    {
        past.push(value);
    }
    Some(Verdict {
        value,
        over: past.judge(value, budget)?,
    })
}

/// The last [`PAST`] values of a series, in order of arrival and sorted. Allocates once.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    arrived: VecDeque<f64>,
    sorted: Vec<f64>,
}

impl Default for Past {
    fn default() -> Self {
        Self {
            arrived: VecDeque::with_capacity(PAST),
            sorted: Vec::with_capacity(PAST),
        }
    }
}

impl Past {
    pub(crate) fn clear(&mut self) {
        self.arrived.clear();
        self.sorted.clear();
    }

    /// Adds the next value and drops the oldest beyond [`PAST`]. Costs two binary searches and two
    /// moves within 120 values.
    pub(crate) fn push(&mut self, value: f64) {
        if self.arrived.len() == PAST
            && let Some(oldest) = self.arrived.pop_front()
        {
            let at = self.sorted.partition_point(|&held| held < oldest);
            // The value was inserted, so it is found, unless it is NaN.
            self.sorted.remove(at.min(PAST - 1));
        }
        self.arrived.push_back(value);
        let at = self.sorted.partition_point(|&held| held < value);
        self.sorted.insert(at, value);
    }

    /// Returns the limit that `value`, as the next one, exceeds; `None` if it is no spike.
    pub(crate) fn judge(&self, value: f64, budget: Option<f64>) -> Option<Over> {
        match budget {
            Some(budget) if value > budget => Some(Over::Budget(budget)),
            _ => self.judge_by_habit(value),
        }
    }

    fn judge_by_habit(&self, value: f64) -> Option<Over> {
        let sorted = self.sorted.as_slice();
        if sorted.len() < LEAST_PAST {
            return None;
        }
        let usual = median(sorted);
        let rise = (usual.abs() * LEAST_RISE).max((habit(sorted) - usual) * ABOVE_HABIT);
        // Nearly every frame returns here, before the costlier MAD.
        if value <= usual + rise {
            return None;
        }
        let bar = usual + rise.max(SIGMAS * SIGMA_PER_MAD * median_distance(sorted, usual));
        (value > bar).then_some(Over::Usual { usual, bar })
    }
}

/// Returns the value that one in [`HABIT`] of the sorted values reaches; 0 if there are none.
fn habit(sorted: &[f64]) -> f64 {
    let reaching = sorted.len().div_ceil(HABIT);
    sorted.get(sorted.len() - reaching).copied().unwrap_or(0.0)
}

/// Returns the median of sorted values; 0 if there are none.
fn median(sorted: &[f64]) -> f64 {
    let upper = sorted.len() / 2;
    match (sorted.get(upper), sorted.get(upper.wrapping_sub(1))) {
        (Some(&upper), Some(&lower)) if sorted.len().is_multiple_of(2) => lower.midpoint(upper),
        (Some(&middle), _) => middle,
        _ => 0.0,
    }
}

/// Returns the median of the distances of sorted values from `center`, their median.
///
/// On either side of the center the distances are sorted already, so the two sides are merged
/// outward from there, the nearer value first.
fn median_distance(sorted: &[f64], center: f64) -> f64 {
    let mut above = sorted.partition_point(|&value| value < center);
    let mut below = above;
    let (mut last, mut before) = (0.0, 0.0);
    for _ in 0..=sorted.len() / 2 {
        before = last;
        let down = below
            .checked_sub(1)
            .and_then(|at| sorted.get(at))
            .map(|value| center - value);
        let up = sorted.get(above).map(|value| value - center);
        last = match (down, up) {
            (Some(down), up) if up.is_none_or(|up| down <= up) => {
                below -= 1;
                down
            }
            (_, Some(up)) => {
                above += 1;
                up
            }
            _ => break,
        };
    }
    if sorted.len().is_multiple_of(2) {
        before.midpoint(last)
    } else {
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    /// The rule of the module's documentation, by sorting everything for each frame.
    fn brute_force(window: FrameSlice<'_>, frame: u64, budget: Option<f64>) -> Option<Verdict> {
        let value = window.at(frame)?;
        if let Some(budget) = budget.filter(|budget| value > *budget) {
            return Some(Verdict {
                value,
                over: Over::Budget(budget),
            });
        }
        let mut past: Vec<f64> = window
            .within(frame.saturating_sub(120)..frame)
            .iter()
            .collect();
        if past.len() < 16 {
            return None;
        }
        let middle = |values: &mut Vec<f64>| {
            values.sort_by(f64::total_cmp);
            let half = values.len() / 2;
            if values.len() % 2 == 1 {
                values[half]
            } else {
                values[half - 1].midpoint(values[half])
            }
        };
        let usual = middle(&mut past);
        let habit = past[past.len() - past.len().div_ceil(8)];
        let mut distances: Vec<f64> = past.iter().map(|held| (held - usual).abs()).collect();
        let mad = middle(&mut distances);
        let bar = usual
            + (6.0 * 1.4826 * mad)
                .max(0.5 * usual.abs())
                .max(1.5 * (habit - usual));
        (value > bar).then_some(Verdict {
            value,
            over: Over::Usual { usual, bar },
        })
    }

    fn spikes(values: &[f64]) -> Vec<usize> {
        let window = FrameSlice::new(0, values, &[]);
        (0..values.len())
            .filter(|&frame| verdict(window, frame as u64, None).is_some())
            .collect()
    }

    #[test]
    fn a_verdict_follows_the_rule() {
        let mut random = Random::new(23);
        let (mut found, mut over_budget) = (0, 0);
        for _ in 0..300 {
            let values = random.series(200);
            let split = random.below(200) as usize;
            let window = FrameSlice::new(random.below(1000), &values[..split], &values[split..]);
            let budget = (random.below(3) == 0).then(|| random.value());
            for frame in window.frames() {
                let verdict = verdict(window, frame, budget);
                assert_eq!(verdict, brute_force(window, frame, budget));
                found += usize::from(matches!(
                    verdict,
                    Some(Verdict {
                        over: Over::Usual { .. },
                        ..
                    })
                ));
                over_budget += usize::from(matches!(
                    verdict,
                    Some(Verdict {
                        over: Over::Budget(_),
                        ..
                    })
                ));
            }
        }
        assert!(found > 500 && over_budget > 500, "{found} {over_budget}");
    }

    #[test]
    fn one_spike_does_not_raise_the_bar_for_the_next() {
        let mut values: Vec<f64> = (0..200).map(|frame| 10.0 + f64::from(frame % 3)).collect();
        for spike in [100, 101, 105, 150] {
            values[spike] = 40.0;
        }
        assert_eq!(spikes(&values), [100, 101, 105, 150]);
    }

    #[test]
    fn values_that_do_not_stand_out_are_no_spikes() {
        assert_eq!(spikes(&[7.0; 300]), [0; 0], "constant");
        let ramp: Vec<f64> = (0..600).map(|frame| 100.0 + f64::from(frame)).collect();
        assert_eq!(spikes(&ramp), [0; 0], "a ramp");
        let falling: Vec<f64> = ramp.iter().rev().copied().collect();
        assert_eq!(spikes(&falling), [0; 0], "falling");
        let mut dips = vec![10.0; 300];
        (dips[100], dips[200]) = (0.0, -1e300);
        assert_eq!(spikes(&dips), [0; 0], "low values");
        let periodic: Vec<f64> = (0..600)
            .map(|frame| if frame % 6 == 0 { 30.0 } else { 10.0 })
            .collect();
        assert!(
            spikes(&periodic).iter().all(|&frame| frame < 30),
            "every sixth frame"
        );
    }

    #[test]
    fn a_habit_that_varies_is_still_a_habit() {
        let mut random = Random::new(5);
        let noisy: Vec<f64> = (0..2000)
            .map(|frame| {
                if frame % 6 == 0 {
                    28.0 + random.below(400) as f64 / 100.0
                } else {
                    10.0
                }
            })
            .collect();
        assert!(
            spikes(&noisy).iter().all(|&frame| frame < 120),
            "{:?}",
            spikes(&noisy)
        );
    }

    #[test]
    fn a_new_level_is_a_spike_only_until_one_in_eight_frames_reach_it() {
        let values: Vec<f64> = (0..600)
            .map(|frame| if frame < 300 { 10.0 } else { 30.0 })
            .collect();
        let spikes = spikes(&values);
        assert_eq!(spikes, (300..315).collect::<Vec<_>>(), "one in eight");
    }

    #[test]
    fn the_first_event_after_a_quiet_past_is_a_spike() {
        let mut values = vec![0.0; 100];
        values[50] = 1.0;
        values[10] = 1.0;
        assert_eq!(spikes(&values), [50], "frame 10 has too short a past");
    }

    #[test]
    fn huge_values_are_judged_without_overflow() {
        let mut values = vec![f64::MAX; 100];
        assert_eq!(spikes(&values), [0; 0]);
        values[50] = f64::MIN;
        assert_eq!(spikes(&values), [0; 0]);
        let mut one = vec![1.0; 100];
        one[50] = f64::MAX;
        assert_eq!(spikes(&one), [50]);
    }

    #[test]
    fn a_verdict_measures_by_how_much_a_value_is_over() {
        let mut values = vec![10.0; 40];
        values[30] = 45.0;
        let of = |budget| verdict(FrameSlice::new(0, &values, &[]), 30, budget).unwrap();
        assert_eq!(
            of(None),
            Verdict {
                value: 45.0,
                over: Over::Usual {
                    usual: 10.0,
                    bar: 15.0
                }
            }
        );
        assert_eq!((of(None).excess(), of(None).times()), (35.0, Some(4.5)));
        assert_eq!(
            (of(Some(20.0)).excess(), of(Some(20.0)).times()),
            (25.0, Some(2.25))
        );
        assert_eq!(
            of(Some(50.0)).over,
            Over::Usual {
                usual: 10.0,
                bar: 15.0
            }
        );
        assert_eq!(of(Some(0.0)).times(), None);
    }
}
