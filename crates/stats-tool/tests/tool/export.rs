//! `stats export`.

use stats_capture::{Capture, CaptureFile, CaptureOptions, SpanFrames};
use stats_core::{MarkEvent, Source, Unit};
use stats_testing::Folder;

use crate::{output_bytes, record, stats};

#[test]
fn csv_has_a_row_for_each_frame_and_the_values_of_the_capture() {
    let folder = Folder::new("tool-csv");
    let path = record(
        &folder.0.join("run.parquet"),
        "smoke",
        40,
        "csv/work, \"quoted\"",
    );
    let output = stats(
        &folder.0,
        "export run.parquet --to csv --frames 10..13 --series csv/*",
    );
    let text = &output.stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "frame,start s,duration ms,\"csv/work, \"\"quoted\"\"\""
    );
    assert_eq!(lines.len(), 4, "{text}");
    let capture = CaptureFile::open(path).unwrap();
    for (line, frame) in lines[1..].iter().zip(10_u64..) {
        let frame_time = capture.frame(frame).unwrap();
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(cells[0], frame as f64);
        assert_eq!(cells[1], frame_time.start_secs);
        assert!((cells[2] - frame_time.duration_ms).abs() < 1e-9);
        assert_eq!(cells[3], frame as f64);
    }
}

/// The path alone stands for the samples of a histogram.
#[test]
fn the_values_of_a_histogram_in_frames_are_named_sum_of_its_path() {
    let folder = Folder::new("tool-sum-of");
    let path = folder.0.join("run.parquet");
    let _alone = crate::alone();
    let mut capture = Capture::create(path, CaptureOptions::default()).unwrap();
    let sizes = stats_core::histogram("sum-of/size")
        .unit(Unit::Bytes)
        .budget(40.0);
    for frame in 0..30_u32 {
        sizes.record(20.0);
        sizes.record(30.0);
        capture.end_frame_at(f64::from(frame) / 60.0);
    }
    capture.finish().unwrap();
    let print = |line: &str| stats(&folder.0, line).stdout;
    let csv = print("export run.parquet --to csv --series sum-of/*");
    assert_eq!(
        csv.lines().next().unwrap(),
        "frame,start s,duration ms,sum of sum-of/size B,sum-of/size/samples"
    );
    let perfetto = output_bytes(&folder.0, "export run.parquet --to perfetto");
    let name = b"sum of sum-of/size";
    assert!(perfetto.windows(name.len()).any(|text| text == name));
    // In the table of budgets, in the verdict, and in the table of all series.
    let gate = print("gate run.parquet");
    assert!(
        gate.contains("sum of sum-of/size is over its budget of 40 B"),
        "{gate}"
    );
    assert_eq!(
        gate.matches("sum-of/size").count(),
        gate.matches("sum of sum-of/size").count(),
        "{gate}"
    );
    let report = print("report run.parquet --format markdown");
    assert_eq!(
        report.matches("| sum of sum-of/size |").count(),
        2,
        "{report}"
    );
    print("report run.parquet --html run.html");
    let html = std::fs::read_to_string(folder.0.join("run.html")).unwrap();
    assert!(html.contains(">sum of sum-of/size</span>"));
}

#[test]
fn a_name_cannot_be_a_formula_of_a_spreadsheet() {
    let folder = Folder::new("tool-formula");
    record(&folder.0.join("run.parquet"), "=1+1", 20, "=formula/work");
    let text = |to: &str| {
        stats(
            &folder.0,
            &format!("export run.parquet --to {to} --series =formula/*"),
        )
        .stdout
    };
    assert!(text("csv").starts_with("frame,start s,duration ms,'=formula/work\n"));
    let unreal = text("unreal-csv");
    assert!(
        unreal.starts_with("EVENTS,FrameTime,'=formula/work\n"),
        "{unreal}"
    );
    assert!(unreal.contains("[scenario],'=1+1"), "{unreal}");
}

/// Unreal Engine's tools expect the header again at the end, followed by metadata.
#[test]
fn unreal_csv_has_events_a_header_at_the_end_and_metadata() {
    let folder = Folder::new("tool-unreal");
    record(&folder.0.join("run.parquet"), "a, b", 30, "unreal/a,b");
    let text = stats(
        &folder.0,
        "export run.parquet --to unreal-csv --series unreal/*",
    )
    .stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "EVENTS,FrameTime,unreal/a_b");
    assert_eq!(lines.len(), 1 + 30 + 2);
    assert!(
        lines[1].starts_with("loading,") && lines[1].ends_with(",0"),
        "{}",
        lines[1]
    );
    assert!(lines[11].starts_with("loading ends,"), "{}", lines[11]);
    assert_eq!(lines[31], lines[0]);
    let fields: Vec<&str> = lines[32].split(',').collect();
    assert_eq!(fields[..2], ["[HasHeaderRowAtEnd]", "1"]);
    assert_eq!(
        fields.len() % 2,
        0,
        "keys and values in turn: {}",
        lines[32]
    );
    let scenario = fields
        .iter()
        .position(|field| *field == "[scenario]")
        .unwrap();
    assert_eq!(fields[scenario + 1], "a_ b");
    for line in &lines[1..31] {
        assert_eq!(line.split(',').count(), 3, "{line}");
    }
}

#[test]
fn a_reader_that_closes_the_output_is_not_an_error() {
    let folder = Folder::new("tool-closed");
    record(&folder.0.join("run.parquet"), "smoke", 2000, "closed/work");
    for format in ["csv", "unreal-csv", "openmetrics"] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_stats"))
            .args(["export", "run.parquet", "--to", format])
            .current_dir(&folder.0)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the command can be started");
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{format}");
    }
}

#[test]
fn openmetrics_has_a_sample_for_each_value_and_an_end() {
    let folder = Folder::new("tool-metrics");
    record(&folder.0.join("run.parquet"), "smoke", 20, "metrics/work");
    let text = stats(
        &folder.0,
        "export run.parquet --to openmetrics --series metrics/*",
    )
    .stdout;
    assert!(text.ends_with("# EOF\n"));
    assert_eq!(
        text.lines()
            .filter(|line| line.contains("path=\"metrics/work\""))
            .count(),
        20
    );
    let stamps = text.lines().filter(|line| line.contains("metrics/work"));
    let stamps: Vec<f64> = stamps
        .map(|line| line.rsplit(' ').next().unwrap().parse().unwrap())
        .collect();
    assert!(stamps.is_sorted(), "{stamps:?}");
}

/// A field of a message: its number, and a number or the bytes of a text or message.
#[derive(Debug)]
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// Decodes the fields of a message, following the documentation of the wire format.
fn decode(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let (&first, rest) = bytes.split_first().expect("a whole number");
            *bytes = rest;
            value |= u64::from(first & 0x7f) << shift;
            if first < 0x80 {
                break;
            }
        }
        value
    }
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let field = match key & 7 {
            0 => Field::Number(varint(&mut bytes)),
            1 => {
                let (number, rest) = bytes.split_at(8);
                bytes = rest;
                let number = number.try_into().expect("eight bytes");
                Field::Number(u64::from_le_bytes(number))
            }
            2 => {
                let len = varint(&mut bytes) as usize;
                let (part, rest) = bytes.split_at(len);
                bytes = rest;
                Field::Bytes(part)
            }
            other => panic!("wire type {other}"),
        };
        fields.push((key >> 3, field));
    }
    fields
}

fn number(fields: &[(u64, Field<'_>)], wanted: u64) -> Option<u64> {
    fields.iter().find_map(|(field, value)| match value {
        Field::Number(number) if *field == wanted => Some(*number),
        _ => None,
    })
}

fn bytes<'a>(fields: &[(u64, Field<'a>)], wanted: u64) -> Option<&'a [u8]> {
    fields.iter().find_map(|(field, value)| match value {
        Field::Bytes(bytes) if *field == wanted => Some(*bytes),
        _ => None,
    })
}

#[test]
fn perfetto_has_frames_as_slices_and_series_as_counters() {
    let folder = Folder::new("tool-perfetto");
    let path = record(&folder.0.join("run.parquet"), "smoke", 30, "perfetto/work");
    let output = stats(
        &folder.0,
        "export run.parquet --to perfetto --series perfetto/* --frames 5..25 --out t",
    );
    output.ends(0);
    let trace = std::fs::read(folder.0.join("t")).unwrap();
    let capture = CaptureFile::open(path).unwrap();
    let (mut tracks, mut values, mut slices) = (Vec::new(), Vec::new(), 0);
    let mut ends = Vec::new();
    for (field, packet) in decode(&trace) {
        let (1, Field::Bytes(packet)) = (field, packet) else {
            panic!("only packets")
        };
        let packet = decode(packet);
        assert_eq!(number(&packet, 10), Some(1), "a sequence");
        if let Some(track) = bytes(&packet, 60) {
            let track = decode(track);
            let name = String::from_utf8(bytes(&track, 2).unwrap().to_vec()).unwrap();
            tracks.push((number(&track, 1).unwrap(), name, bytes(&track, 8).is_some()));
        }
        let Some(event) = bytes(&packet, 11) else {
            continue;
        };
        let event = decode(event);
        let track = number(&event, 11).unwrap();
        let (_, name, is_counter) = tracks
            .iter()
            .find(|(uuid, ..)| *uuid == track)
            .expect("it was described");
        let kind = number(&event, 9).unwrap();
        if let 1 | 2 = kind {
            ends.push((number(&packet, 8).unwrap(), track, kind));
        }
        match kind {
            1 if name == "frames" => slices += 1,
            4 => {
                assert!(*is_counter && name == "perfetto/work");
                let value = f64::from_bits(number(&event, 44).unwrap());
                values.push((number(&packet, 8).unwrap(), value));
            }
            _ => {}
        }
    }
    assert_eq!(slices, 20);
    // The trace processor reads events by time, then in the order of the file.
    ends.sort_by_key(|(at_ns, ..)| *at_ns);
    let mut open = std::collections::HashMap::new();
    for (at_ns, track, kind) in ends {
        let open = open.entry(track).or_insert(0);
        *open += if kind == 1 { 1 } else { -1 };
        assert!((0..=1).contains(open), "nested at {at_ns} on track {track}");
    }
    let expected: Vec<(u64, f64)> = (5..25)
        .map(|frame| {
            let begin = capture.frame(frame).unwrap().start_secs;
            ((begin * 1e9).round() as u64, frame as f64)
        })
        .collect();
    assert_eq!(values, expected);
    assert!(
        tracks
            .iter()
            .any(|(_, name, is_counter)| name == "loading" && !is_counter)
    );
}

#[test]
fn an_impossible_selection_is_wrong_usage() {
    let folder = Folder::new("tool-window");
    record(&folder.0.join("run.parquet"), "smoke", 20, "window/work");
    for wrong in [
        "--frames 5",
        "--frames 20..30",
        "--frames 9..3",
        "--series no/*",
        "--series [",
    ] {
        let output = stats(&folder.0, &format!("export run.parquet --to csv {wrong}"));
        assert_eq!(output.code, Some(64), "{wrong}: {}", output.stderr);
    }
    let output = stats(&folder.0, "export run.parquet --to nonsense");
    output.ends(64);
}

#[test]
fn perfetto_has_the_scopes_beside_the_capture_nested_in_their_frames() {
    let folder = Folder::new("tool-perfetto-scopes");
    let path = folder.0.join("run.parquet");
    let outer = stats_core::timer("perfetto-scopes/outer");
    let inner = stats_core::timer("perfetto-scopes/inner");
    let mut options = CaptureOptions::default();
    options.spans = SpanFrames::All;
    let _alone = crate::alone();
    let mut capture = Capture::create(&path, options).expect("a capture");
    for _ in 0..20 {
        let _outer = outer.scope();
        for _ in 0..2 {
            drop(inner.scope());
        }
        drop(_outer);
        capture.end_frame();
    }
    capture.finish().expect("a capture");
    let output = stats(
        &folder.0,
        "export run.parquet --to perfetto --series perfetto-scopes/* --frames 5..15 --out t",
    );
    output.ends(0);
    let trace = std::fs::read(folder.0.join("t")).expect("a trace");
    let (mut scopes, mut frames) = (Vec::new(), Vec::new());
    let mut open: Vec<(String, u64)> = Vec::new();
    let mut begun_ns = 0;
    for (_, packet) in decode(&trace) {
        let Field::Bytes(packet) = packet else {
            panic!("only packets")
        };
        let packet = decode(packet);
        let Some(event) = bytes(&packet, 11).map(decode) else {
            continue;
        };
        let at_ns = number(&packet, 8).expect("a time");
        let is_frame = number(&event, 11) == Some(2);
        match number(&event, 9) {
            Some(1) if is_frame => begun_ns = at_ns,
            Some(2) if is_frame => frames.push(begun_ns..at_ns),
            Some(1) => {
                let name = bytes(&event, 23).expect("a name").to_vec();
                open.push((String::from_utf8(name).expect("UTF-8"), at_ns));
            }
            Some(2) => {
                let (name, begin_ns) = open.pop().expect("an open scope");
                scopes.push((name, open.len(), begin_ns..at_ns));
            }
            _ => {}
        }
    }
    assert_eq!((frames.len(), scopes.len()), (10, 30), "{scopes:?}");
    for (name, around, at_ns) in &scopes {
        let expected = usize::from(name == "perfetto-scopes/inner");
        assert_eq!(*around, expected, "{name}");
        let is_inside =
            |frame: &std::ops::Range<u64>| frame.start <= at_ns.start && at_ns.end <= frame.end;
        assert!(frames.iter().any(is_inside), "{name} {at_ns:?} {frames:?}");
    }
    // Damage is an error, and does not yield an empty trace.
    std::fs::write(folder.0.join("run.spans.parquet"), "damaged").expect("a temporary file");
    let output = stats(&folder.0, "export run.parquet --to perfetto --out t2");
    output.ends(3);
    output.says("run.spans.parquet");
}

/// A mark that decides what is a hitch, and tells nothing else.
const STOPPED: &str = "log warn stats::stopped: the whole program stood still for 9.0 s";

/// Every text that the redaction must remove, and every kind of figure that it must keep.
#[test]
fn a_redacted_capture_has_every_figure_and_no_private_text() {
    let folder = Folder::new("tool-redact");
    let path = folder.0.join("run.parquet");
    let mut options = CaptureOptions::default();
    options.branch = Some("secret-branch".to_owned());
    options.scenario = Some("fly-through".to_owned());
    options.labels = [("tester".to_owned(), "secret-label".to_owned())].into();
    options.spans = SpanFrames::All;
    let _alone = crate::alone();
    let mut capture = Capture::create(&path, options).expect("a folder");
    let paths = stats_core::timer("redact/paths");
    let level = stats_core::gauge("redact/level");
    let samples = stats_core::histogram("redact/samples");
    for frame in 0..400_u64 {
        {
            let _scope = paths.scope();
            samples.record(frame as f64 / 8.0);
        }
        level.set(frame as f64 * 0.1);
        match frame {
            10 => capture.mark("loading The Hollow", MarkEvent::Begin),
            20 => capture.mark("loading The Hollow", MarkEvent::End),
            30 => capture.mark("moment 1: secret-note", MarkEvent::Point),
            40 => capture.mark("panic: secret-message", MarkEvent::Point),
            45 => capture.mark("log warn secret::target: secret-line", MarkEvent::Point),
            46 => capture.mark("log error x: read /secret-folder/map", MarkEvent::Point),
            47 => capture.mark(STOPPED, MarkEvent::Point),
            50 | 60 => capture.mark("read /secret-folder/map", MarkEvent::Point),
            _ => {}
        }
        capture.end_frame();
    }
    capture.picture(350, 1, 1, vec![0; 4]);
    capture.finish().expect("a capture");
    let before = CaptureFile::open(&path).unwrap();
    assert_eq!(before.pictures().len(), 1);
    assert!(before.scopes().is_some_and(|scopes| scopes.scopes >= 400));

    let output = stats(&folder.0, "export run.parquet --redact --out clean.parquet");
    output.ends(0);
    let said = &output.stderr;
    for removed in [
        "the command line",
        "the branch",
        "1 label",
        "1 note",
        "1 message of a panic",
        "2 lines of the log",
    ] {
        assert!(said.contains(removed), "{removed}: {said}");
    }
    assert!(
        said.contains("1 name of marks") && said.contains("1 picture"),
        "{said}"
    );
    let clean = folder.0.join("clean.parquet");
    let after = CaptureFile::open(&clean).unwrap();
    assert_same_figures(&before, &after);
    let marks = after.mark_records().iter();
    let names: Vec<_> = marks.map(|mark| (mark.name.as_str(), mark.begin)).collect();
    assert_eq!(
        names,
        [
            ("loading The Hollow", 10),
            ("moment 1", 30),
            ("panic", 40),
            ("log warn", 45),
            ("log error", 46),
            (STOPPED, 47),
            ("removed 1", 50),
            ("removed 1", 60),
        ]
    );
    assert_eq!(after.run().scenario.as_deref(), Some("fly-through"));
    assert_eq!(after.run().command, Vec::<String>::new());
    assert_eq!(
        (after.pictures().len(), after.scopes()),
        (0, before.scopes())
    );
    for file in ["clean.parquet", "clean.spans.parquet"] {
        let bytes = std::fs::read(folder.0.join(file)).unwrap();
        assert!(!bytes.windows(6).any(|text| text == b"secret"), "{file}");
    }

    // A run is never replaced, and what is clean stays as it is.
    let output = stats(&folder.0, "export run.parquet --redact --out run.parquet");
    output.ends(64);
    let output = stats(
        &folder.0,
        "export clean.parquet --redact --out again.parquet",
    );
    output.says("removed: nothing");
    let again = CaptureFile::open(folder.0.join("again.parquet")).unwrap();
    assert_same_figures(&after, &again);
    assert_eq!(after.mark_records(), again.mark_records());
}

fn assert_same_figures(before: &CaptureFile, after: &CaptureFile) {
    assert_eq!(before.frames(), after.frames());
    for frame in before.frames() {
        assert_eq!(before.frame(frame), after.frame(frame));
    }
    assert_eq!(before.histograms(), after.histograms());
    assert_eq!(before.memory(), after.memory());
    assert_eq!(before.run().cost, after.run().cost);
    let paths = |file: &CaptureFile| {
        let series = file.series().iter();
        series
            .map(|one| (one.path.clone(), one.unit.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(paths(before), paths(after));
    for (path, _) in paths(before) {
        let [one, other] = [before, after].map(|file| file.read(&path).expect("a series"));
        for frame in before.frames() {
            assert_eq!(
                one.slice().at(frame),
                other.slice().at(frame),
                "{path} {frame}"
            );
        }
    }
}

#[test]
fn a_redaction_needs_a_file_and_no_format() {
    let folder = Folder::new("tool-redact-usage");
    record(
        &folder.0.join("run.parquet"),
        "smoke",
        5,
        "redact-usage/work",
    );
    for line in [
        "export run.parquet",
        "export run.parquet --redact",
        "export run.parquet --redact --to csv --out clean.parquet",
        "export run.parquet --redact --frames 1..2 --out clean.parquet",
    ] {
        let output = stats(&folder.0, line);
        assert_eq!(output.code, Some(64), "{line}: {}", output.stderr);
    }
}
