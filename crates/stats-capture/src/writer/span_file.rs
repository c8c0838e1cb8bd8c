//! Writes the scopes of a run as a Parquet file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};
use stats_core::timeline::LaneKind;
use stats_file::Target;

use crate::span_lane::lane_text;
use crate::span_rows::{COLUMNS, SpanRows};

use super::span_lines::{SpanRow, part_of, read_lines, remove_span_lines};

/// The number of scopes at which a row group is written.
const GROUP: usize = 1 << 16;

/// The key of the file's only document of metadata.
pub(crate) const SPANS: &str = "stats.spans";

type Writer = SerializedFileWriter<BufWriter<File>>;

/// A scope that ran in a frame, for [`write_scopes`](crate::write_scopes).
#[derive(Clone, Copy, Debug)]
pub struct ScopeRecord<'a> {
    /// The index of the frame in which it ended.
    pub frame: u64,
    /// The name of the thread on which it ran. Threads of the same name share a lane, so number them.
    pub thread: &'a str,
    /// The number of scopes around it on its thread.
    pub depth: u32,
    /// The path of its timer.
    pub path: &'a str,
    /// When it began, in nanoseconds on the clock of the frames.
    pub begin_ns: i64,
    /// When it ended.
    pub end_ns: i64,
}

/// Converts the lines of a file of spans to the file, which appears when it is complete, and
/// removes the lines. `lost` is the number of missing scopes. Returns the number of scopes.
pub(crate) fn complete_spans(spans: &Path, lost: u64) -> io::Result<u64> {
    let new = Target::of_file(spans)?.begin()?;
    let scopes = write(spans, new.file(), lost)?;
    new.complete()?;
    remove_span_lines(spans);
    Ok(scopes)
}

/// Writes scopes that a program has at hand. The file appears when it is complete.
pub(crate) fn write_spans<'a>(
    spans: &Path,
    scopes: impl Iterator<Item = ScopeRecord<'a>>,
    lost: u64,
) -> io::Result<()> {
    let new = Target::of_file(spans)?.begin()?;
    let mut file = create(new.file().try_clone()?).map_err(io::Error::other)?;
    let mut rows = SpanRows::default();
    let mut names: HashMap<&'a str, ByteArray> = HashMap::new();
    let mut name = |text: &'a str| names.entry(text).or_insert_with(|| text.into()).clone();
    let lane = lane_text(LaneKind::Thread);
    let lane = ByteArray::from(&*lane);
    for scope in scopes {
        rows.frames
            .push(i64::try_from(scope.frame).unwrap_or(i64::MAX));
        rows.threads.push(name(scope.thread));
        rows.depths
            .push(i32::try_from(scope.depth).unwrap_or(i32::MAX));
        rows.paths.push(name(scope.path));
        rows.begins_ns.push(scope.begin_ns);
        rows.ends_ns.push(scope.end_ns);
        rows.lanes.push(lane.clone());
        if rows.frames.len() >= GROUP {
            rows.write(&mut file).map_err(io::Error::other)?;
        }
    }
    rows.write(&mut file).map_err(io::Error::other)?;
    complete(file, lost, 0)?;
    new.complete()
}

/// Writes row groups that were read. The file appears when it is complete.
pub(crate) fn write_groups(
    spans: &Path,
    groups: impl Iterator<Item = SpanRows>,
    lost: u64,
) -> io::Result<()> {
    let new = Target::of_file(spans)?.begin()?;
    let mut file = create(new.file().try_clone()?).map_err(io::Error::other)?;
    for mut rows in groups {
        // A file of an earlier version has no lanes.
        let lane = lane_text(LaneKind::Thread);
        rows.lanes.resize(rows.frames.len(), (&*lane).into());
        rows.write(&mut file).map_err(io::Error::other)?;
    }
    complete(file, lost, 0)?;
    new.complete()
}

/// Returns whether there are lines of a file of spans that was not completed.
pub(crate) fn are_spans_left(spans: &Path) -> bool {
    part_of(spans).exists()
}

fn write(spans: &Path, new: &File, lost: u64) -> io::Result<u64> {
    let mut file = create(new.try_clone()?).map_err(io::Error::other)?;
    let (mut rows, mut scopes) = (SpanRows::default(), 0);
    let damaged = read_lines(spans, |batch| {
        scopes += batch.rows.len() as u64;
        for part in batch.rows.chunks(GROUP) {
            rows.take(&batch.names, part);
            if rows.frames.len() >= GROUP {
                rows.write(&mut file).map_err(io::Error::other)?;
            }
        }
        Ok(())
    })?;
    rows.write(&mut file).map_err(io::Error::other)?;
    complete(file, lost, damaged)?;
    Ok(scopes)
}

/// Writes the metadata, and ends the file.
fn complete(mut file: Writer, lost: u64, damaged: u64) -> io::Result<()> {
    let damaged = match damaged {
        0 => String::new(),
        blocks => format!(",\"damaged_blocks\":{blocks}"),
    };
    let about = format!("{{\"format\":1,\"lost\":{lost}{damaged}}}");
    file.append_key_value_metadata(KeyValue::new(SPANS.to_owned(), about));
    file.close().map_err(io::Error::other)?;
    Ok(())
}

impl SpanRows {
    fn take(&mut self, names: &[String], rows: &[SpanRow]) {
        let names: Vec<ByteArray> = names
            .iter()
            .map(|name| ByteArray::from(name.as_str()))
            .collect();
        let name = |number: u32| {
            names
                .get(number as usize)
                .cloned()
                .unwrap_or_else(|| "".into())
        };
        for row in rows {
            self.frames.push(row.frame);
            self.threads.push(name(row.thread));
            self.depths.push(row.depth);
            self.paths.push(name(row.path));
            self.begins_ns.push(row.begin_ns);
            self.ends_ns.push(row.end_ns);
            self.lanes.push(name(row.lane));
        }
    }

    /// Writes a row group, unless there are no rows.
    fn write(&mut self, file: &mut Writer) -> Result<()> {
        let rows = std::mem::take(self);
        if rows.frames.is_empty() {
            return Ok(());
        }
        let mut group = file.next_row_group()?;
        write_column::<Int64Type>(&mut group, &rows.frames)?;
        write_column::<ByteArrayType>(&mut group, &rows.threads)?;
        write_column::<Int32Type>(&mut group, &rows.depths)?;
        write_column::<ByteArrayType>(&mut group, &rows.paths)?;
        write_column::<Int64Type>(&mut group, &rows.begins_ns)?;
        write_column::<Int64Type>(&mut group, &rows.ends_ns)?;
        write_column::<ByteArrayType>(&mut group, &rows.lanes)?;
        group.close()?;
        Ok(())
    }
}

fn create(file: File) -> Result<Writer> {
    let column = |name: &str, physical, converted| -> Result<Arc<Type>> {
        let column = Type::primitive_type_builder(name, physical);
        let column = column.with_repetition(Repetition::REQUIRED);
        let column = column.with_converted_type(converted);
        Ok(Arc::new(column.build()?))
    };
    let [frame, thread, depth, path, begin_ns, end_ns, lane] = COLUMNS;
    let fields = vec![
        column(frame, PhysicalType::INT64, ConvertedType::NONE)?,
        column(thread, PhysicalType::BYTE_ARRAY, ConvertedType::UTF8)?,
        column(depth, PhysicalType::INT32, ConvertedType::NONE)?,
        column(path, PhysicalType::BYTE_ARRAY, ConvertedType::UTF8)?,
        column(begin_ns, PhysicalType::INT64, ConvertedType::NONE)?,
        column(end_ns, PhysicalType::INT64, ConvertedType::NONE)?,
        column(lane, PhysicalType::BYTE_ARRAY, ConvertedType::UTF8)?,
    ];
    let schema = Type::group_type_builder("spans").with_fields(fields);
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("stats-capture ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(Default::default()));
    for name in [frame, depth, begin_ns, end_ns] {
        let name = ColumnPath::from(name);
        properties = properties
            .set_column_dictionary_enabled(name.clone(), false)
            .set_column_encoding(name, Encoding::DELTA_BINARY_PACKED);
    }
    SerializedFileWriter::new(
        BufWriter::new(file),
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
