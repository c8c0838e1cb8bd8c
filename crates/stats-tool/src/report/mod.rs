//! `stats report`: the metrics of one run, or of several runs of the same scenario.
//!
//! - [`contents`]: the text of a report.
//! - [`verdict`]: whether the runs are within their budgets.
//! - [`summary`], [`json`]: the figures of all runs together.

mod contents;
mod json;
mod summary;
mod verdict;

use std::path::{Path, PathBuf};

use stats_capture::{CaptureFile, MarkKind, MarkRecord};
use stats_config::Config;

use crate::document::{Format, markdown, text};
use crate::failure::{Failure, Outcome};
use crate::history::History;
use crate::html::{self, Verdict};
use crate::input::{files, files_so_far};
use crate::metrics::{Rules, RunMetrics};
use crate::output::{print, say};
use crate::pattern::pattern;
use crate::progress::Progress;
use crate::runs::{self, ConfigArguments, RunFigures, read_readable, read_runs};
use summary::Summary;

/// The arguments of `stats report`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Captures or journals, folders with captures, or patterns
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Also write the report as one HTML file, with graphs and every series
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    judging: Judging,
    /// Stored runs of the same scenario and machine, whose history the HTML file shows
    #[arg(long, num_args = 1.., value_name = "RUN", requires = "html")]
    history: Vec<String>,
    #[command(flatten)]
    config: ConfigArguments,
}

/// The arguments that set how frames are judged, and which are left out.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Judging {
    /// The budget of a frame, in milliseconds [default: that of stats.toml, or the period of the
    /// display, if known]
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    budget: Option<f64>,
    /// Leave out the first seconds [default: warm_up_seconds and warm_up_frames of stats.toml, or
    /// 0]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    warm_up: Option<f64>,
    /// Leave out the first frames, as many in a fast run as in a slow one
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    warm_up_frames: Option<u64>,
    /// Leave out the frames of spans with this name, such as 'loading*', in addition to those that
    /// stats.toml excludes; may be repeated
    #[arg(long, value_name = "SPAN")]
    exclude: Vec<String>,
}

impl Judging {
    /// Returns the rules from the arguments, with those of `stats.toml` for arguments that are not
    /// given.
    pub(crate) fn rules(&self, expected: &Config) -> Result<Rules, Failure> {
        if self.budget.is_some_and(|ms| !(ms > 0.0 && ms.is_finite())) {
            let cure = "--budget needs a positive number of milliseconds, such as 16.7";
            return Err(Failure::Usage(cure.into()));
        }
        if (self.warm_up).is_some_and(|secs| !(secs >= 0.0 && secs.is_finite())) {
            let cure = "--warm-up needs a number of seconds, 0 or more, such as 5";
            return Err(Failure::Usage(cure.into()));
        }
        let mut rules = runs::rules(expected);
        for name in &self.exclude {
            rules.exclude.push(pattern("--exclude", name)?);
        }
        if self.warm_up.is_some() || self.warm_up_frames.is_some() {
            rules.warm_up_secs = self.warm_up.unwrap_or(0.0);
            rules.warm_up_frames = self.warm_up_frames.unwrap_or(0);
        }
        rules.budget_ms = self.budget;
        Ok(rules)
    }
}

/// Returns the report of a run as one HTML file.
pub(crate) fn html_report(file: &Path, config: &Config) -> Result<String, Failure> {
    let capture = CaptureFile::open(file)?;
    let expected = config.for_scenario(capture.run().scenario.as_deref());
    let runs = [RunMetrics::of(&capture, file, &runs::rules(&expected))?];
    let judged = verdict::judged(&runs, config, None);
    let json = json::page_json(&runs, &Summary::of(&runs), &judged);
    let verdict = verdict::verdict(&runs, &judged);
    page(&runs, verdict, json, Vec::new(), config)
}

/// Prints the metrics of runs. The outcome is unknown if a run has no frames to judge.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    html::check(arguments.html.as_deref())?;
    let config = arguments.config.config()?;
    // Report a mistake in the arguments even if no capture can be read.
    arguments.judging.rules(&config)?;
    let (runs, stored) = (files(&arguments.runs)?, files_so_far(&arguments.history)?.0);
    let runs = read(&runs, &arguments.judging, &config)?;
    for name in &arguments.judging.exclude {
        let span = pattern("--exclude", name)?;
        let is_one = |mark: &MarkRecord| mark.kind == MarkKind::Span && span.matches(&mark.name);
        if !runs.iter().any(|run| run.marks.iter().any(is_one)) {
            say(format_args!(
                "--exclude {name:?} matches no span, so it leaves nothing out"
            ));
        }
    }
    let summary = Summary::of(&runs);
    let judged = verdict::judged(&runs, &config, arguments.judging.budget);
    if let Some(file) = &arguments.html {
        let json = json::page_json(&runs, &summary, &judged);
        let verdict = verdict::verdict(&runs, &judged);
        let (stored, unread) = read_readable(&stored, &config);
        for failure in unread {
            say(format_args!(
                "{failure}; the run is left out of the history"
            ));
        }
        html::write(file, &page(&runs, verdict, json, stored, &config)?)?;
    }
    print(match arguments.format {
        Format::Text => text(&contents::short(&runs, &summary)),
        Format::Markdown => markdown(&contents::full(&runs, &summary)),
        Format::Json => format!("{:#}\n", json::json(&runs, &summary, &judged)),
    })?;
    let is_judged = runs.iter().all(|run| run.clock("frame").is_some());
    Ok(if is_judged {
        Outcome::Fine
    } else {
        Outcome::Unknown
    })
}

/// Returns the page of some runs with a verdict from elsewhere. `stored` are earlier runs.
pub(crate) fn page_of(
    files: &[PathBuf],
    verdict: Verdict,
    json: String,
    stored: &[RunFigures],
    config: &Config,
) -> Result<String, Failure> {
    let runs = read(files, &Judging::default(), config)?;
    page(&runs, verdict, json, stored.to_vec(), config)
}

fn read(files: &[PathBuf], judging: &Judging, config: &Config) -> Result<Vec<RunMetrics>, Failure> {
    let mut progress = Progress::new("reading", files.len());
    let mut runs = Vec::new();
    for file in files {
        let capture = CaptureFile::open(file)?;
        let expected = config.for_scenario(capture.run().scenario.as_deref());
        runs.push(RunMetrics::of(&capture, file, &judging.rules(&expected)?)?);
        progress.step();
    }
    Ok(runs)
}

fn page(
    runs: &[RunMetrics],
    verdict: Verdict,
    json: String,
    mut stored: Vec<RunFigures>,
    config: &Config,
) -> Result<String, Failure> {
    let title = contents::title(runs);
    let summary = Summary::of(runs);
    // The reported runs belong to the history, too.
    if !stored.is_empty() {
        let is_new = |run: &&RunMetrics| stored.iter().all(|known| known.file != run.file);
        let files: Vec<PathBuf> = runs
            .iter()
            .filter(is_new)
            .map(|run| run.file.clone())
            .collect();
        stored.extend(read_runs(&files, None, config)?);
        let reported = |run: &&RunFigures| runs.iter().any(|one| one.file == run.file);
        if let Some(newest) = stored.iter().filter(reported).max_by_key(|run| run.began()) {
            let newest = newest.clone();
            stored.retain(|run| run.is_like(&newest));
        }
    }
    let history = History::of(stored, None, config);
    let graphs = history.graphs();
    let report = contents::page((&title, verdict), (runs, &summary), &graphs, json);
    html::run_page(&report)
}
