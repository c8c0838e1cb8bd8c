//! How runs are judged.

use stats_capture::SeriesRecord;
use stats_config::Config;
use stats_config::Pattern;
use stats_core::Unit;
use stats_core::frame_metrics::{Over60MsRule, StutterRule};

use crate::failure::Failure;

/// How the frames of a run are judged, and which of them are left out.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// The budget of a frame in milliseconds. Default: the period of the display, if the capture
    /// has its refresh rate.
    pub(crate) budget_ms: Option<f64>,
    /// The path of the series with the CPU time of a frame. Default: `frame/cpu`.
    pub(crate) cpu: String,
    /// The path of the series with the GPU time of a frame. Default: `gpu/frame`.
    pub(crate) gpu: String,
    /// The number of seconds at the beginning that are left out. Default: 0.
    pub(crate) warm_up_secs: f64,
    /// The number of frames at the beginning that are left out. Default: 0.
    pub(crate) warm_up_frames: u64,
    /// The names of the spans whose frames are left out. Default: none.
    pub(crate) exclude: Vec<Pattern>,
    /// The teams in order, each with the patterns of its series. Default: none.
    pub(crate) teams: Vec<(String, Vec<Pattern>)>,
    /// The budgets of series, in place of those in the capture. Default: none.
    pub(crate) expected: Config,
    /// The rule for frames over 60 ms.
    pub(crate) over_60_ms: Over60MsRule,
    pub(crate) stutter: StutterRule,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            budget_ms: None,
            cpu: "frame/cpu".into(),
            gpu: "gpu/frame".into(),
            warm_up_secs: 0.0,
            warm_up_frames: 0,
            exclude: Vec::new(),
            teams: Vec::new(),
            expected: Config::default(),
            over_60_ms: Over60MsRule::default(),
            stutter: StutterRule::default(),
        }
    }
}

impl Rules {
    /// Returns the budget of a series: the expected one, or else that of the capture.
    pub(crate) fn budget_of(&self, series: &SeriesRecord) -> Option<f64> {
        // Patterns apply to timers and histograms, not to their calls, samples and self times.
        let unit = unit_of(series);
        let expected = match &series.of {
            None => self.expected.budget(&series.path, unit),
            Some(_) => self.expected.exact_budget(&series.path, unit),
        };
        expected.or(series.budget)
    }

    /// Returns an error if a budget of `stats.toml` has no unit, but judges series of several.
    pub(crate) fn check_budgets(&self, series: &[SeriesRecord]) -> Result<(), Failure> {
        let own = series.iter().filter(|series| series.of.is_none());
        let units = own.map(|series| (series.path.as_str(), unit_of(series)));
        Ok(self.expected.check_budgets(units)?)
    }
}

pub(super) fn unit_of(series: &SeriesRecord) -> Unit {
    Unit::from_symbol(&series.unit).unwrap_or_default()
}
