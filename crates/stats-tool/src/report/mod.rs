//! `stats report`: one run, or several of the same scenario, in figures.
//!
//! - [`contents`]: what a report says.
//! - [`document`], [`summary`]: its model.
//! - [`text`](mod@text), [`markdown`](mod@markdown), [`json`], [`html`]: how it is written.

mod contents;
mod document;
mod html;
mod json;
mod markdown;
mod summary;
mod text;

pub(crate) use document::{Document, Section, Table};
pub(crate) use html::{MetricHistory, write_judgment};
pub(crate) use markdown::markdown;
pub(crate) use text::text;

use std::path::PathBuf;

use clap::ValueEnum;
use stats_capture::CaptureFile;
use stats_config::Config;

use crate::failure::{Failure, Outcome};
use crate::input::files;
use crate::metrics::{Rules, RunMetrics};
use crate::output::print;
use crate::pattern::pattern;
use crate::progress::Progress;
use crate::runs::{ConfigArguments, rules};
use summary::Summary;

/// The arguments of `stats report`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Captures or journals, folders with captures, or patterns
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// How the report is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Also write the report to this file, which needs no other file and no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    config: ConfigArguments,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Markdown,
}

/// The arguments by which frames are judged and left out, in place of stats.toml.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Judging {
    /// The budget of a frame, in milliseconds [default: that of stats.toml, or the period of the
    /// display, if known]
    #[arg(long, value_name = "MS")]
    budget: Option<f64>,
    /// Leave out the first seconds [default: those of stats.toml]
    #[arg(long, value_name = "SECONDS")]
    warm_up: Option<f64>,
    /// Also leave out the frames of spans with this name, such as 'loading*'; may be repeated
    #[arg(long, value_name = "SPAN")]
    exclude: Vec<String>,
}

impl Judging {
    /// Returns the rules that the arguments ask for; what they leave open is as expected.
    fn rules(&self, expected: &Config) -> Result<Rules, Failure> {
        if self.budget.is_some_and(|ms| !(ms > 0.0 && ms.is_finite())) {
            let cure = "--budget needs a positive number of milliseconds, such as 16.7";
            return Err(Failure::Usage(cure.into()));
        }
        let mut rules = rules(expected);
        for name in &self.exclude {
            rules.exclude.push(pattern("--exclude", name)?);
        }
        rules.budget_ms = self.budget;
        rules.warm_up_secs = self.warm_up.unwrap_or(rules.warm_up_secs);
        Ok(rules)
    }
}

/// Prints the figures of runs. If a run has no frame to judge, there is no telling how it was.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let config = arguments.config.config()?;
    // A mistake in the arguments is told even if no capture can be read.
    arguments.judging.rules(&config)?;
    let files = files(&arguments.runs)?;
    let mut progress = Progress::new("reading", files.len());
    let mut runs = Vec::new();
    for file in &files {
        let capture = CaptureFile::open(file)?;
        let expected = config.for_scenario(capture.run().scenario.as_deref());
        let rules = arguments.judging.rules(&expected)?;
        runs.push(RunMetrics::of(&capture, file, &rules)?);
        progress.step();
    }
    drop(progress);
    let summary = Summary::of(&runs);
    if let Some(path) = &arguments.html {
        let page = html::html(&runs, &summary, &contents::full(&runs, &summary))?;
        std::fs::write(path, page).map_err(|source| Failure::Output {
            name: path.display().to_string(),
            source,
        })?;
    }
    let text = match arguments.format {
        Format::Text => text::text(&contents::short(&runs, &summary)),
        Format::Markdown => markdown::markdown(&contents::full(&runs, &summary)),
        Format::Json => json::json(&runs, &summary),
    };
    print(text)?;
    let is_judged = runs.iter().all(|run| run.clock("frame").is_some());
    Ok(if is_judged {
        Outcome::Fine
    } else {
        Outcome::Unknown
    })
}
