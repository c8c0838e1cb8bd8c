//! What players feel that an average hides: spikes, hitches, stutter, missed refreshes. Pure
//! functions over frame times in milliseconds.
//!
//! A slice is a window or a range of a recorder's [`frame_times`](crate::Recorder::frame_times), or
//! a run read from anywhere; frames are named by their position in it. A frame time that is
//! negative or not finite is no frame: it is skipped, and counts for nothing.
//!
//! ```
//! use stats_core::frame_metrics::{HitchRule, high_water_mark, hitches, spikes};
//!
//! let mut frames_ms = [16.7; 600];
//! frames_ms[100] = 90.0;
//! assert_eq!(high_water_mark(&frames_ms).map(|peak| (peak.frame, peak.ms)), Some((100, 90.0)));
//! assert_eq!(spikes(&frames_ms, 20.0).frames, 1);
//! assert_eq!(hitches(&frames_ms, HitchRule::default()), [100]);
//! ```

use std::collections::VecDeque;
use std::ops::Range;

/// The slowest frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HighWaterMark {
    /// Its position in the slice; the first, of several as slow.
    pub frame: usize,
    /// How long it took.
    pub ms: f64,
    /// When it began, from the beginning of the slice.
    pub start_ms: f64,
}

/// The frames over a budget.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Spikes {
    /// How many there are.
    pub frames: usize,
    /// The longest run of them, one after the other; the first, of several as long. Empty where
    /// there are none.
    pub longest_run: Range<usize>,
    /// By how much they were over, together.
    pub over_ms: f64,
}

/// When a frame is a hitch: the rule of Unreal Engine (`FEnginePerformanceTargets`,
/// `t.HitchFrameTimeThreshold`, `t.HitchVersusNonHitchRatio`, `t.HitchDeadTimeWindow`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitchRule {
    /// It takes longer than this. Default: 60 ms.
    pub threshold_ms: f64,
    /// It takes at least so many times as long as the frame before. Default: 1.5.
    pub ratio: f64,
    /// For so long after a hitch began there is no other. Default: 200 ms.
    pub dead_time_ms: f64,
}

impl Default for HitchRule {
    fn default() -> Self {
        Self {
            threshold_ms: 60.0,
            ratio: 1.5,
            dead_time_ms: 200.0,
        }
    }
}

/// When a frame is stutter: the rule of CapFrameX, a multiple of a trailing moving average.
///
/// CapFrameX averages over 10 × √(mean frame time in ms) frames, the frame itself among them: 41 at
/// 60 frames a second, 58 at 30, 29 at 120 (`FrametimeStatisticProvider.GetMovingAverage`;
/// `StutteringFactor` is 2.5). Here the frame itself is left out of the average, which it would
/// raise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StutterRule {
    /// It takes longer than so many times the average. Default: 2.5.
    pub factor: f64,
    /// Over how many frames before it the average is taken: fewer at the beginning, and never of
    /// none. Default: 40, as CapFrameX at 60 frames a second.
    pub average_over: usize,
}

impl Default for StutterRule {
    fn default() -> Self {
        Self {
            factor: 2.5,
            average_over: 40,
        }
    }
}

/// How much of the time was spent at one frame rate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RateShare {
    /// Frames a second, at least; below the next greater one of the rates asked for.
    pub from_fps: f64,
    /// The part of the total time, from 0 to 1.
    pub share: f64,
}

/// The slowest frame; `None` of no frames.
#[must_use]
pub fn high_water_mark(frames_ms: &[f64]) -> Option<HighWaterMark> {
    let mut now_ms = 0.0;
    let mut mark: Option<HighWaterMark> = None;
    for (frame, ms) in frames(frames_ms) {
        if mark.is_none_or(|mark| ms > mark.ms) {
            mark = Some(HighWaterMark {
                frame,
                ms,
                start_ms: now_ms,
            });
        }
        now_ms += ms;
    }
    mark
}

/// The frames over a budget, and the longest run of them.
#[must_use]
pub fn spikes(frames_ms: &[f64], budget_ms: f64) -> Spikes {
    let mut spikes = Spikes::default();
    let mut run = 0..0;
    for (frame, ms) in frames(frames_ms) {
        if ms <= budget_ms {
            continue;
        }
        spikes.frames += 1;
        spikes.over_ms += ms - budget_ms;
        run = if frame == run.end && !run.is_empty() {
            run.start..frame + 1
        } else {
            frame..frame + 1
        };
        if run.len() > spikes.longest_run.len() {
            spikes.longest_run = run.clone();
        }
    }
    spikes
}

/// The frames that are hitches by Unreal Engine's rule. The first frame of all is none: there is
/// nothing before it to compare it with.
#[must_use]
pub fn hitches(frames_ms: &[f64], rule: HitchRule) -> Vec<usize> {
    let mut found = Vec::new();
    find_hitches(frames_ms, rule, &mut found);
    found
}

/// The same, into `found`.
pub(crate) fn find_hitches(frames_ms: &[f64], rule: HitchRule, found: &mut Vec<usize>) {
    found.clear();
    let (mut now_ms, mut last_ms) = (0.0, f64::NEG_INFINITY);
    let mut before = None;
    for (frame, ms) in frames(frames_ms) {
        let is_slow =
            ms > rule.threshold_ms && before.is_some_and(|before| ms >= rule.ratio * before);
        if is_slow && now_ms - last_ms >= rule.dead_time_ms {
            found.push(frame);
            last_ms = now_ms;
        }
        before = Some(ms);
        now_ms += ms;
    }
}

/// The frames that stutter by CapFrameX's rule. The frame itself is not part of its average; the
/// first frame of all is none.
#[must_use]
pub fn stutter(frames_ms: &[f64], rule: StutterRule) -> Vec<usize> {
    let mut found = Vec::new();
    find_stutter(frames_ms, rule, &mut VecDeque::new(), &mut found);
    found
}

/// The same, into `found`; `trailing` is for the frames that the average is taken of.
pub(crate) fn find_stutter(
    frames_ms: &[f64],
    rule: StutterRule,
    trailing: &mut VecDeque<f64>,
    found: &mut Vec<usize>,
) {
    found.clear();
    trailing.clear();
    let mut sum_ms = 0.0;
    for (frame, ms) in frames(frames_ms) {
        if !trailing.is_empty() && ms * trailing.len() as f64 > rule.factor * sum_ms {
            found.push(frame);
        }
        if trailing.len() >= rule.average_over.max(1) {
            sum_ms -= trailing.pop_front().unwrap_or(0.0);
        }
        trailing.push_back(ms);
        sum_ms += ms;
    }
}

/// How many refreshes of the display came without a new frame, *estimated* from frame times alone:
/// each frame is taken to last a whole number of periods, the nearest. `None` where the period is
/// not a positive number.
///
/// Give the period that the display really has (16.68 ms at 59.94 Hz): a comparison without
/// rounding, or with the wrong period, takes healthy frames for missed ones. Where there are more
/// than a `u64` can tell, as many as it can.
#[must_use]
pub fn estimated_missed_refreshes(frames_ms: &[f64], period_ms: f64) -> Option<u64> {
    let is_period = period_ms > 0.0 && period_ms.is_finite();
    // The conversion saturates, too.
    let missed = |ms: f64| ((ms / period_ms).round() - 1.0).max(0.0) as u64;
    is_period.then(|| frames(frames_ms).fold(0, |sum: u64, (_, ms)| sum.saturating_add(missed(ms))))
}

/// How much of the total time was spent at each frame rate: a frame counts for the greatest of
/// `rates_fps` that it reaches, and for 0 where it reaches none. Rates that are not positive
/// numbers are left out.
///
/// Descending by rate, all of them, and 0 at the end; empty where no time passed. The shares add up
/// to 1.
#[must_use]
pub fn time_at_rates(frames_ms: &[f64], rates_fps: &[f64]) -> Vec<RateShare> {
    let mut shares = Vec::new();
    share_out(frames_ms, rates_fps, &mut shares);
    shares
}

/// The same, into `shares`.
pub(crate) fn share_out(frames_ms: &[f64], rates_fps: &[f64], shares: &mut Vec<RateShare>) {
    shares.clear();
    let rates = rates_fps
        .iter()
        .filter(|rate| **rate > 0.0 && rate.is_finite());
    shares.extend(rates.map(|rate| RateShare {
        from_fps: *rate,
        share: 0.0,
    }));
    shares.sort_unstable_by(|a, b| b.from_fps.total_cmp(&a.from_fps));
    shares.dedup_by_key(|rate| rate.from_fps);
    shares.push(RateShare {
        from_fps: 0.0,
        share: 0.0,
    });
    for (_, ms) in frames(frames_ms) {
        let at = shares.partition_point(|rate| rate.from_fps * ms > 1e3 * (1.0 + 1e-12));
        shares[at].share += ms;
    }
    let total_ms: f64 = shares.iter().map(|rate| rate.share).sum();
    if total_ms <= 0.0 {
        return shares.clear();
    }
    shares.iter_mut().for_each(|rate| rate.share /= total_ms);
}

/// The frames among them, by their places.
pub(crate) fn frames(frames_ms: &[f64]) -> impl Iterator<Item = (usize, f64)> + '_ {
    frames_ms
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, ms)| (0.0..f64::INFINITY).contains(ms))
}
