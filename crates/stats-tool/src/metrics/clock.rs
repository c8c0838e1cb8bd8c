//! The times of a frame: the whole frame, the CPU, or the GPU.

use stats_analysis::pace::{frame_rules, limit_ms};
use stats_analysis::range_statistics::standard_deviation;
use stats_capture::Better;
use stats_core::{FIGURES, FrameRules, FrameSlice, FrameStatistics, Unit};

use super::metric::MetricList;
use super::rules::Rules;
use super::series::OverBudget;

/// The statistics of one time of each frame.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// The name in metrics: `frame`, `cpu` or `gpu`.
    pub(crate) name: &'static str,
    /// The path of the series; `None` for the whole frame.
    pub(crate) path: Option<String>,
    /// The statistics. They identify frames by position, and the fields below by number.
    pub(crate) statistics: FrameStatistics,
    pub(crate) slowest_frame: u64,
    /// When the slowest frame began, in seconds since the capture began.
    pub(super) slowest_at_secs: f64,
    /// The standard deviation, over the number of frames.
    deviation_ms: f64,
    /// The share of the whole frame time that frames over budget take, from 0 to 1; `None` without
    /// a budget.
    pub(crate) over_budget_time_share: Option<f64>,
}

/// One time of each frame, by position, and what else the statistics need.
pub(super) struct Times<'a> {
    pub(super) name: &'static str,
    pub(super) path: Option<&'a str>,
    /// In milliseconds; NaN for a frame that is left out or whose time is unknown.
    pub(super) ms: &'a [f64],
    /// The times of the whole frames.
    pub(super) whole_ms: &'a [f64],
    /// The frame of a position.
    pub(super) frame_at: &'a dyn Fn(usize) -> u64,
    /// When a frame began, in seconds.
    pub(super) start_secs: &'a dyn Fn(u64) -> f64,
    pub(super) budget_ms: Option<f64>,
    pub(super) refresh_hz: Option<f64>,
}

impl Clock {
    /// Computes the statistics; `None` without times.
    pub(super) fn of(times: &Times<'_>, rules: &Rules) -> Option<Self> {
        let mut frame_rules = match times.path {
            None => frame_rules(times.budget_ms),
            Some(_) => {
                let mut rules = FrameRules::default();
                rules.is_frame_time = false;
                rules.budget_ms = times.budget_ms;
                rules
            }
        };
        frame_rules.over_60_ms = rules.over_60_ms;
        frame_rules.stutter = rules.stutter;
        let period_ms = times.refresh_hz.filter(|hz| *hz > 0.0).map(|hz| 1e3 / hz);
        frame_rules.refresh_period_ms = period_ms.filter(|_| times.path.is_none());
        let statistics = FrameStatistics::of(times.ms, &frame_rules)?;
        let slowest_frame = (times.frame_at)(statistics.slowest.frame);
        Some(Self {
            name: times.name,
            path: times.path.map(str::to_owned),
            deviation_ms: standard_deviation(
                FrameSlice::new(0, times.ms, &[]),
                statistics.total_ms / statistics.frames as f64,
            ),
            slowest_frame,
            slowest_at_secs: (times.start_secs)(slowest_frame),
            over_budget_time_share: times.budget_ms.map(|budget_ms| {
                let limit = match times.path {
                    None => limit_ms(budget_ms),
                    Some(_) => budget_ms,
                };
                OverBudget::of(times.ms, limit, |position| times.whole_ms[position]).time_share
            }),
            statistics,
        })
    }

    /// Adds the average and the low frame rates, under names that begin with `prefix`.
    pub(super) fn add_rates_to(&self, list: &mut MetricList, prefix: &str) {
        let statistics = &self.statistics;
        for (rate, fps) in [
            ("average-fps", statistics.average_fps),
            ("low-integral-fps", statistics.low_integral_fps()),
            ("low-1-percent-fps", statistics.low_1_percent_fps),
            ("low-0.1-percent-fps", statistics.low_0_1_percent_fps),
        ] {
            list.higher(format!("{prefix}{rate}"), fps, Unit::Hertz);
        }
    }

    /// Adds the figures, under names that begin with `prefix`.
    pub(super) fn add_to(&self, list: &mut MetricList, prefix: &str) {
        let Self {
            name, statistics, ..
        } = self;
        for figure in FIGURES {
            let value = match figure.key {
                "deviation" => Some(self.deviation_ms),
                "high-water-frame" => Some(self.slowest_frame as f64),
                "high-water-at" => Some(self.slowest_at_secs),
                "over-budget-time-share" => self.over_budget_time_share.map(|share| 100.0 * share),
                _ => (figure.of)(statistics),
            };
            let better = match figure.key {
                "high-water-frame" | "high-water-at" => Better::Neither,
                _ => Better::Lower,
            };
            let name = format!("{prefix}{name}/{}", figure.key);
            list.push(name, value, figure.unit, better);
        }
    }
}
