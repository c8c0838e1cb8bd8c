//! The logs of other programs in a folder, and what is said about files that are left out.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::foreign::{Head, is_table};
use crate::output::{name_of, say};

/// The extensions of files that are taken for logs.
const LOGS: [&str; 6] = ["csv", "json", "txt", "puffin", "pdata", "hml"];

/// The end of the name of the figures that MangoHud writes beside each log.
const SUMMARY: &str = "_summary";

/// The maximum number of files to name.
const MAX_NAMED: usize = 5;

/// The files of a folder that are taken for logs, sorted by name.
#[derive(Debug, Default)]
pub(super) struct Logs {
    /// The files with a known format.
    pub(super) readable: Vec<PathBuf>,
    /// Why the others are left out.
    pub(super) left_out: Vec<Failure>,
}

/// Finds the logs in a folder. The summary beside a log and texts that are no tables are skipped.
pub(super) fn logs_in(folder: &Path) -> Result<Logs, Failure> {
    let unreadable = Failure::reading(folder);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let has_end = path
            .extension()
            .is_some_and(|end| LOGS.iter().any(|log| end.eq_ignore_ascii_case(log)));
        if has_end && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    let mut logs = Logs::default();
    for file in files {
        let name = file.display().to_string();
        match Head::read(&file) {
            Err(source) => logs.left_out.push(Failure::Input { name, source }),
            Ok(head) => match head.format() {
                Some(format) if !format.is_refused => logs.readable.push(file),
                Some(format) if !is_summary(&file) => {
                    let refused = (format.read)(&file, &Default::default()).err();
                    logs.left_out
                        .extend(refused.map(|refusal| refusal.of_file(&file)));
                }
                None if is_table(&head) => logs.left_out.push(Failure::Foreign {
                    name,
                    what: "it is a table of no known program; `stats import --time COLUMN --unit ms` reads a table of \
                           frame times"
                        .to_owned(),
                }),
                _ => {}
            },
        }
    }
    Ok(logs)
}

/// Returns whether a file is named as the summary of a log beside it.
fn is_summary(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    stem.strip_suffix(SUMMARY)
        .is_some_and(|log| file.with_file_name(format!("{log}.csv")).is_file())
}

/// Says why files are left out.
pub(super) fn say_left_out(failures: &[Failure]) {
    for failure in failures.iter().take(MAX_NAMED) {
        say(format_args!("{failure}; the file is left out"));
    }
    let more = failures.len().saturating_sub(MAX_NAMED);
    if more > 0 {
        say(format_args!(
            "{more} more files are left out; name one of them, and the message says why"
        ));
    }
}

/// Says that logs beside captures are not read.
pub(super) fn say_unread_logs(folder: &Path, captures: usize, logs: &[PathBuf]) {
    if logs.is_empty() {
        return;
    }
    let names = logs.iter().take(MAX_NAMED);
    let names: Vec<String> = names
        .map(|log| name_of(Path::new(log.file_name().unwrap_or_default())))
        .collect();
    let more = match logs.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    say(format_args!(
        "{} has captures ({captures}), which are read, and logs of other programs, which are not: {}{more}; name these \
         logs, too, or move them to a folder of their own",
        folder.display(),
        names.join(", ")
    ));
}
