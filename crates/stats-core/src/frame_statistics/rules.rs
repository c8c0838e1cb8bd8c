//! The rules by which frames are judged.

use super::frame_metrics::{Over60MsRule, OverBudget, StutterRule, over_budget};

/// The rules by which [`FrameStatistics`](crate::FrameStatistics) judges frames. Start from the
/// default and change what differs:
///
/// ```
/// use stats_core::{FrameRules, FrameStatistics};
///
/// let mut rules = FrameRules::default();
/// rules.budget_ms = Some(16.7);
/// rules.rates_fps = vec![60.0];
/// let statistics = FrameStatistics::of(&[10.0, 20.0, 10.0], &rules).unwrap();
/// assert_eq!(statistics.over_budget.map(|over| over.frames), Some(1));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameRules {
    /// Whether the times are those of whole frames. The times of anything else, such as a timer's,
    /// have no frame rate: their table has no rates and no lows. Default: true.
    pub is_frame_time: bool,
    /// The budget of a frame, in milliseconds. Default: `None`. Without a positive budget, no frame
    /// is judged by it.
    pub budget_ms: Option<f64>,
    /// The fraction of the budget by which a frame may exceed the budget without being over it: 0.1
    /// for a tenth. At a display's own rate, half of all healthy frames are slightly over its
    /// period. Default: 0.
    pub budget_tolerance: f64,
    /// The actual period of the display in milliseconds, for instance 1000 ÷ 59.94. Default:
    /// `None`, for no estimate of missed refreshes.
    pub refresh_period_ms: Option<f64>,
    /// The rule for frames over 60 ms. Default: the rule of Unreal Engine, which calls them
    /// hitches.
    pub over_60_ms: Over60MsRule,
    /// The rule for stutter. Default: the rule of CapFrameX.
    pub stutter: StutterRule,
    /// The rates among which the time is divided, in any order. Default: 30, 60, 120, 144 and 240
    /// frames per second.
    pub rates_fps: Vec<f64>,
}

impl Default for FrameRules {
    fn default() -> Self {
        Self {
            is_frame_time: true,
            budget_ms: None,
            budget_tolerance: 0.0,
            refresh_period_ms: None,
            over_60_ms: Over60MsRule::default(),
            stutter: StutterRule::default(),
            rates_fps: vec![30.0, 60.0, 120.0, 144.0, 240.0],
        }
    }
}

impl FrameRules {
    pub(super) fn budget_ms(&self) -> Option<f64> {
        self.budget_ms
            .filter(|budget_ms| *budget_ms > 0.0 && budget_ms.is_finite())
    }

    pub(super) fn over_budget(&self, frames_ms: &[f64], budget_ms: f64) -> OverBudget {
        let limit_ms = budget_ms * (1.0 + self.budget_tolerance.max(0.0));
        let mut found = over_budget(frames_ms, limit_ms);
        // With an infinite tolerance, no frame is over budget, and 0 times infinity is not a
        // number.
        if found.frames > 0 {
            found.over_ms += found.frames as f64 * (limit_ms - budget_ms);
        }
        found
    }

    /// Copies other rules, reusing the memory of the rates.
    pub(super) fn clone_from_rules(&mut self, other: &Self) {
        let mut rates_fps = std::mem::take(&mut self.rates_fps);
        rates_fps.clone_from(&other.rates_fps);
        let Self {
            is_frame_time,
            budget_ms,
            budget_tolerance,
            refresh_period_ms,
            over_60_ms,
            stutter,
            rates_fps: _,
        } = *other;
        *self = Self {
            is_frame_time,
            budget_ms,
            budget_tolerance,
            refresh_period_ms,
            over_60_ms,
            stutter,
            rates_fps,
        };
    }
}
