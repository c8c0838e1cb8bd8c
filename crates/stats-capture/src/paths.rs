//! The names of the files beside a capture.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use stats_file::Target;

use crate::CaptureError;

/// The extension of a journal, appended to the name of its capture.
pub(crate) const JOURNAL: &str = "journal";

/// Appends an extension to the name of a capture: `run.parquet.journal`.
pub(crate) fn beside(capture: &Path, extension: &str) -> PathBuf {
    let mut name = OsString::from(capture.as_os_str());
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// Returns an unused path for a capture in a folder, named after the time.
pub(crate) fn new_path(folder: &Path, kind: &str) -> PathBuf {
    unused_path(folder, kind, SystemTime::now())
}

/// Returns an unused path for a capture in a folder, such as `run-2026-01-31T12-00-00Z.parquet`, with a
/// number behind the time if that file, or the journal of a recording to it, exists. If all numbers up
/// to 999 are used, the path is that without a number, which exists.
#[must_use]
pub fn unused_path(folder: &Path, kind: &str, time: SystemTime) -> PathBuf {
    let time = DateTime::<Utc>::from(time).format("%Y-%m-%dT%H-%M-%SZ");
    let path = |suffix: &str| folder.join(format!("{kind}-{time}{suffix}.parquet"));
    let is_new = |path: &PathBuf| !path.exists() && !beside(path, JOURNAL).exists();
    let numbered = (2..1000).map(|number| path(&format!("-{number}")));
    let mut paths = std::iter::once(path("")).chain(numbered);
    paths.find(is_new).unwrap_or_else(|| path(""))
}

/// Returns the folder for the pictures of a capture: `run.pictures`.
pub(crate) fn pictures_of(capture: &Path) -> PathBuf {
    capture.with_extension("pictures")
}

/// Returns the frame that a picture in that folder shows, from the name of the file.
pub(crate) fn frame_of_picture(file: &Path) -> Option<u64> {
    let name = file.file_name()?.to_str()?;
    let number = name.strip_prefix("frame-")?.strip_suffix(".png")?;
    number.parse().ok()
}

/// Returns the file for the scopes of a capture: `run.spans.parquet`.
pub(crate) fn spans_of(capture: &Path) -> PathBuf {
    capture.with_extension("spans.parquet")
}

/// Returns the file that a path leads to. All files of a capture are beside that one.
pub(crate) fn behind_links(path: &Path) -> PathBuf {
    Target::of(path).map_or_else(|_| path.to_owned(), |target| target.path().to_owned())
}

/// Examines what a capture and the files beside it will replace, before anything is recorded.
///
/// # Errors
///
/// [`CaptureError::Target`].
pub(crate) fn check_targets(capture: &Path) -> Result<(), CaptureError> {
    let not = |path: &Path| {
        let path = path.to_owned();
        move |source| CaptureError::Target { path, source }
    };
    for file in [spans_of(capture), capture.to_owned()] {
        let target = Target::of_file(&file).map_err(not(&file))?;
        check_content(target.path()).map_err(not(&file))?;
    }
    let pictures = pictures_of(capture);
    if pictures.exists() && !pictures.is_dir() {
        let why = "it is not a folder, and pictures would be written there";
        return Err(not(&pictures)(io::Error::new(
            ErrorKind::NotADirectory,
            why,
        )));
    }
    Ok(())
}

/// Returns an error if a file has content that a capture must not replace: neither nothing, nor
/// Parquet, nor a journal.
fn check_content(path: &Path) -> io::Result<()> {
    let mut begin = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(4).read_to_end(&mut begin)?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if begin == *b"PAR1" || begins_as_journal(&begin) {
        return Ok(());
    }
    Err(io::Error::new(
        ErrorKind::AlreadyExists,
        "it is another kind of file, which would be lost",
    ))
}

/// Returns whether these bytes, up to four, are the beginning of a journal. Nothing counts.
pub(crate) fn begins_as_journal(begin: &[u8]) -> bool {
    begin.iter().all(|byte| *byte == 0xFF)
}
