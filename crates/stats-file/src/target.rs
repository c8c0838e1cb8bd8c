//! Where a path leads.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::{Error, ErrorKind, Result};
use std::path::{Component, Path, PathBuf};

use crate::NewFile;

/// The maximum number of links from a path to its target. Linux has the same limit.
const MAX_LINKS: usize = 40;

/// The file that a path leads to, examined before anything is written.
#[derive(Clone, Debug)]
pub struct Target {
    path: PathBuf,
    /// Whether it is a device, a pipe, a socket or an open file, which is written to directly.
    is_stream: bool,
    /// The permissions of the file that will be replaced.
    permissions: Option<Permissions>,
}

impl Target {
    /// Examines a path. Creates nothing, and does not look for the folder of a new file.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::InvalidInput`] if the path is blank, or if its links lead in a circle.
    /// - [`ErrorKind::IsADirectory`] if it leads to a folder.
    /// - [`ErrorKind::PermissionDenied`] if it leads to a file that is marked as read-only.
    /// - Those of the system, except that a file may be missing.
    pub fn of(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        if path.to_string_lossy().trim().is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, "its name is blank"));
        }
        let (path, is_open_file) = followed(path)?;
        let found = match fs::metadata(&path) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == ErrorKind::NotFound && !is_open_file => None,
            Err(error) => return Err(error),
        };
        let is_folder = match &found {
            Some(found) => found.is_dir(),
            None => names_folder(&path),
        };
        if is_folder {
            return Err(Error::new(ErrorKind::IsADirectory, "it is a folder"));
        }
        let is_file = found.as_ref().is_none_or(|found| found.is_file());
        let is_stream = is_open_file || !is_file;
        let replaced = found.filter(|_| !is_stream);
        let permissions = replaced.map(|found| found.permissions());
        if permissions.as_ref().is_some_and(Permissions::readonly) {
            let why = "it is marked as read-only";
            return Err(Error::new(ErrorKind::PermissionDenied, why));
        }
        Ok(Self {
            path,
            is_stream,
            permissions,
        })
    }

    /// Works like [`of`](Self::of), but refuses a device, a pipe, a socket and an open file.
    ///
    /// # Errors
    ///
    /// Also [`ErrorKind::InvalidInput`] for these.
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self> {
        let target = Self::of(path)?;
        if target.is_stream {
            let why = "it is a device or a pipe, not a file";
            return Err(Error::new(ErrorKind::InvalidInput, why));
        }
        Ok(target)
    }

    /// Returns whether it is a regular file or nothing, and not a device, a pipe, a socket or an
    /// open file.
    #[must_use]
    pub fn is_file(&self) -> bool {
        !self.is_stream
    }

    /// Returns the path after all links. A relative path stays relative.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins to write: creates a new file beside the target, or opens a device, a pipe or an open
    /// file. Opening a pipe waits for its reader.
    ///
    /// Removes the incomplete files for this target, `NAME.PROCESS-NUMBER.part`, that killed
    /// processes left behind, if nobody has written to them for 10 minutes. The first call for a
    /// folder lists it, and later ones remove only what was there.
    ///
    /// # Errors
    ///
    /// Those of the system. [`ErrorKind::NotFound`] if the folder does not exist.
    pub fn begin(&self) -> Result<NewFile> {
        if self.is_stream {
            NewFile::of_stream(&self.path)
        } else {
            NewFile::beside(&self.path, self.permissions.clone())
        }
    }
}

/// Follows all links of a path, including those to missing files. Also returns whether it leads to
/// an open file of a process.
fn followed(path: &Path) -> Result<(PathBuf, bool)> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if is_open_file(&path) {
            return Ok((path, true));
        }
        // Fails if it is not a link, or if it does not exist.
        let Ok(link) = fs::read_link(&path) else {
            return Ok((path, false));
        };
        path.pop();
        path.push(link);
    }
    Err(Error::new(
        ErrorKind::InvalidInput,
        "its links lead in a circle",
    ))
}

/// Returns whether a path names an open file of a process: `/dev/fd/1` or `/proc/self/fd/1`. The
/// system lists them as links, but to replace the target of such a link would take the file away
/// from the process that opened it.
fn is_open_file(path: &Path) -> bool {
    let is_in = |folder: &str| path.starts_with(folder);
    let parent = path.parent().and_then(Path::file_name);
    cfg!(unix) && (is_in("/dev") || is_in("/proc")) && parent == Some(OsStr::new("fd"))
}

/// Returns whether only a folder can have this path.
fn names_folder(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    let ends_in_separator = last.is_some_and(|last| std::path::is_separator(char::from(*last)));
    ends_in_separator || !matches!(path.components().next_back(), Some(Component::Normal(_)))
}
