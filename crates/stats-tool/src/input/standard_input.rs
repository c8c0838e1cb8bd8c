//! A capture from standard input.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::failure::Failure;

/// The argument that names standard input.
pub(super) const NAME: &str = "-";

/// The name of the file with the content of standard input.
const FILE: &str = "standard-input.parquet";

/// The maximum number of folder names to try.
const MAX_TRIES: u32 = 100;

/// The file with the content of standard input; `None` before the first call of [`copy`].
static COPY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Copies standard input to a temporary file, because a capture is read from its end, and more
/// than once. Each call returns the same file.
pub(super) fn copy() -> Result<PathBuf, Failure> {
    let mut copy = COPY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = &*copy {
        return Ok(file.clone());
    }
    let mut stdin = io::stdin().lock();
    if stdin.is_terminal() {
        return Err(Failure::Usage(
            "standard input is a terminal; pipe a capture into the command, or name a file".into(),
        ));
    }
    let folder = new_folder().map_err(|source| Failure::Output {
        name: std::env::temp_dir().display().to_string(),
        source,
    })?;
    let file = copy.insert(folder.join(FILE));
    let copied = File::create_new(&*file).and_then(|mut file| io::copy(&mut stdin, &mut file));
    copied.map_err(|source| Failure::Input {
        name: "standard input".into(),
        source,
    })?;
    Ok(file.clone())
}

/// Removes the temporary file, if there is one.
pub(crate) fn remove_copy() {
    let mut copy = COPY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(folder) = copy.take().as_deref().and_then(|file| file.parent()) {
        // An error is ignored: the system removes temporary files at some point.
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Creates a new temporary folder.
pub(crate) fn new_folder() -> io::Result<PathBuf> {
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 0..MAX_TRIES {
        let name = format!("stats-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) => last = error,
        }
    }
    Err(last)
}
