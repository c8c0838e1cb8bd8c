//! Reads the columns of a Parquet file.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::content::{Columns, Content};
use super::page_guard::PageGuard;
use crate::ReadError;
use crate::checksums::{CHECKSUMS, Checksums, Footer, has_intact_column, is_own, place};
use crate::metadata::{FORMAT, HISTOGRAMS, MARKS, MEMORY, RUN, Run, SERIES, SeriesRecord};

/// The maximum number of rows in a file: three days at a thousand frames per second.
const MAX_ROWS: i64 = 1 << 28;

/// The number of rows that are decoded at once.
const ROWS: usize = 1 << 14;

/// The columns of a Parquet file.
#[derive(Debug)]
pub(super) struct ParquetColumns {
    path: PathBuf,
    file: File,
    metadata: ParquetMetaData,
    /// `None` for a file that another program wrote.
    checksums: Option<Checksums>,
    /// By name.
    positions: HashMap<String, usize>,
}

impl ParquetColumns {
    /// Opens a capture. Reads only its metadata.
    pub(super) fn open(path: &Path) -> Result<Content, ReadError> {
        let file = File::open(path).map_err(|source| ReadError::Open {
            path: path.to_owned(),
            source,
        })?;
        let not_read = |source| ReadError::Open {
            path: path.to_owned(),
            source,
        };
        let not_a_capture = || ReadError::NotACapture {
            path: path.to_owned(),
        };
        let no_footer = || damaged(path, "its footer is incomplete or damaged".into());
        let footer = Footer::read(&file).map_err(not_read)?;
        let footer = footer.ok_or_else(no_footer)?;
        let metadata = fenced(|| ParquetMetaDataReader::decode_metadata(footer.metadata()))
            .map_err(|_| no_footer())?;
        let is_sealed = footer.is_intact();
        let is_own = || is_own(metadata.file_metadata()) || has_intact_column(&file, &metadata);
        if !is_sealed && is_own() {
            return Err(no_footer());
        }
        let schema = metadata.file_metadata().schema_descr();
        let mut positions = HashMap::new();
        // A nested column has a path of several names.
        let top_level = |column: &&ColumnDescPtr| column.path().parts().len() == 1;
        let columns = schema.columns().iter().enumerate();
        for (at, column) in columns.filter(|(_, column)| top_level(column)) {
            let name = column.name();
            if positions.insert(name.to_owned(), at).is_some() {
                let what = format!("two columns are named {name:?}; give each its own name");
                return Err(unsupported(path, what));
            }
        }
        let mut columns = Self {
            path: path.to_owned(),
            file,
            metadata,
            checksums: None,
            positions,
        };
        if is_sealed {
            columns.checksums = Some(columns.document(CHECKSUMS)?.unwrap_or_default());
        }
        let run: Run = columns.document(RUN)?.ok_or_else(not_a_capture)?;
        if run.format > FORMAT {
            return Err(ReadError::NewerFormat {
                path: path.to_owned(),
                format: run.format,
            });
        }
        let series: Vec<SeriesRecord> = columns.document(SERIES)?.unwrap_or_default();
        let mut paths = HashSet::new();
        if let Some(again) = (series.iter()).find(|series| !paths.insert(series.path.as_str())) {
            let what = format!("stats.series has {:?} twice", again.path);
            return Err(columns.wrong(what));
        }
        if let Some(gone) = series
            .iter()
            .find(|series| !columns.positions.contains_key(&series.path))
        {
            let schema = columns.metadata.file_metadata().schema();
            let is_nested = (schema.get_fields().iter()).any(|field| field.name() == gone.path);
            return Err(if is_nested {
                let what = format!("column {:?} is nested; write plain numbers", gone.path);
                unsupported(path, what)
            } else {
                columns.wrong(format!("the series {:?} has no column", gone.path))
            });
        }
        Ok(Content {
            run,
            series,
            marks: columns.document(MARKS)?.unwrap_or_default(),
            histograms: columns.document(HISTOGRAMS)?.unwrap_or_default(),
            memory: columns.document(MEMORY)?.unwrap_or_default(),
            damaged_bytes: 0,
            columns: Columns::Parquet(Box::new(columns)),
        })
    }

    /// Reads a column of the clock.
    pub(super) fn clock(&self, name: &str) -> Result<Vec<i64>, ReadError> {
        let mut all = Vec::new();
        self.for_each_group(name, is_time, |reader, _| match reader {
            ColumnReader::Int64ColumnReader(mut reader) => {
                for_each_chunk(&mut reader, |numbers: &[i64], levels| {
                    if levels.contains(&0) {
                        return Err(ParquetError::General("a frame has no time".into()));
                    }
                    all.extend_from_slice(numbers);
                    Ok(())
                })
            }
            _ => Err(ParquetError::General("it is not INT64".into())), // never: see `is_time`
        })?;
        Ok(all)
    }

    /// Reads the values of a series by row; NaN for an unknown value.
    pub(super) fn values(&self, series: &SeriesRecord) -> Result<Vec<f64>, ReadError> {
        let mut all = Vec::new();
        let scale = series.scale;
        self.for_each_group(
            &series.path,
            is_number,
            |reader, is_required| match reader {
                ColumnReader::Int64ColumnReader(mut reader) => {
                    for_each_chunk(&mut reader, |numbers: &[i64], levels| {
                        let values = numbers.iter().map(|number| *number as f64 * scale);
                        extend(&mut all, values, levels, is_required);
                        Ok(())
                    })
                }
                ColumnReader::DoubleColumnReader(mut reader) => {
                    for_each_chunk(&mut reader, |numbers: &[f64], levels| {
                        let values = numbers.iter().map(|number| number * scale);
                        extend(&mut all, values, levels, is_required);
                        Ok(())
                    })
                }
                // Never: see `is_number`.
                _ => Err(ParquetError::General("it has no numbers".into())),
            },
        )?;
        Ok(all)
    }

    /// Calls `visit` for each row group with a reader of the column, and whether the column cannot
    /// have nulls. `is_readable` says whether a column's type is supported.
    fn for_each_group(
        &self,
        name: &str,
        is_readable: fn(&ColumnDescriptor) -> bool,
        mut visit: impl FnMut(ColumnReader, bool) -> parquet::errors::Result<usize>,
    ) -> Result<(), ReadError> {
        let wrong = |what: String| damaged(&self.path, format!("column {name:?}: {what}"));
        let at = *self
            .positions
            .get(name)
            .ok_or_else(|| wrong("it is missing".into()))?;
        let mut rows = 0;
        for (group_at, group) in self.metadata.row_groups().iter().enumerate() {
            rows += group.num_rows().max(0);
            if rows > MAX_ROWS {
                return Err(wrong("it has too many rows".into()));
            }
            let column = group
                .columns()
                .get(at)
                .ok_or_else(|| wrong("it is missing".into()))?;
            let pages = self.column(group_at, at, column)?;
            let pages = Arc::new(pages.ok_or_else(|| wrong("its checksum is wrong".into()))?);
            let descriptor = column.column_descr_ptr();
            let is_required = descriptor.max_def_level() == 0;
            let is_nested = descriptor.max_def_level() > 1 || descriptor.max_rep_level() > 0;
            let problem = if is_nested {
                Some("is nested; write plain numbers".to_owned())
            } else if !is_readable(&descriptor) {
                let of = type_name(&descriptor);
                Some(format!(
                    "has the type {of}; write it as INT64, or DOUBLE for a series"
                ))
            } else if !is_decoded(column.compression()) {
                let by = compression_name(column.compression());
                Some(format!(
                    "is compressed with {by}; write it with zstd, Snappy or none"
                ))
            } else {
                None
            };
            if let Some(problem) = problem {
                let what = format!("column {name:?} {problem}");
                return Err(unsupported(&self.path, what));
            }
            let read = fenced(|| {
                let group_rows = usize::try_from(group.num_rows())?;
                let pages =
                    SerializedPageReader::new(Arc::clone(&pages), column, group_rows, None)?;
                let reader = get_column_reader(Arc::clone(&descriptor), Box::new(pages));
                visit(reader, is_required)
            })
            .map_err(wrong)?;
            if i64::try_from(read) != Ok(group.num_rows()) {
                return Err(wrong("it has fewer rows than the file".into()));
            }
        }
        Ok(())
    }

    /// Reads a column of a row group; `None` if it is damaged.
    fn column(
        &self,
        group: usize,
        at: usize,
        column: &ColumnChunkMetaData,
    ) -> Result<Option<PageGuard>, ReadError> {
        let not_read = |source| ReadError::Open {
            path: self.path.clone(),
            source,
        };
        let file_len = self.file.metadata().map_err(not_read)?.len();
        let Some(place) = place(column).filter(|place| place.end <= file_len) else {
            return Ok(None);
        };
        let mut bytes = vec![0; (place.end - place.start) as usize];
        (&self.file)
            .seek(SeekFrom::Start(place.start))
            .and_then(|_| (&self.file).read_exact(&mut bytes))
            .map_err(not_read)?;
        let checksums = self.checksums.as_ref();
        let is_intact = checksums.is_none_or(|all| all.is_intact(group, at, &bytes));
        Ok(is_intact.then(|| PageGuard {
            begin: place.start,
            bytes: bytes.into(),
        }))
    }

    /// Reads a document of the metadata; `None` if there is none.
    fn document<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, ReadError> {
        let pairs = self.metadata.file_metadata().key_value_metadata();
        let mut found = pairs.into_iter().flatten().filter(|pair| pair.key == key);
        let text = found.next().and_then(|pair| pair.value.as_deref());
        text.map(parse_document)
            .transpose()
            .map_err(|error| self.wrong(format!("{key}: {error}")))
    }

    /// Returns an error about invalid metadata. If another program wrote them, they are wrong
    /// rather than damaged.
    fn wrong(&self, what: String) -> ReadError {
        match &self.checksums {
            Some(_) => damaged(&self.path, what),
            None => {
                let cure = "write it as described in docs/captures.md";
                unsupported(&self.path, format!("{what}; {cure}"))
            }
        }
    }
}

/// Parses a document. Fields that are null count as missing, as other programs write them.
fn parse_document<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    let mut document = serde_json::from_str(text)?;
    remove_nulls(&mut document);
    serde_json::from_value(document)
}

/// Removes all fields that are null. The depth of a parsed value is bounded.
fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(remove_nulls);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}

/// Calls `visit` with the numbers and definition levels of a column, some rows at a time. Returns
/// the number of rows.
pub(super) fn for_each_chunk<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    mut visit: impl FnMut(&[T::T], &[i16]) -> parquet::errors::Result<()>,
) -> parquet::errors::Result<usize> {
    let (mut numbers, mut levels, mut rows) = (Vec::new(), Vec::new(), 0);
    loop {
        numbers.clear();
        levels.clear();
        let (read, _, _) = reader.read_records(ROWS, Some(&mut levels), None, &mut numbers)?;
        if read == 0 {
            return Ok(rows);
        }
        visit(&numbers, &levels)?;
        rows += read;
        if rows as i64 > MAX_ROWS {
            return Err(ParquetError::General("it has too many rows".into()));
        }
    }
}

/// Appends values, with NaN for each row whose level marks it as null.
fn extend(
    all: &mut Vec<f64>,
    mut values: impl Iterator<Item = f64>,
    levels: &[i16],
    is_required: bool,
) {
    if is_required {
        all.extend(values);
    } else {
        all.extend(levels.iter().map(|level| {
            let value = if *level > 0 { values.next() } else { None };
            value.unwrap_or(f64::NAN)
        }));
    }
}

/// Runs code of the Parquet reader, which panics on some inconsistent files. A panic becomes an
/// error.
pub(super) fn fenced<T>(read: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T, String> {
    // Unwind safe, because the reader is dropped.
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(read)) => Ok(read),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("its content is inconsistent".to_owned()),
    }
}

pub(super) fn damaged(path: &Path, what: String) -> ReadError {
    ReadError::Damaged {
        path: path.to_owned(),
        what,
    }
}

fn unsupported(path: &Path, what: String) -> ReadError {
    ReadError::Unsupported {
        path: path.to_owned(),
        what,
    }
}

fn is_decoded(compression: Compression) -> bool {
    matches!(
        compression,
        Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_)
    )
}

/// Returns the name of a compression, without its level.
fn compression_name(compression: Compression) -> String {
    let mut name = compression.to_string();
    name.truncate(name.find('(').unwrap_or(name.len()));
    name
}

/// Returns the name of a column's type, such as `INT32` or `UINT_64`.
fn type_name(column: &ColumnDescriptor) -> String {
    match (column.converted_type(), column.logical_type_ref()) {
        (ConvertedType::NONE, None) => column.physical_type().to_string(),
        // The name of the variant, without its fields.
        (ConvertedType::NONE, Some(logical)) => {
            let name = format!("{logical:?}").to_uppercase();
            name.chars()
                .take_while(|char| char.is_alphanumeric())
                .collect()
        }
        (converted, _) => converted.to_string(),
    }
}

/// Returns whether a column has plain 64-bit numbers: no decimals, dates, or unsigned integers.
fn is_number(column: &ColumnDescriptor) -> bool {
    matches!(column.physical_type(), Type::INT64 | Type::DOUBLE) && is_plain(column)
}

fn is_plain(column: &ColumnDescriptor) -> bool {
    match column.logical_type_ref() {
        None => matches!(
            column.converted_type(),
            ConvertedType::NONE | ConvertedType::INT_64
        ),
        Some(LogicalType::Integer(integer)) => integer.bit_width == 64 && integer.is_signed,
        Some(_) => false,
    }
}

/// Returns whether a column has plain integers, or times in nanoseconds.
fn is_time(column: &ColumnDescriptor) -> bool {
    let is_whole = column.physical_type() == Type::INT64;
    is_whole
        && match column.logical_type_ref() {
            Some(LogicalType::Timestamp(time)) => time.unit == TimeUnit::NANOS,
            Some(LogicalType::Time(time)) => time.unit == TimeUnit::NANOS,
            _ => is_plain(column),
        }
}
