//! The command `stats`: records runs of a game, and reports what they took.
//!
//! One folder for each verb, and for what verbs share:
//!
//! - [`arguments`]: the command line.
//! - [`failure`]: why a verb did not succeed, and its exit code.
//! - [`document`]: what a verb says, as text and Markdown.
//! - [`html`]: reports as one file.
//! - [`input`]: the captures that paths and patterns name.
//! - [`pattern`]: patterns of names.
//! - [`metrics`]: the figures of a run.
//! - [`runs`]: several runs, and `stats.toml`.
//! - [`statistics`]: what a few runs can tell.
//! - [`comparison`](mod@comparison): runs before and after a change.
//! - [`output`], [`progress`]: standard output, and a bar on standard error.
#![forbid(unsafe_code)]

mod arguments;
mod compare;
mod comparison;
mod document;
mod explain;
mod export;
mod failure;
mod gate;
mod html;
mod input;
mod metrics;
mod output;
mod pattern;
mod progress;
mod record;
mod recover;
mod report;
mod runs;
mod statistics;
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
        Verb::Record(arguments) => record::run(&arguments),
        Verb::Report(arguments) => report::run(&arguments),
        Verb::Compare(arguments) => compare::run(&arguments),
        Verb::Gate(arguments) => gate::run(&arguments),
        Verb::Trend(arguments) => trend::run(&arguments),
        #[cfg(feature = "view")]
        Verb::View(arguments) => view::run(&arguments),
        Verb::Recover(arguments) => recover::run(&arguments),
    };
    input::remove_copy();
    match ended {
        Ok(outcome) => outcome.into(),
        Err(failure) => {
            eprintln!("stats: {failure}");
            failure.outcome().into()
        }
    }
}
