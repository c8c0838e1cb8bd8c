use super::frame_metrics::{HitchRule, Spikes, StutterRule, spikes};

/// By which rules the frames of a [`FrameStatistics`] are judged. Make the default ones, and change
/// what is to be different:
///
/// ```
/// use stats_core::{FrameRules, FrameStatistics};
///
/// let mut rules = FrameRules::default();
/// rules.budget_ms = Some(16.7);
/// rules.rates_fps = vec![60.0];
/// let statistics = FrameStatistics::of(&[10.0, 20.0, 10.0], &rules).unwrap();
/// assert_eq!(statistics.spikes.map(|spikes| spikes.frames), Some(1));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameRules {
    /// What a frame may take, in milliseconds. Default: `None`, for no spikes; what is not a
    /// positive number is none, too.
    pub budget_ms: Option<f64>,
    /// The part of the budget by which a frame may exceed it before it is a spike: 0.1 for a tenth.
    /// Half of all healthy frames of a display's rate are a little over its period. Default: 0.
    pub budget_tolerance: f64,
    /// The period that the display really has, in milliseconds: 1000 ÷ 59.94, say. Default: `None`,
    /// for no estimate of missed refreshes.
    pub refresh_period_ms: Option<f64>,
    /// Default: Unreal Engine's.
    pub hitch: HitchRule,
    /// Default: CapFrameX's.
    pub stutter: StutterRule,
    /// Rates that the time is shared out among, in any order. Default: 30, 60, 120, 144 and 240
    /// frames a second.
    pub rates_fps: Vec<f64>,
}

impl Default for FrameRules {
    fn default() -> Self {
        Self {
            budget_ms: None,
            budget_tolerance: 0.0,
            refresh_period_ms: None,
            hitch: HitchRule::default(),
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

    pub(super) fn spikes(&self, frames_ms: &[f64], budget_ms: f64) -> Spikes {
        let slack_ms = budget_ms * self.budget_tolerance.max(0.0);
        let mut found = spikes(frames_ms, budget_ms + slack_ms);
        // A tolerance without end makes no spikes, and no number of none times it.
        if found.frames > 0 {
            found.over_ms += found.frames as f64 * slack_ms;
        }
        found
    }

    /// Takes over other rules into the room there is.
    pub(super) fn clone_from_rules(&mut self, other: &Self) {
        let mut rates_fps = std::mem::take(&mut self.rates_fps);
        rates_fps.clone_from(&other.rates_fps);
        let Self {
            budget_ms,
            budget_tolerance,
            refresh_period_ms,
            hitch,
            stutter,
            rates_fps: _,
        } = *other;
        *self = Self {
            budget_ms,
            budget_tolerance,
            refresh_period_ms,
            hitch,
            stutter,
            rates_fps,
        };
    }
}
