//! Files at the limits of the format: nothing panics, and nothing takes more than linear time.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Repetition, Type as PhysicalType};
use parquet::data_type::Int64Type;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use stats_testing::Folder;

use crate::stats;

/// Writes a capture as another program could, with the clock `[frame, start_ns, duration_ns]`, one
/// series, and marks as JSON.
fn write(path: &Path, clock: [Vec<i64>; 3], marks: &str) {
    let column = |name: &str| {
        let column = Type::primitive_type_builder(name, PhysicalType::INT64)
            .with_repetition(Repetition::REQUIRED);
        Arc::new(column.build().expect("a column"))
    };
    let fields = ["frame", "start_ns", "duration_ns", "work"].map(column);
    let schema = Type::group_type_builder("frames").with_fields(fields.into());
    let pairs = [
        ("stats.run", r#"{"format":1}"#),
        (
            "stats.series",
            r#"[{"path":"work","kind":"counter","unit":""}]"#,
        ),
        ("stats.marks", marks),
    ];
    let pairs = pairs.map(|(key, text)| KeyValue::new(key.to_owned(), text.to_owned()));
    let properties = WriterProperties::builder().set_key_value_metadata(Some(pairs.into()));
    let mut writer = SerializedFileWriter::new(
        File::create(path).expect("a temporary file"),
        Arc::new(schema.build().expect("a schema")),
        Arc::new(properties.build()),
    )
    .expect("a temporary file");
    let mut group = writer.next_row_group().expect("a group");
    let work = clock[0].clone();
    for numbers in clock.into_iter().chain([work]) {
        let mut column = group.next_column().expect("a column").expect("a column");
        let column_of_numbers = column.typed::<Int64Type>();
        column_of_numbers
            .write_batch(&numbers, None, None)
            .expect("a column");
        column.close().expect("a column");
    }
    group.close().expect("a group");
    writer.close().expect("a file");
}

/// Returns the clock of frames of 10 ms: `before` of them, a gap of dropped ones, and ten more.
fn with_gap(before: i64, gap: i64) -> [Vec<i64>; 3] {
    let frames: Vec<i64> = (0..before).chain(before + gap..before + gap + 10).collect();
    let starts = frames.iter().map(|frame| frame * 10_000_000).collect();
    let durations = vec![10_000_000; frames.len()];
    [frames, starts, durations]
}

/// Returns spans of 5,000 frames that begin in `frames` frames from `first` on.
fn marks(count: u64, first: u64, frames: u64) -> String {
    let one = |number: u64| {
        let begin = first + number % frames;
        format!(
            r#"{{"name":"mark {}","kind":"span","begin":{begin},"end":{}}}"#,
            number % 10,
            begin + 5000
        )
    };
    let all: Vec<String> = (0..count).map(one).collect();
    format!("[{}]", all.join(","))
}

const EXPORTS: [&str; 7] = [
    "csv",
    "unreal-csv",
    "presentmon",
    "capframex",
    "mangohud",
    // A trace is no text.
    "perfetto --out trace",
    "openmetrics",
];

/// A search for the next recorded frame from each dropped one would take hours.
#[test]
fn a_long_gap_of_dropped_frames_is_read_in_one_pass() {
    let folder = Folder::new("tool-gap");
    // The marks lie in the gap, too.
    let marks = marks(20_000, 300, 50_000);
    write(&folder.0.join("run.parquet"), with_gap(100, 60_000), &marks);
    let output = stats(&folder.0, "report run.parquet --html run.html");
    output.ends(0);
    assert!(folder.names().contains(&"run.html".to_owned()));
    for format in EXPORTS {
        let output = stats(&folder.0, &format!("export run.parquet --to {format}"));
        output.ends(0);
    }
    let output = stats(&folder.0, "explain run.parquet");
    output.ends(0);
}

#[test]
fn the_largest_numbers_of_the_format_do_not_end_the_process() {
    let folder = Folder::new("tool-largest");
    let last = u64::MAX;
    let marks = format!(
        r#"[{{"name":"first","kind":"span","begin":0,"end":{last}}},
            {{"name":"open","kind":"span","begin":1,"end":null}},
            {{"name":"turned","kind":"span","begin":{last},"end":0}},
            {{"name":"last","kind":"point","begin":{last},"end":{last}}},
            {{"name":"late","kind":"span","begin":{last},"end":null}}]"#
    );
    let max = i64::MAX;
    for (name, clock) in [
        (
            "starts",
            [vec![0, 1, 2], vec![0, 1, max], vec![max, 1, max]],
        ),
        (
            "negative",
            [vec![0, 1], vec![i64::MIN, max], vec![i64::MIN, -1]],
        ),
        ("frames", [vec![max - 1, max], vec![0, 1], vec![1, 1]]),
    ] {
        let file = format!("{name}.parquet");
        write(&folder.0.join(&file), clock, &marks);
        let verbs = EXPORTS.map(|format| format!("export {file} --to {format}"));
        let others = [
            format!("report {file}"),
            format!("report {file} --html {name}.html"),
            format!("explain {file}"),
            format!("gate {file}"),
            format!("compare --before {file} --after {file} --html {name}.html"),
        ];
        for line in verbs.iter().chain(&others) {
            let output = stats(&folder.0, line);
            let code = output.code;
            assert!(matches!(code, Some(0..=3)), "{line}: {}", output.stderr);
            assert!(!output.stderr.contains("panicked"), "{line}");
        }
        let text = stats(&folder.0, &format!("export {file} --to csv")).stdout;
        assert!(text.lines().count() > 2, "{text}");
    }
}
