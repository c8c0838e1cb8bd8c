//! `stats.toml`, and the rules that follow from it.

use std::path::PathBuf;

use stats_capture::CaptureFile;
use stats_config::{Config, Pattern, nearest};

use crate::failure::Failure;
use crate::input::define;
use crate::metrics::Rules;

/// The argument that selects `stats.toml`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ConfigArguments {
    /// Read this file instead of the stats.toml in the current folder or a folder above it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl ConfigArguments {
    /// Reads the file. Without one, returns the defaults.
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        let config = match &self.config {
            Some(file) => Config::read(file)?,
            None => Config::find(".")?.unwrap_or_default(),
        };
        define(&config);
        Ok(config)
    }
}

/// Returns how the frames of a run are judged. `expected` is the configuration for its scenario.
pub(crate) fn rules(expected: &Config) -> Rules {
    Rules {
        warm_up_secs: expected.warm_up_seconds.0,
        warm_up_frames: expected.warm_up_frames,
        exclude: expected.exclude.clone(),
        teams: expected.teams.clone().into_iter().collect(),
        expected: expected.clone(),
        ..Rules::default()
    }
}

/// Returns how the frames of a capture are judged.
pub(crate) fn rules_of(capture: &CaptureFile, config: &Config) -> Rules {
    rules(&config.for_scenario(capture.run().scenario.as_deref()))
}

/// Returns a sentence for each pattern that matches no name.
pub(crate) fn unmatched(patterns: &[Pattern], names: &[&str], what: &str) -> Vec<String> {
    let sentence = |pattern: &Pattern| {
        if names.iter().any(|name| pattern.matches(name)) {
            return None;
        }
        let near = nearest(pattern.as_str(), names.iter().copied());
        let near = near.map_or(String::new(), |near| format!("; did you mean {near:?}?"));
        Some(format!("no {what} matches {:?}{near}", pattern.as_str()))
    };
    patterns.iter().filter_map(sentence).collect()
}
