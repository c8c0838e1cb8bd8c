//! Reads the columns of a Parquet file.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};
use serde::de::DeserializeOwned;

use super::content::{Columns, Content};
use super::document;
use super::frames::Ticks;
use super::numbers::{Form, Stored};
use super::page_guard::PageGuard;
use crate::ReadError;
use crate::checksums::{CHECKSUMS, Checksums, Footer, has_intact_column, is_own, place};
use crate::metadata::{
    CLOCK, FORMAT, HISTOGRAMS, MARKS, MEMORY, RUN, Run, SERIES, SeriesRecord, Words, unknown_words,
};

/// The maximum number of rows in a file: three days at a thousand frames per second.
const MAX_ROWS: i64 = 1 << 28;

/// The number of rows that are decoded at once.
const ROWS: usize = 1 << 14;

/// Calls code with a reader of columns of any type.
macro_rules! read_stored {
    ($reader:ident, |$typed:ident| $read:expr) => {
        match $reader {
            ColumnReader::Int64ColumnReader(mut reader) => {
                let $typed = &mut reader;
                $read
            }
            ColumnReader::DoubleColumnReader(mut reader) => {
                let $typed = &mut reader;
                $read
            }
            ColumnReader::Int32ColumnReader(mut reader) => {
                let $typed = &mut reader;
                $read
            }
            ColumnReader::FloatColumnReader(mut reader) => {
                let $typed = &mut reader;
                $read
            }
            ColumnReader::BoolColumnReader(mut reader) => {
                let $typed = &mut reader;
                $read
            }
            ColumnReader::FixedLenByteArrayColumnReader(mut reader) => {
                let $typed = &mut reader;
                $read
            }
            ColumnReader::ByteArrayColumnReader(mut reader) => {
                let $typed = &mut reader;
                $read
            }
            // Never: such a column has no form.
            ColumnReader::Int96ColumnReader(_) => {
                Err(ParquetError::General("it has no numbers".into()))
            }
        }
    };
}

/// The columns of a Parquet file.
#[derive(Debug)]
pub(super) struct ParquetColumns {
    path: PathBuf,
    file: File,
    metadata: ParquetMetaData,
    /// `None` for a file that another program wrote.
    checksums: Option<Checksums>,
    /// By name; `None` for a name of several columns.
    positions: HashMap<String, Option<usize>>,
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
        let no_footer = || damaged(path, "its footer is incomplete or damaged".into());
        let footer = Footer::read(&file).map_err(not_read)?;
        let footer = footer.ok_or_else(no_footer)?;
        let metadata = fenced(|| ParquetMetaDataReader::decode_metadata(footer.metadata()))
            .map_err(|_| no_footer())?;
        let is_sealed = footer.is_intact();
        let is_own =
            is_sealed || is_own(metadata.file_metadata()) || has_intact_column(&file, &metadata);
        if !is_sealed && is_own {
            return Err(no_footer());
        }
        let mut columns = Self {
            path: path.to_owned(),
            file,
            positions: positions(&metadata),
            metadata,
            checksums: None,
        };
        if is_sealed {
            columns.checksums = Some(columns.document(CHECKSUMS)?.unwrap_or_default());
        }
        let run: Run = columns.document(RUN)?.ok_or_else(|| {
            columns.wrong(format!(
                "its metadata lack the key {RUN}, which makes a table a capture"
            ))
        })?;
        if run.format > FORMAT {
            return Err(ReadError::NewerFormat {
                path: path.to_owned(),
                format: run.format,
            });
        }
        let (series, mut warnings) = columns.series()?;
        if !is_own {
            let words = columns.document::<Vec<Words>>(SERIES)?;
            warnings.extend(unknown_words(&words.unwrap_or_default()));
        }
        Ok(Content {
            run,
            series,
            marks: columns.document(MARKS)?.unwrap_or_default(),
            histograms: columns.document(HISTOGRAMS)?.unwrap_or_default(),
            memory: columns.document(MEMORY)?.unwrap_or_default(),
            damaged_bytes: 0,
            warnings,
            columns: Columns::Parquet(Box::new(columns)),
        })
    }

    /// Reads the descriptions of the series. Also returns what is wrong with them.
    fn series(&self) -> Result<(Vec<SeriesRecord>, Vec<String>), ReadError> {
        let mut series: Vec<SeriesRecord> = self.document(SERIES)?.unwrap_or_default();
        let (mut warnings, mut paths) = (Vec::new(), HashSet::new());
        series.retain(|series| {
            let is_first = paths.insert(series.path.clone());
            if !is_first {
                let path = &series.path;
                warnings.push(format!(
                    "{SERIES} lists {path:?} twice; the first entry counts"
                ));
            }
            is_first
        });
        for series in &mut series {
            warnings.extend(series.normalize_unit());
        }
        Ok((series, warnings))
    }

    /// Returns whether this crate wrote the file.
    pub(super) fn is_own(&self) -> bool {
        self.checksums.is_some()
    }

    /// Reads a column of the clock: whole numbers, or else numbers with a fraction.
    pub(super) fn clock(&self, name: &str) -> Result<Ticks, ReadError> {
        let no_time = |row: usize| {
            self.wrong(format!(
                "row {row} (counted from 0) has no {name}; leave the row out, or fill it in"
            ))
        };
        let (mut whole, mut is_whole, mut unknown) = (Vec::new(), true, None);
        self.for_each_group(name, |reader, form, is_required| {
            // Within the row: whether it is whole.
            let mut take = |number: Option<Option<i64>>| {
                if number.is_none() {
                    unknown.get_or_insert(whole.len());
                }
                is_whole &= number != Some(None);
                whole.push(number.flatten().unwrap_or_default());
            };
            read_stored!(reader, |reader| for_each_chunk(
                reader,
                |numbers, levels| {
                    let numbers = numbers.iter().map(|number| Some(number.whole(form)));
                    each_row(numbers, levels, is_required, &mut take);
                    Ok(())
                }
            ))
        })?;
        if let Some(row) = unknown {
            return Err(no_time(row));
        }
        if is_whole {
            return Ok(Ticks::Whole(whole));
        }
        drop(whole);
        let mut real = Vec::new();
        self.for_each_number(name, |number| real.push(number))?;
        match real.iter().position(|number| !number.is_finite()) {
            Some(row) => Err(no_time(row)),
            None => Ok(Ticks::Real(real)),
        }
    }

    /// Reads the values of a series by row; NaN for an unknown value.
    pub(super) fn values(&self, series: &SeriesRecord) -> Result<Vec<f64>, ReadError> {
        let (mut all, scale) = (Vec::new(), series.scale);
        self.for_each_number(&series.path, |number| all.push(number * scale))?;
        Ok(all)
    }

    /// Calls `take` with each number of a column; NaN for null.
    fn for_each_number(&self, name: &str, mut take: impl FnMut(f64)) -> Result<(), ReadError> {
        self.for_each_group(name, |reader, form, is_required| {
            let mut take = |number: Option<f64>| take(number.unwrap_or(f64::NAN));
            read_stored!(reader, |reader| for_each_chunk(
                reader,
                |numbers, levels| {
                    let numbers = numbers.iter().map(|number| Some(number.real(form)));
                    each_row(numbers, levels, is_required, &mut take);
                    Ok(())
                }
            ))
        })
    }

    /// Calls `visit` for each row group with a reader of the column, the form of its numbers, and
    /// whether it cannot have nulls.
    fn for_each_group(
        &self,
        name: &str,
        mut visit: impl FnMut(ColumnReader, Form, bool) -> parquet::errors::Result<usize>,
    ) -> Result<(), ReadError> {
        let wrong = |what: String| damaged(&self.path, format!("column {name:?}: {what}"));
        let at = self.position(name)?;
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
            let form = self.form(name, column)?;
            let is_required = descriptor.max_def_level() == 0;
            let read = fenced(|| {
                let group_rows = usize::try_from(group.num_rows())?;
                let pages =
                    SerializedPageReader::new(Arc::clone(&pages), column, group_rows, None)?;
                let reader = get_column_reader(Arc::clone(&descriptor), Box::new(pages));
                visit(reader, form, is_required)
            })
            .map_err(wrong)?;
            if i64::try_from(read) != Ok(group.num_rows()) {
                return Err(wrong("it has fewer rows than the file".into()));
            }
        }
        Ok(())
    }

    /// Returns the position of a column, or an error that says why it has none.
    fn position(&self, name: &str) -> Result<usize, ReadError> {
        let what = match self.positions.get(name) {
            Some(Some(at)) => return Ok(*at),
            Some(None) => format!("two columns are named {name:?}; give each its own name"),
            None => {
                let schema = self.metadata.file_metadata().schema();
                let is_nested = (schema.get_fields().iter()).any(|field| field.name() == name);
                if is_nested {
                    format!("column {name:?} is nested; write plain numbers")
                } else {
                    return Err(self.wrong(format!("it has no column {name:?}")));
                }
            }
        };
        Err(unsupported(&self.path, what))
    }

    /// Returns the form of a column's numbers, or an error that says how to write them instead.
    fn form(&self, name: &str, column: &ColumnChunkMetaData) -> Result<Form, ReadError> {
        let descriptor = column.column_descr_ptr();
        let form = Form::of(&descriptor);
        let is_nested = descriptor.max_def_level() > 1 || descriptor.max_rep_level() > 0;
        // A series has a unit of its own, which a time would contradict.
        let is_clock = CLOCK.contains(&name);
        let fits = |form: &Form| is_clock || !matches!(form, Form::Time(_));
        let problem = if is_nested {
            "is nested; write plain numbers".to_owned()
        } else if !is_decoded(column.compression()) {
            let by = compression_name(column.compression());
            format!("is compressed with {by}; write it with zstd, Snappy or none")
        } else {
            match form.filter(fits) {
                Some(form) => return Ok(form),
                None => {
                    let of = type_name(&descriptor);
                    let cure = if is_clock { "INT64" } else { "INT64 or DOUBLE" };
                    format!("has the type {of}; write it as {cure}")
                }
            }
        };
        let what = format!("column {name:?} {problem}");
        Err(unsupported(&self.path, what))
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
        text.map(|text| document::parse(key, text))
            .transpose()
            .map_err(|what| self.wrong(what))
    }

    /// Returns an error about invalid metadata. If another program wrote them, they are wrong
    /// rather than damaged.
    pub(super) fn wrong(&self, what: String) -> ReadError {
        match &self.checksums {
            Some(_) => damaged(&self.path, what),
            None => {
                let cure = "write it as described in docs/captures.md";
                unsupported(&self.path, format!("{what}; {cure}"))
            }
        }
    }
}

/// Returns the positions of columns by name; `None` for a name of several columns.
fn positions(metadata: &ParquetMetaData) -> HashMap<String, Option<usize>> {
    let mut positions = HashMap::new();
    let columns = metadata.file_metadata().schema_descr().columns().iter();
    // A nested column has a path of several names.
    let is_nested = |column: &ColumnDescPtr| column.path().parts().len() > 1;
    for (at, column) in columns.enumerate().filter(|(_, column)| !is_nested(column)) {
        let place = positions.entry(column.name().to_owned());
        place.and_modify(|place| *place = None).or_insert(Some(at));
    }
    positions
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

/// Calls `take` for each row with its number, or with `None` if its level marks it as null.
fn each_row<V>(
    mut numbers: impl Iterator<Item = Option<V>>,
    levels: &[i16],
    is_required: bool,
    take: &mut impl FnMut(Option<V>),
) {
    if is_required {
        numbers.for_each(take);
    } else {
        for level in levels {
            take(if *level > 0 {
                numbers.next().flatten()
            } else {
                None
            });
        }
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
