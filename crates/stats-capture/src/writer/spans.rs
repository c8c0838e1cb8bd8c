//! The begin and end of every scope, in a Parquet file beside the capture.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};
use stats_core::SpanCollector;

use super::columns::Columns;
use crate::SpanFrames;
use crate::blocks::FrameRow;
use crate::paths::beside;

/// The number of frames before and after a hitch whose scopes are kept.
const AROUND: usize = 3;

/// The number of earlier frames with whose mean a frame is compared, and the minimum number.
const PAST: usize = 60;
const MIN_PAST: usize = 10;

/// A frame is a hitch if it takes more than 5/2 of the mean of the frames before it.
const HITCH: i64 = 5;
const HITCH_DIVISOR: i64 = 2;

/// The number of scopes in a row group.
const GROUP: usize = 1 << 16;

/// The maximum number of scopes that wait for the end of their frame.
const MAX_EARLY: usize = 1 << 18;

/// The maximum number of scopes in a file: about 100 MB.
const MAX_SPANS: u64 = 1 << 24;

/// The key of the metadata.
const SPANS: &str = "stats.spans";

/// The scopes of a run, as they end.
pub(super) struct Spans {
    collector: SpanCollector,
    are_all_kept: bool,
    path: PathBuf,
    /// The undecided frames, and the frames before them with which they are compared.
    frames: VecDeque<Frame>,
    /// Scopes that ended after the last of them.
    early: Vec<Span>,
    /// The number of `frames` that are decided.
    decided: usize,
    /// The newest frame to be kept because of a hitch before it.
    keep_until: u64,
    rows: Rows,
    file: Option<SerializedFileWriter<BufWriter<File>>>,
    written: u64,
    lost: u64,
}

struct Frame {
    row: FrameRow,
    spans: Vec<Span>,
}

struct Span {
    slot: u32,
    thread: Arc<str>,
    depth: u32,
    begin: Instant,
    end: Instant,
}

/// The columns of the next row group.
#[derive(Default)]
struct Rows {
    frames: Vec<i64>,
    threads: Vec<ByteArray>,
    depths: Vec<i32>,
    paths: Vec<ByteArray>,
    begins_ns: Vec<i64>,
    ends_ns: Vec<i64>,
}

impl Spans {
    /// Begins collecting for a capture; `None` if no spans are wanted, or if another capture is
    /// collecting.
    pub(super) fn begin(wanted: SpanFrames, path: PathBuf) -> Option<Self> {
        let collector = (wanted != SpanFrames::None).then(SpanCollector::begin)??;
        Some(Self {
            collector,
            are_all_kept: wanted == SpanFrames::All,
            path,
            frames: VecDeque::new(),
            early: Vec::new(),
            decided: 0,
            keep_until: 0,
            rows: Rows::default(),
            file: None,
            written: 0,
            lost: 0,
        })
    }

    /// Takes the frames of a block, and the scopes that ended in them.
    pub(super) fn take(&mut self, frames: &[FrameRow], columns: &Columns) -> io::Result<()> {
        let frame = |row: &FrameRow| Frame {
            row: *row,
            spans: Vec::new(),
        };
        self.frames.extend(frames.iter().map(frame));
        self.collect();
        let undecided_to = self.frames.len().saturating_sub(AROUND);
        self.decide(undecided_to, columns).map_err(io::Error::other)
    }

    /// Completes the file, which appears if any scope was kept.
    pub(super) fn finish(mut self, columns: &Columns) -> io::Result<()> {
        self.decide(self.frames.len(), columns)
            .and_then(|()| self.write_group())
            .map_err(io::Error::other)?;
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        let lost = self.lost + self.collector.lost();
        let about = format!("{{\"format\":1,\"lost\":{lost}}}");
        file.append_key_value_metadata(KeyValue::new(SPANS.to_owned(), about));
        file.close().map_err(io::Error::other)?;
        std::fs::rename(part_of(&self.path), &self.path)
    }

    /// Assigns the scopes to the frames in which they ended. Scopes of frames that have not arrived
    /// wait.
    fn collect(&mut self) {
        let mut thread: Arc<str> = Arc::from("");
        let mut spans = std::mem::take(&mut self.early);
        self.collector.take(|span| {
            if *thread != *span.thread {
                thread = Arc::from(span.thread);
            }
            spans.push(Span {
                slot: span.id.number(),
                thread: Arc::clone(&thread),
                depth: span.depth,
                begin: span.begin,
                end: span.end,
            });
        });
        for span in spans {
            let is_before = |frame: &Frame| frame.row.ended < span.end;
            let at = self.frames.partition_point(is_before);
            match self.frames.get_mut(at) {
                None if self.early.len() < MAX_EARLY => self.early.push(span),
                Some(frame) if at >= self.decided => frame.spans.push(span),
                // Another profiler delivered the span too late, or too many wait because no frame
                // ends.
                _ => self.lost += 1,
            }
        }
    }

    /// Decides which of the frames up to `end` are kept, and writes their scopes.
    fn decide(&mut self, end: usize, columns: &Columns) -> Result<()> {
        while self.decided < end {
            let at = self.decided;
            let next = at..(at + AROUND + 1).min(self.frames.len());
            if next.clone().any(|at| self.is_hitch(at)) {
                let frame = self.frames[at].row.frame;
                self.keep_until = self.keep_until.max(frame);
            }
            if self.is_hitch(at) {
                self.keep_until = self.frames[at].row.frame + AROUND as u64;
            }
            let spans = std::mem::take(&mut self.frames[at].spans);
            let row = self.frames[at].row;
            if self.are_all_kept || row.frame <= self.keep_until && self.keep_until > 0 {
                self.write(&row, spans, columns)?;
            }
            self.decided += 1;
        }
        // Keeps the past frames with which later ones are compared.
        let gone = self.decided.saturating_sub(PAST);
        self.frames.drain(..gone);
        self.decided -= gone;
        Ok(())
    }

    fn is_hitch(&self, at: usize) -> bool {
        let past = at.saturating_sub(PAST)..at;
        if past.len() < MIN_PAST {
            return false;
        }
        let count = past.len() as i64;
        let durations = past.map(|at| self.frames[at].row.duration_ns);
        let sum = durations.fold(0_i64, i64::saturating_add);
        self.frames[at].row.duration_ns > sum / count * HITCH / HITCH_DIVISOR
    }

    fn write(&mut self, row: &FrameRow, spans: Vec<Span>, columns: &Columns) -> Result<()> {
        for span in spans {
            let Some(path) = columns.path(span.slot).filter(|_| self.written < MAX_SPANS) else {
                self.lost += 1;
                continue;
            };
            self.written += 1;
            let end_ns = row.start_ns + row.duration_ns;
            let rows = &mut self.rows;
            rows.frames.push(row.frame as i64);
            rows.threads.push(ByteArray::from(&*span.thread));
            rows.depths.push(span.depth as i32);
            rows.paths.push(ByteArray::from(path));
            rows.begins_ns
                .push(end_ns - nanoseconds(row.ended, span.begin));
            rows.ends_ns.push(end_ns - nanoseconds(row.ended, span.end));
        }
        if self.rows.frames.len() >= GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<()> {
        if self.rows.frames.is_empty() {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(create(&part_of(&self.path))?),
        };
        let rows = std::mem::take(&mut self.rows);
        let mut group = file.next_row_group()?;
        write_column::<Int64Type>(&mut group, &rows.frames)?;
        write_column::<ByteArrayType>(&mut group, &rows.threads)?;
        write_column::<Int32Type>(&mut group, &rows.depths)?;
        write_column::<ByteArrayType>(&mut group, &rows.paths)?;
        write_column::<Int64Type>(&mut group, &rows.begins_ns)?;
        write_column::<Int64Type>(&mut group, &rows.ends_ns)?;
        group.close()?;
        Ok(())
    }
}

impl Drop for Spans {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // The file is incomplete, and cannot be read.
            let _ = std::fs::remove_file(part_of(&self.path));
        }
    }
}

fn create(path: &Path) -> Result<SerializedFileWriter<BufWriter<File>>> {
    let column = |name: &str, physical, converted| -> Result<Arc<Type>> {
        let column = Type::primitive_type_builder(name, physical);
        let column = column.with_repetition(Repetition::REQUIRED);
        let column = column.with_converted_type(converted);
        Ok(Arc::new(column.build()?))
    };
    let fields = vec![
        column("frame", PhysicalType::INT64, ConvertedType::NONE)?,
        column("thread", PhysicalType::BYTE_ARRAY, ConvertedType::UTF8)?,
        column("depth", PhysicalType::INT32, ConvertedType::NONE)?,
        column("path", PhysicalType::BYTE_ARRAY, ConvertedType::UTF8)?,
        column("begin_ns", PhysicalType::INT64, ConvertedType::NONE)?,
        column("end_ns", PhysicalType::INT64, ConvertedType::NONE)?,
    ];
    let schema = Type::group_type_builder("spans").with_fields(fields);
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("stats-capture ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(Default::default()));
    for name in ["frame", "depth", "begin_ns", "end_ns"] {
        let name = ColumnPath::from(name);
        properties = properties
            .set_column_dictionary_enabled(name.clone(), false)
            .set_column_encoding(name, Encoding::DELTA_BINARY_PACKED);
    }
    SerializedFileWriter::new(
        BufWriter::new(File::create(path)?),
        Arc::new(schema.build()?),
        Arc::new(properties.build()),
    )
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, BufWriter<File>>,
    values: &[T::T],
) -> Result<()> {
    let column = group.next_column()?;
    let mut column = column.ok_or_else(|| ParquetError::General("a column is missing".into()))?;
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

/// Returns the time from `from` to `to`; negative if `to` is earlier.
fn nanoseconds(to: Instant, from: Instant) -> i64 {
    let ahead = to.saturating_duration_since(from).as_nanos() as i64;
    ahead - from.saturating_duration_since(to).as_nanos() as i64
}

/// Returns the path under which a file is written until it is complete.
fn part_of(path: &Path) -> PathBuf {
    beside(path, "part")
}
