//! Standard output, messages on standard error, and the check that no output replaces a run.

use std::fmt::Display;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::failure::Failure;

/// Pairs of a path and the name that texts show instead, for temporary files.
static NAMES: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Makes all texts show a file under another name.
pub(crate) fn show_as(file: &Path, name: &str) {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    names.push((file.to_string_lossy().into_owned(), name.to_owned()));
}

/// Replaces the paths of such files in a text by their names.
pub(crate) fn shown(text: String) -> String {
    let names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.iter();
    names.fold(text, |text, (file, name)| text.replace(file, name))
}

/// Writes text to standard output. It is not an error if the reader, such as `head`, closes it
/// early.
pub(crate) fn print(text: String) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    let written = stdout
        .write_all(shown(text).as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => Err(Failure::Output {
            name: "standard output".into(),
            source,
        }),
        _ => Ok(()),
    }
}

/// Prints a message to standard error. It is not an error if nobody reads it.
pub(crate) fn say(message: impl Display) {
    let text = shown(format!("stats: {message}\n"));
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Returns whether a file can be read and begins like a capture or a journal.
pub(crate) fn begins_like_run(file: &Path) -> bool {
    let mut begin = [0; 4];
    File::open(file)
        .and_then(|mut file| file.read_exact(&mut begin))
        .is_ok_and(|()| matches!(&begin, b"PAR1" | [0xFF, 0xFF, 0xFF, 0xFF]))
}

/// Returns an error if a file is a capture or a journal, which no output may replace.
pub(crate) fn check_replaceable(file: &Path) -> Result<(), Failure> {
    if begins_like_run(file) {
        return Err(Failure::Usage(format!(
            "{} is a run and would be lost; name another file to write",
            file.display()
        )));
    }
    Ok(())
}
