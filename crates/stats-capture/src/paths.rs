//! The names of the files beside a capture.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

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
