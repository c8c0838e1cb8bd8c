//! Finds the files that arguments name.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::folders::{Logs, logs_in, say_left_out, say_unread_logs};
use super::logs::resolve;
use super::pipes;
use crate::failure::Failure;
use crate::output::{check_input, say};
use crate::pattern::pattern;

/// The extension of a capture.
const CAPTURE: &str = "parquet";

/// The extension of a journal.
const JOURNAL: &str = "journal";

/// The end of the file name of a capture's scopes.
const SPANS: &str = ".spans.parquet";

/// A file that an argument names.
#[derive(Clone, Debug)]
struct Named {
    path: PathBuf,
    /// Whether it is one of the logs in a folder, which is left out if it cannot be read.
    is_in_folder: bool,
}

impl Named {
    fn one(path: PathBuf) -> Self {
        Self {
            path,
            is_in_folder: false,
        }
    }
}

/// Returns the files that arguments name, in the order of the arguments and without duplicates. An
/// argument is a file, a folder with captures, or a pattern such as `runs/*.parquet`. The files of
/// a folder or a pattern are sorted by name. Logs of other programs become temporary captures; those
/// in a folder count if it has no captures.
pub(crate) fn files(arguments: &[String]) -> Result<Vec<PathBuf>, Failure> {
    resolved(named(arguments, CAPTURE)?)
}

/// Like [`files`], but returns logs as they are, and those in a folder even beside captures.
pub(crate) fn log_files(arguments: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for argument in arguments {
        let path = Path::new(argument);
        if path.is_dir() {
            let logs = logs_in(path)?;
            say_left_out(&logs.left_out);
            if logs.readable.is_empty() {
                return Err(Failure::Foreign {
                    name: argument.clone(),
                    what: "the folder has no logs of known programs; name a log".to_owned(),
                });
            }
            found.extend(logs.readable.into_iter().map(Named::one));
        } else {
            found.extend(named_by(argument, CAPTURE)?);
        }
    }
    Ok(paths(without_duplicates(found)?))
}

fn paths(files: Vec<Named>) -> Vec<PathBuf> {
    files.into_iter().map(|file| file.path).collect()
}

/// Replaces the logs of other programs by captures of their runs. Says which logs of a folder cannot
/// be read, and fails if no other file is left.
fn resolved(files: Vec<Named>) -> Result<Vec<PathBuf>, Failure> {
    let mut captures = Vec::with_capacity(files.len());
    let mut unreadable = Vec::new();
    for file in files {
        match resolve(file.path) {
            Ok(runs) => captures.extend(runs),
            Err(failure) if file.is_in_folder => unreadable.push(failure),
            Err(failure) => return Err(failure),
        }
    }
    match unreadable.pop() {
        Some(last) if captures.is_empty() => {
            unreadable.iter().for_each(say);
            return Err(last);
        }
        last => say_left_out(&unreadable.into_iter().chain(last).collect::<Vec<_>>()),
    }
    Ok(captures)
}

/// Like [`files`], but returns journals: a folder stands for the journals in it.
pub(crate) fn journals(arguments: &[String]) -> Result<Vec<PathBuf>, Failure> {
    Ok(paths(named(arguments, JOURNAL)?))
}

/// Like [`files`], but an argument may name no run yet: an empty or a missing folder, or a pattern
/// that matches nothing. Also returns these arguments.
pub(crate) fn files_so_far(arguments: &[String]) -> Result<(Vec<PathBuf>, Vec<String>), Failure> {
    let (mut found, mut empty) = (Vec::new(), Vec::new());
    for argument in arguments {
        let path = Path::new(argument);
        let is_file = path
            .extension()
            .is_some_and(|end| end == CAPTURE || end == JOURNAL);
        let is_pattern = argument.contains(['*', '?', '[']);
        let is_missing = !path.exists() && !is_file && !is_pattern;
        if is_missing && !argument.is_empty() && argument != pipes::STANDARD_INPUT {
            empty.push(argument.clone());
            continue;
        }
        match named_by(argument, CAPTURE) {
            Ok(files) => found.extend(files),
            Err(Failure::NothingIn(_) | Failure::NoMatch(_)) => {
                empty.push(argument.clone());
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok((resolved(without_duplicates(found)?)?, empty))
}

fn named(arguments: &[String], extension: &'static str) -> Result<Vec<Named>, Failure> {
    let mut found = Vec::new();
    for argument in arguments {
        found.extend(named_by(argument, extension)?);
    }
    without_duplicates(found)
}

/// Removes duplicates and the files of scopes. Fails if only files of scopes were found, or if one of the
/// files is also a file to write.
fn without_duplicates(found: Vec<Named>) -> Result<Vec<Named>, Failure> {
    let (mut files, mut known): (Vec<Named>, _) = (Vec::new(), HashSet::new());
    for file in found {
        // A file can have several paths: relative, absolute, and those of links to it.
        let same = std::fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
        check_input(&file.path, &same)?;
        if known.insert(same) {
            files.push(file);
        }
    }
    let spans = files.iter().map(|file| &file.path);
    let Some(spans) = spans.clone().find(|file| is_spans(file)).cloned() else {
        return Ok(files);
    };
    // A pattern such as `runs/*.parquet` also matches the file of scopes beside each capture.
    files.retain(|file| !is_spans(&file.path));
    if files.is_empty() {
        return Err(Failure::Usage(format!(
            "{} contains the scopes of a capture; name the capture itself",
            spans.display()
        )));
    }
    Ok(files)
}

/// Warns of files that are on both sides of a comparison.
pub(crate) fn warn_of_common(before: &[PathBuf], after: &[PathBuf]) {
    let real = |file: &PathBuf| std::fs::canonicalize(file).unwrap_or_else(|_| file.clone());
    let before: HashSet<PathBuf> = before.iter().map(real).collect();
    for file in after.iter().filter(|file| before.contains(&real(file))) {
        say(format_args!("{} is on both sides", file.display()));
    }
}

/// Returns the one file that an argument names.
pub(crate) fn one_file(argument: &str) -> Result<PathBuf, Failure> {
    let mut files = files(&[argument.to_owned()])?;
    match (files.pop(), files.len()) {
        (Some(file), 0) => Ok(file),
        (_, others) => Err(Failure::Usage(format!(
            "{argument:?} names {} files; name one of them",
            others + 1
        ))),
    }
}

fn named_by(argument: &str, extension: &'static str) -> Result<Vec<Named>, Failure> {
    if argument.is_empty() {
        return Err(Failure::Usage(
            "an argument is empty; name a file, a folder or a pattern".into(),
        ));
    }
    let path = Path::new(argument);
    if argument == pipes::STANDARD_INPUT || pipes::is_pipe(path) {
        return Ok(vec![Named::one(pipes::copy(argument)?)]);
    }
    if path.is_dir() {
        return files_in(path, extension);
    }
    // An existing file is not a pattern, even if its name looks like one.
    if path.exists() || !argument.contains(['*', '?', '[']) {
        return Ok(vec![Named::one(path.to_owned())]);
    }
    pattern("the argument", argument)?;
    // Never fails: the line above has checked the pattern.
    let mut files = Vec::new();
    for found in glob::glob(argument).into_iter().flatten() {
        let path = found.map_err(|error| {
            let path = error.path().to_owned();
            Failure::reading(&path)(error.into())
        })?;
        if !is_spans(&path) && !path.is_dir() && !is_left_out(&path) {
            files.push(Named::one(path));
        }
    }
    if files.is_empty() {
        return Err(Failure::NoMatch(argument.to_owned()));
    }
    Ok(files)
}

fn files_in(folder: &Path, extension: &'static str) -> Result<Vec<Named>, Failure> {
    let unreadable = Failure::reading(folder);
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let (mut files, mut journals) = (Vec::new(), 0);
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        let is = |wanted| path.extension().is_some_and(|end| end == wanted);
        journals += usize::from(is(JOURNAL));
        if is(extension) && !is_spans(&path) && !is_left_out(&path) {
            files.push(path);
        }
    }
    let name = folder.display();
    if extension == JOURNAL {
        if files.is_empty() {
            say(format_args!("{name} has no journals: nothing to recover"));
        }
    } else {
        if journals > 0 {
            say(format_args!(
                "{name} has journals ({journals}) of programs that were killed or are still running; \
                 `stats recover` completes the captures of those that were killed"
            ));
        }
        let logs = logs_in(folder)?;
        if files.is_empty() {
            return of_logs(folder, logs);
        }
        say_unread_logs(folder, files.len(), &logs.readable);
    }
    files.sort();
    Ok(files.into_iter().map(Named::one).collect())
}

/// Returns whether a file of a folder or of a pattern is a pipe, and says that it is left out: reading
/// one that nobody writes to would never end.
fn is_left_out(path: &Path) -> bool {
    let is_pipe = pipes::is_pipe(path);
    if is_pipe {
        let path = path.display();
        say(format_args!(
            "{path} is a pipe and is left out; name it to read it"
        ));
    }
    is_pipe
}

/// Returns the logs of a folder without captures.
fn of_logs(folder: &Path, logs: Logs) -> Result<Vec<Named>, Failure> {
    say_left_out(&logs.left_out);
    if logs.readable.is_empty() {
        return Err(Failure::NothingIn(folder.to_owned()));
    }
    let logs = logs.readable.into_iter().map(|path| Named {
        path,
        is_in_folder: true,
    });
    Ok(logs.collect())
}

/// Returns whether a path is named like a capture.
pub(crate) fn is_capture(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == CAPTURE) && !is_spans(path)
}

fn is_spans(path: &Path) -> bool {
    path.to_string_lossy().ends_with(SPANS)
}
