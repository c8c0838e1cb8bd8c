//! The public type that reads captures and journals.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use stats_core::source::{Listed, WatchList};
use stats_core::timeline::Timeline;
use stats_core::{Distribution, Frame, FrameSlice, Mark, SeriesId, SeriesInfo, Source, Watch};

use super::cache::Cache;
use super::column::Column;
use super::content::{Columns, Content};
use super::frames::Frames;
use super::listing::Listing;
use super::span_timeline::SpanTimeline;
use crate::ReadError;
use crate::metadata::{HistogramRecord, MarkRecord, MemoryRecord, Run, SeriesRecord};
use crate::paths::{JOURNAL, behind_links, frame_of_picture, pictures_of};

/// The default memory limit for columns that are not watched.
const CACHE_BYTES: usize = 256 << 20;

/// The maximum number of errors that are kept.
const MAX_ERRORS: usize = 64;

/// A capture on disk, or the journal of a run that was killed or is still running.
///
/// Opening a file reads the description of the run and the clock of its frames. The values of a
/// series are read on first use, about as fast as from a file of plain numbers, and the most
/// recently used columns stay in memory.
///
/// This is a [`Source`], so an overlay can show it. All frames are available from the start, so
/// [`frames`](Source::frames) never changes. Frames that were dropped while recording, and unknown
/// values, are NaN in the middle of a history.
///
/// Reading a damaged file returns errors, but never allocates more memory than the file's size
/// justifies. For a [`Source`], a column that cannot be read is empty; [`errors`](Self::errors)
/// says why.
///
/// ```no_run
/// use stats_capture::CaptureFile;
///
/// let run = CaptureFile::open("run.parquet")?;
/// println!("recorded at {}", run.run().started_at);
/// for value in run.read("ai/pathfinding")?.slice().iter() {
///     println!("{value} ms");
/// }
/// # Ok::<(), stats_capture::ReadError>(())
/// ```
#[derive(Debug)]
pub struct CaptureFile {
    columns: Columns,
    run: Run,
    listing: Listing,
    /// Whether a timer ran on the thread that ended the frames.
    has_frame_thread: bool,
    /// The series that were added, which come after those of the file.
    added: Vec<Column>,
    mark_records: Vec<MarkRecord>,
    marks: Vec<Mark>,
    histograms: Vec<HistogramRecord>,
    memory: MemoryRecord,
    damaged_bytes: u64,
    warnings: Vec<String>,
    frames: Frames,
    watched: WatchList<Column>,
    cache: Cache,
    errors: Vec<ReadError>,
    path: PathBuf,
    spans: Scopes,
}

/// The file of scopes.
#[derive(Debug)]
enum Scopes {
    NotOpened,
    Missing,
    Open(Box<SpanTimeline>),
}

impl CaptureFile {
    /// Opens a capture or a journal.
    ///
    /// # Errors
    ///
    /// - [`ReadError::Open`] if the file cannot be read.
    /// - [`ReadError::NotACapture`] if it is another kind of file.
    /// - [`ReadError::NewerFormat`] if a newer version wrote it.
    /// - [`ReadError::Unsupported`] if another program wrote it in a form that cannot be read.
    /// - [`ReadError::Damaged`] if its content is inconsistent; [`ReadError::Empty`] if it is a
    ///   journal without a complete batch.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let content = Content::open(path)?;
        let columns = &content.columns;
        let clock = |column| columns.clock(column);
        let wrong = |what| columns.wrong(path, what);
        let (frames, doubts) = Frames::read(clock, wrong, columns.are_own())?;
        let mut warnings = content.warnings;
        warnings.extend(doubts);
        let frame_thread = content.run.frame_thread.as_deref();
        let is_of_frame = |series: &SeriesRecord| series.thread.as_deref() == frame_thread;
        let has_frame_thread = frame_thread.is_some() && content.series.iter().any(is_of_frame);
        Ok(Self {
            columns: content.columns,
            run: content.run,
            has_frame_thread,
            listing: Listing::new(content.series),
            added: Vec::new(),
            marks: content.marks.iter().map(MarkRecord::to_core).collect(),
            mark_records: content.marks,
            histograms: content.histograms,
            memory: content.memory,
            damaged_bytes: content.damaged_bytes,
            warnings,
            frames,
            watched: WatchList::default(),
            cache: Cache::new(CACHE_BYTES),
            errors: Vec::new(),
            path: path.to_owned(),
            spans: Scopes::NotOpened,
        })
    }

    /// Returns the description of the run.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Returns the description of each series, in the order of registration, including series that
    /// belong to another one, such as the calls of a timer.
    #[must_use]
    pub fn series(&self) -> &[SeriesRecord] {
        &self.listing.series
    }

    /// Returns the marks as the file stores them. [`Source::marks`] returns the same marks.
    #[must_use]
    pub fn mark_records(&self) -> &[MarkRecord] {
        &self.mark_records
    }

    /// Returns the distributions of all histograms.
    #[must_use]
    pub fn histograms(&self) -> &[HistogramRecord] {
        &self.histograms
    }

    /// Returns the memory by group. Empty for a journal, which contains only the series.
    #[must_use]
    pub fn memory(&self) -> &MemoryRecord {
        &self.memory
    }

    /// Returns the number of damaged bytes in a journal. The frames in them are missing, as if they
    /// had been dropped. Always 0 for a capture, in which damage belongs to a column, and
    /// [`read`](Self::read) reports it.
    #[must_use]
    pub fn damaged_bytes(&self) -> u64 {
        self.damaged_bytes
    }

    /// Returns a sentence for everything in the file that is not as described: an implausible clock,
    /// a series that is listed twice, a timer whose unit is no time. The values are read as they
    /// are. Without a capital letter and a period; empty for a capture of this crate, unless its
    /// clock goes backward.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns how many frames between the first and the last are missing.
    #[must_use]
    pub fn missing_frames(&self) -> u64 {
        self.frames.missing()
    }

    /// Returns the frames that have a picture beside the file, in order, and the PNG file of each.
    /// Reads the folder on each call.
    #[must_use]
    pub fn pictures(&self) -> Vec<(u64, PathBuf)> {
        // The pictures of a journal are those of its capture.
        let mut capture = behind_links(&self.path);
        if capture.extension().is_some_and(|end| end == JOURNAL) {
            capture.set_extension("");
        }
        let files = std::fs::read_dir(pictures_of(&capture));
        let files = files.into_iter().flatten().flatten();
        let mut pictures: Vec<(u64, PathBuf)> = files
            .filter(|file| file.file_type().is_ok_and(|kind| kind.is_file()))
            .filter_map(|file| Some((frame_of_picture(&file.path())?, file.path())))
            .collect();
        pictures.sort();
        pictures
    }

    /// Reads the values of a series, by the name of its column, which is usually its path. The frame time
    /// can be read, too. Does not cache the values.
    ///
    /// # Errors
    ///
    /// [`ReadError::NoSeries`] if there is no such series; [`ReadError::Damaged`],
    /// [`ReadError::Unsupported`] or [`ReadError::Open`] if its values cannot be read.
    pub fn read(&self, path: &str) -> Result<Column, ReadError> {
        let id = self.listing.find(path);
        let id = id.ok_or_else(|| ReadError::NoSeries {
            path: self.path.clone(),
            series: path.to_owned(),
        })?;
        self.read_column(id)
    }

    /// Adds a series with the values of consecutive frames, the first of which is `first_frame`, such
    /// as one that is computed from others. NaN stands for an unknown value. It is read, listed and
    /// watched like a series of the file, which stays as it is. Returns false, and adds nothing, if
    /// there is a series with this path.
    ///
    /// The id of the frame time changes, so add series before you ask for ids.
    pub fn add_series(&mut self, record: SeriesRecord, first_frame: u64, values: Vec<f64>) -> bool {
        if self.listing.find(&record.path).is_some() {
            return false;
        }
        let mut series = std::mem::take(&mut self.listing.series);
        series.push(record);
        self.listing = Listing::new(series);
        self.added.push(Column::new(first_frame, values));
        // The new series has the number that the frame time had.
        self.cache.clear();
        true
    }

    /// Returns the number of scopes in the [file beside the capture](crate::SpanFrames), and how many
    /// are missing. `None` if there is no such file.
    ///
    /// The scopes themselves are read through [`Source::timeline`].
    #[must_use]
    pub fn scopes(&self) -> Option<ScopeCount> {
        let count = |spans: &SpanTimeline| ScopeCount {
            scopes: spans.file().scopes(),
            lost: spans.file().lost(),
        };
        match &self.spans {
            Scopes::Open(spans) => Some(count(spans)),
            Scopes::Missing => None,
            Scopes::NotOpened => SpanTimeline::open(&self.path).ok()?.as_ref().map(count),
        }
    }

    /// Opens the file of scopes once.
    fn spans(&mut self) -> Option<&mut SpanTimeline> {
        if let Scopes::NotOpened = self.spans {
            self.spans = match SpanTimeline::open(&self.path) {
                Ok(Some(spans)) => Scopes::Open(Box::new(spans)),
                Ok(None) => Scopes::Missing,
                Err(error) => {
                    self.note(error);
                    Scopes::Missing
                }
            };
        }
        match &mut self.spans {
            Scopes::Open(spans) => Some(spans),
            _ => None,
        }
    }

    /// Keeps an error.
    fn note(&mut self, error: ReadError) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }

    /// Sets the memory limit for columns that are not watched, in bytes. Default: 256 MiB. The
    /// least recently used ones are evicted first; watched ones stay.
    pub fn set_cache_bytes(&mut self, bytes: usize) {
        self.cache.set_max_bytes(bytes);
    }

    /// Returns the memory that cached columns take, in bytes.
    #[must_use]
    pub fn cache_bytes(&self) -> usize {
        self.cache.bytes()
    }

    /// Returns the errors that left watched or peeked-at columns empty, up to 64.
    #[must_use]
    pub fn errors(&self) -> &[ReadError] {
        &self.errors
    }

    fn read_column(&self, id: SeriesId) -> Result<Column, ReadError> {
        if self.listing.is_clock(id) {
            let durations_ms = self.frames.durations_ms();
            return Ok(Column::new(
                durations_ms.first_frame(),
                durations_ms.iter().collect(),
            ));
        }
        let Some(series) = self.listing.get(id) else {
            return Ok(Column::default());
        };
        let recorded = self.listing.series.len() - self.added.len();
        if let Some(at) = (id.number() as usize).checked_sub(recorded) {
            return Ok(self.added[at].clone());
        }
        let values = self.columns.values(id.number() as usize, series)?;
        if values.len() != self.frames.rows() {
            return Err(ReadError::Damaged {
                path: self.path.clone(),
                what: format!("column {:?} has fewer rows than the file", series.path),
            });
        }
        let values = self.frames.by_frame(values);
        Ok(Column::new(self.frames.first(), values))
    }

    /// Returns a column from the cache, or reads it. A column that cannot be read is empty.
    fn column(&mut self, id: SeriesId) -> Column {
        if let Some(column) = self.cache.get(id.number()) {
            return column;
        }
        let column = self.read_column(id).unwrap_or_else(|error| {
            self.note(error);
            Column::default()
        });
        self.cache.put(id.number(), column.clone());
        column
    }
}

impl Source for CaptureFile {
    fn generation(&self) -> u64 {
        // The file stays as it is. Only a person changes a budget.
        1 + stats_core::budget_changes()
    }

    fn list(
        &self,
        series: Listed,
        visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
    ) -> Option<u32> {
        let numbers = match series {
            Listed::All => 0..u32::MAX,
            Listed::Numbers(numbers) => numbers,
            Listed::ChangedSince(since) if since < self.generation() => 0..u32::MAX,
            Listed::ChangedSince(_) => 0..0,
            _ => return None,
        };
        Some(self.listing.list(numbers, visit))
    }

    fn find(&self, path: &str) -> Option<SeriesId> {
        self.listing.find(path)
    }

    fn watch(&mut self, id: SeriesId) -> Watch {
        let column = self.column(id);
        self.watched.watch(id, || column)
    }

    fn history(&self, watch: &Watch, frames: usize) -> FrameSlice<'_> {
        let all = self.watched.get(watch).map(Column::slice);
        newest(all.unwrap_or_default(), &self.frames.range(), frames)
    }

    fn peek(&mut self, id: SeriesId) -> Option<f64> {
        let newest = self.frames.range().end.checked_sub(1)?;
        let value = self.column(id).slice().at(newest)?;
        (!value.is_nan()).then_some(value)
    }

    fn frames(&self) -> Range<u64> {
        self.frames.range()
    }

    fn frame(&self, index: u64) -> Option<Frame> {
        self.frames.frame(index)
    }

    fn frame_times(&self, frames: usize) -> FrameSlice<'_> {
        newest(self.frames.durations_ms(), &self.frames.range(), frames)
    }

    /// Returns the thread that ended the frames if a timer ran on it; `None` if the capture does not
    /// tell.
    fn frame_thread(&self) -> Option<&str> {
        let thread = self.run.frame_thread.as_deref();
        thread.filter(|_| self.has_frame_thread)
    }

    fn marks(&self) -> &[Mark] {
        &self.marks
    }

    fn distribution(&self, id: SeriesId) -> Option<Distribution> {
        let path = &self.listing.get(id)?.path;
        let record = self.histograms.iter().find(|record| record.path == *path);
        record?.distribution()
    }

    fn timeline(&mut self, frames: &[Range<u64>]) -> Option<&mut Timeline> {
        self.spans()?;
        let Scopes::Open(spans) = &mut self.spans else {
            return None;
        };
        let read = spans.read(frames, &self.frames, &self.listing);
        if let Err(error) = read
            && self.errors.len() < MAX_ERRORS
        {
            self.errors.push(error);
        }
        Some(spans.timeline())
    }
}

/// The number of scopes in the file beside a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScopeCount {
    /// The scopes in the file.
    pub scopes: u64,
    /// The scopes that were collected for it, or should have been, and found no room. 0 if the file
    /// is complete.
    pub lost: u64,
}

/// Returns the part of a history that lies within the newest `frames` frames of a capture.
fn newest<'a>(history: FrameSlice<'a>, all: &Range<u64>, frames: usize) -> FrameSlice<'a> {
    let begin = all.end.saturating_sub(frames as u64);
    history.within(begin..all.end)
}
