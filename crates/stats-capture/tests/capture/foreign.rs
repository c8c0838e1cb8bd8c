//! Captures that another program wrote.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, Repetition, Type as PhysicalType};
use parquet::data_type::{DoubleType, FloatType, Int32Type, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use stats_capture::{CaptureFile, RecordedKind};
use stats_core::Source;
use stats_testing::Folder;

use crate::values;

/// Writes a file with Parquet's defaults except for the compression.
fn write(path: &Path, compression: Compression, metadata: &[(&str, &str)]) {
    write_with(path, compression, metadata, &[]);
}

/// Writes a file in which some columns have other types.
fn write_with(
    path: &Path,
    compression: Compression,
    metadata: &[(&str, &str)],
    types: &[(&str, ConvertedType)],
) {
    let column = |name: &str, physical| {
        let converted = types.iter().find(|(of, _)| *of == name);
        let converted = converted.map_or(ConvertedType::NONE, |(_, converted)| *converted);
        let mut column = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_converted_type(converted);
        if converted == ConvertedType::DECIMAL {
            column = column.with_precision(18).with_scale(3);
        }
        Arc::new(column.build().expect("a column"))
    };
    let fields = [
        "frame",
        "start_ns",
        "duration_ns",
        "ai/paths",
        "ai/requests",
    ]
    .map(|name| column(name, PhysicalType::INT64));
    let fields = fields
        .into_iter()
        .chain([column("camera/x", PhysicalType::DOUBLE)]);
    let schema = Type::group_type_builder("table").with_fields(fields.collect());
    let pairs = metadata
        .iter()
        .map(|(key, text)| KeyValue::new((*key).to_owned(), (*text).to_owned()));
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_key_value_metadata(Some(pairs.collect()));
    let mut writer = SerializedFileWriter::new(
        File::create(path).expect("a temporary file"),
        Arc::new(schema.build().expect("a schema")),
        Arc::new(properties.build()),
    )
    .expect("a temporary file");
    let mut group = writer.next_row_group().expect("a group");
    let whole: [&[i64]; 5] = [
        &[0, 1, 2],
        &[0, 10_000_000, 21_000_000],
        &[10_000_000, 11_000_000, 9_000_000],
        &[2_000_000, 2_500_000, 0],
        &[7, 9],
    ];
    for (at, numbers) in whole.into_iter().enumerate() {
        let levels: &[i16] = if at == 4 { &[1, 0, 1] } else { &[1; 3] };
        let mut column = group.next_column().expect("a column").expect("a column");
        let written = column
            .typed::<Int64Type>()
            .write_batch(numbers, Some(levels), None);
        written.expect("a column");
        column.close().expect("a column");
    }
    let mut column = group.next_column().expect("a column").expect("a column");
    let written =
        (column.typed::<DoubleType>()).write_batch(&[0.5, -1.5, 2.25], Some(&[1; 3]), None);
    written.expect("a column");
    column.close().expect("a column");
    group.close().expect("a group");
    writer.close().expect("a file");
}

const SERIES: &str = r#"[
    {"path":"ai/paths","kind":"timer","unit":"ms","scale":1e-6,"better":"lower","description":""},
    {"path":"ai/requests","kind":"counter","unit":"","budget":8},
    {"path":"camera/x","kind":"gauge","unit":"m","scale":2}
]"#;

#[test]
fn a_file_of_another_program_is_a_capture_if_it_has_the_columns_and_the_metadata() {
    let folder = Folder::new("foreign");
    let path = folder.0.join("run.parquet");
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::ZSTD(Default::default()),
    ] {
        let run = r#"{"format":1,"scenario":"tour","unknown":[1]}"#;
        write(
            &path,
            compression,
            &[("stats.run", run), ("stats.series", SERIES)],
        );
        let file = CaptureFile::open(&path).expect("it is a capture");
        assert_eq!(file.run().scenario.as_deref(), Some("tour"));
        assert_eq!(file.frames(), 0..3);
        assert_eq!(file.frame(1).expect("it is there").duration_ms, 11.0);
        assert_eq!(file.series()[0].kind, RecordedKind::Timer);
        assert_eq!(values(&file, "ai/paths"), [Some(2.0), Some(2.5), Some(0.0)]);
        assert_eq!(values(&file, "ai/requests"), [Some(7.0), None, Some(9.0)]);
        assert_eq!(
            values(&file, "camera/x"),
            [Some(1.0), Some(-3.0), Some(4.5)]
        );
    }
}

#[test]
fn decimals_unsigned_integers_and_other_units_of_time_are_refused() {
    let folder = Folder::new("foreign-types");
    let path = folder.0.join("run.parquet");
    let metadata = [("stats.run", r#"{"format":1}"#), ("stats.series", SERIES)];
    let read = |types: &[(&str, ConvertedType)]| -> Result<(), String> {
        write_with(&path, Compression::SNAPPY, &metadata, types);
        let file = CaptureFile::open(&path).map_err(|error| error.to_string())?;
        let read = file.read("ai/paths");
        read.map(drop).map_err(|error| error.to_string())
    };
    for fine in [
        ("ai/paths", ConvertedType::INT_64),
        ("start_ns", ConvertedType::INT_64),
    ] {
        assert_eq!(read(&[fine]), Ok(()));
    }
    for bad in [
        ("ai/paths", ConvertedType::DECIMAL),
        ("ai/paths", ConvertedType::UINT_64),
        ("start_ns", ConvertedType::TIMESTAMP_MICROS),
        ("duration_ns", ConvertedType::TIMESTAMP_MILLIS),
    ] {
        let error = read(&[bad]).expect_err("it has another meaning");
        assert!(error.contains("write it as INT64"), "{error}");
    }
}

/// Writes a file with one row of zeros in columns of these types. `a.b` is a column in a group.
fn write_row(path: &Path, columns: &[(&str, PhysicalType)]) {
    let column = |(name, physical): &(&str, PhysicalType)| {
        let (group, name) = name.split_once('.').unwrap_or(("", name));
        let column = Type::primitive_type_builder(name, *physical);
        let column = column.with_repetition(Repetition::REQUIRED).build();
        let column = Arc::new(column.expect("a column"));
        if group.is_empty() {
            return column;
        }
        let group = Type::group_type_builder(group).with_fields(vec![column]);
        let group = group.with_repetition(Repetition::REQUIRED).build();
        Arc::new(group.expect("a group"))
    };
    let fields = columns.iter().map(column).collect();
    let schema = Type::group_type_builder("table")
        .with_fields(fields)
        .build();
    let run = KeyValue::new("stats.run".to_owned(), r#"{"format":1}"#.to_owned());
    let series = r#"[{"path":"x","kind":"gauge"}]"#.to_owned();
    let pairs = vec![run, KeyValue::new("stats.series".to_owned(), series)];
    let properties = WriterProperties::builder().set_key_value_metadata(Some(pairs));
    let mut writer = SerializedFileWriter::new(
        File::create(path).expect("a temporary file"),
        Arc::new(schema.expect("a schema")),
        Arc::new(properties.build()),
    )
    .expect("a temporary file");
    let mut group = writer.next_row_group().expect("a group");
    for (_, physical) in columns {
        let mut column = group.next_column().expect("a column").expect("a column");
        let written = match physical {
            PhysicalType::INT32 => column.typed::<Int32Type>().write_batch(&[0], None, None),
            PhysicalType::FLOAT => column.typed::<FloatType>().write_batch(&[0.0], None, None),
            PhysicalType::DOUBLE => column.typed::<DoubleType>().write_batch(&[0.0], None, None),
            _ => column.typed::<Int64Type>().write_batch(&[0], None, None),
        };
        written.expect("a column");
        column.close().expect("a column");
    }
    group.close().expect("a group");
    writer.close().expect("a file");
}

#[test]
fn an_error_says_how_another_program_should_write_a_column() {
    use PhysicalType::{DOUBLE, FLOAT, INT32, INT64};
    let folder = Folder::new("foreign-columns");
    let path = folder.0.join("run.parquet");
    let read = |duration, other: (&'static str, PhysicalType)| {
        let clock = [
            ("frame", INT64),
            ("start_ns", INT64),
            ("duration_ns", duration),
        ];
        let columns: Vec<_> = clock.into_iter().chain([("x", INT64), other]).collect();
        // `other` replaces the column of the same name.
        let columns = match other.0 {
            "x" => [&columns[..3], &columns[4..]].concat(),
            _ => columns,
        };
        write_row(&path, &columns);
        let read = CaptureFile::open(&path).and_then(|run| run.read("x"));
        read.map(|column| column.slice().at(0)).map_err(|error| {
            let is_damaged = matches!(error, stats_capture::ReadError::Damaged { .. });
            assert!(!is_damaged, "{error}");
            error.to_string()
        })
    };
    for fine in [INT64, DOUBLE] {
        assert_eq!(read(INT64, ("x", fine)), Ok(Some(0.0)));
    }
    for unused in ["group.frame", "group.x", "frame.frame"] {
        assert_eq!(read(INT64, (unused, INT32)), Ok(Some(0.0)), "{unused}");
    }
    let of_type = |name: &str| format!("\"{name}\" has the type");
    let nested = [
        ("frame", INT64),
        ("start_ns", INT64),
        ("duration_ns", INT64),
        ("x.value", INT64),
    ];
    write_row(&path, &nested);
    let error = CaptureFile::open(&path).expect_err("the series has no numbers");
    let text = "column \"x\" is nested; write plain numbers";
    assert!(error.to_string().ends_with(text), "{error}");
    for (duration, other, text) in [
        (
            INT64,
            ("x", INT32),
            of_type("x") + " INT32; write it as INT64, or DOUBLE",
        ),
        (
            INT64,
            ("x", FLOAT),
            of_type("x") + " FLOAT; write it as INT64, or DOUBLE",
        ),
        (
            DOUBLE,
            ("x", INT64),
            of_type("duration_ns") + " DOUBLE; write it as INT64",
        ),
        (
            INT64,
            ("duration_ns", INT64),
            "two columns are named \"duration_ns\"".to_owned(),
        ),
    ] {
        let error = read(duration, other).expect_err("it cannot be read");
        assert!(error.contains(&text), "{error}");
    }
}

#[test]
fn a_capture_that_another_program_rewrote_is_read_without_checksums() {
    let folder = Folder::new("foreign-rewritten");
    let path = folder.0.join("run.parquet");
    let run = r#"{"format":1,"scenario":"tour","labels":{"by":"stats-capture 0.1.0"}}"#;
    let checksums = r#"{"footer":"01234567","columns":[]}"#;
    let metadata = [
        ("stats.run", run),
        ("stats.series", SERIES),
        ("stats.checksums", checksums),
    ];
    write(&path, Compression::SNAPPY, &metadata);
    let file = CaptureFile::open(&path).expect("it is a capture");
    assert_eq!(values(&file, "ai/requests"), [Some(7.0), None, Some(9.0)]);
}

#[test]
fn invalid_metadata_of_another_program_are_not_called_damaged() {
    let folder = Folder::new("foreign-metadata");
    let path = folder.0.join("run.parquet");
    let good = r#"{"format":1}"#;
    for (run, series, text) in [
        (r#"{"format":1,"cost":1}"#, SERIES, "stats.run: "),
        ("{", SERIES, "stats.run: "),
        (good, r#"[{"path":1}]"#, "stats.series: "),
        (
            good,
            r#"[{"path":"camera/x"},{"path":"camera/x"}]"#,
            "stats.series has \"camera/x\" twice",
        ),
        (good, r#"[{"path":"y"}]"#, "the series \"y\" has no column"),
    ] {
        let metadata = [("stats.run", run), ("stats.series", series)];
        write(&path, Compression::SNAPPY, &metadata);
        let error = CaptureFile::open(&path).expect_err("it cannot be read");
        let error = error.to_string();
        assert!(error.contains(text), "{error}");
        assert!(
            error.ends_with("write it as described in docs/captures.md"),
            "{error}"
        );
    }
}

#[test]
fn null_fields_count_as_missing() {
    let folder = Folder::new("foreign-null");
    let path = folder.0.join("run.parquet");
    let run = r#"{"format":1,"cost":null,"machine":{"cores":null},"labels":null,"ended":null}"#;
    let series = r#"[{"path":"ai/requests","kind":"counter","unit":null,"scale":null}]"#;
    let metadata = [("stats.run", run), ("stats.series", series)];
    write(&path, Compression::SNAPPY, &metadata);
    let file = CaptureFile::open(&path).expect("it is a capture");
    assert_eq!(values(&file, "ai/requests"), [Some(7.0), None, Some(9.0)]);
    assert_eq!(file.run().cost, stats_capture::Cost::default());
}

#[test]
fn a_table_without_the_metadata_of_a_run_is_not_a_capture() {
    let folder = Folder::new("foreign-table");
    let path = folder.0.join("table.parquet");
    write(&path, Compression::SNAPPY, &[("pandas", "{}")]);
    let error = CaptureFile::open(&path).expect_err("it has no run");
    assert!(error.to_string().contains("is not a capture"), "{error}");
}
