//! Captures that another program wrote.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as PhysicalType};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use stats_capture::{Better, CaptureFile, Ended, RecordedKind};
use stats_core::Source;
use stats_testing::Folder;

use crate::values;

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

/// The values of each type of column, as Parquet stores them.
#[derive(Clone, Debug)]
enum Cells {
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bool(Vec<bool>),
    Bytes(Vec<Vec<u8>>),
    Text(Vec<&'static str>),
    /// Of a column whose values may be missing.
    SomeInt64(Vec<Option<i64>>),
    SomeDouble(Vec<Option<f64>>),
}

use Cells::{Bool, Bytes, Double, Float, Int32, Int64, SomeDouble, SomeInt64, Text};

/// A column of a table: its name, its logical type, and its values. `a.b` is a column in a group.
type Table = Vec<(&'static str, Option<LogicalType>, Cells)>;

/// Writes a table with a writer's settings.
fn write_table(
    path: &Path,
    table: &Table,
    metadata: &[(&str, &str)],
    properties: WriterPropertiesBuilder,
) {
    let fields = table.iter().map(|(name, logical, cells)| {
        let physical = match cells {
            Int32(_) => PhysicalType::INT32,
            Int64(_) | SomeInt64(_) => PhysicalType::INT64,
            Float(_) => PhysicalType::FLOAT,
            Double(_) | SomeDouble(_) => PhysicalType::DOUBLE,
            Bool(_) => PhysicalType::BOOLEAN,
            Bytes(_) => PhysicalType::FIXED_LEN_BYTE_ARRAY,
            Text(_) => PhysicalType::BYTE_ARRAY,
        };
        let repetition = match cells {
            SomeInt64(_) | SomeDouble(_) => Repetition::OPTIONAL,
            _ => Repetition::REQUIRED,
        };
        let (group, name) = name.split_once('.').unwrap_or(("", name));
        let mut column = Type::primitive_type_builder(name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical.clone());
        if let Bytes(all) = cells {
            column = column.with_length(all[0].len() as i32);
        }
        if let Some(LogicalType::Decimal(decimal)) = logical {
            column = column
                .with_precision(decimal.precision)
                .with_scale(decimal.scale);
        }
        let column = Arc::new(column.build().expect("a column"));
        if group.is_empty() {
            return column;
        }
        let group = Type::group_type_builder(group).with_fields(vec![column]);
        let group = group.with_repetition(Repetition::REQUIRED).build();
        Arc::new(group.expect("a group"))
    });
    let schema = Type::group_type_builder("table").with_fields(fields.collect());
    let pairs = metadata
        .iter()
        .map(|(key, text)| KeyValue::new((*key).to_owned(), (*text).to_owned()));
    let properties = properties.set_key_value_metadata(Some(pairs.collect()));
    let mut writer = SerializedFileWriter::new(
        File::create(path).expect("a temporary file"),
        Arc::new(schema.build().expect("a schema")),
        Arc::new(properties.build()),
    )
    .expect("a temporary file");
    let mut group = writer.next_row_group().expect("a group");
    for (_, _, cells) in table {
        let mut column = group.next_column().expect("a column").expect("a column");
        let written = match cells {
            Int32(all) => column.typed::<Int32Type>().write_batch(all, None, None),
            Int64(all) => column.typed::<Int64Type>().write_batch(all, None, None),
            Float(all) => column.typed::<FloatType>().write_batch(all, None, None),
            Double(all) => column.typed::<DoubleType>().write_batch(all, None, None),
            Bool(all) => column.typed::<BoolType>().write_batch(all, None, None),
            SomeInt64(all) => {
                let (known, levels) = known(all);
                column
                    .typed::<Int64Type>()
                    .write_batch(&known, Some(&levels), None)
            }
            SomeDouble(all) => {
                let (known, levels) = known(all);
                column
                    .typed::<DoubleType>()
                    .write_batch(&known, Some(&levels), None)
            }
            Bytes(all) => {
                let all: Vec<FixedLenByteArray> =
                    all.iter().map(|bytes| bytes.clone().into()).collect();
                column
                    .typed::<FixedLenByteArrayType>()
                    .write_batch(&all, None, None)
            }
            Text(all) => {
                let all: Vec<ByteArray> = all.iter().map(|text| (*text).into()).collect();
                column
                    .typed::<ByteArrayType>()
                    .write_batch(&all, None, None)
            }
        };
        written.expect("a column");
        column.close().expect("a column");
    }
    group.close().expect("a group");
    writer.close().expect("a file");
}

/// Returns the values that are not missing, and for each value whether it is there.
fn known<T: Copy>(all: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
    let levels = all.iter().map(|value| i16::from(value.is_some()));
    (all.iter().flatten().copied().collect(), levels.collect())
}

/// Writes a file with Parquet's defaults except for the compression.
fn write(path: &Path, compression: Compression, metadata: &[(&str, &str)]) {
    let all = |numbers: [i64; 3]| SomeInt64(numbers.map(Some).to_vec());
    let table = vec![
        ("frame", None, all([0, 1, 2])),
        ("start_ns", None, all([0, 10_000_000, 21_000_000])),
        (
            "duration_ns",
            None,
            all([10_000_000, 11_000_000, 9_000_000]),
        ),
        ("ai/paths", None, all([2_000_000, 2_500_000, 0])),
        ("ai/requests", None, SomeInt64(vec![Some(7), None, Some(9)])),
        (
            "camera/x",
            None,
            SomeDouble([0.5, -1.5, 2.25].map(Some).to_vec()),
        ),
    ];
    let properties = WriterProperties::builder().set_compression(compression);
    write_table(path, &table, metadata, properties);
}

fn integer(bit_width: i8, is_signed: bool) -> Option<LogicalType> {
    Some(LogicalType::integer(bit_width, is_signed))
}

fn timestamp(unit: TimeUnit) -> Option<LogicalType> {
    Some(LogicalType::timestamp(true, unit))
}

/// The clock of three frames of 10 ms.
fn clock() -> Table {
    vec![
        ("frame", None, Int64(vec![0, 1, 2])),
        ("start_ns", None, Int64(vec![0, 10_000_000, 20_000_000])),
        ("duration_ns", None, Int64(vec![10_000_000; 3])),
    ]
}

/// The settings of several writers.
fn writers() -> [WriterPropertiesBuilder; 4] {
    let all = || WriterProperties::builder();
    [
        all().set_compression(Compression::SNAPPY),
        all()
            .set_compression(Compression::ZSTD(Default::default()))
            .set_dictionary_enabled(false),
        all()
            .set_compression(Compression::UNCOMPRESSED)
            .set_writer_version(WriterVersion::PARQUET_2_0),
        all()
            .set_data_page_row_count_limit(1)
            .set_write_batch_size(1),
    ]
}

const RUN: (&str, &str) = ("stats.run", r#"{"format":1}"#);
const GAUGE: (&str, &str) = (
    "stats.series",
    r#"[{"path":"x","kind":"gauge"},{"path":"y"}]"#,
);

#[test]
fn every_type_of_numbers_is_read_exactly_from_every_writer() {
    let folder = Folder::new("foreign-types");
    let path = folder.0.join("run.parquet");
    let half = Some(LogicalType::Float16);
    let decimal = || Some(LogicalType::decimal(2, 9));
    let cases: Vec<(Option<LogicalType>, Cells, [f64; 3])> = vec![
        (
            None,
            Int64(vec![-1, 0, 1 << 53]),
            [-1.0, 0.0, 9_007_199_254_740_992.0],
        ),
        (integer(64, true), Int64(vec![-5, 0, 5]), [-5.0, 0.0, 5.0]),
        (
            integer(64, false),
            Int64(vec![-1, 0, 5]),
            [u64::MAX as f64, 0.0, 5.0],
        ),
        (
            None,
            Int32(vec![i32::MIN, 0, i32::MAX]),
            [i32::MIN.into(), 0.0, i32::MAX.into()],
        ),
        (
            integer(8, true),
            Int32(vec![-128, 0, 127]),
            [-128.0, 0.0, 127.0],
        ),
        (
            integer(16, false),
            Int32(vec![0, 1, 65_535]),
            [0.0, 1.0, 65_535.0],
        ),
        (
            integer(32, false),
            Int32(vec![-1, 0, 7]),
            [u32::MAX.into(), 0.0, 7.0],
        ),
        (
            None,
            Float(vec![0.1, -2.5, f32::MAX]),
            [0.1_f32.into(), -2.5, f32::MAX.into()],
        ),
        (
            None,
            Double(vec![0.1, -2.5, f64::MAX]),
            [0.1, -2.5, f64::MAX],
        ),
        (None, Bool(vec![true, false, true]), [1.0, 0.0, 1.0]),
        (
            half,
            Bytes(vec![vec![0, 0x3C], vec![0, 0xC0], vec![1, 0]]),
            [1.0, -2.0, 2_f64.powi(-24)],
        ),
        (decimal(), Int32(vec![1667, -5, 0]), [16.67, -0.05, 0.0]),
        (decimal(), Int64(vec![1667, -5, 0]), [16.67, -0.05, 0.0]),
        (
            decimal(),
            Bytes(vec![
                vec![0, 0, 6, 0x83],
                vec![255, 255, 255, 251],
                vec![0; 4],
            ]),
            [16.67, -0.05, 0.0],
        ),
    ];
    for (logical, cells, expected) in cases {
        for writer in writers() {
            let mut table = clock();
            table.push(("x", logical.clone(), cells.clone()));
            table.push(("y", None, Double(vec![1.0; 3])));
            write_table(&path, &table, &[RUN, GAUGE], writer);
            let file = CaptureFile::open(&path).expect("it is a capture");
            assert_eq!(values(&file, "x"), expected.map(Some), "{cells:?}");
            assert_eq!(file.warnings(), [""; 0]);
        }
    }
}

#[test]
fn the_clock_may_have_any_type_whose_numbers_fit() {
    let folder = Folder::new("foreign-clock");
    let path = folder.0.join("run.parquet");
    let open = |column: usize, logical: Option<LogicalType>, cells: Cells| {
        let mut table = clock();
        (table[column].1, table[column].2) = (logical, cells);
        write_table(&path, &table, &[RUN], WriterProperties::builder());
        let file = CaptureFile::open(&path).map_err(|error| {
            let is_damaged = matches!(error, stats_capture::ReadError::Damaged { .. });
            assert!(!is_damaged, "{error}");
            error.to_string()
        })?;
        let frames = file
            .frames()
            .map(|frame| file.frame(frame).expect("it is there"));
        Ok(frames
            .map(|frame| (frame.index, frame.start_secs, frame.duration_ms))
            .collect::<Vec<_>>())
    };
    let expected = Ok(vec![(0, 0.0, 10.0), (1, 0.01, 10.0), (2, 0.02, 10.0)]);
    for (column, logical, cells) in [
        (0, None, Int32(vec![0, 1, 2])),
        (0, integer(32, false), Int32(vec![0, 1, 2])),
        (0, integer(64, false), Int64(vec![0, 1, 2])),
        (0, None, Double(vec![0.0, 1.0, 2.0])),
        (
            1,
            timestamp(TimeUnit::NANOS),
            Int64(vec![0, 10_000_000, 20_000_000]),
        ),
        (
            1,
            timestamp(TimeUnit::MICROS),
            Int64(vec![0, 10_000, 20_000]),
        ),
        (1, timestamp(TimeUnit::MILLIS), Int64(vec![0, 10, 20])),
        (1, None, Double(vec![0.0, 1e7, 2e7])),
        (2, integer(64, false), Int64(vec![10_000_000; 3])),
        (2, integer(32, false), Int32(vec![10_000_000; 3])),
        (2, None, Float(vec![1e7; 3])),
    ] {
        assert_eq!(
            open(column, logical, cells.clone()),
            expected,
            "{column} {cells:?}"
        );
    }
    // A fraction of a nanosecond stays.
    let frames = open(2, None, Double(vec![10_000_000.5; 3])).expect("it is a capture");
    assert_eq!(frames[0].2, 10.000_000_5);
    // Years since 1970 do not lose the nanoseconds.
    let begun = 1_764_187_200_000_000_000;
    let starts = Int64(vec![begun, begun + 10_000_000, begun + 20_000_000]);
    assert_eq!(open(1, timestamp(TimeUnit::NANOS), starts), expected);
    for (column, logical, cells, cause) in [
        (
            0,
            None,
            Double(vec![0.0, 0.5, 1.0]),
            "\"frame\" has fractions; number the frames",
        ),
        (
            0,
            None,
            Int64(vec![0, 2, 1]),
            "row 2 (counted from 0) has frame 1 after frame 2; number the frames",
        ),
        (
            0,
            None,
            Int64(vec![0, 1, 1]),
            "row 2 (counted from 0) has frame 1 again; number the frames",
        ),
        (
            0,
            None,
            Int64(vec![-1, 1, 2]),
            "row 0 (counted from 0) has the frame -1; number the frames",
        ),
        (
            2,
            None,
            Double(vec![1e7, f64::NAN, 1e7]),
            "row 1 (counted from 0) has no duration_ns; leave the row out",
        ),
        (
            1,
            Some(LogicalType::String),
            Text(vec!["0", "1", "2"]),
            "has the type UTF8; write it as INT64",
        ),
    ] {
        let error: String = open(column, logical, cells).expect_err("it cannot be read");
        assert!(error.contains(cause), "{error}");
        assert!(!error.contains("DOUBLE"), "{error}");
    }
}

#[test]
fn one_column_that_cannot_be_read_costs_only_itself() {
    let folder = Folder::new("foreign-one-column");
    let path = folder.0.join("run.parquet");
    let series = r#"[{"path":"x"},{"path":"y"},{"path":"gone"},{"path":"y"}]"#;
    for (logical, cells, cause) in [
        (
            Some(LogicalType::String),
            Text(vec!["a", "b", "c"]),
            "has the type UTF8; write it as INT64 or DOUBLE",
        ),
        (
            timestamp(TimeUnit::MICROS),
            Int64(vec![0, 1, 2]),
            "has the type TIMESTAMP",
        ),
    ] {
        let mut table = clock();
        table.push(("x", logical, cells));
        table.push(("y", None, Double(vec![1.0, 2.0, 3.0])));
        let metadata = [RUN, ("stats.series", series)];
        write_table(&path, &table, &metadata, WriterProperties::builder());
        let file = CaptureFile::open(&path).expect("it is a capture");
        let error = file.read("x").expect_err("it has no numbers");
        assert!(error.to_string().contains(cause), "{error}");
        let error = file.read("gone").expect_err("it is missing").to_string();
        assert!(
            error.contains("it has no column \"gone\"; write it as described"),
            "{error}"
        );
        assert_eq!(values(&file, "y"), [Some(1.0), Some(2.0), Some(3.0)]);
        assert_eq!(
            file.warnings(),
            ["stats.series lists \"y\" twice; the first entry counts"]
        );
    }
    let mut table = clock();
    table.extend([
        ("x", None, Int64(vec![1; 3])),
        ("x", None, Int64(vec![2; 3])),
        ("y", None, Int64(vec![3; 3])),
    ]);
    write_table(&path, &table, &[RUN, GAUGE], WriterProperties::builder());
    let file = CaptureFile::open(&path).expect("it is a capture");
    let error = file.read("x").expect_err("there are two").to_string();
    assert!(
        error.contains("two columns are named \"x\"; give each"),
        "{error}"
    );
    assert_eq!(values(&file, "y"), [Some(3.0); 3]);
    table[2].0 = "frame";
    write_table(&path, &table, &[RUN], WriterProperties::builder());
    let error = CaptureFile::open(&path)
        .expect_err("a frame has two numbers")
        .to_string();
    assert!(error.contains("two columns are named \"frame\""), "{error}");
}

#[test]
fn times_are_milliseconds_whatever_their_unit() {
    let folder = Folder::new("foreign-units");
    let path = folder.0.join("run.parquet");
    for (unit, ms) in [
        ("s", 1e3),
        ("ms", 1.0),
        ("", 1.0),
        ("µs", 1e-3),
        ("us", 1e-3),
        ("\u{3BC}s", 1e-3),
        ("ns", 1e-6),
    ] {
        for kind in ["timer", "timer-self"] {
            let series = format!(
                r#"[{{"path":"x","kind":"{kind}","unit":"{unit}","scale":2,"budget":3}},{{"path":"y","unit":"{unit}"}}]"#
            );
            let mut table = clock();
            table.push(("x", None, Double(vec![1.0, 2.0, 4.0])));
            table.push(("y", None, Double(vec![1.0, 2.0, 4.0])));
            write_table(
                &path,
                &table,
                &[RUN, ("stats.series", &series)],
                WriterProperties::builder(),
            );
            let file = CaptureFile::open(&path).expect("it is a capture");
            let timer = &file.series()[0];
            assert_eq!((timer.unit.as_str(), timer.budget), ("ms", Some(3.0 * ms)));
            assert_eq!(
                values(&file, "x"),
                [1.0, 2.0, 4.0].map(|value| Some(value * 2.0 * ms)),
                "{unit}"
            );
            // A gauge keeps its unit.
            assert_eq!(values(&file, "y"), [Some(1.0), Some(2.0), Some(4.0)]);
            assert!(["s", "ms", "", "µs", "ns"].contains(&file.series()[1].unit.as_str()));
        }
    }
    let series = r#"[{"path":"x","kind":"timer","unit":"B"}]"#;
    let mut table = clock();
    table.push(("x", None, Double(vec![1.0, 2.0, 4.0])));
    write_table(
        &path,
        &table,
        &[RUN, ("stats.series", series)],
        WriterProperties::builder(),
    );
    let file = CaptureFile::open(&path).expect("it is a capture");
    assert_eq!(file.series()[0].kind, RecordedKind::Gauge);
    let warnings = file.warnings();
    assert!(
        warnings.len() == 1 && warnings[0].contains("\"x\" has the unit \"B\""),
        "{warnings:?}"
    );
}

#[test]
fn what_another_program_does_not_say_is_unknown() {
    let folder = Folder::new("foreign-unknown");
    let path = folder.0.join("run.parquet");
    let open = |run| {
        write_table(
            &path,
            &clock(),
            &[("stats.run", run)],
            WriterProperties::builder(),
        );
        CaptureFile::open(&path).expect("it is a capture")
    };
    for (run, ended) in [
        (r#"{"format":1}"#, Ended::Unknown),
        (r#"{"format":1,"ended":"paused"}"#, Ended::Unknown),
        (r#"{"format":1,"ended":"clean"}"#, Ended::Clean),
        (r#"{"format":1,"ended":"recovered"}"#, Ended::Recovered),
    ] {
        let file = open(run);
        assert_eq!((file.run().ended, file.run().cost), (ended, None));
    }
    let mut table = clock();
    table[0].2 = Int64(vec![3, 4, 9]);
    write_table(&path, &table, &[RUN], WriterProperties::builder());
    assert_eq!(
        CaptureFile::open(&path)
            .expect("it is a capture")
            .missing_frames(),
        4
    );
}

/// Writes a file with one row of zeros in columns of these types.
fn write_row(path: &Path, columns: &[(&'static str, PhysicalType)]) {
    let column = |(name, physical): &(&'static str, PhysicalType)| {
        let zero = match physical {
            PhysicalType::INT32 => Int32(vec![0]),
            PhysicalType::FLOAT => Float(vec![0.0]),
            PhysicalType::DOUBLE => Double(vec![0.0]),
            _ => Int64(vec![0]),
        };
        (*name, None, zero)
    };
    let table = columns.iter().map(column).collect();
    let series = ("stats.series", r#"[{"path":"x","kind":"gauge"}]"#);
    write_table(path, &table, &[RUN, series], WriterProperties::builder());
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
    for fine in [INT64, DOUBLE, INT32, FLOAT] {
        assert_eq!(read(INT64, ("x", fine)), Ok(Some(0.0)));
    }
    for unused in ["group.frame", "group.x", "frame.frame"] {
        assert_eq!(read(INT64, (unused, INT32)), Ok(Some(0.0)), "{unused}");
    }
    let nested = [
        ("frame", INT64),
        ("start_ns", INT64),
        ("duration_ns", INT64),
        ("x.value", INT64),
    ];
    write_row(&path, &nested);
    let file = CaptureFile::open(&path).expect("the clock can be read");
    let error = file.read("x").expect_err("the series has no numbers");
    let text = "column \"x\" is nested; write plain numbers";
    assert!(error.to_string().ends_with(text), "{error}");
    let error = read(INT64, ("duration_ns", INT64)).expect_err("there are two");
    assert!(
        error.contains("two columns are named \"duration_ns\""),
        "{error}"
    );
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
        (r#"{"format":1,"cost":1}"#, SERIES, "stats.run.cost: "),
        ("{", SERIES, "stats.run: "),
        (good, r#"[{"path":1}]"#, "stats.series[0].path: "),
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
    assert_eq!((file.run().cost, file.run().ended), (None, Ended::Unknown));
}

#[test]
fn a_table_without_the_metadata_of_a_run_lacks_that_key() {
    let folder = Folder::new("foreign-table");
    let path = folder.0.join("table.parquet");
    write(&path, Compression::SNAPPY, &[("pandas", "{}")]);
    let error = CaptureFile::open(&path).expect_err("it has no run");
    let text = "lack the key stats.run, which makes a table a capture; write it as described in docs/captures.md";
    assert!(error.to_string().ends_with(text), "{error}");
}

#[test]
fn an_unknown_kind_is_named_and_read_as_a_gauge() {
    let folder = Folder::new("foreign-kind");
    let path = folder.0.join("run.parquet");
    let series = |entry: &str| {
        let mut table = clock();
        table.push(("x", None, Double(vec![1.0, 2.0, 4.0])));
        table.push(("y", None, Double(vec![1.0, 2.0, 4.0])));
        let series = format!(r#"[{{"path":"x",{entry}}},{{"path":"y",{entry}}}]"#);
        let metadata = [RUN, ("stats.series", &*series)];
        write_table(&path, &table, &metadata, WriterProperties::builder());
        CaptureFile::open(&path).expect("it is a capture")
    };
    let file = series(r#""kind":"Timer""#);
    assert_eq!(file.series()[0].kind, RecordedKind::Gauge);
    assert_eq!(
        file.warnings(),
        [
            "the kind \"Timer\" of the series \"x\" and 1 more is not known, so it is read as a gauge; write one of \
          counter, up-down-counter, gauge, timer, timer-calls, timer-self, histogram, histogram-samples"
        ]
    );
    let file = series(r#""better":"less""#);
    let doubt = &file.warnings()[0];
    assert!(
        doubt.ends_with("so it is read as neither; write one of lower, higher, neither"),
        "{doubt}"
    );
    // Every kind and every word that this crate writes is known.
    for kind in [
        RecordedKind::Counter,
        RecordedKind::UpDownCounter,
        RecordedKind::Gauge,
        RecordedKind::Timer,
        RecordedKind::TimerCalls,
        RecordedKind::TimerSelf,
        RecordedKind::Histogram,
        RecordedKind::HistogramSamples,
    ] {
        for better in [Better::Lower, Better::Higher, Better::Neither] {
            let words = [
                ("kind", serde_json::to_string(&kind)),
                ("better", serde_json::to_string(&better)),
            ];
            let [kind, better] =
                words.map(|(name, word)| format!("\"{name}\":{}", word.expect("a word")));
            let file = series(&format!("{kind},{better}"));
            assert!(file.warnings().is_empty(), "{:?}", file.warnings());
        }
    }
}
