//! Temporary folders, which are removed when the process ends, even if a signal ends it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use crate::failure::Failure;
use crate::signals::{INTERRUPTED, on_signal};

/// The maximum number of folder names to try.
const MAX_TRIES: u32 = 100;

/// The folders that exist.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Creates a temporary folder. [`remove_folder`] and [`remove_folders`] remove it, and so does a
/// signal that ends the process.
pub(crate) fn new_folder() -> Result<PathBuf, Failure> {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        // `stats record` has its own handler, and needs no temporary folders.
        let _ = on_signal(|| {
            remove_folders();
            std::process::exit(INTERRUPTED);
        });
    });
    let temporary = std::env::temp_dir();
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 0..MAX_TRIES {
        let name = format!("stats-{}-{number}", std::process::id());
        let folder = temporary.join(name);
        match fs::create_dir(&folder) {
            Ok(()) => {
                folders().push(folder.clone());
                return Ok(folder);
            }
            Err(error) => last = error,
        }
    }
    Err(Failure::writing(&temporary)(last))
}

/// Returns the folder of the files that are kept until the process ends.
pub(super) fn kept_folder() -> Result<PathBuf, Failure> {
    static KEPT: Mutex<Option<PathBuf>> = Mutex::new(None);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    match &*kept {
        Some(folder) => Ok(folder.clone()),
        None => Ok(kept.insert(new_folder()?).clone()),
    }
}

/// Removes a temporary folder with everything in it.
pub(crate) fn remove_folder(folder: &Path) {
    folders().retain(|known| known != folder);
    remove(folder);
}

/// Removes all temporary folders that still exist. Call this before the process ends.
pub(crate) fn remove_folders() {
    folders().drain(..).for_each(|folder| remove(&folder));
}

fn remove(folder: &Path) {
    // If this fails, a folder remains among the temporary ones.
    let _ = fs::remove_dir_all(folder);
}

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}
