//! The command `stats`: records runs of a game, and reports what they took.
//!
//! One folder for each verb, and for what verbs share:
//!
//! - [`arguments`]: the command line.
//! - [`failure`]: why a verb did not succeed, and its exit code.
//! - [`input`]: the captures that paths and patterns name.
//! - [`metrics`]: the figures of a run.
//! - [`output`], [`progress`]: standard output, and a bar on standard error.
#![forbid(unsafe_code)]

mod arguments;
mod failure;
mod input;
mod metrics;
mod output;
mod progress;
mod recover;
mod report;
mod statistics;

use std::process::ExitCode;

use arguments::Verb;

fn main() -> ExitCode {
    let verb = match arguments::parse(std::env::args_os()) {
        Ok(verb) => verb,
        Err(code) => return code,
    };
    let ended = match verb {
        Verb::Report(arguments) => report::run(&arguments),
        Verb::Recover(arguments) => recover::run(&arguments),
    };
    match ended {
        Ok(outcome) => outcome.into(),
        Err(failure) => {
            eprintln!("stats: {failure}");
            failure.outcome().into()
        }
    }
}
