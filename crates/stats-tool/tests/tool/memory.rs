//! The memory of the process and of the system in a report.

use std::path::Path;

use stats_capture::{RecordedKind, Run, SeriesRecord};
use stats_core::Frame;
use stats_testing::Folder;

use crate::stats;

const GIB: f64 = (1_u64 << 30) as f64;

/// Writes a run with these series: of each, its least, its largest and its last value in GiB.
fn write(file: &Path, series: &[(&str, [f64; 3])]) {
    let mut run = Run::default();
    run.machine.memory_bytes = Some(16 << 30);
    let frame = |index: u64| Frame {
        index,
        start_secs: index as f64 / 60.0,
        duration_ms: 16.0,
    };
    let frames: Vec<Frame> = (0..900).map(frame).collect();
    let series = series.iter().map(|(path, [least, most, last])| {
        let mut record = SeriesRecord::default();
        record.path = (*path).to_owned();
        record.kind = RecordedKind::Gauge;
        record.unit = "B".to_owned();
        let value = |frame: usize| match frame {
            899 => *last,
            800 => *most,
            _ => *least,
        };
        (record, (0..900).map(|frame| GIB * value(frame)).collect())
    });
    let series: Vec<(SeriesRecord, Vec<f64>)> = series.collect();
    stats_capture::write(file, &run, &frames, &series, &[]).expect("a temporary file");
}

/// Returns the rows of the block, without the spaces between the cells.
fn rows(folder: &Folder) -> Vec<String> {
    let report = stats(&folder.0, "report run.parquet --format markdown").stdout;
    let rows = report
        .lines()
        .filter(|line| line.starts_with("| process, ") || line.starts_with("| system, "));
    rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn a_report_has_the_memory_of_the_process_and_of_the_system() {
    let folder = Folder::new("tool-memory");
    let file = folder.0.join("run.parquet");
    write(
        &file,
        &[
            ("process/memory-resident", [1.0, 3.0, 2.0]),
            // Higher than any sample of the memory.
            ("process/memory-peak", [4.0, 4.0, 4.0]),
            ("process/memory-virtual", [8.0, 10.0, 9.0]),
            ("machine/memory-available", [6.0, 12.0, 11.0]),
            ("machine/swap", [0.0, 2.0, 1.0]),
            ("machine/swap-total", [4.0, 4.0, 4.0]),
            ("machine/gpu/memory", [1.0, 7.0, 6.0]),
            ("machine/gpu/memory-total", [8.0, 8.0, 8.0]),
        ],
    );
    assert_eq!(
        rows(&folder),
        [
            "| process, physical | 2.00 GiB | 4.00 GiB | 16.0 GiB |",
            "| process, virtual | 9.00 GiB | 10.0 GiB | – |",
            "| system, physical | 5.00 GiB | 10.0 GiB | 16.0 GiB |",
            "| system, on a disk | 1.00 GiB | 2.00 GiB | 4.00 GiB |",
            "| system, video | 6.00 GiB | 7.00 GiB | 8.00 GiB |",
        ]
    );
    // What the machine does is no team's.
    let budgets = "[budgets]\n\"machine/gpu/memory\" = \"8 GiB\"\n[teams]\nai = [\"ai/**\"]\n";
    std::fs::write(folder.0.join("stats.toml"), budgets).expect("a temporary file");
    let report = stats(&folder.0, "report run.parquet").stdout;
    assert!(report.contains("TEAMS"), "{report}");
    assert!(!report.contains("is in no team"), "{report}");
    std::fs::remove_file(folder.0.join("stats.toml")).expect("a temporary file");
    // What is not sampled is left out.
    write(&file, &[("process/memory-virtual", [8.0, 10.0, 9.0])]);
    assert_eq!(
        rows(&folder),
        ["| process, virtual | 9.00 GiB | 10.0 GiB | – |"]
    );
    write(&file, &[("work", [8.0, 10.0, 9.0])]);
    assert_eq!(rows(&folder), [""; 0]);
}

#[test]
fn a_report_has_the_fragmentation_that_snapshots_found() {
    let folder = Folder::new("tool-fragmentation");
    let file = folder.0.join("run.parquet");
    write(
        &file,
        &[
            ("memory/pages/touched", [4.0, 8.0, 6.0]),
            ("memory/pages/free", [1.0, 3.0, 2.0]),
            ("memory/pages/largest-free-run", [0.25, 1.0, 0.5]),
            ("memory/pages/nearly-empty", [0.0, 2.0, 1.0]),
        ],
    );
    let table = || {
        let report = stats(&folder.0, "report run.parquet --format markdown").stdout;
        let rows = report.lines().map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.join(" ")
        });
        let rows = rows.skip_while(|row| row != "| fragmentation | last snapshot | most |");
        rows.skip(2).take(4).collect::<Vec<_>>()
    };
    assert_eq!(
        table(),
        [
            "| touched pages | 6.00 GiB | 8.00 GiB |",
            "| free in them | 2.00 GiB | 3.00 GiB |",
            "| largest free run | 512.0 MiB | 1.00 GiB |",
            "| nearly empty pages | 1.00 GiB | 2.00 GiB |",
        ]
    );
    write(&file, &[("work", [8.0, 10.0, 9.0])]);
    assert_eq!(table(), [""; 0]);
}

#[test]
fn a_report_names_the_ten_labels_that_held_the_most_video_memory() {
    let folder = Folder::new("tool-video-memory");
    let labels: Vec<(String, [f64; 3])> = (0..12)
        .map(|at| {
            let peak = f64::from(at);
            let path = format!("gpu/memory-by-name/textures/{at}");
            (path, [0.0, peak, peak / 2.0])
        })
        .collect();
    let mut series: Vec<(&str, [f64; 3])> =
        (labels.iter().map(|(path, values)| (path.as_str(), *values))).collect();
    series.push(("gpu/memory-by-name/others", [0.0, 0.0, 0.0]));
    series.push(("gpu/memory-allocated", [1.0, 66.0, 33.0]));
    write(&folder.0.join("run.parquet"), &series);
    let report = stats(&folder.0, "report run.parquet --format markdown").stdout;
    let rows = report.lines().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.join(" ")
    });
    let mut rows = rows.skip_while(|row| row != "| video memory by label | at the end | peak |");
    let of = |at: u32| {
        let size =
            |gib: f64| stats_analysis::format::value_text(gib * GIB, stats_core::Unit::Bytes);
        let peak = f64::from(at);
        format!("| textures/{at} | {} | {} |", size(peak / 2.0), size(peak))
    };
    let expected: Vec<String> = (2..12).rev().map(of).collect();
    assert_eq!(
        rows.nth(1).as_deref().map(|line| line.contains("--")),
        Some(true)
    );
    let found: Vec<String> = rows.take_while(|row| row.starts_with('|')).collect();
    assert_eq!(found, expected);
}
