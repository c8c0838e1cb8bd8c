//! Metrics of what players feel and an average hides: frames over budget, frames over 60 ms,
//! stutter, missed refreshes. All are pure functions of frame times in milliseconds.
//!
//! A slice of frame times comes from a recorder's [`frame_times`](crate::Recorder::frame_times), or
//! from a run that was saved elsewhere. Frames are identified by their position in the slice. A
//! time that is negative or not finite is not a frame: it is skipped and does not count.
//!
//! ```
//! use stats_core::frame_metrics::{Over60MsRule, high_water_mark, over_60_ms, over_budget};
//!
//! let mut frames_ms = [16.7; 600];
//! frames_ms[100] = 90.0;
//! assert_eq!(high_water_mark(&frames_ms).map(|peak| (peak.frame, peak.ms)), Some((100, 90.0)));
//! assert_eq!(over_budget(&frames_ms, 20.0).frames, 1);
//! assert_eq!(over_60_ms(&frames_ms, Over60MsRule::default()), [100]);
//! ```

use std::collections::VecDeque;
use std::ops::Range;

/// The slowest frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HighWaterMark {
    /// Its position in the slice; the first of several that are equally slow.
    pub frame: usize,
    /// Its duration in milliseconds.
    pub ms: f64,
    /// When it began, in milliseconds from the beginning of the slice.
    pub start_ms: f64,
}

/// The frames over a budget.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct OverBudget {
    /// The number of frames over budget.
    pub frames: usize,
    /// The longest run of consecutive frames over budget; the first of several that are equally
    /// long. Empty if there are none.
    pub longest_run: Range<usize>,
    /// The sum of what each of them took beyond the budget, in milliseconds; 0 if there are none.
    pub over_ms: f64,
}

/// The rule for frames over 60 ms, named after its default. Unreal Engine calls such frames hitches
/// (`FEnginePerformanceTargets`, `t.HitchFrameTimeThreshold`, `t.HitchVersusNonHitchRatio`,
/// `t.HitchDeadTimeWindow`).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Over60MsRule {
    /// The frame takes longer than this, in milliseconds. Default: 60.
    pub threshold_ms: f64,
    /// The frame takes at least this multiple of the previous frame. Default: 1.5.
    pub ratio: f64,
    /// The time after the beginning of such a frame during which no other counts, in milliseconds.
    /// Default: 200.
    pub dead_time_ms: f64,
}

impl Default for Over60MsRule {
    fn default() -> Self {
        Self {
            threshold_ms: 60.0,
            ratio: 1.5,
            dead_time_ms: 200.0,
        }
    }
}

/// The rule that makes a frame stutter, as in CapFrameX: a multiple of a trailing moving average.
///
/// CapFrameX averages over 10 × √(mean frame time in ms) frames, including the frame itself: 41 at
/// 60 frames per second, 58 at 30, 29 at 120 (`FrametimeStatisticProvider.GetMovingAverage`;
/// `StutteringFactor` is 2.5). Here the frame itself is left out of the average, which it would
/// raise.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StutterRule {
    /// A stuttering frame takes longer than this multiple of the average. Default: 2.5.
    pub factor: f64,
    /// The number of frames before it that are averaged: fewer at the beginning, but at least one.
    /// Default: 40, as in CapFrameX at 60 frames per second.
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

/// The share of time that was spent at one frame rate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RateShare {
    /// The lower bound in frames per second. The upper bound is the next higher rate in the list.
    pub from_fps: f64,
    /// The share of the total time, from 0 to 1.
    pub share: f64,
}

/// Returns the slowest frame; `None` without frames.
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

/// Returns the number of frames over a budget, and the longest run of them.
#[must_use]
pub fn over_budget(frames_ms: &[f64], budget_ms: f64) -> OverBudget {
    let mut over = OverBudget::default();
    let mut run = 0..0;
    for (frame, ms) in frames(frames_ms) {
        if ms <= budget_ms {
            continue;
        }
        over.frames += 1;
        over.over_ms += ms - budget_ms;
        run = if frame == run.end && !run.is_empty() {
            run.start..frame + 1
        } else {
            frame..frame + 1
        };
        if run.len() > over.longest_run.len() {
            over.longest_run = run.clone();
        }
    }
    over
}

/// Returns the frames over 60 ms by the rule of Unreal Engine, in order. The first frame never is
/// one, because there is no frame before it.
#[must_use]
pub fn over_60_ms(frames_ms: &[f64], rule: Over60MsRule) -> Vec<usize> {
    let mut found = Vec::new();
    find_over_60_ms(frames_ms, rule, &mut found);
    found
}

/// Like [`over_60_ms`], but fills `found`.
pub(crate) fn find_over_60_ms(frames_ms: &[f64], rule: Over60MsRule, found: &mut Vec<usize>) {
    let mut frames_so_far = Over60Ms::default();
    let is_one = |(_, ms): &(usize, f64)| frames_so_far.is_next_one(*ms, rule);
    found.clear();
    found.extend(frames(frames_ms).filter(is_one).map(|(frame, _)| frame));
}

/// Finds frames over 60 ms one after another, as [`over_60_ms`] finds them in a slice.
#[derive(Clone, Debug, Default)]
pub struct Over60Ms {
    now_ms: f64,
    /// When the last such frame began.
    last_ms: Option<f64>,
    before_ms: Option<f64>,
}

impl Over60Ms {
    /// Takes the time of the next frame, which is finite and not negative. Returns whether it is a
    /// frame over 60 ms.
    pub fn is_next_one(&mut self, ms: f64, rule: Over60MsRule) -> bool {
        let before_ms = self.before_ms.replace(ms);
        let is_slow = ms > rule.threshold_ms
            && before_ms.is_some_and(|before_ms| ms >= rule.ratio * before_ms);
        let since = |last_ms| self.now_ms - last_ms >= rule.dead_time_ms;
        let is_one = is_slow && self.last_ms.is_none_or(since);
        if is_one {
            self.last_ms = Some(self.now_ms);
        }
        self.now_ms += ms;
        is_one
    }
}

/// Returns the frames that stutter by CapFrameX's rule. The average leaves out the frame itself.
/// The first frame never stutters.
#[must_use]
pub fn stutter(frames_ms: &[f64], rule: StutterRule) -> Vec<usize> {
    let mut found = Vec::new();
    find_stutter(frames_ms, rule, &mut VecDeque::new(), &mut found);
    found
}

/// Like [`stutter`], but fills `found`. `trailing` is a buffer for the frames of the average.
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

/// *Estimates* from frame times alone how many refreshes of the display came without a new frame:
/// each frame time is rounded to a whole number of periods. Returns `None` if the period is not a
/// positive number.
///
/// Pass the actual period of the display (16.68 ms at 59.94 Hz): with the wrong period, or without
/// rounding, healthy frames would count as missed. The result saturates at the largest `u64`.
#[must_use]
pub fn estimated_missed_refreshes(frames_ms: &[f64], period_ms: f64) -> Option<u64> {
    let is_period = period_ms > 0.0 && period_ms.is_finite();
    // The conversion saturates too.
    let missed = |ms: f64| ((ms / period_ms).round() - 1.0).max(0.0) as u64;
    is_period.then(|| frames(frames_ms).fold(0, |sum: u64, (_, ms)| sum.saturating_add(missed(ms))))
}

/// Returns the share of the total time at each frame rate. A frame counts toward the highest of
/// `rates_fps` that it reaches, and toward 0 if it reaches none. Rates that are not positive
/// numbers are left out.
///
/// The result is in descending order, with all rates and 0 at the end; it is empty if no time
/// passed. The shares add up to 1.
#[must_use]
pub fn time_at_rates(frames_ms: &[f64], rates_fps: &[f64]) -> Vec<RateShare> {
    let mut shares = Vec::new();
    share_out(frames_ms, rates_fps, &mut shares);
    shares
}

/// Like [`time_at_rates`], but fills `shares`.
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

/// Returns the frames in a slice, with their positions.
pub(crate) fn frames(frames_ms: &[f64]) -> impl Iterator<Item = (usize, f64)> + '_ {
    frames_ms
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, ms)| (0.0..f64::INFINITY).contains(ms))
}
