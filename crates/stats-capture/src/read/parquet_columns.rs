//! Columns of a Parquet file.

use std::collections::HashMap;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::serialized_reader::SerializedPageReader;
use serde::de::DeserializeOwned;

use super::content::{Columns, Content};
use super::page_guard::PageGuard;
use crate::ReadError;
use crate::metadata::{FORMAT, HISTOGRAMS, MARKS, MEMORY, RUN, Run, SERIES, SeriesRecord};

/// The most rows of a file: some days at a thousand frames per second.
const MOST_ROWS: i64 = 1 << 28;

/// How many rows are decoded at once.
const ROWS: usize = 1 << 14;

/// The columns of a Parquet file.
#[derive(Debug)]
pub(super) struct ParquetColumns {
    path: PathBuf,
    file: Arc<PageGuard>,
    metadata: ParquetMetaData,
    /// By name.
    positions: HashMap<String, usize>,
}

impl ParquetColumns {
    /// Opens a capture. Reads its metadata alone.
    pub(super) fn open(path: &Path) -> Result<Content, ReadError> {
        let file = File::open(path).map_err(|source| ReadError::Open {
            path: path.to_owned(),
            source,
        })?;
        let metadata = fenced(|| ParquetMetaDataReader::new().parse_and_finish(&file))
            .map_err(|what| damaged(path, what))?;
        let schema = metadata.file_metadata().schema_descr();
        let positions = schema.columns().iter().enumerate();
        let positions = positions
            .map(|(at, column)| (column.name().to_owned(), at))
            .collect();
        let columns = Self {
            path: path.to_owned(),
            file: Arc::new(PageGuard(file)),
            metadata,
            positions,
        };
        let run: Run = columns
            .document(RUN)?
            .ok_or_else(|| ReadError::NotACapture {
                path: path.to_owned(),
            })?;
        if run.format > FORMAT {
            return Err(ReadError::NewerFormat {
                path: path.to_owned(),
                format: run.format,
            });
        }
        let series: Vec<SeriesRecord> = columns.document(SERIES)?.unwrap_or_default();
        if let Some(gone) = series
            .iter()
            .find(|series| !columns.positions.contains_key(&series.path))
        {
            let what = format!("the series {:?} has no column", gone.path);
            return Err(damaged(path, what));
        }
        Ok(Content {
            run,
            series,
            marks: columns.document(MARKS)?.unwrap_or_default(),
            histograms: columns.document(HISTOGRAMS)?.unwrap_or_default(),
            memory: columns.document(MEMORY)?.unwrap_or_default(),
            columns: Columns::Parquet(Box::new(columns)),
        })
    }

    /// Reads a column of the clock.
    pub(super) fn clock(&self, name: &str) -> Result<Vec<i64>, ReadError> {
        let mut all = Vec::new();
        self.for_each_group(name, |reader, _| match reader {
            ColumnReader::Int64ColumnReader(mut reader) => {
                for_each_chunk(&mut reader, |numbers: &[i64], levels| {
                    if levels.contains(&0) {
                        return Err(ParquetError::General("a frame has no time".into()));
                    }
                    all.extend_from_slice(numbers);
                    Ok(())
                })
            }
            _ => Err(ParquetError::General("the clock is not whole".into())),
        })?;
        Ok(all)
    }

    /// Reads the values of a series by row, NaN for those that are not known.
    pub(super) fn values(&self, series: &SeriesRecord) -> Result<Vec<f64>, ReadError> {
        let mut all = Vec::new();
        let scale = series.scale;
        self.for_each_group(&series.path, |reader, is_required| match reader {
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
            _ => Err(ParquetError::General(
                "its numbers are of an unknown type".into(),
            )),
        })?;
        Ok(all)
    }

    /// Calls `visit` with a reader of each row group of a column, and whether it has no nulls.
    fn for_each_group(
        &self,
        name: &str,
        mut visit: impl FnMut(ColumnReader, bool) -> parquet::errors::Result<usize>,
    ) -> Result<(), ReadError> {
        let wrong = |what: String| damaged(&self.path, format!("column {name:?}: {what}"));
        let at = *self
            .positions
            .get(name)
            .ok_or_else(|| wrong("it is missing".into()))?;
        let mut rows = 0;
        for group in self.metadata.row_groups() {
            rows += group.num_rows().max(0);
            if rows > MOST_ROWS {
                return Err(wrong("it has too many rows".into()));
            }
            let column = group
                .columns()
                .get(at)
                .ok_or_else(|| wrong("it is missing".into()))?;
            self.check(column).map_err(wrong)?;
            let descriptor = column.column_descr_ptr();
            let is_required = descriptor.max_def_level() == 0;
            if descriptor.max_def_level() > 1 || descriptor.max_rep_level() > 0 {
                return Err(wrong("it is nested".into()));
            }
            let read = fenced(|| {
                let group_rows = usize::try_from(group.num_rows())?;
                let pages =
                    SerializedPageReader::new(Arc::clone(&self.file), column, group_rows, None)?;
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

    /// Checks that a column lies within the file.
    fn check(&self, column: &ColumnChunkMetaData) -> Result<(), String> {
        let begin = column
            .dictionary_page_offset()
            .unwrap_or_else(|| column.data_page_offset());
        let len = parquet::file::reader::Length::len(&*self.file);
        let end = begin.checked_add(column.compressed_size());
        let is_inside = begin >= 0
            && column.compressed_size() >= 0
            && end.is_some_and(|end| u64::try_from(end).is_ok_and(|end| end <= len));
        is_inside
            .then_some(())
            .ok_or_else(|| "it lies outside of the file".to_owned())
    }

    /// Reads a document of the metadata; `None` if there is none.
    fn document<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, ReadError> {
        let pairs = self.metadata.file_metadata().key_value_metadata();
        let mut found = pairs.into_iter().flatten().filter(|pair| pair.key == key);
        let text = found.next().and_then(|pair| pair.value.as_deref());
        text.map(serde_json::from_str)
            .transpose()
            .map_err(|error| damaged(&self.path, format!("{key} cannot be read: {error}")))
    }
}

/// Calls `visit` with the numbers and levels of a column, some rows at a time. Returns the number
/// of rows.
fn for_each_chunk<T: DataType>(
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
        if rows as i64 > MOST_ROWS {
            return Err(ParquetError::General("it has too many rows".into()));
        }
    }
}

/// Appends values, with NaN for each row whose level says that it has none.
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

/// Runs code of the Parquet reader, which panics on some contradictions in a file.
fn fenced<T>(read: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T, String> {
    // Whatever the reader left behind is dropped.
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(read)) => Ok(read),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it contradicts itself".to_owned()),
    }
}

fn damaged(path: &Path, what: String) -> ReadError {
    ReadError::Damaged {
        path: path.to_owned(),
        what,
    }
}
