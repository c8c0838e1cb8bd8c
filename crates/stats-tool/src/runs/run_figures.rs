//! The metrics and budgets of a run.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use stats_analysis::pace::limit_ms;
use stats_capture::Run;
use stats_config::Config;
use stats_core::Unit;

use super::expectations::rules;
use super::facts::Identity;
use crate::failure::Failure;
use crate::input::open;
use crate::lake::RunRow;
use crate::metrics::{Breakdown, LOST_FRAMES, LeftOut, Metric, RunMetrics};
use crate::time::utc_text;

/// The path of the frame time.
const FRAME: &str = "frame";

/// The metrics of a run, and how often its series were over budget.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunFigures {
    /// The capture.
    pub(crate) file: PathBuf,
    /// The description of the run.
    pub(crate) run: Run,
    /// The machine, without its power state.
    pub(crate) machine: String,
    /// The number of frames, including those that were dropped or are left out.
    pub(crate) frames: u64,
    /// All metrics; names are unique.
    pub(crate) metrics: Vec<Metric>,
    /// The path and the unit of each series that is not damaged.
    pub(crate) series: Vec<(String, Unit)>,
    pub(crate) budgets: Vec<SeriesBudget>,
    /// The breakdown of the frame time; `None` if the run has no self times.
    pub(crate) breakdown: Option<Breakdown>,
    /// The frames that are left out.
    pub(crate) left_out: LeftOut,
    /// The paths of the damaged series, and a sentence about them.
    pub(crate) damaged: Vec<String>,
    /// What is implausible about the capture, one sentence each, without the capital letter and the
    /// period.
    pub(crate) doubts: Vec<String>,
    pub(crate) damage: Option<String>,
}

/// How often a series was over its budget.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeriesBudget {
    /// The path of the series; `frame` is the frame time.
    pub(crate) path: String,
    /// The name of the values that the budget judges; `sum of` the path for a histogram.
    pub(super) name: String,
    /// The budget, in the unit.
    pub(crate) budget: f64,
    pub(crate) unit: Unit,
    /// The share of frames over the budget, in percent.
    pub(super) over_percent: f64,
    /// The largest value of a frame.
    pub(super) most: f64,
    /// The first frame with the largest value.
    pub(super) most_frame: u64,
    /// Whether the series is a wait, or a timer in which one ran.
    pub(super) waits: bool,
}

impl RunFigures {
    /// Returns when the run began, as text that sorts by time.
    pub(crate) fn began(&self) -> String {
        utc_text(&self.run.started_at)
    }

    /// Returns whether the run has the same machine and scenario as another one.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.machine == other.machine && self.run.scenario == other.run.scenario
    }

    /// Returns whether both are recordings of the same run, such as a capture and a copy of it.
    /// Their metrics may differ: another version or another `stats.toml` computes others.
    pub(crate) fn is_copy_of(&self, other: &Self) -> bool {
        let of = |run: &Self| (run.run.started_at.clone(), run.machine.clone(), run.frames);
        !self.run.started_at.is_empty() && of(self) == of(other)
    }

    /// Reads a capture or a journal.
    pub(super) fn read(file: &Path, config: &Config) -> Result<Self, Failure> {
        let capture = open(file)?;
        let expected = config.for_scenario(capture.run().scenario.as_deref());
        let run = RunMetrics::of(&capture, file, &rules(&expected))?;
        Ok(Self::of(run, &expected))
    }

    /// Extracts the metrics and budgets from all figures of a run.
    pub(crate) fn of(run: RunMetrics, expected: &Config) -> Self {
        let series = run.series.iter();
        Self {
            machine: run.machine(),
            series: series
                .map(|series| (series.record.path.clone(), series.unit))
                .collect(),
            frames: run.frames.end - run.frames.start,
            metrics: run.list(),
            budgets: series_budgets(&run, expected),
            damage: run.damage(),
            damaged: run.damaged.into_iter().chain(run.unreadable).collect(),
            doubts: run.doubts,
            breakdown: run.breakdown,
            left_out: run.left_out,
            file: run.file,
            run: run.run,
        }
    }

    /// Returns the figures of a run from the summary of a lake, which contains no series, no
    /// budgets and no breakdown.
    pub(crate) fn of_row(row: RunRow, lake: &Path) -> Self {
        let metrics = row.metrics.into_iter().map(|metric| Metric {
            name: metric.name.to_string(),
            value: metric.value,
            unit: metric.unit,
            better: metric.better,
        });
        Self {
            file: lake.join(&*row.run),
            run: row.document,
            machine: row.machine.to_string(),
            frames: row.frames.try_into().unwrap_or(0),
            metrics: metrics.collect(),
            ..Self::default()
        }
    }

    pub(crate) fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }

    /// Returns the number of frames that were not recorded; `None` if it is not known.
    pub(crate) fn lost_frames(&self) -> Option<f64> {
        Some(self.metric(LOST_FRAMES)?.value)
    }

    /// Returns what identifies the run.
    pub(crate) fn identity(&self) -> Identity<'_> {
        (&self.run, self.machine.clone())
    }

    /// Returns whether the run has frames that are not left out.
    pub(crate) fn has_frames(&self) -> bool {
        self.metric("run/frames").is_some()
    }

    /// Returns whether the run belongs to a scenario. `None` stands for all scenarios.
    pub(crate) fn is_of(&self, scenario: Option<&str>) -> bool {
        scenario.is_none_or(|wanted| self.scenario() == wanted)
    }

    /// Returns the name of the scenario, or a placeholder for a run without one.
    pub(crate) fn scenario(&self) -> &str {
        self.run.scenario.as_deref().unwrap_or("unnamed")
    }
}

impl SeriesBudget {
    /// Returns whether the budget is that of the frame time.
    pub(super) fn is_frame(&self) -> bool {
        self.path == FRAME
    }

    /// Returns the value above which a frame counts as over the budget.
    pub(super) fn limit(&self) -> f64 {
        if self.is_frame() {
            limit_ms(self.budget)
        } else {
            self.budget
        }
    }
}

/// Returns how often the series of a run were over their budgets.
pub(crate) fn series_budgets(run: &RunMetrics, expected: &Config) -> Vec<SeriesBudget> {
    let mut budgets = Vec::new();
    let waits = waits(run);
    // The period of the display does not count as a budget: nobody has set it.
    if let (Some(budget), Some(frame)) = (
        expected.budget(FRAME, Unit::Milliseconds),
        run.clock("frame"),
    ) {
        let frames = frame.statistics.frames as f64;
        let over = frame.statistics.over_budget.as_ref();
        budgets.push(SeriesBudget {
            path: FRAME.into(),
            name: FRAME.into(),
            budget,
            unit: Unit::Milliseconds,
            over_percent: over.map_or(0.0, |over| 100.0 * over.frames as f64 / frames),
            most: frame.statistics.slowest.ms,
            most_frame: frame.slowest_frame,
            waits: false,
        });
    }
    for series in &run.series {
        let Some(numbers) = &series.numbers else {
            continue;
        };
        let Some(over) = &numbers.over else { continue };
        budgets.push(SeriesBudget {
            path: series.record.path.clone(),
            name: series.frame_name().into_owned(),
            budget: over.limit,
            unit: series.unit,
            over_percent: 100.0 * over.frames as f64 / numbers.frames as f64,
            most: numbers.max,
            most_frame: numbers.max_frame,
            waits: waits.contains(series.record.path.as_str()),
        });
    }
    budgets
}

/// Returns the paths of the waits, and of the timers in which they ran.
fn waits(run: &RunMetrics) -> HashSet<&str> {
    let records = || run.series.iter().map(|series| &series.record);
    let parents: HashMap<&str, &str> = records()
        .filter_map(|record| Some((record.path.as_str(), record.parent.as_deref()?)))
        .collect();
    let mut waits = HashSet::new();
    for wait in records().filter(|record| record.wait) {
        let mut path = Some(wait.path.as_str());
        // A damaged capture may have a circle of parents.
        while let Some(one) = path.filter(|one| waits.insert(*one)) {
            path = parents.get(one).copied();
        }
    }
    waits
}
