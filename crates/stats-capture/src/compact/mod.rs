//! Turns a journal into a Parquet file.
//!
//! - [`parquet_file`]: the Parquet file.
//! - [`column`](mod@column): the numbers of one column, from all batches of a row group.

mod column;
mod parquet_file;

use std::path::Path;

use stats_file::Target;

use crate::ReadError;
use crate::journal::Journal;

/// The maximum number of rows in a row group.
const GROUP_ROWS: usize = 16_384;

/// The maximum memory for the batches of a row group, unless a single batch takes more.
const GROUP_BYTES: usize = 64 << 20;

/// Writes a journal as a capture, which appears when it is complete. Returns the number of damaged
/// bytes, whose values are null in the capture.
pub(crate) fn compact(journal: &Journal, target: &Path) -> Result<u64, ReadError> {
    let failed = |source| write_error(target, source);
    let begun = Target::of_file(target).and_then(|target| target.begin());
    let file = begun.map_err(failed)?;
    let damaged_bytes = parquet_file::write(journal, file.file(), target)?;
    file.complete().map_err(failed)?;
    Ok(damaged_bytes)
}

fn write_error(path: &Path, source: impl Into<std::io::Error>) -> ReadError {
    ReadError::Write {
        path: path.to_owned(),
        source: source.into(),
    }
}

/// Returns the range of batches of each row group.
fn groups(journal: &Journal) -> Vec<std::ops::Range<usize>> {
    let max_rows = (GROUP_BYTES / (8 * (journal.series.len() + 4))).clamp(1, GROUP_ROWS);
    let (mut groups, mut begin, mut rows) = (Vec::new(), 0, 0);
    for at in 0..journal.batches() {
        if rows > 0 && rows + journal.rows_of(at) > max_rows {
            groups.push(begin..at);
            (begin, rows) = (at, 0);
        }
        rows += journal.rows_of(at);
    }
    groups.push(begin..journal.batches());
    groups.retain(|group| !group.is_empty());
    groups
}
