//! Tables as Parquet files.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{
    Compression, LogicalType, Repetition, TimeUnit, Type as PhysicalType, ZstdLevel,
};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use stats_file::{NewFile, Target};

use crate::failure::Failure;

/// The cells of a column; `None` for a null.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cells {
    /// UTF-8.
    Text(Vec<Option<Arc<str>>>),
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Times, in microseconds since 1970 in UTC.
    Time(Vec<Option<i64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
}

/// Columns by name, of the same length.
pub(super) type Columns = Vec<(&'static str, Cells)>;

/// Writes a table. The file appears when it is complete.
pub(super) fn write(path: &Path, columns: &Columns) -> Result<(), Failure> {
    let failed = Failure::writing(path);
    let mut file = (Target::of_file(path).and_then(|target| target.begin())).map_err(failed)?;
    let written = write_to(&mut file, columns);
    written.map_err(|error| failed(std::io::Error::other(error)))?;
    file.file().sync_all().map_err(failed)?;
    file.complete().map_err(failed)
}

fn write_to(file: &mut NewFile, columns: &Columns) -> Result<(), ParquetError> {
    let fields = columns.iter().map(|(name, cells)| {
        let (physical, logical) = match cells {
            Cells::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            Cells::Whole(_) => (PhysicalType::INT64, None),
            Cells::Time(_) => (
                PhysicalType::INT64,
                Some(LogicalType::timestamp(true, TimeUnit::MICROS)),
            ),
            Cells::Number(_) => (PhysicalType::DOUBLE, None),
        };
        let field = Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(Repetition::OPTIONAL);
        field.build().map(Arc::new)
    });
    let schema = Type::group_type_builder("summary").with_fields(fields.collect::<Result<_, _>>()?);
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    let mut writer = SerializedFileWriter::new(
        BufWriter::new(file),
        Arc::new(schema.build()?),
        Arc::new(properties),
    )?;
    let mut group = writer.next_row_group()?;
    for (_, cells) in columns {
        let Some(mut column) = group.next_column()? else {
            return Err(ParquetError::General("a column is missing".into()));
        };
        match cells {
            Cells::Text(cells) => {
                let (texts, levels) = known(cells);
                let texts: Vec<ByteArray> =
                    texts.iter().map(|text| ByteArray::from(&**text)).collect();
                let column = column.typed::<ByteArrayType>();
                column.write_batch(&texts, Some(&levels), None)?;
            }
            Cells::Whole(cells) | Cells::Time(cells) => {
                let (numbers, levels) = known(cells);
                let column = column.typed::<Int64Type>();
                column.write_batch(&numbers, Some(&levels), None)?;
            }
            Cells::Number(cells) => {
                let (numbers, levels) = known(cells);
                let column = column.typed::<DoubleType>();
                column.write_batch(&numbers, Some(&levels), None)?;
            }
        }
        column.close()?;
    }
    group.close()?;
    writer
        .into_inner()?
        .into_inner()
        .map_err(|error| error.into_error())?;
    Ok(())
}

/// Returns the cells that are not null, and Parquet's definition level of each row: 1 for a cell, 0
/// for a null.
fn known<T: Clone>(cells: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
    let levels = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    (cells.iter().flatten().cloned().collect(), levels)
}

/// A table in a file.
pub(super) struct TableFile {
    path: PathBuf,
    reader: SerializedFileReader<File>,
}

/// The texts that were read so far. Equal texts share their memory.
#[derive(Default)]
pub(super) struct Texts(HashSet<Arc<str>>);

impl Texts {
    fn shared(&mut self, bytes: &ByteArray) -> Arc<str> {
        let text = String::from_utf8_lossy(bytes.data());
        if let Some(known) = self.0.get(&*text) {
            return Arc::clone(known);
        }
        let text: Arc<str> = text.into();
        self.0.insert(Arc::clone(&text));
        text
    }
}

impl TableFile {
    pub(super) fn open(path: PathBuf) -> Result<Self, Failure> {
        let opened = File::open(&path).map_err(ParquetError::from);
        match opened.and_then(SerializedFileReader::new) {
            Ok(reader) => Ok(Self { path, reader }),
            Err(error) => Err(damaged(&path, &error)),
        }
    }

    pub(super) fn texts(
        &self,
        name: &str,
        known: &mut Texts,
    ) -> Result<Vec<Option<Arc<str>>>, Failure> {
        self.cells(name, |column, rows, levels| match column {
            ColumnReader::ByteArrayColumnReader(mut column) => {
                let mut cells = Vec::new();
                column.read_records(rows, Some(levels), None, &mut cells)?;
                Ok(Some(cells))
            }
            _ => Ok(None),
        })
        .map(|cells| {
            // Many cells repeat the text of the previous one.
            let mut last: Option<Arc<str>> = None;
            let mut shared = |text: ByteArray| {
                if last.as_deref().map(str::as_bytes) != Some(text.data()) {
                    last = Some(known.shared(&text));
                }
                last.clone()
            };
            cells
                .into_iter()
                .map(|cell| cell.and_then(&mut shared))
                .collect()
        })
    }

    pub(super) fn whole(&self, name: &str) -> Result<Vec<Option<i64>>, Failure> {
        self.cells(name, |column, rows, levels| match column {
            ColumnReader::Int64ColumnReader(mut column) => {
                let mut cells = Vec::new();
                column.read_records(rows, Some(levels), None, &mut cells)?;
                Ok(Some(cells))
            }
            _ => Ok(None),
        })
    }

    pub(super) fn numbers(&self, name: &str) -> Result<Vec<Option<f64>>, Failure> {
        self.cells(name, |column, rows, levels| match column {
            ColumnReader::DoubleColumnReader(mut column) => {
                let mut cells = Vec::new();
                column.read_records(rows, Some(levels), None, &mut cells)?;
                Ok(Some(cells))
            }
            _ => Ok(None),
        })
    }

    /// Reads a column of all row groups. `read` reads the cells that are not null, and stores a
    /// definition level for each row. It returns `None` if the column has another type.
    fn cells<T>(
        &self,
        name: &str,
        read: impl Fn(ColumnReader, usize, &mut Vec<i16>) -> Result<Option<Vec<T>>, ParquetError>,
    ) -> Result<Vec<Option<T>>, Failure> {
        let read_all = || {
            let missing = || ParquetError::General(format!("the column {name} is missing"));
            let schema = self.reader.metadata().file_metadata().schema_descr();
            let at = (schema.columns().iter())
                .position(|column| column.name() == name)
                .ok_or_else(missing)?;
            let mut all = Vec::new();
            for group in 0..self.reader.num_row_groups() {
                let group = self.reader.get_row_group(group)?;
                let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
                let mut levels = Vec::new();
                let cells = read(group.get_column_reader(at)?, rows, &mut levels)?;
                let mut cells = cells.ok_or_else(missing)?.into_iter();
                if levels.len() != rows {
                    let why = format!("the column {name} has too few rows");
                    return Err(ParquetError::General(why));
                }
                all.extend(levels.iter().map(|level| {
                    let is_known = *level > 0;
                    is_known.then(|| cells.next()).flatten()
                }));
            }
            Ok(all)
        };
        read_all().map_err(|error| damaged(&self.path, &error))
    }
}

fn damaged(path: &Path, error: &ParquetError) -> Failure {
    Failure::Summary {
        file: path.to_owned(),
        why: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let folder = stats_testing::Folder::new("tool-table");
        let path = folder.0.join("t.parquet");
        let text = |text: &str| Some(Arc::from(text));
        let texts = vec![text("a"), None, text(""), text("a"), text("ä\n")];
        let whole = vec![Some(i64::MIN), None, Some(0), Some(1), Some(i64::MAX)];
        let numbers = vec![Some(0.1), Some(-0.0), None, Some(1e300), Some(5e-324)];
        write(
            &path,
            &vec![
                ("texts", Cells::Text(texts.clone())),
                ("whole", Cells::Whole(whole.clone())),
                ("times", Cells::Time(whole.clone())),
                ("numbers", Cells::Number(numbers.clone())),
            ],
        )
        .unwrap();
        let table = TableFile::open(path).unwrap();
        let mut known = Texts::default();
        assert_eq!(table.texts("texts", &mut known).unwrap(), texts);
        assert_eq!(table.whole("whole").unwrap(), whole);
        assert_eq!(table.whole("times").unwrap(), whole);
        assert_eq!(table.numbers("numbers").unwrap(), numbers);
        for error in [table.whole("numbers").err(), table.whole("none").err()] {
            assert!(error.unwrap().to_string().contains("t.parquet"));
        }
    }
}
