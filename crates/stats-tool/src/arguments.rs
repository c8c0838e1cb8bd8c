//! The command line.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::failure::Outcome;
#[cfg(feature = "view")]
use crate::view;
use crate::{
    compare, explain, export, gate, import, query, record, recover, report, summarize, trend,
};

/// Records runs of a game, then reports and compares them
#[derive(Debug, Parser)]
#[command(name = "stats", version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    verb: Verb,
}

/// The verb, with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Run a program, once or several times, and keep a capture of each run
    Record(record::Arguments),
    /// Show the metrics of one run, or of several runs of the same scenario
    Report(report::Arguments),
    /// Show what changed between runs, and how certain that is
    Compare(compare::Arguments),
    /// Fail if runs are over budget or have regressed
    Gate(gate::Arguments),
    /// Find the runs at which metrics changed
    Trend(trend::Arguments),
    /// Explain the frames that took longer than usual
    Explain(explain::Arguments),
    /// Write a run in the format of another tool
    Export(export::Arguments),
    /// Turn the logs of PresentMon, CapFrameX, MangoHud, Unreal Engine and others into captures
    Import(import::Arguments),
    /// Show a capture, a journal or a memory dump in a window, or compare two
    #[cfg(feature = "view")]
    View(view::Arguments),
    /// Write the figures of all runs of a lake to tables
    Summarize(summarize::Arguments),
    /// Ask a question about all runs of a lake, in SQL
    Query(query::Arguments),
    /// Complete the capture of a run that was killed
    Recover(recover::Arguments),
}

/// Parses the arguments, the first of which is the name of the program. If there is nothing to run,
/// prints the help or the error, and returns the exit code.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Verb, ExitCode> {
    CommandLine::try_parse_from(arguments)
        .map(|line| line.verb)
        .map_err(|error| {
            // If printing fails, the exit code still reports the result.
            let _ = error.print();
            match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Outcome::Fine.into(),
                _ => Outcome::Usage.into(),
            }
        })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::CommandLine;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }
}
