//! Reads the file of scopes beside a capture, one row group at a time.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::statistics::Statistics;

use super::page_guard::PageGuard;
use super::parquet_columns::{damaged, fenced, for_each_chunk};
use crate::ReadError;
use crate::checksums::place;
use crate::span_rows::{COLUMNS, SpanRows};
use crate::writer::SPANS;

/// The maximum number of rows in a row group.
const MAX_ROWS: i64 = 1 << 22;

/// A file of scopes.
#[derive(Debug)]
pub(crate) struct SpanFile {
    path: PathBuf,
    file: File,
    metadata: ParquetMetaData,
    /// The position of each of [`COLUMNS`]; `None` for lanes, which files of earlier versions and of
    /// other programs do not have.
    positions: [Option<usize>; COLUMNS.len()],
}

impl SpanFile {
    /// Opens a file; `None` if there is none.
    pub(crate) fn open(path: PathBuf) -> Result<Option<Self>, ReadError> {
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ReadError::Open { path, source }),
        };
        let metadata = fenced(|| ParquetMetaDataReader::new().parse_and_finish(&file))
            .map_err(|what| damaged(&path, what))?;
        let schema = metadata.file_metadata().schema_descr();
        let names: Vec<&str> = (schema.columns().iter())
            .map(|column| column.name())
            .collect();
        let positions = COLUMNS.map(|wanted| names.iter().position(|name| *name == wanted));
        let required = &positions[..COLUMNS.len() - 1];
        if let Some(at) = required.iter().position(Option::is_none) {
            let what = format!(
                "it has no column {:?}, as scopes have; write it, or move the file away",
                COLUMNS[at]
            );
            return Err(ReadError::Unsupported { path, what });
        }
        Ok(Some(Self {
            path,
            file,
            metadata,
            positions,
        }))
    }

    /// Returns the number of scopes that are missing.
    pub(crate) fn lost(&self) -> u64 {
        let pairs = self.metadata.file_metadata().key_value_metadata();
        let mut found = pairs.into_iter().flatten().filter(|pair| pair.key == SPANS);
        let text = found.next().and_then(|pair| pair.value.as_deref());
        let about: Option<serde_json::Value> =
            text.and_then(|text| serde_json::from_str(text).ok());
        about.and_then(|about| about["lost"].as_u64()).unwrap_or(0)
    }

    pub(super) fn scopes(&self) -> u64 {
        let rows = self.metadata.file_metadata().num_rows();
        u64::try_from(rows).unwrap_or(0)
    }

    /// Iterates over the row groups, each with the range of its frames.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (usize, Range<i64>)> {
        let groups = self.metadata.row_groups().iter().enumerate();
        groups.map(|(at, group)| (at, frames_of(group, self.positions[0])))
    }

    pub(crate) fn read(&self, group: usize) -> Result<SpanRows, ReadError> {
        let wrong = |what: String| damaged(&self.path, what);
        let metadata = self.metadata.row_groups().get(group);
        let metadata = metadata.ok_or_else(|| wrong("a row group is missing".into()))?;
        let mut rows = SpanRows::default();
        for (at, position) in (0..).zip(self.positions) {
            let Some(position) = position.filter(|at| *at < metadata.num_columns()) else {
                continue;
            };
            self.read_column(metadata, at, position, &mut rows)?;
            // A null has no value, and no scope may lack one.
            if i64::try_from(rows.len_of(at)) != Ok(metadata.num_rows()) {
                let name = COLUMNS[at];
                return Err(wrong(format!(
                    "column {name:?} has fewer values than the file has rows"
                )));
            }
        }
        Ok(rows)
    }

    /// Reads a column of a row group. Returns the number of its rows.
    fn read_column(
        &self,
        group: &RowGroupMetaData,
        at: usize,
        position: usize,
        rows: &mut SpanRows,
    ) -> Result<usize, ReadError> {
        let wrong = |what: String| damaged(&self.path, what);
        let not_read = |source| ReadError::Open {
            path: self.path.clone(),
            source,
        };
        let column = group.column(position);
        let file_len = self.file.metadata().map_err(not_read)?.len();
        let place = place(column).filter(|place| place.end <= file_len);
        let place = place.ok_or_else(|| wrong("a column is outside the file".into()))?;
        if !(0..=MAX_ROWS).contains(&group.num_rows()) {
            return Err(wrong("a row group has too many rows".into()));
        }
        let mut bytes = vec![0; (place.end - place.start) as usize];
        (&self.file)
            .seek(SeekFrom::Start(place.start))
            .and_then(|_| (&self.file).read_exact(&mut bytes))
            .map_err(not_read)?;
        let guard = Arc::new(PageGuard {
            begin: place.start,
            bytes: bytes.into(),
        });
        let descriptor = column.column_descr_ptr();
        if descriptor.max_def_level() > 1 || descriptor.max_rep_level() > 0 {
            let what = format!("column {:?} is nested; write plain values", COLUMNS[at]);
            let path = self.path.clone();
            return Err(ReadError::Unsupported { path, what });
        }
        fenced(|| {
            let pages = SerializedPageReader::new(guard, column, group.num_rows() as usize, None)?;
            rows.append(at, get_column_reader(descriptor, Box::new(pages)))
        })
        .map_err(wrong)
    }
}

impl SpanRows {
    /// Returns the number of values of a column.
    fn len_of(&self, at: usize) -> usize {
        match at {
            0 => self.frames.len(),
            1 => self.threads.len(),
            2 => self.depths.len(),
            3 => self.paths.len(),
            4 => self.begins_ns.len(),
            5 => self.ends_ns.len(),
            _ => self.lanes.len(),
        }
    }

    fn append(&mut self, at: usize, reader: ColumnReader) -> parquet::errors::Result<usize> {
        let numbers = match at {
            0 => Some(&mut self.frames),
            4 => Some(&mut self.begins_ns),
            5 => Some(&mut self.ends_ns),
            _ => None,
        };
        let texts = match at {
            1 => Some(&mut self.threads),
            3 => Some(&mut self.paths),
            6 => Some(&mut self.lanes),
            _ => None,
        };
        match (reader, numbers, texts) {
            (ColumnReader::Int64ColumnReader(mut reader), Some(all), _) => {
                for_each_chunk(&mut reader, |new: &[i64], _| {
                    all.extend_from_slice(new);
                    Ok(())
                })
            }
            (ColumnReader::ByteArrayColumnReader(mut reader), _, Some(all)) => {
                for_each_chunk(&mut reader, |new: &[ByteArray], _| {
                    all.extend_from_slice(new);
                    Ok(())
                })
            }
            (ColumnReader::Int32ColumnReader(mut reader), None, None) => {
                for_each_chunk(&mut reader, |new: &[i32], _| {
                    self.depths.extend_from_slice(new);
                    Ok(())
                })
            }
            // Other programs may write any integers.
            (ColumnReader::Int64ColumnReader(mut reader), None, None) => {
                for_each_chunk(&mut reader, |new: &[i64], _| {
                    let depths = new
                        .iter()
                        .map(|depth| i32::try_from(*depth).unwrap_or(i32::MAX));
                    self.depths.extend(depths);
                    Ok(())
                })
            }
            (ColumnReader::Int32ColumnReader(mut reader), Some(all), _) => {
                for_each_chunk(&mut reader, |new: &[i32], _| {
                    all.extend(new.iter().map(|number| i64::from(*number)));
                    Ok(())
                })
            }
            _ => Err(ParquetError::General("a column has another type".into())),
        }
    }
}

/// Returns the range of the frames of a row group: all, if the file does not say.
fn frames_of(group: &RowGroupMetaData, position: Option<usize>) -> Range<i64> {
    let column = position.and_then(|position| group.columns().get(position));
    let statistics = column.and_then(|column| column.statistics());
    match statistics {
        Some(Statistics::Int64(frames)) => {
            let first = frames.min_opt().copied().unwrap_or(i64::MIN);
            let last = frames.max_opt().copied().unwrap_or(i64::MAX);
            first..last.saturating_add(1)
        }
        _ => i64::MIN..i64::MAX,
    }
}
