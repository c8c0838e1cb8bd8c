//! `stats recover`: completes the captures of killed runs.

use std::path::Path;

use stats_analysis::format::count_text;
use stats_capture::{CaptureFile, ReadError, Recovered};

use crate::failure::{Failure, Outcome};
use crate::input::journals;
use crate::output::{print, say};
use crate::progress::Progress;

/// The arguments of `stats recover`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Journals: files that end in .journal, folders with such files, or patterns
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<String>,
}

/// Completes the captures of journals. Recovers every journal that it can. Prints all errors but
/// the last, which it returns.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    if arguments.journals.iter().any(|journal| journal == "-") {
        return Err(Failure::Usage(
            "a journal cannot come on standard input, because its capture is written beside it; name the file".into(),
        ));
    }
    let mut last_error = None;
    let journals = journals(&arguments.journals)?;
    let mut progress = Progress::new("recovering", journals.len());
    for journal in journals {
        match recover(&journal) {
            Ok(recovered) => {
                let path = recovered.path.display();
                let spans = match recovered.spans {
                    0 => String::new(),
                    spans => format!(", {} beside it", count_text(spans, "scope", "scopes")),
                };
                progress.clear();
                let frames = count_text(recovered.frames, "frame", "frames");
                print(format!("{frames} in {path}{spans}\n"))?;
                if recovered.damaged_bytes > 0 {
                    say(format_args!(
                        "{} damaged and left out: {}; the journal is kept",
                        count_text(recovered.damaged_bytes, "byte is", "bytes are"),
                        journal.display()
                    ));
                }
            }
            Err(ReadError::Exists { path }) if path == journal => {
                progress.clear();
                say(format_args!("{} is complete already", path.display()));
            }
            Err(ReadError::Exists { path }) if !journal.exists() => {
                progress.clear();
                let name = journal.display();
                say(format_args!(
                    "{name} is gone, because {} is complete already",
                    path.display()
                ));
            }
            Err(error) => {
                if let Some(before) = last_error.replace(error) {
                    progress.clear();
                    say(before);
                }
            }
        }
        progress.step();
    }
    last_error.map_or(Ok(Outcome::Fine), |error| Err(error.into()))
}

/// Completes the capture of a journal. If the path is that of a capture that can be read, says that it exists
/// already.
fn recover(journal: &Path) -> Result<Recovered, ReadError> {
    stats_capture::recover(journal).map_err(|error| match error {
        ReadError::NotACapture { path } => match CaptureFile::open(&path) {
            Ok(_) => ReadError::Exists { path },
            Err(error) => error,
        },
        error => error,
    })
}
