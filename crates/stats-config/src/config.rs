//! The content of `stats.toml`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, de};
use stats_analysis::budget::Budget;
use stats_analysis::derived::{DefinitionError, Definitions, define};
use stats_analysis::teams::Team;
use stats_core::{Problem, Unit};

use crate::budget::Written;
use crate::config_error::ConfigError;
use crate::pattern::Pattern;
use crate::values::{Percent, Seconds};

const FILE_NAME: &str = "stats.toml";
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The path of the frame time. Its budget must be positive, because every frame takes time.
const FRAME: &str = "frame";

/// The recommended maximum number of metrics that may fail a build. Each further one makes false
/// alarms more likely and real changes harder to detect.
const ADVISED_METRICS: usize = 6;

/// The first series, with its unit, that each budget without a unit judges; `None` if another one
/// has another unit.
type Numbers = BTreeMap<Pattern, Option<(String, Unit)>>;

/// The performance targets of a project, from `stats.toml`. Every field is optional, and an unknown
/// field is an error.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Config {
    /// The time at the beginning of a run that all metrics leave out. Default: 0.
    pub warm_up_seconds: Seconds,
    /// The number of frames at the beginning of a run that all metrics leave out. If a time is left
    /// out too, the longer of the two is. Default: 0.
    ///
    /// A faster run has more frames in the same time. If every run does the same work in the same
    /// frame, only a number of frames leaves out the same work in all of them.
    pub warm_up_frames: u64,
    /// The spans whose frames all metrics leave out. Default: none.
    pub exclude: Vec<Pattern>,
    /// The value above which a frame is over budget, by the path of the series. `frame` is the
    /// frame time, in milliseconds. If several patterns match, a path without wildcards takes
    /// precedence, then the longest pattern. A budget with a unit applies only to series of that
    /// unit. Default: none, so the budgets set in code apply.
    #[serde(deserialize_with = "budgets")]
    pub budgets: BTreeMap<Pattern, Budget>,
    /// The series that are computed from others, by path: a
    /// [`Formula`](stats_analysis::derived::Formula) such as
    /// `"renderer/triangles / renderer/draw-calls"`. [`Config::define_series`] defines them in a
    /// program; the command `stats` computes them for each capture. Default: none.
    pub series: BTreeMap<String, String>,
    /// When a run fails a build.
    pub gate: Gate,
    /// The patterns of each team's series, by team. A series that matches several teams counts in each
    /// of them. Default: none.
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
    /// Replaces [`Config::warm_up_frames`].
    pub warm_up_frames: Option<u64>,
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
        let _memory = stats_core::own_memory("stats-config");
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
        let _memory = stats_core::own_memory("stats-config");
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
        let _memory = stats_core::own_memory("stats-config");
        Self::parse_file(text, &PathBuf::from(FILE_NAME))
    }

    fn parse_file(text: &str, file: &Path) -> Result<Self, ConfigError> {
        let config: Self =
            toml::from_str(text).map_err(|error| ConfigError::parse(file, text, &error))?;
        match config.definitions() {
            Ok(_) => Ok(config),
            Err(error) => Err(ConfigError::series(file, text, &error)),
        }
    }

    /// Returns the budget of a series in its unit; the path `frame` is the frame time, in
    /// milliseconds. `None` if no pattern matches, or if the budget of the frame time would be 0 or
    /// less.
    #[must_use]
    pub fn budget(&self, path: &str, unit: Unit) -> Option<f64> {
        self.rule(path, unit).map(|(_, _, budget)| budget)
    }

    /// Returns the budget of exactly this path; `None` if only patterns with wildcards match.
    #[must_use]
    pub fn exact_budget(&self, path: &str, unit: Unit) -> Option<f64> {
        let rule = self.rule(path, unit);
        rule.filter(|(pattern, ..)| pattern.is_exact())
            .map(|(_, _, budget)| budget)
    }

    /// Checks that every budget without a unit judges series of one unit only. `series` are the
    /// paths and units of all series to which patterns apply; `frame` need not be among them.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Budgets`] names two series of different units, and how to write the
    /// budget.
    pub fn check_budgets<'a>(
        &self,
        series: impl IntoIterator<Item = (&'a str, Unit)>,
    ) -> Result<(), ConfigError> {
        let mut numbers = Numbers::default();
        let frame = (FRAME, Unit::Milliseconds);
        for (path, unit) in std::iter::once(frame).chain(series) {
            self.checked_budget(path, unit, &mut numbers)
                .map_err(ConfigError::Budgets)?;
        }
        Ok(())
    }

    /// Returns the budget of a series. Fails once if it is a number without a unit that also judges
    /// a series of another unit in `numbers`; from then on, there is none.
    fn checked_budget(
        &self,
        path: &str,
        unit: Unit,
        numbers: &mut Numbers,
    ) -> Result<Option<f64>, Problem> {
        let Some((pattern, budget, value)) = self.rule(path, unit) else {
            return Ok(None);
        };
        if !budget.is_in_any_unit() {
            return Ok(Some(value));
        }
        let first = || Some((path.to_owned(), unit));
        let known = numbers.entry(pattern.clone()).or_insert_with(first);
        match known {
            None => Ok(None),
            Some((_, known)) if *known == unit => Ok(Some(value)),
            // It was asked for before its unit was known.
            Some((known_path, known)) if known_path == path => {
                *known = unit;
                Ok(Some(value))
            }
            Some((known_path, known_unit)) => {
                let problem = Problem::BudgetOfSeveralUnits {
                    pattern: pattern.to_string(),
                    budget: value,
                    series: Box::new([
                        (std::mem::take(known_path), *known_unit),
                        (path.to_owned(), unit),
                    ]),
                };
                *known = None;
                Err(problem)
            }
        }
    }

    /// Returns the budget with the highest precedence among those that judge a series, and its
    /// value in the unit of the series.
    fn rule(&self, path: &str, unit: Unit) -> Option<(&Pattern, &Budget, f64)> {
        let mut rules = matching(&self.budgets, path).filter_map(|(pattern, budget)| {
            let value = budget.in_unit(unit)?;
            Some((pattern, budget, value))
        });
        let rule = rules.next();
        rule.filter(|(.., value)| path != FRAME || *value > 0.0)
    }

    /// Returns the limit of a metric, in percent; at least 1.
    #[must_use]
    pub fn limit_percent(&self, metric: &str) -> f64 {
        let own = matching(&self.gate.limits_percent, metric).next();
        own.map_or(self.gate.limit_percent, |(_, own)| *own)
            .0
            .max(1.0)
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
        config.warm_up_frames = scenario.warm_up_frames.unwrap_or(config.warm_up_frames);
        config.exclude = scenario.exclude.unwrap_or(config.exclude);
        config.budgets.extend(scenario.budgets);
        config.gate.may_fail = scenario.may_fail.or(config.gate.may_fail);
        config.gate.limits_percent.extend(scenario.limits_percent);
        config
    }

    /// Returns the derived series, checked and in the order in which they need each other.
    ///
    /// # Errors
    ///
    /// If [`Config::series`] was changed to something that cannot be defined. What was read from a
    /// file can.
    pub fn definitions(&self) -> Result<Definitions, DefinitionError> {
        let all = self.series.iter();
        Definitions::new(all.map(|(path, formula)| (path.as_str(), formula.as_str())))
    }

    /// Defines the series of [`Config::series`] in the program, for its overlay and its captures. Call
    /// this once, at the start.
    ///
    /// # Errors
    ///
    /// Those of [`define()`], for the first series that cannot be defined.
    pub fn define_series(&self) -> Result<(), DefinitionError> {
        let _memory = stats_core::own_memory("stats-config");
        let definitions = self.definitions()?;
        let mut all = definitions.iter();
        all.try_for_each(|(path, _)| define(path, self.series.get(path).map_or("", String::as_str)))
    }

    /// Applies the budgets to all series of the program, including those registered later. The
    /// overlay and captures use them, and the budget of `frame` becomes the overlay's frame budget.
    /// Call this once, at the start; it takes a lock.
    ///
    /// A budget without a unit whose pattern matches series of several units applies to none of
    /// them, and is listed by [`stats_core::problems`].
    pub fn apply_budgets(&self) {
        let _memory = stats_core::own_memory("stats-config");
        let (budgets, mut numbers) = (self.clone(), Numbers::default());
        stats_core::set_budgets(move |path, unit| budgets.checked_budget(path, unit, &mut numbers));
    }

    /// Returns the teams of [`Config::teams`], for the overlay: `overlay.set_teams(config.team_list())`.
    #[must_use]
    pub fn team_list(&self) -> Vec<Team> {
        let _memory = stats_core::own_memory("stats-config");
        let teams = self.teams.iter();
        let team = |(name, patterns): (&String, &Vec<Pattern>)| {
            let patterns = patterns.clone();
            Team::new(name, move |path| {
                patterns.iter().any(|pattern| pattern.matches(path))
            })
        };
        teams.map(team).collect()
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
    let written = BTreeMap::<Pattern, Written>::deserialize(deserializer)?;
    let budgets: BTreeMap<_, _> = written
        .into_iter()
        .map(|(pattern, Written(budget))| (pattern, budget))
        .collect();
    let is_wrong = |(path, budget): (&Pattern, &Budget)| {
        let ms = budget.in_unit(Unit::Milliseconds);
        path.as_str() == FRAME && ms.is_none_or(|ms| ms <= 0.0)
    };
    if budgets.iter().any(is_wrong) {
        return Err(de::Error::custom(
            "the budget of `frame` must be a positive time, such as 16.7 or \"16.7 ms\"",
        ));
    }
    Ok(budgets)
}

/// Returns the patterns that match a path, the one with the highest precedence first.
fn matching<'a, V>(
    all: &'a BTreeMap<Pattern, V>,
    path: &str,
) -> impl Iterator<Item = (&'a Pattern, &'a V)> {
    let all = all.iter().rev();
    all.filter(move |(pattern, _)| pattern.matches(path))
}

#[cfg(test)]
mod tests;
