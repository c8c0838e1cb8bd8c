//! `stats trend`: finds the runs at which metrics changed.
//!
//! - [`since_release`]: whether the project is better or worse than at its last release.
//! - [`contents`], [`json`]: a history as text and as JSON.
//! - [`site`](mod@site): pages about all runs of a lake.

mod contents;
mod json;
mod since_release;
mod site;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::document::Format;
use crate::failure::{Failure, Outcome};
use crate::history::History;
use crate::html;
use crate::input::files_so_far;
use crate::lake::{Summary, left_out};
use crate::output::{print, say, shown};
use crate::pages::history_page;
use crate::runs::{ConfigArguments, RunFigures, check_scenario, read_readable};

/// The arguments of `stats trend`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Captures or logs of other programs, folders of them, patterns, `-` for standard input, or a
    /// summarized lake; runs are sorted by when they began
    #[arg(required = true, value_name = "DIR")]
    runs: Vec<String>,
    /// Use the runs of this scenario [default: that of the newest run]
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// Use only the newest runs
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    last: Option<NonZeroUsize>,
    /// Also write the result as one HTML file, with graphs of the metrics that may fail; for a
    /// summarized lake, write a folder of pages about all its runs
    #[arg(long, value_name = "FILE|SITE")]
    html: Option<PathBuf>,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten)]
    config: ConfigArguments,
}

/// Finds the changes over many runs, and prints them.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let config = arguments.config.config()?;
    let lake = lake(&arguments.runs);
    if lake.is_none() {
        html::check(arguments.html.as_deref())?;
    }
    let (files, empty) = match lake {
        Some(_) => Default::default(),
        None => files_so_far(&arguments.runs)?,
    };
    let (mut runs, mut failures) = match lake {
        Some(lake) => (summarized_runs(lake)?, Vec::new()),
        None => read_readable(&files, &config),
    };
    if runs.is_empty()
        && let Some(failure) = failures.pop()
    {
        return Err(failure);
    }
    let last = arguments.last.map(NonZeroUsize::get);
    let scenario = arguments.scenario.as_deref();
    check_scenario(&runs, scenario)?;
    let mut has_all_reports = true;
    if let (Some(lake), Some(site)) = (lake, &arguments.html) {
        for failure in site::write(lake, site, &runs, last, &config)? {
            say(format_args!("{failure}; the run has no new report"));
            has_all_reports = false;
        }
    }
    runs.retain(|run| run.is_of(scenario));
    let mut history = History::of(runs, last, &config);
    let empty = empty.iter().map(|name| without_runs(name));
    history.warnings.extend(empty);
    let unread = failures
        .iter()
        .map(|failure| shown(format!("{failure}; the run is left out")));
    history.warnings.extend(unread);
    let (verdict, changes) = (contents::verdict(&history), contents::changes(&history));
    if let (None, Some(file)) = (lake, &arguments.html) {
        let direction = since_release::verdict(&history);
        let json = json::json(&history);
        let page = history_page(&direction, &verdict, &changes, &history, &[], &json);
        html::write(file, &page)?;
    }
    let document = || {
        let changes = changes.judged("Verdict", &verdict);
        changes.judged("Since the release", &since_release::verdict(&history))
    };
    print(arguments.format.of(document, || json::json(&history)))?;
    Ok(match history.outcome() {
        Outcome::Worse => Outcome::Worse,
        outcome if has_all_reports && failures.is_empty() => outcome,
        _ => Outcome::Unreadable,
    })
}

/// Returns a sentence about an argument that names no run.
fn without_runs(name: &str) -> String {
    if Path::new(name).exists() {
        format!("{name} has no runs yet")
    } else if name.contains(['*', '?', '[']) {
        format!("no file matches {name:?} yet")
    } else {
        format!("{name} does not exist; name a folder of runs, or record into it first")
    }
}

/// Returns the summarized lake, if it is the only argument.
fn lake(runs: &[String]) -> Option<&Path> {
    let [folder] = runs else { return None };
    Some(Path::new(folder)).filter(|folder| Summary::exists(folder))
}

/// Reads the runs of a lake from its summary.
fn summarized_runs(lake: &Path) -> Result<Vec<RunFigures>, Failure> {
    let summary = Summary::read(lake)?;
    if let Some(note) = left_out(lake, &summary)? {
        say(note);
    }
    let rows = summary.with_metrics()?;
    Ok(rows
        .into_iter()
        .map(|row| RunFigures::of_row(row, lake))
        .collect())
}
