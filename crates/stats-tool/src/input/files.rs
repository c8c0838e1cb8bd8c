//! Finds the files that arguments name.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::pattern::pattern;

/// The extension of a capture.
const CAPTURE: &str = "parquet";

/// The extension of the file beside a capture with the begin and end of its scopes.
const SPANS: &str = ".spans.parquet";

/// Returns the files that arguments name, in the order of the arguments and without duplicates. An
/// argument is a file, a folder with captures, or a pattern such as `runs/*.parquet`, whose files
/// are sorted by name.
pub(crate) fn files(arguments: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for argument in arguments {
        for file in named_by(argument)? {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    Ok(files)
}

/// Returns the one file that an argument names.
pub(crate) fn one_file(argument: &str) -> Result<PathBuf, Failure> {
    let mut files = named_by(argument)?;
    match (files.pop(), files.len()) {
        (Some(file), 0) => Ok(file),
        (_, others) => Err(Failure::Usage(format!(
            "{argument:?} names {} files; name one of them",
            others + 1
        ))),
    }
}

fn named_by(argument: &str) -> Result<Vec<PathBuf>, Failure> {
    let path = Path::new(argument);
    if path.is_dir() {
        return captures_in(path);
    }
    // An existing file is not a pattern, even if its name looks like one.
    if path.exists() || !argument.contains(['*', '?', '[']) {
        return Ok(vec![path.to_owned()]);
    }
    pattern("the argument", argument)?;
    // Never fails: the line above has checked the pattern.
    let found = glob::glob(argument).into_iter().flatten();
    let files: Vec<PathBuf> = found.flatten().filter(|path| !is_spans(path)).collect();
    if files.is_empty() {
        return Err(Failure::NoMatch {
            pattern: argument.to_owned(),
        });
    }
    Ok(files)
}

fn captures_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |source| Failure::Input {
        name: folder.display().to_string(),
        source,
    };
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        if is_capture(&path) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Failure::NoCaptures {
            folder: folder.to_owned(),
        });
    }
    files.sort();
    Ok(files)
}

/// Returns whether a path is named as a capture.
pub(crate) fn is_capture(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == CAPTURE) && !is_spans(path)
}

fn is_spans(path: &Path) -> bool {
    path.to_string_lossy().ends_with(SPANS)
}
