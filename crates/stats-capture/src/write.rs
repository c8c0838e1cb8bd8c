//! Writes a whole run at once, for programs that have measured it already.

use std::path::Path;

use stats_core::Frame;

use crate::compact::write_table;
use crate::metadata::{CLOCK, MarkRecord, Run, SeriesRecord};
use crate::paths::{JOURNAL, behind_links, check_targets, spans_of};
use crate::writer::{ScopeRecord, write_spans};
use crate::{CaptureError, ReadError};

/// Writes frames, series and marks that the program has measured already as a capture, which
/// appears when it is complete. Replaces an older capture of that name. Programs that run with this
/// crate record with [`Capture`](crate::Capture) instead; this function is for importers and other
/// clocks.
///
/// A series is its description and one value for each frame, in the unit of the description; NaN
/// for an unknown value. [`scale`](SeriesRecord::scale) is not used. A column of whole numbers is
/// stored as INT64, any other as DOUBLE, so each value is read back exactly. Starts and durations
/// are rounded to nanoseconds. Of the run, [`format`](Run::format) is not used. Keep
/// [`cost`](Run::cost) at `None` unless the cost of measuring is known.
///
/// Encodes some 20 million values per second, and takes about 1 MiB per column besides the
/// arguments.
///
/// # Errors
///
/// - [`CaptureError::Content`] if a series has too few or too many values, or has the path of another
///   series or of a column of the clock; also if the frames are not in order, or a time is not finite.
/// - [`CaptureError::NamedAsJournal`] and [`CaptureError::Target`] as for a
///   [`Capture`](crate::Capture::create); [`CaptureError::Output`] if the file cannot be written.
///
/// ```
/// use stats_capture::{CaptureFile, Ended, RecordedKind, Run, SeriesRecord};
/// use stats_core::Frame;
///
/// # let folder = std::env::temp_dir().join(format!("stats-capture-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("run.parquet");
/// let mut run = Run::default();
/// run.scenario = Some("fly-through".to_owned());
/// run.ended = Ended::Clean;
/// let frame = |index: u64| Frame { index, start_secs: index as f64 / 60.0, duration_ms: 16.6 };
/// let frames: Vec<Frame> = (0..3).map(frame).collect();
/// let mut physics = SeriesRecord::default();
/// physics.path = "physics/step".to_owned();
/// physics.kind = RecordedKind::Timer;
/// physics.unit = "ms".to_owned();
/// let series = [(physics, vec![2.5, 2.75, f64::NAN])];
/// stats_capture::write(&path, &run, &frames, &series, &[])?;
/// assert_eq!(CaptureFile::open(&path).unwrap().read("physics/step").unwrap().slice().at(1), Some(2.75));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), stats_capture::CaptureError>(())
/// ```
pub fn write(
    path: impl AsRef<Path>,
    run: &Run,
    frames: &[Frame],
    series: &[(SeriesRecord, Vec<f64>)],
    marks: &[MarkRecord],
) -> Result<(), CaptureError> {
    let path = behind_links(path.as_ref());
    if path.extension().is_some_and(|end| end == JOURNAL) {
        return Err(CaptureError::NamedAsJournal { path });
    }
    if let Some(what) = contradiction(frames, series) {
        return Err(CaptureError::Content { path, what });
    }
    check_targets(&path)?;
    match write_table(&path, run, frames, series, marks) {
        Ok(()) => Ok(()),
        Err(ReadError::Write { path, source }) => Err(CaptureError::Output { path, source }),
        Err(error) => Err(CaptureError::Output {
            path,
            source: std::io::Error::other(error),
        }),
    }
}

/// Writes the scopes of a capture that [`write`](fn@write) has written, as the file beside it, from which
/// timelines are drawn. Replaces an older file of that name. Pass the scopes in the order of their
/// frames, so that those of a frame are found without reading all. `lost` is the number of scopes
/// that are missing; reports say so.
///
/// A scope whose path has no series, or whose frame has no row, is not shown. Writes some 5 million
/// scopes per second, and takes about 10 MB.
///
/// # Errors
///
/// [`CaptureError::Target`] if the file cannot be replaced; [`CaptureError::Output`] if it cannot be
/// written.
pub fn write_scopes<'a>(
    capture: impl AsRef<Path>,
    scopes: impl IntoIterator<Item = ScopeRecord<'a>>,
    lost: u64,
) -> Result<(), CaptureError> {
    let capture = behind_links(capture.as_ref());
    check_targets(&capture)?;
    let path = spans_of(&capture);
    write_spans(&path, scopes.into_iter(), lost)
        .map_err(|source| CaptureError::Output { path, source })
}

/// Returns what is wrong with a run, and the cure; `None` if nothing is.
fn contradiction(frames: &[Frame], series: &[(SeriesRecord, Vec<f64>)]) -> Option<String> {
    for pair in frames.windows(2) {
        let (before, frame) = (pair[0].index, pair[1].index);
        if before >= frame {
            return Some(format!(
                "frame {frame} follows frame {before}; pass the frames in ascending order, each once"
            ));
        }
    }
    // Beyond these, nanoseconds do not fit a column.
    let fits = |frame: &&Frame| {
        let is_time = frame.start_secs.abs() < 9e9 && frame.duration_ms.abs() < 9e12;
        is_time && i64::try_from(frame.index).is_ok()
    };
    if let Some(frame) = frames.iter().find(|frame| !fits(frame)) {
        return Some(format!(
            "frame {} starts at {} s and takes {} ms; leave out frames whose times are not known",
            frame.index, frame.start_secs, frame.duration_ms
        ));
    }
    let mut paths = std::collections::HashSet::from(CLOCK);
    for (record, values) in series {
        let path = record.path.as_str();
        if path.is_empty() || !paths.insert(path) {
            return Some(format!(
                "the path {path:?} is empty, or that of another column; give each series its own path"
            ));
        }
        if values.len() != frames.len() {
            return Some(format!(
                "the series {path:?} has {} values for {} frames; pass one for each frame, NaN if it is unknown",
                values.len(),
                frames.len()
            ));
        }
    }
    None
}
