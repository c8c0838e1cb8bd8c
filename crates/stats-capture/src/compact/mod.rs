//! Turns a journal, or a whole run, into a Parquet file.
//!
//! - [`parquet_file`]: the Parquet file.
//! - [`column`](mod@column): the numbers of one column, from all batches of a row group.

mod column;
mod parquet_file;

use std::path::Path;

use stats_core::Frame;
use stats_file::Target;

use crate::ReadError;
use crate::journal::Journal;
use crate::metadata::{HistogramRecord, MarkRecord, Run, SeriesRecord};
use crate::paths::{frame_of_picture, pictures_of, spans_of};

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

/// Writes a whole run as a capture, which appears when it is complete. Removes the scopes and the
/// pictures of an older capture of that name.
pub(crate) fn write_table(
    target: &Path,
    run: &Run,
    frames: &[Frame],
    series: &[(SeriesRecord, Vec<f64>)],
    marks: &[MarkRecord],
) -> Result<(), ReadError> {
    write_file(target, run, frames, series, marks, &[])?;
    // If this fails, they remain beside the capture.
    let _ = std::fs::remove_file(spans_of(target));
    remove_pictures(&pictures_of(target));
    Ok(())
}

/// Writes a whole run as a capture, which appears when it is complete. Leaves the files beside it as
/// they are.
pub(crate) fn write_file(
    target: &Path,
    run: &Run,
    frames: &[Frame],
    series: &[(SeriesRecord, Vec<f64>)],
    marks: &[MarkRecord],
    histograms: &[HistogramRecord],
) -> Result<(), ReadError> {
    let failed = |source| write_error(target, source);
    let begun = Target::of_file(target).and_then(|target| target.begin());
    let file = begun.map_err(failed)?;
    let documents = (run, marks, histograms);
    parquet_file::write_run(file.file(), target, frames, series, documents)?;
    file.complete().map_err(failed)
}

/// Removes the pictures in a folder, and the folder if it has no other files.
pub(crate) fn remove_pictures(folder: &Path) {
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if frame_of_picture(&file.path()).is_some() {
            let _ = std::fs::remove_file(file.path());
        }
    }
    let _ = std::fs::remove_dir(folder);
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
