//! Removes the incomplete files that killed processes left behind.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
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

/// Removes the incomplete files beside a file, `NAME.PROCESS-NUMBER.part`, that no process has open
/// and that nobody has written to for 10 minutes. Files that cannot be listed or removed stay,
/// which does no harm.
///
/// Lists each folder once in a process, because a folder can have many files.
pub(crate) fn remove_abandoned(path: &Path) {
    static FOUND: Mutex<BTreeMap<PathBuf, Vec<PathBuf>>> = Mutex::new(BTreeMap::new());
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return;
    };
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let parts = match found.entry(folder.to_owned()) {
        Entry::Occupied(parts) => parts.into_mut(),
        Entry::Vacant(folder) => {
            let parts = parts_in(folder.key());
            folder.insert(parts)
        }
    };
    let of_path = parts.extract_if(.., |part| target_name(part) == name.to_str());
    let removed: Vec<PathBuf> = of_path.collect();
    drop(found);
    for part in removed.iter().filter(|part| is_abandoned(part)) {
        let _ = fs::remove_file(part);
    }
}

/// Returns the incomplete files in a folder.
fn parts_in(folder: &Path) -> Vec<PathBuf> {
    let listed = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let entries = fs::read_dir(listed).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| target_name(path).is_some()).collect()
}

/// Returns the name of the file that an incomplete one will replace; `None` for other files.
fn target_name(part: &Path) -> Option<&str> {
    let (name, numbers) = part
        .file_name()?
        .to_str()?
        .strip_suffix(".part")?
        .rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    let are_numbers = process.parse::<u32>().is_ok() && number.parse::<u32>().is_ok();
    are_numbers.then_some(name)
}

fn is_abandoned(part: &Path) -> bool {
    let age = || -> Option<Duration> {
        let found = fs::metadata(part).ok().filter(Metadata::is_file)?;
        found.modified().ok()?.elapsed().ok()
    };
    if age().is_none_or(|age| age < OLD) {
        return false;
    }
    // A process that was suspended has written nothing for a long time, but keeps its lock.
    let file = File::options().read(true).write(true).open(part);
    file.is_ok_and(|file| !matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}
