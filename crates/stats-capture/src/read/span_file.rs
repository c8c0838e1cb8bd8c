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
use crate::writer::SPANS;

/// The columns, in the order in which they are stored. Files of earlier versions have no lanes.
const COLUMNS: [&str; 7] = [
    "frame", "thread", "depth", "path", "begin_ns", "end_ns", "lane",
];

/// The maximum number of rows in a row group.
const MAX_ROWS: i64 = 1 << 22;

/// A file of scopes.
#[derive(Debug)]
pub(super) struct SpanFile {
    path: PathBuf,
    file: File,
    metadata: ParquetMetaData,
}

/// The scopes of a row group, by column.
#[derive(Debug, Default)]
pub(super) struct SpanRows {
    pub(super) frames: Vec<i64>,
    pub(super) threads: Vec<ByteArray>,
    pub(super) depths: Vec<i32>,
    pub(super) paths: Vec<ByteArray>,
    pub(super) begins_ns: Vec<i64>,
    pub(super) ends_ns: Vec<i64>,
    /// Empty in a file of an earlier version.
    pub(super) lanes: Vec<ByteArray>,
}

impl SpanFile {
    /// Opens a file; `None` if there is none.
    pub(super) fn open(path: PathBuf) -> Result<Option<Self>, ReadError> {
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ReadError::Open { path, source }),
        };
        let metadata = fenced(|| ParquetMetaDataReader::new().parse_and_finish(&file))
            .map_err(|what| damaged(&path, what))?;
        let schema = metadata.file_metadata().schema_descr();
        let names = schema.columns().iter().map(|column| column.name());
        if !names
            .take(COLUMNS.len())
            .eq(COLUMNS.into_iter().take(schema.num_columns()))
            || schema.num_columns() < COLUMNS.len() - 1
        {
            let what = "its columns are not those of scopes; move it away".to_owned();
            return Err(ReadError::Unsupported { path, what });
        }
        Ok(Some(Self {
            path,
            file,
            metadata,
        }))
    }

    /// Returns the number of scopes that are missing.
    pub(super) fn lost(&self) -> u64 {
        let pairs = self.metadata.file_metadata().key_value_metadata();
        let mut found = pairs.into_iter().flatten().filter(|pair| pair.key == SPANS);
        let text = found.next().and_then(|pair| pair.value.as_deref());
        let about: Option<serde_json::Value> =
            text.and_then(|text| serde_json::from_str(text).ok());
        about.and_then(|about| about["lost"].as_u64()).unwrap_or(0)
    }

    /// Returns the number of scopes.
    pub(super) fn scopes(&self) -> u64 {
        let rows = self.metadata.file_metadata().num_rows();
        u64::try_from(rows).unwrap_or(0)
    }

    /// Iterates over the row groups, each with the range of its frames.
    pub(super) fn groups(&self) -> impl Iterator<Item = (usize, Range<i64>)> {
        let groups = self.metadata.row_groups().iter().enumerate();
        groups.map(|(at, group)| (at, frames_of(group)))
    }

    /// Reads a row group.
    pub(super) fn read(&self, group: usize) -> Result<SpanRows, ReadError> {
        let wrong = |what: String| damaged(&self.path, what);
        let metadata = self.metadata.row_groups().get(group);
        let metadata = metadata.ok_or_else(|| wrong("a row group is missing".into()))?;
        let mut rows = SpanRows::default();
        for at in 0..metadata.num_columns().min(COLUMNS.len()) {
            let read = self.read_column(metadata, at, &mut rows)?;
            if i64::try_from(read) != Ok(metadata.num_rows()) {
                return Err(wrong("a column has fewer rows than the file".into()));
            }
        }
        Ok(rows)
    }

    /// Reads a column of a row group. Returns the number of its rows.
    fn read_column(
        &self,
        group: &RowGroupMetaData,
        at: usize,
        rows: &mut SpanRows,
    ) -> Result<usize, ReadError> {
        let wrong = |what: String| damaged(&self.path, what);
        let not_read = |source| ReadError::Open {
            path: self.path.clone(),
            source,
        };
        let column = group.column(at);
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
        if descriptor.max_def_level() > 0 || descriptor.max_rep_level() > 0 {
            return Err(wrong("a column may have no value".into()));
        }
        fenced(|| {
            let pages = SerializedPageReader::new(guard, column, group.num_rows() as usize, None)?;
            rows.append(at, get_column_reader(descriptor, Box::new(pages)))
        })
        .map_err(wrong)
    }
}

impl SpanRows {
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
            _ => Err(ParquetError::General("a column has another type".into())),
        }
    }
}

/// Returns the range of the frames of a row group: all, if the file does not say.
fn frames_of(group: &RowGroupMetaData) -> Range<i64> {
    let statistics = group
        .columns()
        .first()
        .and_then(|column| column.statistics());
    match statistics {
        Some(Statistics::Int64(frames)) => {
            let first = frames.min_opt().copied().unwrap_or(i64::MIN);
            let last = frames.max_opt().copied().unwrap_or(i64::MAX);
            first..last.saturating_add(1)
        }
        _ => i64::MIN..i64::MAX,
    }
}
