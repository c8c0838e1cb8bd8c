//! The dump in a file.

use std::io;
use std::path::Path;

use stats_file::Target;

use super::dump;
use crate::Tag;
use crate::live::tags;

/// Writes the [`dump`](crate::dump()) into a file, and returns the number of lines.
///
/// The file keeps its old content until everything is written: the lines go to a new file next to
/// it, `NAME.PROCESS-NUMBER.part`, which then replaces it. If the path is a link, its target is
/// replaced. A device or a pipe is written to directly. Allocations during the call count toward
/// the scope `stats-memory`.
///
/// # Errors
///
/// Returns an error with the absolute path if the path is blank, leads to a folder, or cannot be
/// written. A regular file is then unchanged.
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
    save(path).map_err(|error| not_written(path, &error))
}

/// Returns the error about a path, with the path.
pub(super) fn not_written(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!(
            "the dump cannot be written to '{}': {error}",
            path.display()
        ),
    )
}

fn save(path: &Path) -> io::Result<u64> {
    let mut file = Target::of(path)?.begin()?;
    let lines = dump(&mut file)?;
    file.complete()?;
    Ok(lines)
}
