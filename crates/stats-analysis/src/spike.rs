//! The spike rule: which frames of a series stand out from its own past.
//!
//! A fixed limit cannot decide this: 20 ms is a spike in a game at 100 frames per second, but a
//! good frame in a game at 30. The past of a series therefore sets the bar. A budget plays no part:
//! a value below the budget may be a spike, and a value above it need not be a spike.
//! [`over_budget`](crate::over_budget) finds the frames over a budget.
//!
//! # The rule
//!
//! The **past** of a frame is the last 120 values before it that are not 0, at least 16. Zeros
//! count neither as part of a past nor as spikes: in most frames of most counters nothing happens,
//! and an event is compared with earlier events, not with the zeros between them. A series with
//! fewer than 16 events has no spikes.
//!
//! Two of Tukey's letter values (*Exploratory Data Analysis*, 1977) describe the past: the median,
//! which is the **usual** value, and the upper **eighth**, the value that one in eight reaches. A
//! value is above the **bar** if it exceeds the usual value by more than each of
//!
//! - **5 × the distance from the usual value to the eighth**. Only one in 10⁸ normally distributed
//!   values is that high. Unlike a two-sided deviation, the eighth describes the upper tail. So
//!   skewed values, such as most durations, have few spikes, and events that happen every few
//!   frames have none;
//! - **half the usual value**, so that a nearly constant series has no spikes too small to see;
//! - **3 × the square root of the usual value**, if the value is whole. Counts of independent
//!   events vary by that root (Poisson), even if the last few were equal. This matters for usual
//!   values below 36.
//!
//! The first of several **consecutive frames** above the bar is a spike. A later one is a spike
//! only if its excess over the usual value is more than 1.5 × that of the last spike among them. A
//! new level is therefore one spike.
//!
//! # Consequences
//!
//! Both letter values barely change while fewer than one in eight values are outliers, so one
//! spike does not hide the next. A burst in every `n`th frame is a spike if `n` is above 8. Low
//! values are never spikes. A slow climb has no spikes, because the eighth climbs ahead of the
//! median.
//!
//! Measured on 200,000 independent values each (the test `noise_has_few_spikes`): uniformly
//! distributed values, and normally distributed ones with a deviation of 20 % of the mean, have no
//! spikes. Of Poisson counts with means from 0.05 to 20, at most 1 in 5,000 is a spike. Of
//! exponentially distributed values, and of lognormal ones with σ = 0.5, 1 in 1,100 to 1,300 is.
//!
//! NaN and infinities count as zeros.

use std::collections::VecDeque;

use stats_core::FrameSlice;

/// The number of values in a past: two seconds of frames at 60 frames per second.
pub(crate) const PAST: usize = 120;
/// The minimum number of values in a past that sets a bar.
pub const LEAST_PAST: usize = 16;
/// One in this many values of the past reaches the eighth.
const EIGHTH: usize = 8;
/// The minimum distance from the usual value to the bar, as a multiple of the eighth's distance.
const EIGHTHS: f64 = 5.0;
/// The minimum distance from the usual value to the bar, as a share of the usual value.
const MIN_RISE: f64 = 0.5;
/// The minimum distance from the usual value to the bar for counts, in standard deviations of a
/// Poisson distribution.
const COUNT_DEVIATIONS: f64 = 3.0;
/// The minimum excess of a further spike in consecutive frames, as a multiple of the last spike's
/// excess.
const FURTHER: f64 = 1.5;

/// The rule in one sentence, for people.
pub const IN_WORDS: &str = "A spike is more than half above the usual value of its series, and far beyond how \
                            much that varies. Of several in a row, it is the first, or far above the last.";

/// Returns the bar that `value` has to exceed, given the median and the upper eighth of its past,
/// by the [rule](self). All are in the series' unit.
///
/// Both may be estimates. The caller decides what the past is, and leaves out zeros.
pub fn bar(value: f64, usual: f64, eighth: f64) -> f64 {
    let rise = (EIGHTHS * (eighth - usual)).max(MIN_RISE * usual.abs());
    let is_count = value.fract() == 0.0;
    usual
        + if is_count {
            rise.max(COUNT_DEVIATIONS * usual.abs().sqrt())
        } else {
            rise
        }
}

/// A spike's value, and the past that it stands out from. All are in the series' unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The frame's value.
    pub value: f64,
    /// The usual value: the median of the past.
    pub usual: f64,
    /// The bar, which the value exceeds.
    pub bar: f64,
}

impl Verdict {
    /// Returns the value minus the usual value, in the series' unit.
    pub fn excess(&self) -> f64 {
        self.value - self.usual
    }

    /// Returns the value as a multiple of the usual value; `None` if that is not positive or the
    /// quotient is not finite.
    pub fn times(&self) -> Option<f64> {
        (self.usual > 0.0)
            .then(|| self.value / self.usual)
            .filter(|times| times.is_finite())
    }

    /// Returns the excess as a multiple of the minimum excess of a spike. The result is above 1,
    /// and is comparable between series of different units. It is infinite if every excess counts
    /// as a spike.
    pub fn height(&self) -> f64 {
        self.excess() / (self.bar - self.usual)
    }
}

/// Returns the value of any frame with the usual value and the bar of its past, whether or not the value
/// exceeds the bar. `None` if the value does not count (0, or not finite), or if `values` has fewer than
/// [`LEAST_PAST`] values before it that count.
///
/// Visits the frames before it until it has found its past.
pub fn against_past(values: FrameSlice<'_>, frame: u64) -> Option<Verdict> {
    let counts = |value: &f64| *value != 0.0 && value.is_finite();
    let value = values.at(frame).filter(counts)?;
    let before = (values.frames().start..frame).rev();
    let past = before.filter_map(|frame| values.at(frame));
    let mut judge = Judge::default();
    past.filter(counts)
        .take(PAST)
        .for_each(|value| judge.push(value));
    judge.against(value)
}

/// Judges the values of a series, one after the other. Allocates once.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    /// The past, in order of arrival and sorted.
    arrived: VecDeque<f64>,
    sorted: Vec<f64>,
    /// The excess of the last spike, while all frames since are above the bar.
    last_excess: Option<f64>,
}

impl Default for Judge {
    fn default() -> Self {
        Self {
            arrived: VecDeque::with_capacity(PAST),
            sorted: Vec::with_capacity(PAST),
            last_excess: None,
        }
    }
}

impl Judge {
    pub(crate) fn clear(&mut self) {
        self.arrived.clear();
        self.sorted.clear();
        self.last_excess = None;
    }

    /// Judges the value of the next frame: returns why it is a spike, or `None`.
    pub(crate) fn judge(&mut self, value: f64) -> Option<Verdict> {
        if value == 0.0 || !value.is_finite() {
            self.last_excess = None;
            return None;
        }
        let above = self.above(value);
        self.push(value);
        let excess = above.as_ref().map(Verdict::excess);
        let last = self.last_excess.filter(|_| above.is_some());
        let is_further = last.is_none_or(|last| excess > Some(last * FURTHER));
        self.last_excess = if is_further { excess } else { last };
        above.filter(|_| is_further)
    }

    /// Returns the value with its bar; `None` if the value is not above it.
    fn above(&self, value: f64) -> Option<Verdict> {
        self.against(value).filter(|found| found.value > found.bar)
    }

    /// Returns the value with its bar, whether or not it is above it; `None` without a past.
    fn against(&self, value: f64) -> Option<Verdict> {
        let sorted = self.sorted.as_slice();
        if sorted.len() < LEAST_PAST {
            return None;
        }
        let usual = median(sorted);
        let reaching = sorted.len().div_ceil(EIGHTH);
        let eighth = sorted.get(sorted.len() - reaching).copied().unwrap_or(0.0);
        let bar = bar(value, usual, eighth);
        Some(Verdict { value, usual, bar })
    }

    /// Adds the next value and drops the oldest beyond [`PAST`]. Costs two binary searches and two
    /// moves within 120 values.
    fn push(&mut self, value: f64) {
        if self.arrived.len() == PAST
            && let Some(oldest) = self.arrived.pop_front()
        {
            // The value was inserted, so it is found.
            let at = self.sorted.partition_point(|&held| held < oldest);
            self.sorted.remove(at);
        }
        self.arrived.push_back(value);
        let at = self.sorted.partition_point(|&held| held < value);
        self.sorted.insert(at, value);
    }
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

/// Returns the spikes of values by the rule of the module's documentation, sorting the past of each
/// frame: the specification of a [`SpikeTrack`](crate::spikes::SpikeTrack).
#[cfg(test)]
pub(crate) fn specified(values: &[f64]) -> Vec<(usize, Verdict)> {
    let counts = |value: f64| value != 0.0 && value.is_finite();
    let above = |frame: usize| {
        let value = values[frame];
        let mut past: Vec<f64> = values[..frame].to_vec();
        past.retain(|&value| counts(value));
        past.drain(..past.len().saturating_sub(120));
        if !counts(value) || past.len() < 16 {
            return None;
        }
        past.sort_by(f64::total_cmp);
        let half = past.len() / 2;
        let usual = if past.len() % 2 == 1 {
            past[half]
        } else {
            past[half - 1].midpoint(past[half])
        };
        let eighth = past[past.len() - past.len().div_ceil(8)];
        let mut rise = (5.0 * (eighth - usual)).max(0.5 * usual.abs());
        if value.fract() == 0.0 {
            rise = rise.max(3.0 * usual.abs().sqrt());
        }
        let bar = usual + rise;
        (value > bar).then_some(Verdict { value, usual, bar })
    };
    let mut spikes: Vec<(usize, Verdict)> = Vec::new();
    let mut run_from = 0;
    for frame in 0..values.len() {
        let Some(verdict) = above(frame) else {
            run_from = frame + 1;
            continue;
        };
        let last = spikes.last().filter(|(at, _)| *at >= run_from);
        if last.is_none_or(|(_, last)| verdict.excess() > 1.5 * last.excess()) {
            spikes.push((frame, verdict));
        }
    }
    spikes
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn any_frame_can_be_compared_with_its_past() {
        let mut random = Random::new(31);
        let (mut above, mut below) = (0, 0);
        for _ in 0..40 {
            let values = random.series(400);
            let window = FrameSlice::new(7, &values, &[]);
            let mut judge = Judge::default();
            for (frame, &value) in (7..).zip(&values) {
                let found = against_past(window, frame);
                // A spike has the same verdict. The bar of any other frame is higher, unless it follows
                // a spike.
                if let Some(spike) = judge.judge(value) {
                    assert_eq!(found, Some(spike));
                    above += 1;
                } else if let Some(found) = found {
                    below += usize::from(found.value <= found.bar);
                }
            }
        }
        assert!(above > 20 && below > 1000, "{above} {below}");
        assert_eq!(against_past(FrameSlice::new(0, &[1.0; 16], &[]), 15), None);
        assert_eq!(against_past(FrameSlice::default(), 3), None);
    }

    fn spikes(values: &[f64]) -> Vec<usize> {
        let mut judge = Judge::default();
        (0..values.len())
            .filter(|&frame| judge.judge(values[frame]).is_some())
            .collect()
    }

    /// Returns values of `usual`, with other values in some frames.
    fn with(usual: f64, frames: usize, others: &[(usize, f64)]) -> Vec<f64> {
        let mut values = vec![usual; frames];
        others
            .iter()
            .for_each(|&(frame, value)| values[frame] = value);
        values
    }

    #[test]
    fn a_judge_follows_the_rule() {
        let mut random = Random::new(23);
        let mut found = 0;
        for round in 0..300 {
            let mut values = random.series(260);
            if round % 3 == 0 {
                let share = 1 + random.below(20);
                values
                    .iter_mut()
                    .filter(|_| random.below(share) > 0)
                    .for_each(|value| *value = 0.0);
            }
            let mut judge = Judge::default();
            let judged: Vec<(usize, Verdict)> = values
                .iter()
                .enumerate()
                .filter_map(|(frame, &value)| Some((frame, judge.judge(value)?)))
                .collect();
            assert_eq!(judged, specified(&values));
            found += judged.len();
        }
        assert!(found > 500, "{found}");
    }

    #[test]
    fn one_spike_does_not_raise_the_bar_for_the_next() {
        let mut values: Vec<f64> = (0..200).map(|frame| 10.0 + f64::from(frame % 3)).collect();
        for spike in [100, 102, 105, 150] {
            values[spike] = 40.0;
        }
        assert_eq!(spikes(&values), [100, 102, 105, 150]);
    }

    #[test]
    fn a_frame_of_twice_the_usual_time_is_a_spike() {
        let mut random = Random::new(3);
        let mut values: Vec<f64> = (0..2000)
            .map(|_| 16.2 + random.below(1000) as f64 / 1000.0)
            .collect();
        (values[300], values[1500]) = (33.4, 33.4);
        assert_eq!(spikes(&values), [300, 1500]);
        assert_eq!(spikes(&with(16.7, 200, &[(150, 33.4)])), [150]);
    }

    #[test]
    fn consecutive_frames_are_one_spike_unless_they_climb_further() {
        let values = |heights: &[f64]| {
            let others: Vec<(usize, f64)> = (100..).zip(heights.iter().copied()).collect();
            with(10.0, 200, &others)
        };
        assert_eq!(spikes(&values(&[40.0, 40.0, 40.0])), [100]);
        assert_eq!(spikes(&values(&[40.0, 54.0, 56.0, 90.0])), [100, 102, 103]);
        assert_eq!(spikes(&values(&[90.0, 40.0, 90.0])), [100]);
        assert_eq!(spikes(&values(&[40.0, 10.0, 40.0])), [100, 102]);
        assert_eq!(spikes(&values(&[40.0, 0.0, 40.0])), [100, 102]);
    }

    #[test]
    fn values_that_do_not_stand_out_are_not_spikes() {
        assert_eq!(spikes(&[7.0; 300]), [0; 0], "constant");
        let dips = with(10.0, 300, &[(100, 0.0), (200, -1e300)]);
        assert_eq!(spikes(&dips), [0; 0], "low values");
        for per_frame in [0.01, 0.3, 1.0, 40.0] {
            for start in [0.0, 3.0, 1e6] {
                let climb: Vec<f64> = (0..3000)
                    .map(|frame| start + per_frame * f64::from(frame))
                    .collect();
                assert_eq!(spikes(&climb), [0; 0], "a leak of {per_frame} from {start}");
                let steps: Vec<f64> = climb.iter().map(|value| value.floor()).collect();
                assert_eq!(spikes(&steps), [0; 0], "in whole steps");
                let falling: Vec<f64> = climb.iter().rev().copied().collect();
                assert_eq!(spikes(&falling), [0; 0], "falling");
            }
        }
        let doubling: Vec<f64> = (0..1200)
            .map(|frame| 2_f64.powf(f64::from(frame) / 60.0))
            .collect();
        assert_eq!(spikes(&doubling), [0; 0], "doubling every second");
    }

    #[test]
    fn equal_events_of_a_sparse_series_are_not_spikes_and_a_giant_one_is() {
        for every in [2, 3, 7, 8, 9, 40, 119, 120, 121, 500] {
            let mut values: Vec<f64> = (0..every * 60)
                .map(|frame| if frame % every == 0 { 1.0 } else { 0.0 })
                .collect();
            assert_eq!(spikes(&values), [0; 0], "every {every} frames");
            values[every * 30] = 20.0;
            assert_eq!(spikes(&values), [every * 30], "every {every} frames");
        }
        let mut few = vec![0.0; 1000];
        (few[500], few[700]) = (1.0, 1e6);
        assert_eq!(spikes(&few), [0; 0], "too few events for a usual value");
    }

    #[test]
    fn a_burst_is_a_spike_if_it_is_rarer_than_one_frame_in_eight() {
        for every in 2..=PAST {
            let values: Vec<f64> = (1..=every * 40)
                .map(|frame| if frame % every == 0 { 30.0 } else { 10.0 })
                .collect();
            let bursts: Vec<usize> = (1..=40).map(|n| n * every - 1).collect();
            let found = spikes(&values);
            if every <= 8 {
                assert!(
                    found.iter().all(|&frame| frame < PAST),
                    "{every}: {found:?}"
                );
            } else {
                let known = |frame: &&usize| **frame >= PAST;
                assert!(
                    found.iter().filter(known).eq(bursts.iter().filter(known)),
                    "{every}: {found:?}"
                );
            }
        }
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
        assert!(spikes(&noisy).iter().all(|&frame| frame < PAST));
    }

    #[test]
    fn a_new_level_is_one_spike() {
        for level in [16.0, 30.0, 900.0] {
            let mut values = vec![10.0; 300];
            values.extend(vec![level; 300]);
            values.extend(vec![10.0; 300]);
            let expected: &[usize] = if level > 20.0 { &[300] } else { &[] };
            assert_eq!(spikes(&values), expected, "{level}");
        }
    }

    /// Returns the number of spikes among 200,000 values, after the first 120.
    fn spikes_of(mut value: impl FnMut() -> f64) -> u32 {
        let mut judge = Judge::default();
        (0..PAST).for_each(|_| _ = judge.judge(value()));
        (0..200_000)
            .map(|_| u32::from(judge.judge(value()).is_some()))
            .sum()
    }

    #[test]
    fn noise_has_few_spikes() {
        let mut random = Random::new(77);
        let mut uniform = || (random.below(1 << 50) as f64 + 0.5) / (1_u64 << 50) as f64;
        assert_eq!(spikes_of(&mut uniform), 0, "uniform");
        let mut normal = {
            let mut random = Random::new(78);
            let mut uniform = move || (random.below(1 << 50) as f64 + 0.5) / (1_u64 << 50) as f64;
            // The method of Box and Muller.
            move || (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
        };
        let found = spikes_of(|| 10.0 + 2.0 * normal());
        assert!(found < 2, "normal: {found}");
        let found = spikes_of(|| (0.5 * normal()).exp());
        assert!((150..220).contains(&found), "lognormal: {found}");
        let found = spikes_of(|| -uniform().ln());
        assert!((130..190).contains(&found), "exponential: {found}");
        for mean in [0.05, 0.3, 1.0, 2.0, 5.0, 20.0_f64] {
            let found = spikes_of(|| {
                let (limit, mut product, mut count) = ((-mean).exp(), uniform(), 0.0);
                while product > limit {
                    product *= uniform();
                    count += 1.0;
                }
                count
            });
            assert!(found < 40, "Poisson with mean {mean}: {found}");
        }
    }

    #[test]
    fn huge_values_are_judged_without_overflow() {
        assert_eq!(spikes(&[f64::MAX; 100]), [0; 0]);
        assert_eq!(spikes(&with(f64::MAX, 100, &[(50, f64::MIN)])), [0; 0]);
        assert_eq!(spikes(&with(1.0, 100, &[(50, f64::MAX)])), [50]);
        let broken = [(20, f64::NAN), (21, f64::INFINITY), (50, 9.0)];
        assert_eq!(spikes(&with(1.0, 100, &broken)), [50]);
    }

    #[test]
    fn a_verdict_measures_by_how_much_a_value_stands_out() {
        let mut judge = Judge::default();
        (0..40).for_each(|_| _ = judge.judge(16.5));
        let found = judge.judge(66.0).unwrap();
        assert_eq!(
            (found.usual, found.bar),
            (16.5, 24.75 + 0.0_f64.max(3.0 * 16.5_f64.sqrt() - 8.25))
        );
        assert_eq!((found.excess(), found.times()), (49.5, Some(4.0)));
        assert!(found.height() > 1.0);
        let negative = Verdict {
            value: 5.0,
            usual: -1.0,
            bar: 2.0,
        };
        assert_eq!((negative.times(), negative.height()), (None, 2.0));
    }
}
