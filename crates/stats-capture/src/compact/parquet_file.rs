//! The Parquet file of a capture.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};
use serde::Serialize;

use stats_core::Frame;

use super::column::Numbers;
use super::{GROUP_ROWS, write_error};
use crate::ReadError;
use crate::checksums::{CHECKSUMS, Checksums, seal_footer};
use crate::journal::{Batch, Journal};
use crate::metadata::{
    CLOCK, FORMAT, HISTOGRAMS, HistogramRecord, MARKS, MEMORY, MarkRecord, MemoryPeaks,
    MemoryRecord, RUN, Run, SERIES, SeriesRecord, scale_of,
};

type Writer = SerializedFileWriter<BufWriter<File>>;

/// Writes a journal to a new Parquet file, which errors call `path`. Returns the number of damaged
/// bytes in the journal.
pub(super) fn write(journal: &Journal, file: &File, path: &Path) -> Result<u64, ReadError> {
    let failed = |error: ParquetError| write_error(path, to_io(error));
    let not_written = |source: io::Error| write_error(path, source);
    let paths = journal.series.iter().map(|series| series.path.as_str());
    let columns: Vec<(&str, bool)> = paths.zip((0..).map(|at| journal.is_whole(at))).collect();
    let mut writer = SerializedFileWriter::new(
        BufWriter::new(file.try_clone().map_err(not_written)?),
        Arc::new(schema(&columns).map_err(failed)?),
        Arc::new(properties(&columns).map_err(failed)?),
    )
    .map_err(failed)?;
    let mut peaks: Vec<Option<MemoryPeaks>> = journal
        .series
        .iter()
        .map(|series| MemoryPeaks::of(&series.path))
        .collect();
    let (mut numbers, mut damaged_bytes) = (Numbers::default(), 0);
    for group in super::groups(journal) {
        let batches: Vec<Batch> = group
            .map(|at| journal.batch(at))
            .collect::<Result<_, _>>()?;
        damaged_bytes += batches.iter().map(Batch::damaged_bytes).sum::<u64>();
        write_group(&mut writer, journal, &batches, &mut numbers, &mut peaks).map_err(failed)?;
    }
    writer.inner_mut().flush().map_err(not_written)?;
    let checksums = Checksums::of(file, writer.flushed_row_groups()).map_err(not_written)?;
    write_metadata(&mut writer, journal, &peaks, &checksums);
    writer
        .into_inner()
        .map_err(failed)?
        .flush()
        .map_err(not_written)?;
    seal_footer(file).map_err(not_written)?;
    // The journal will be removed, so the capture must be on the disk.
    file.sync_all().map_err(not_written)?;
    Ok(damaged_bytes)
}

/// Returns the schema of a file. `columns` are the names of the series, and whether each has whole
/// numbers.
fn schema(columns: &[(&str, bool)]) -> Result<Type, ParquetError> {
    let column = |name: &str, physical, repetition| {
        let column = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        column.build().map(Arc::new)
    };
    let mut fields = Vec::with_capacity(CLOCK.len() + columns.len());
    for name in CLOCK {
        fields.push(column(name, PhysicalType::INT64, Repetition::REQUIRED)?);
    }
    for (name, is_whole) in columns {
        let physical = if *is_whole {
            PhysicalType::INT64
        } else {
            PhysicalType::DOUBLE
        };
        fields.push(column(name, physical, Repetition::OPTIONAL)?);
    }
    Type::group_type_builder("frames")
        .with_fields(fields)
        .build()
}

fn properties(columns: &[(&str, bool)]) -> Result<WriterProperties, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("stats-capture ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::DELTA_BINARY_PACKED)
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true);
    for (name, _) in columns.iter().filter(|(_, is_whole)| !is_whole) {
        let column = ColumnPath::from(vec![(*name).to_owned()]);
        properties = properties.set_column_encoding(column, Encoding::BYTE_STREAM_SPLIT);
    }
    Ok(properties.build())
}

/// The largest float that is a whole number together with all floats below it.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Writes a whole run to a new Parquet file, which errors call `path`.
pub(super) fn write_run(
    file: &File,
    path: &Path,
    frames: &[Frame],
    series: &[(SeriesRecord, Vec<f64>)],
    (run, marks, histograms): (&Run, &[MarkRecord], &[HistogramRecord]),
) -> Result<(), ReadError> {
    let failed = |error: ParquetError| write_error(path, to_io(error));
    let not_written = |source: io::Error| write_error(path, source);
    let is_whole = |value: &f64| {
        value.is_nan()
            || (value.fract() == 0.0 && value.abs() <= MAX_WHOLE && !is_minus_zero(*value))
    };
    let columns: Vec<(&str, bool)> = series
        .iter()
        .map(|(record, values)| (record.path.as_str(), values.iter().all(is_whole)))
        .collect();
    let mut writer = SerializedFileWriter::new(
        BufWriter::new(file.try_clone().map_err(not_written)?),
        Arc::new(schema(&columns).map_err(failed)?),
        Arc::new(properties(&columns).map_err(failed)?),
    )
    .map_err(failed)?;
    let mut numbers = Numbers::default();
    let mut begin = 0;
    for rows in frames.chunks(GROUP_ROWS) {
        let mut group = writer.next_row_group().map_err(failed)?;
        for column in 0..CLOCK.len() {
            numbers.take_frames(rows, column);
            write_column(&mut group, &numbers, true, None).map_err(failed)?;
        }
        for ((_, values), (_, is_whole)) in series.iter().zip(&columns) {
            numbers.take_values(&values[begin..begin + rows.len()], *is_whole);
            let levels = Some(numbers.levels.as_slice());
            write_column(&mut group, &numbers, *is_whole, levels).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        begin += rows.len();
    }
    writer.inner_mut().flush().map_err(not_written)?;
    let checksums = Checksums::of(file, writer.flushed_row_groups()).map_err(not_written)?;
    let records = series.iter().map(|(record, _)| SeriesRecord {
        scale: 1.0,
        ..record.clone()
    });
    let records: Vec<SeriesRecord> = records.collect();
    let peaks = series.iter().map(|(record, values)| {
        let mut peaks = MemoryPeaks::of(&record.path)?;
        let known = values.iter().filter(|value| !value.is_nan());
        known.for_each(|value| peaks.take(*value));
        Some(peaks)
    });
    let memory = MemoryRecord::of(&records, &peaks.collect::<Vec<_>>());
    let run = Run {
        format: FORMAT,
        ..run.clone()
    };
    put(&mut writer, RUN, &run);
    put(&mut writer, SERIES, &records);
    put(&mut writer, MARKS, marks);
    if !histograms.is_empty() {
        put(&mut writer, HISTOGRAMS, histograms);
    }
    put(&mut writer, MEMORY, &memory);
    // Must come last: a footer's checksum is the last text that looks like one.
    put(&mut writer, CHECKSUMS, &checksums);
    let mut inner = writer.into_inner().map_err(failed)?;
    inner.flush().map_err(not_written)?;
    seal_footer(file).map_err(not_written)
}

fn is_minus_zero(value: f64) -> bool {
    value == 0.0 && value.is_sign_negative()
}

fn write_group(
    writer: &mut Writer,
    journal: &Journal,
    batches: &[Batch],
    numbers: &mut Numbers,
    peaks: &mut [Option<MemoryPeaks>],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for column in 0..CLOCK.len() {
        numbers.take_clock(journal, batches, column);
        write_column(&mut group, numbers, true, None)?;
    }
    for (series, peaks) in peaks.iter_mut().enumerate() {
        numbers.take_series(journal, batches, series, peaks.as_mut());
        let levels = Some(numbers.levels.as_slice());
        write_column(&mut group, numbers, journal.is_whole(series), levels)?;
    }
    group.close()?;
    Ok(())
}

fn write_column(
    group: &mut SerializedRowGroupWriter<'_, BufWriter<File>>,
    numbers: &Numbers,
    is_whole: bool,
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("a column is missing".into()));
    };
    if is_whole {
        let column = column.typed::<Int64Type>();
        column.write_batch(&numbers.whole, levels, None)?;
    } else {
        let column = column.typed::<DoubleType>();
        column.write_batch(&numbers.double, levels, None)?;
    }
    column.close()
}

fn write_metadata(
    writer: &mut Writer,
    journal: &Journal,
    peaks: &[Option<MemoryPeaks>],
    checksums: &Checksums,
) {
    let series: Vec<SeriesRecord> = journal
        .series
        .iter()
        .enumerate()
        .map(|(at, series)| SeriesRecord {
            scale: scale_of(series.kind, journal.is_whole(at)),
            ..series.clone()
        })
        .collect();
    let memory = MemoryRecord::of(&series, peaks);
    put(writer, RUN, &journal.run);
    put(writer, SERIES, &series);
    put(writer, MARKS, journal.marks.as_slice());
    put(writer, HISTOGRAMS, &journal.histograms);
    put(writer, MEMORY, &memory);
    // Must come last: a footer's checksum is the last text that looks like one.
    put(writer, CHECKSUMS, checksums);
}

fn put(writer: &mut Writer, key: &str, document: &(impl Serialize + ?Sized)) {
    // Cannot fail: all map keys are strings, and no implementation of `Serialize` is fallible.
    let text = serde_json::to_string(document).unwrap_or_default();
    writer.append_key_value_metadata(KeyValue::new(key.to_owned(), text));
}

fn to_io(error: ParquetError) -> std::io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<std::io::Error>() {
            Ok(error) => *error,
            Err(error) => std::io::Error::other(error),
        },
        error => std::io::Error::other(error),
    }
}
