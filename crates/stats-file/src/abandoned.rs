//! Removes the incomplete files that killed processes left behind.

use std::ffi::OsString;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The age at which an incomplete file counts as abandoned, since it was last written to.
const OLD: Duration = Duration::from_secs(600);

/// Returns the name under which a file is written beside the file that it will replace:
/// `settings.json.PROCESS-NUMBER.part`.
pub(crate) fn part_of(path: &Path, process: u32, number: u32) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(format!(".{process}-{number}.part"));
    path.with_file_name(name)
}

/// Removes the incomplete files beside a file, `NAME.PROCESS-NUMBER.part`, that nobody has written
/// to for 10 minutes. Files that cannot be listed or removed stay, which does no harm.
///
/// [`Target::begin`](crate::Target::begin) calls this.
pub fn remove_abandoned(path: impl AsRef<Path>) {
    let path = path.as_ref();
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return;
    };
    let Some(name) = name.to_str() else { return };
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_part(entry, name) && is_old(entry)) {
        let _ = fs::remove_file(entry.path());
    }
}

fn is_part(entry: &DirEntry, name: &str) -> bool {
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    entry
        .file_name()
        .to_str()
        .and_then(|found| found.strip_prefix(name)?.strip_prefix('.'))
        .and_then(|rest| rest.strip_suffix(".part")?.split_once('-'))
        .is_some_and(|(process, number)| is_number(process) && is_number(number))
}

fn is_old(entry: &DirEntry) -> bool {
    let metadata = entry.metadata().ok().filter(|found| found.is_file());
    metadata
        .and_then(|found| found.modified().ok()?.elapsed().ok())
        .is_some_and(|age| age >= OLD)
}
