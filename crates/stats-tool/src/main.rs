//! The command `stats`: records runs of a game, then reports and compares them.
//!
//! Each verb has a folder, and no verb imports another. They share these modules:
//!
//! - [`arguments`]: the command line.
//! - [`failure`]: the errors of verbs, and the exit codes.
//! - [`document`]: the output of a verb as text and Markdown.
//! - [`html`], [`pages`]: the parts of HTML files, and the files.
//! - [`input`]: the captures that paths and patterns name.
//! - [`foreign`]: the logs of other programs, read as captures.
//! - [`pattern`]: patterns of names.
//! - [`metrics`]: the figures of a run.
//! - [`runs`]: sets of runs, and `stats.toml`.
//! - [`statistics`]: statistical tests and estimates for a few runs.
//! - [`run_report`]: the report of runs of the same scenario.
//! - [`comparison`](mod@comparison): runs before and after a change.
//! - [`history`]: the metrics of many runs, and the runs at which they changed.
//! - [`lake`]: a folder with the captures of many runs, and a summary of them.
//! - [`output`], [`progress`]: standard output, messages, and a progress bar.
//! - [`redaction`]: captures without what should not leave the house.
//! - [`screens`]: the pictures of frames beside a capture.
//! - [`signals`]: signals that ask the process to end.
//! - [`time`]: the times at which runs began.
//!
//! [`failure`] has the exit codes, because an error is one of the outcomes of a verb.
#![forbid(unsafe_code)]

mod arguments;
mod compare;
mod comparison;
mod document;
mod explain;
mod export;
mod failure;
mod foreign;
mod gate;
mod history;
mod html;
mod import;
mod input;
mod lake;
mod metrics;
mod output;
mod pages;
mod pattern;
mod progress;
mod query;
mod record;
mod recover;
mod redaction;
mod report;
mod run_report;
mod runs;
mod screens;
mod signals;
mod statistics;
mod summarize;
#[cfg(test)]
mod testing;
mod time;
mod trend;
#[cfg(feature = "view")]
mod view;

use std::process::ExitCode;

use arguments::Verb;

fn main() -> ExitCode {
    let verb = match arguments::parse(std::env::args_os()) {
        Ok(verb) => verb,
        Err(code) => return code,
    };
    let ended = match verb {
        Verb::Explain(arguments) => explain::run(&arguments),
        Verb::Export(arguments) => export::run(&arguments),
        Verb::Import(arguments) => import::run(&arguments),
        Verb::Record(arguments) => record::run(&arguments),
        Verb::Report(arguments) => report::run(&arguments),
        Verb::Compare(arguments) => compare::run(&arguments),
        Verb::Gate(arguments) => gate::run(&arguments),
        Verb::Trend(arguments) => trend::run(&arguments),
        #[cfg(feature = "view")]
        Verb::View(arguments) => view::run(&arguments),
        Verb::Summarize(arguments) => summarize::run(&arguments),
        Verb::Query(arguments) => query::run(&arguments),
        Verb::Recover(arguments) => recover::run(&arguments),
    };
    let code = match ended {
        Ok(outcome) => outcome.into(),
        Err(failure) => {
            output::say(&failure);
            failure.outcome().into()
        }
    };
    input::remove_folders();
    code
}
