//! The values of a capture, in a Parquet file with the usual defaults: a dictionary, plain numbers,
//! and Snappy.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Repetition, Type as PhysicalType};
use parquet::data_type::{DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use stats_capture::CaptureFile;
use stats_core::Source;

/// Writes the values of all series of a capture as one row group. Returns the size of the file in
/// bytes.
pub(crate) fn write(capture: &CaptureFile, path: &Path) -> Result<u64, ParquetError> {
    let frames = capture.frames();
    let columns: Vec<(&str, Vec<i16>, Vec<f64>, bool)> = capture
        .series()
        .iter()
        .map(|series| {
            let column = capture.read(&series.path).expect("it is listed");
            // A series may begin after the first frame, and have no value in others.
            let values = frames.clone().map(|frame| column.slice().at(frame));
            let levels = values.clone().map(|value| i16::from(value.is_some()));
            let levels = levels.collect();
            let numbers = values.flatten().map(|value| value / series.scale);
            let is_time = series.scale != 1.0;
            let numbers: Vec<f64> = numbers
                .map(|number| if is_time { number.round() } else { number })
                .collect();
            let is_whole = numbers.iter().all(|number| number.trunc() == *number);
            (series.path.as_str(), levels, numbers, is_whole)
        })
        .collect();
    let fields = columns.iter().map(|(name, _, _, is_whole)| {
        let physical = if *is_whole {
            PhysicalType::INT64
        } else {
            PhysicalType::DOUBLE
        };
        let column = Type::primitive_type_builder(name, physical);
        let column = column.with_repetition(Repetition::OPTIONAL).build()?;
        Ok(Arc::new(column))
    });
    let fields = fields.collect::<Result<_, ParquetError>>()?;
    let schema = Type::group_type_builder("frames").with_fields(fields);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let mut writer = SerializedFileWriter::new(
        std::fs::File::create(path)?,
        Arc::new(schema.build()?),
        Arc::new(properties.build()),
    )?;
    let mut group = writer.next_row_group()?;
    for (_, levels, numbers, is_whole) in &columns {
        let mut column = group.next_column()?.expect("the schema has it");
        if *is_whole {
            let whole: Vec<i64> = numbers.iter().map(|number| *number as i64).collect();
            let column = column.typed::<Int64Type>();
            column.write_batch(&whole, Some(levels), None)?;
        } else {
            let column = column.typed::<DoubleType>();
            column.write_batch(numbers, Some(levels), None)?;
        }
        column.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(std::fs::metadata(path)?.len())
}
