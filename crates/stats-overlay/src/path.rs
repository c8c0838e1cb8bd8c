//! Checks of the paths that a program or a user gives.

use std::path::{Path, PathBuf};

/// Returns whether a path is empty or contains only whitespace. A blank file name nearly always
/// comes from a field that nobody filled in.
pub(crate) fn is_blank(path: &Path) -> bool {
    path.to_string_lossy().trim().is_empty()
}

/// Returns the absolute path, for messages: its readers may not know the program's current
/// directory.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
