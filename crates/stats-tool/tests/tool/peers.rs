//! What is exported for other tools is read back as the same run.

use stats_capture::{CaptureFile, Ended, RecordedKind, Run, SeriesRecord};
use stats_core::{Frame, Source};
use stats_testing::{Folder, Random};

use crate::stats;

/// Writes a run of a game with times of all kinds, in whole nanoseconds.
fn game(folder: &Folder) -> CaptureFile {
    let mut random = Random::new(11);
    let mut run = Run::default();
    (run.scenario, run.ended) = (Some("tour".to_owned()), Ended::Clean);
    run.started_at = "2024-01-31T12:34:56Z".to_owned();
    run.refresh_hz = Some(60.0);
    run.machine.gpu = Some("A GPU, rev 2".to_owned());
    let mut start_ns = 0;
    let mut frames = Vec::new();
    for index in 0..500 {
        let duration_ns =
            9_000_000 + random.below(3_000_000) + if index % 97 == 50 { 40_000_000 } else { 0 };
        frames.push(Frame {
            index,
            start_secs: start_ns as f64 / 1e9,
            duration_ms: duration_ns as f64 / 1e6,
        });
        start_ns += duration_ns;
    }
    let series = |path: &str, kind, unit: &str, of: &dyn Fn(f64) -> f64| {
        let mut record = SeriesRecord::default();
        (record.path, record.kind, record.unit) = (path.to_owned(), kind, unit.to_owned());
        // In whole units of 100 ns, as the formats write it.
        let values = frames
            .iter()
            .map(|frame| (of(frame.duration_ms) * 1e4).round() / 1e4);
        (record, values.collect::<Vec<f64>>())
    };
    let mut all = vec![
        series("frame/cpu", RecordedKind::Timer, "ms", &|ms| ms * 0.75),
        series("gpu/frame", RecordedKind::Timer, "ms", &|ms| ms * 0.5),
        series(
            "present/in present call",
            RecordedKind::Timer,
            "ms",
            &|ms| ms * 0.1,
        ),
        series("display/latency", RecordedKind::Gauge, "ms", &|ms| ms * 2.0),
        series("machine/gpu power", RecordedKind::Gauge, "W", &|ms| {
            100.0 + ms
        }),
    ];
    // Of the first frame, no format tells it.
    all[2].1[0] = f64::NAN;
    let path = folder.0.join("run.parquet");
    stats_capture::write(&path, &run, &frames, &all, &[]).expect("a temporary file");
    CaptureFile::open(path).expect("it was just written")
}

#[test]
fn an_exported_log_is_read_back_as_the_same_run() {
    let folder = Folder::new("tool-peers");
    let original = game(&folder);
    let figures = |file: &str| {
        let report = stats(&folder.0, &format!("report {file} --format json"))
            .ends(0)
            .json();
        let metrics = report["metrics"].as_array().expect("a list").clone();
        let of_frame = metrics.iter().filter(|metric| {
            let name = metric["name"].as_str().expect("a text");
            name.starts_with("frame/") || name.starts_with("run/")
        });
        of_frame
            .map(|metric| {
                (
                    metric["name"].to_string(),
                    metric["value"].as_f64().expect("a number"),
                )
            })
            .filter(|(name, _)| !name.contains("missed") && !name.contains("budget"))
            .collect::<Vec<_>>()
    };
    let expected = figures("run.parquet");
    for (format, end, paths) in [
        (
            "presentmon",
            "csv",
            &["gpu/frame", "present/in present call", "display/latency"][..],
        ),
        (
            "capframex",
            "json",
            &[
                "frame/cpu",
                "gpu/frame",
                "present/in present call",
                "display/latency",
            ],
        ),
        ("mangohud", "csv", &["machine/gpu power"]),
        (
            "unreal-csv",
            "csv",
            &["frame/cpu", "gpu/frame", "display/latency"],
        ),
        (
            "csv",
            "csv",
            &[
                "frame/cpu",
                "gpu/frame",
                "present/in present call",
                "display/latency",
                "machine/gpu power",
            ],
        ),
    ] {
        let file = format!("{format}.{end}");
        let output = stats(
            &folder.0,
            &format!("export run.parquet --to {format} --out {file}"),
        );
        output.ends(0);
        let output = stats(&folder.0, &format!("import {file} --out {format}.parquet"));
        output.ends(0);
        let read =
            CaptureFile::open(folder.0.join(format!("{format}.parquet"))).expect("a capture");
        assert_eq!(read.frames(), original.frames(), "{format}");
        // Unreal Engine writes four digits of a millisecond, and no starts.
        let is_rounded = format == "unreal-csv";
        for frame in original.frames() {
            let (before, after) = (original.frame(frame).unwrap(), read.frame(frame).unwrap());
            let (duration_ms, start_secs) = if is_rounded {
                (5.1e-5, 1e-4)
            } else {
                (1.1e-6, 1.1e-9)
            };
            assert!(
                (before.duration_ms - after.duration_ms).abs() < duration_ms,
                "{format} {frame}"
            );
            assert!(
                (before.start_secs - after.start_secs).abs() < start_secs,
                "{format} {frame}"
            );
        }
        for path in paths {
            let column = |capture: &CaptureFile| {
                capture
                    .read(path)
                    .unwrap_or_else(|error| panic!("{format}: {error}"))
            };
            let (before, after) = (column(&original), column(&read));
            for frame in original.frames() {
                let (Some(before), Some(after)) =
                    (before.slice().at(frame), after.slice().at(frame))
                else {
                    assert!(
                        frame == 0 || before.slice().at(frame).is_none(),
                        "{format} {path} {frame}"
                    );
                    continue;
                };
                assert!(
                    (before - after).abs() < 1.1e-4,
                    "{format} {path} {frame}: {before} {after}"
                );
            }
        }
        let found = figures(&format!("{format}.parquet"));
        assert_eq!(found.len(), expected.len(), "{format}");
        for ((name, value), (_, other)) in expected.iter().zip(&found) {
            let tolerance = if is_rounded { 1e-3 } else { 1e-6 };
            assert!(
                (value - other).abs() <= tolerance * value.abs().max(1.0),
                "{format} {name}: {value} {other}"
            );
        }
    }
}

#[test]
fn the_heads_of_logs_are_what_their_readers_compare() {
    let folder = Folder::new("tool-peers-heads");
    game(&folder);
    let text = |format: &str| stats(&folder.0, &format!("export run.parquet --to {format}")).stdout;
    let mangohud = text("mangohud");
    let lines: Vec<&str> = mangohud.lines().collect();
    assert_eq!(lines[0], "os,cpu,gpu,ram,kernel,driver,cpuscheduler");
    assert_eq!(lines[1], ",,A GPU  rev 2,,,,");
    assert!(lines[2].starts_with("fps,frametime,") && lines[2].ends_with(",elapsed"));
    let presentmon = text("presentmon");
    assert!(presentmon.starts_with("Application,ProcessID,SwapChainAddress,Runtime,"));
    assert!(!presentmon.contains('\r'));
    let unreal = text("unreal-csv");
    let metadata = unreal.lines().last().expect("a line");
    assert!(
        metadata.contains("[starttimestamp],1706704496,[targetframerate],60,[commandline],")
            || metadata.contains("[targetframerate],60"),
        "{metadata}"
    );
    assert!(
        metadata.contains("[starttimestamp],1706704496"),
        "{metadata}"
    );
    // The budget of the frame comes before the refresh rate.
    std::fs::write(
        folder.0.join("stats.toml"),
        "[budgets]\nframe = \"10 ms\"\n",
    )
    .expect("a temporary file");
    assert!(text("unreal-csv").contains("[targetframerate],100"));
}
