//! Standard output, messages on standard error, and the check that no output replaces a run.

use std::fmt::Display;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use stats_file::Target;

use crate::document::is_invisible;
use crate::failure::Failure;

/// Pairs of a path and the name that texts show instead, for temporary files.
static NAMES: Mutex<Vec<(PathBuf, String)>> = Mutex::new(Vec::new());

/// The files that [`target`] returned, by their real paths.
static TARGETS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes all texts show a file under another name.
pub(crate) fn show_as(file: &Path, name: &str) {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    names.push((file.to_owned(), name.to_owned()));
}

/// Returns the name of a file in texts: its path, or the name of [`show_as`]. Like every name, it
/// may have characters that a format must escape.
pub(crate) fn name_of(file: &Path) -> String {
    let names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let shown = names.iter().find(|(known, _)| known == file);
    shown.map_or_else(|| file.display().to_string(), |(_, name)| name.clone())
}

/// Replaces the paths of such files in a message by their names. The message must not be escaped
/// yet: names are put into it as they are.
pub(crate) fn shown(text: String) -> String {
    let names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    // The last first: the path of the first pipe is the beginning of that of the eleventh.
    let names = names.iter().rev();
    names.fold(text, |text, (file, name)| {
        text.replace(&*file.to_string_lossy(), name)
    })
}

/// Writes text to standard output. It is not an error if the reader, such as `head`, closes it
/// early.
pub(crate) fn print(text: String) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => Err(Failure::Output {
            name: "standard output".into(),
            source,
        }),
        _ => Ok(()),
    }
}

/// Prints a message to standard error, with a replacement for each character that a terminal would
/// obey, such as those of a file's name. It is not an error if nobody reads it.
pub(crate) fn say(message: impl Display) {
    let text = shown(format!("stats: {message}\n")).replace(
        |character| is_invisible(character) && !matches!(character, '\n' | '\t'),
        "\u{fffd}",
    );
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Returns whether a file can be read and begins like a capture or a journal.
pub(crate) fn begins_like_run(file: &Path) -> bool {
    let mut begin = [0; 4];
    File::open(file)
        .and_then(|mut file| file.read_exact(&mut begin))
        .is_ok_and(|()| matches!(&begin, b"PAR1" | [0xFF, 0xFF, 0xFF, 0xFF]))
}

/// Examines a file to write, before any work. Returns an error if the path leads to a folder, or to
/// a capture or a journal, which no output may replace.
pub(crate) fn target(file: &Path) -> Result<Target, Failure> {
    let target = Target::of(file).map_err(Failure::writing(file))?;
    if target.is_file() && begins_like_run(target.path()) {
        return Err(Failure::Usage(format!(
            "{} is a run and would be lost; name another file to write",
            file.display()
        )));
    }
    if target.is_file() {
        let mut targets = TARGETS.lock().unwrap_or_else(PoisonError::into_inner);
        targets.extend(std::fs::canonicalize(target.path()));
    }
    Ok(target)
}

/// Returns an error if a file to read, with its real path, is also a file to write.
pub(crate) fn check_input(file: &Path, real: &Path) -> Result<(), Failure> {
    let targets = TARGETS.lock().unwrap_or_else(PoisonError::into_inner);
    if targets.iter().any(|target| target == real) {
        return Err(Failure::Usage(format!(
            "{} is read and would be lost; name another file to write",
            file.display()
        )));
    }
    Ok(())
}

/// Writes a text to a file, which keeps its content until everything is written.
pub(crate) fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let target = target(file)?;
    let written = target.begin().and_then(|mut new| {
        new.write_all(text.as_bytes())?;
        new.complete()
    });
    written.map_err(Failure::writing(file))
}
