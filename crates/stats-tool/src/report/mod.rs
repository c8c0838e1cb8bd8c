//! `stats report`: the metrics of one run, or of several runs of the same scenario.

use std::path::PathBuf;

use stats_capture::{MarkKind, MarkRecord};
use stats_config::Config;

use crate::document::Format;
use crate::failure::{Failure, Outcome};
use crate::html;
use crate::input::{files, files_so_far};
use crate::metrics::Rules;
use crate::output::{print, say};
use crate::pages::run_page;
use crate::pattern::pattern;
use crate::run_report::RunReport;
use crate::runs::{self, ConfigArguments, read_metrics, read_readable};

/// The arguments of `stats report`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Captures, journals or logs of other programs, folders of captures or of logs, patterns, or `-`
    /// for standard input
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    /// The format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Also write the report as one HTML file, with graphs and every series
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also show the figures of CapFrameX and PresentMon, by their definitions
    #[arg(long)]
    peers: bool,
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
struct Judging {
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
    fn rules(&self, expected: &Config) -> Result<Rules, Failure> {
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

/// Prints the metrics of runs. The outcome is unknown if a run has no frames to judge.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    html::check(arguments.html.as_deref())?;
    let config = arguments.config.config()?;
    // Report a mistake in the arguments even if no capture can be read.
    arguments.judging.rules(&config)?;
    let (runs, stored) = (files(&arguments.runs)?, files_so_far(&arguments.history)?.0);
    let runs = read_metrics(&runs, |capture| {
        let scenario = capture.run().scenario.as_deref();
        arguments.judging.rules(&config.for_scenario(scenario))
    })?;
    for name in &arguments.judging.exclude {
        let span = pattern("--exclude", name)?;
        let is_one = |mark: &MarkRecord| mark.kind == MarkKind::Span && span.matches(&mark.name);
        if !runs.iter().any(|run| run.marks.iter().any(is_one)) {
            say(format_args!(
                "--exclude {name:?} matches no span, so it leaves nothing out"
            ));
        }
    }
    let mut report = RunReport::of(&runs, &config, arguments.judging.budget);
    if arguments.peers {
        report.add_peers()?;
    }
    if let Some(file) = &arguments.html {
        let (stored, unread) = read_readable(&stored, &config);
        for failure in unread {
            say(format_args!(
                "{failure}; the run is left out of the history"
            ));
        }
        html::write(file, &run_page(&report, None, &stored, &config)?)?;
    }
    let document = || report.document().judged("Verdict", &report.verdict());
    print(arguments.format.of(document, || report.json()))?;
    let is_judged = runs.iter().all(|run| run.clock("frame").is_some());
    Ok(if is_judged {
        Outcome::Fine
    } else {
        Outcome::Unknown
    })
}
