//! `stats report`: runs in figures.

use crate::failure::{Failure, Outcome};
use crate::input::files;
use crate::metrics::{Rules, RunMetrics};

/// The arguments of `stats report`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Captures or journals, folders with captures, or patterns
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
}

/// Prints the figures of runs.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    for file in files(&arguments.runs)? {
        let metrics = RunMetrics::read(&file, &Rules::default())?;
        for metric in metrics.list() {
            println!("{} {} {}", metric.name, metric.value, metric.unit.symbol());
        }
    }
    Ok(Outcome::Fine)
}
