//! The dump in a file.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{dump::dump, tags};
use crate::Tag;

/// Writes the [`dump`](crate::dump()) into a file, and says how many lines it has.
///
/// What was in the file stays there until all is written: lines go into a new file beside it,
/// `NAME.PROCESS-NUMBER.part`, which then takes its place. A device or a pipe is written to as it
/// is. What is allocated on the way is accounted to the scope `stats-memory`.
///
/// # Errors
///
/// Those of the file system, with the path; then the file is as it was before.
pub fn save_dump(path: impl AsRef<Path>) -> io::Result<u64> {
    let path = path.as_ref();
    let _own = Tag::of(tags::own()).enter();
    save(path).map_err(|error| {
        io::Error::new(
            error.kind(),
            format!(
                "the dump cannot be written to '{}': {error}",
                path.display()
            ),
        )
    })
}

fn save(path: &Path) -> io::Result<u64> {
    // What a link leads to is replaced, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        return dump(&mut File::options().write(true).open(path)?);
    }
    let part = part_of(&path);
    let saved = File::create(&part)
        .and_then(|mut file| dump(&mut file))
        .and_then(|lines| {
            fs::rename(&part, &path)?;
            Ok(lines)
        });
    if saved.is_err() {
        // Where there is none, or it cannot be removed either, there is nothing more to do.
        let _ = fs::remove_file(&part);
    }
    saved
}

/// A file beside another one, which nobody else writes to.
fn part_of(path: &Path) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    // Relaxed: a number of its own is all that is asked.
    name.push(format!(
        ".{}-{}.part",
        process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    ));
    path.with_file_name(name)
}
