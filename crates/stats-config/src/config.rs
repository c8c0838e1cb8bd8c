//! The content of `stats.toml`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, de};

use crate::config_error::ConfigError;
use crate::pattern::Pattern;
use crate::values::{Budget, Percent, Seconds};

const FILE_NAME: &str = "stats.toml";
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The path of the frame time. Its budget must be positive, because every frame takes time.
const FRAME: &str = "frame";

/// The recommended maximum number of metrics that may fail a build. Each further one makes false
/// alarms more likely and real changes harder to detect.
const ADVISED_METRICS: usize = 6;

/// The performance targets of a project, from `stats.toml`. Every field is optional, and an unknown
/// field is an error.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Config {
    /// The time at the beginning of a run that all metrics leave out. Default: 0.
    pub warm_up_seconds: Seconds,
    /// The spans whose frames all metrics leave out. Default: none.
    pub exclude: Vec<Pattern>,
    /// The value above which a frame is over budget, by the path of the series. `frame` is the
    /// frame time, in milliseconds. If several patterns match, a path without wildcards takes
    /// precedence, then the longest pattern. Default: none, so the budgets set in code apply.
    #[serde(deserialize_with = "budgets")]
    pub budgets: BTreeMap<Pattern, Budget>,
    /// When a run fails a build.
    pub gate: Gate,
    /// The patterns of each team's series, by team. A series that matches several teams belongs to
    /// the alphabetically first one. Default: none.
    pub teams: BTreeMap<String, Vec<Pattern>>,
    /// Overrides for the runs of each scenario, by scenario. Default: none.
    pub scenarios: BTreeMap<String, Scenario>,
}

/// When a run fails a build.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Gate {
    /// The metrics whose regression fails a build, preferably at most six. Default: `frame/median`,
    /// `frame/p99-by-time`, `cpu/median` and `gpu/median`, if a run has them.
    pub may_fail: Option<Vec<Pattern>>,
    /// A metric that changes by less than this never fails. Values below 1 count as 1. Default: 1.
    pub limit_percent: Percent,
    /// Limits that replace `limit_percent`, by metric. Several matching patterns take precedence as
    /// in [`Config::budgets`]. Default: none.
    pub limits_percent: BTreeMap<Pattern, Percent>,
    /// The size of change that the runs must be able to detect with a probability of 80 %. If there
    /// are too few runs, or they vary too much, the gate is inconclusive. Default: 5, or the limit
    /// of the metric if that is greater.
    pub find_percent: Percent,
    /// The share of frames that may be over the budget of a series. Default: 1.
    pub over_budget_percent: Percent,
}

/// Overrides for the runs of one scenario.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Scenario {
    /// Replaces [`Config::warm_up_seconds`].
    pub warm_up_seconds: Option<Seconds>,
    /// Replaces [`Config::exclude`].
    pub exclude: Option<Vec<Pattern>>,
    /// Added to [`Config::budgets`]. Replaces the budget of an equal pattern.
    #[serde(deserialize_with = "budgets")]
    pub budgets: BTreeMap<Pattern, Budget>,
    /// Replaces [`Gate::may_fail`].
    pub may_fail: Option<Vec<Pattern>>,
    /// Added to [`Gate::limits_percent`]. Replaces the limit of an equal pattern.
    pub limits_percent: BTreeMap<Pattern, Percent>,
}

impl Default for Gate {
    fn default() -> Self {
        Self {
            may_fail: None,
            limit_percent: Percent(1.0),
            limits_percent: BTreeMap::new(),
            find_percent: Percent(5.0),
            over_budget_percent: Percent(1.0),
        }
    }
}

impl Config {
    /// Looks for `stats.toml` in a folder and the folders above it, and reads the nearest one.
    /// Returns `None` if there is none.
    ///
    /// # Errors
    ///
    /// Those of [`Config::read`].
    pub fn find(folder: impl AsRef<Path>) -> Result<Option<Self>, ConfigError> {
        let folder = std::path::absolute(folder.as_ref()).unwrap_or_default();
        for folder in folder.ancestors() {
            let file = folder.join(FILE_NAME);
            // If the file exists but cannot be read, return an error instead of looking further.
            match std::fs::symlink_metadata(&file) {
                Ok(_) if !file.is_dir() => return Self::read(file).map(Some),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Reads a file of up to 1 MiB.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the file cannot be read, is longer, is not TOML, or has an unknown field
    /// or an invalid value.
    pub fn read(file: impl AsRef<Path>) -> Result<Self, ConfigError> {
        let file = file.as_ref();
        let mut text = String::new();
        let read = File::open(file).and_then(|open| {
            open.take(MAX_FILE_BYTES + 1).read_to_string(&mut text)?;
            if text.len() as u64 > MAX_FILE_BYTES {
                let too_long = "it is longer than 1 MiB";
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, too_long));
            }
            Ok(())
        });
        read.map_err(|source| ConfigError::Open {
            file: file.to_owned(),
            source,
        })?;
        Self::parse_file(&text, file)
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    ///
    /// Those of [`Config::read`]; messages name the file `stats.toml`.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        Self::parse_file(text, &PathBuf::from(FILE_NAME))
    }

    fn parse_file(text: &str, file: &Path) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| ConfigError::parse(file, text, &error))
    }

    /// Returns the budget of a path; `frame` is the frame time. `None` if no pattern matches, or if
    /// the budget of the frame time would be 0 or less.
    #[must_use]
    pub fn budget(&self, path: &str) -> Option<f64> {
        let budget = first_match(&self.budgets, path).map(|budget| budget.0);
        budget.filter(|budget| path != FRAME || *budget > 0.0)
    }

    /// Returns the budget of exactly this path; `None` if only patterns with wildcards match.
    #[must_use]
    pub fn exact_budget(&self, path: &str) -> Option<f64> {
        let mut budgets = self.budgets.iter();
        let named = budgets.find(|(pattern, _)| pattern.is_exact() && pattern.as_str() == path);
        named.map(|(_, budget)| budget.0)
    }

    /// Returns the limit of a metric, in percent; at least 1.
    #[must_use]
    pub fn limit_percent(&self, metric: &str) -> f64 {
        let own = first_match(&self.gate.limits_percent, metric);
        own.unwrap_or(&self.gate.limit_percent).0.max(1.0)
    }

    /// Returns the configuration for the runs of a scenario. Without a name, or with an unknown
    /// one, nothing is overridden.
    #[must_use]
    pub fn for_scenario(&self, name: Option<&str>) -> Self {
        let mut config = self.clone();
        let Some(scenario) = name.and_then(|name| self.scenarios.get(name)).cloned() else {
            return config;
        };
        config.warm_up_seconds = scenario.warm_up_seconds.unwrap_or(config.warm_up_seconds);
        config.exclude = scenario.exclude.unwrap_or(config.exclude);
        config.budgets.extend(scenario.budgets);
        config.gate.may_fail = scenario.may_fail.or(config.gate.may_fail);
        config.gate.limits_percent.extend(scenario.limits_percent);
        config
    }

    /// Applies the budgets to all series of the program, including those registered later. The
    /// overlay and captures use them, and the budget of `frame` becomes the overlay's frame budget.
    /// Call this once, at the start; it takes a lock.
    pub fn apply_budgets(&self) {
        let budgets = self.clone();
        stats_core::set_budgets(move |path| budgets.budget(path));
    }

    /// Returns advice about settings that are allowed but not recommended, one sentence each.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let scenarios = self.scenarios.iter().map(|(name, scenario)| {
            let list = format!("scenarios.{name}.may_fail");
            (list, scenario.may_fail.as_ref())
        });
        let lists = std::iter::once(("gate.may_fail".into(), self.gate.may_fail.as_ref()));
        let too_long = |(list, patterns): (String, Option<&Vec<Pattern>>)| {
            let count = patterns.map_or(0, Vec::len);
            (count > ADVISED_METRICS).then(|| {
                format!(
                    "{list} has {count} metrics; more than {ADVISED_METRICS} make false alarms more \
                     likely and changes harder to find, so keep those that players notice"
                )
            })
        };
        lists.chain(scenarios).filter_map(too_long).collect()
    }
}

/// Reads budgets. A budget of the frame time must be positive.
fn budgets<'de, D>(deserializer: D) -> Result<BTreeMap<Pattern, Budget>, D::Error>
where
    D: Deserializer<'de>,
{
    let budgets = BTreeMap::<Pattern, Budget>::deserialize(deserializer)?;
    let is_wrong = |(path, budget): (&Pattern, &Budget)| path.as_str() == FRAME && budget.0 <= 0.0;
    if budgets.iter().any(is_wrong) {
        return Err(de::Error::custom(
            "the budget of `frame` must be a positive number of milliseconds, such as 16.7",
        ));
    }
    Ok(budgets)
}

/// Returns the value of the matching pattern with the highest precedence.
fn first_match<'a, V>(all: &'a BTreeMap<Pattern, V>, path: &str) -> Option<&'a V> {
    let mut matching = all
        .iter()
        .rev()
        .filter(|(pattern, _)| pattern.matches(path));
    matching.next().map(|(_, value)| value)
}

#[cfg(test)]
mod tests;
