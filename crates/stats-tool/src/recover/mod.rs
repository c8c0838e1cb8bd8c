//! `stats recover`: completes the captures of killed runs.

use crate::failure::{Failure, Outcome};
use crate::input::files;
use crate::output::print;

/// The arguments of `stats recover`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Journals: files that end in .journal, or patterns
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<String>,
}

/// Completes the captures of journals. Recovers every journal that it can, and then returns the
/// first error.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let mut first_error = None;
    for journal in files(&arguments.journals)? {
        match stats_capture::recover(&journal) {
            Ok(recovered) => {
                let path = recovered.path.display();
                print(format!("{} frames in {path}\n", recovered.frames))?;
                if recovered.damaged_bytes > 0 {
                    eprintln!(
                        "stats: {} bytes of {} are damaged and were left out; the journal is kept",
                        recovered.damaged_bytes,
                        journal.display()
                    );
                }
            }
            Err(error) => {
                if let Some(before) = first_error.replace(error) {
                    eprintln!("stats: {before}");
                }
            }
        }
    }
    first_error.map_or(Ok(Outcome::Fine), |error| Err(error.into()))
}
