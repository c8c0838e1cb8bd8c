//! Keeps a file that must not be lost when it is replaced, under a second name.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::document::newer_version;
use super::saved::SavedState;

/// The maximum number of files of one kind that are kept beside a saved one.
const MAX_KEPT: u32 = 1000;

/// Why a text must be kept when it is replaced.
#[derive(Clone, Copy, Debug)]
pub(super) enum Backup {
    /// The text cannot be read.
    Damaged,
    /// A newer version wrote the text, or its contents.
    Newer {
        version: u64,
        /// Whether this version wrote the text, with everything from a text of the newer version.
        /// Only that one must be kept then.
        is_own: bool,
    },
}

impl Backup {
    /// Returns why a text must be kept when it is replaced; `None` if nothing is lost.
    pub(super) fn of(text: &str) -> Option<Self> {
        match text.parse::<SavedState>() {
            Err(_) => Some(Self::Damaged),
            Ok(saved) => newer_version(text).map(|version| Self::Newer {
                version,
                is_own: saved.to_string() == text,
            }),
        }
    }

    /// Gives a file a second, unused name. Returns that name, or `None` if the file need not be
    /// kept.
    pub(super) fn keep(self, path: &Path) -> io::Result<Option<PathBuf>> {
        if self.is_own() && self.name(path, 1).exists() {
            return Ok(None);
        }
        for number in 1..=MAX_KEPT {
            let kept = self.name(path, number);
            let linked = match fs::hard_link(path, &kept) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => copy(path, &kept),
                linked => linked,
            };
            match linked {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                linked => return linked.map(|()| Some(kept)),
            }
        }
        Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("there are already {MAX_KEPT} such files beside it"),
        ))
    }

    /// Returns whether this version wrote the text, with the contents of a newer one.
    pub(super) fn is_own(self) -> bool {
        matches!(self, Self::Newer { is_own: true, .. })
    }

    /// Returns `damaged`, or `v3` for version 3.
    pub(super) fn label(self) -> String {
        match self {
            Self::Damaged => "damaged".to_owned(),
            Self::Newer { version, .. } => format!("v{version}"),
        }
    }

    /// Returns `settings.damaged.json`, then `settings.damaged-2.json`.
    fn name(self, path: &Path, number: u32) -> PathBuf {
        let mut name = path.file_stem().map_or_else(OsString::new, OsString::from);
        name.push(format!(".{}", self.label()));
        if number > 1 {
            name.push(format!("-{number}"));
        }
        if let Some(extension) = path.extension() {
            name.push(".");
            name.push(extension);
        }
        path.with_file_name(name)
    }
}

/// Copies a file, for file systems without hard links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = File::open(from)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(to)?;
    io::copy(&mut from, &mut file)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Folder;

    #[test]
    fn a_copy_never_replaces_a_file() {
        let folder = Folder::new("aside-copy");
        let (from, to) = (folder.0.join("from"), folder.0.join("to"));
        fs::write(&from, "text").unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "text");
        assert_eq!(
            copy(&from, &to).unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
    }
}
