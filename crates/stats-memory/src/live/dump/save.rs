//! The dump in a file.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use super::dump;
use crate::Tag;
use crate::live::tags;

/// Writes the [`dump`](crate::dump()) into a file, and returns the number of lines.
///
/// The file keeps its old content until everything is written: the lines go to a new file next to
/// it, `NAME.PROCESS-NUMBER.part`, which then replaces it. A device or a pipe is written to
/// directly. Allocations during the call count toward the scope `stats-memory`.
///
/// # Errors
///
/// Returns an error with the absolute path if the path is blank or the file cannot be written. A
/// regular file is then unchanged.
pub fn save_dump(path: impl AsRef<Path>) -> io::Result<u64> {
    let _own = Tag::of(tags::own()).enter();
    let path = path.as_ref();
    if path.to_string_lossy().trim().is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "the path of the dump is blank: give the path of a file, such as memory.csv",
        ));
    }
    let path = &std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
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
    // The target of a link is replaced, not the link.
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
        // If it does not exist or cannot be removed, there is nothing more to do.
        let _ = fs::remove_file(&part);
    }
    saved
}

/// Returns a unique path for a temporary file next to `path`.
fn part_of(path: &Path) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    // Relaxed: only a unique number is needed.
    name.push(format!(
        ".{}-{}.part",
        process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    ));
    path.with_file_name(name)
}
