//! The names of the files beside a capture.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

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
    let spans = spans_of(capture);
    Target::of_file(&spans).map_err(not(&spans))?;
    let pictures = pictures_of(capture);
    if pictures.exists() && !pictures.is_dir() {
        let why = "it is not a folder, and pictures would be written there";
        return Err(not(&pictures)(io::Error::new(
            ErrorKind::NotADirectory,
            why,
        )));
    }
    let target = Target::of_file(capture).map_err(not(capture))?;
    if target.path() != capture {
        // The journal shows that files can be created beside the link, but not at its target.
        let folder = target.path().parent();
        let created = folder.map_or(Ok(()), std::fs::create_dir_all);
        created
            .and_then(|()| target.begin())
            .map(drop)
            .map_err(not(capture))?;
    }
    Ok(())
}
