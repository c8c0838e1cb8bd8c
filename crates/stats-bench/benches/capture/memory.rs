//! The memory that recording and reading take: the high-water marks of separate processes.

use std::path::Path;
use std::process::Command;

use stats_bench::{Bar, Table};
use stats_capture::CaptureFile;
use stats_core::Recorder;

use crate::file::FRAMES;
use crate::run::{Folder, Series, record};

/// The environment variables that tell a process its task and its file.
const TASK: &str = "STATS_BENCH_TASK";
const FILE: &str = "STATS_BENCH_FILE";

/// If this process was started for a task, does it and prints its high-water mark. Returns whether
/// it was.
pub(crate) fn is_task() -> bool {
    let Ok(task) = std::env::var(TASK) else {
        return false;
    };
    let file = std::env::var_os(FILE).expect("it has a file");
    let path = Path::new(&file);
    let frames = match task.as_str() {
        "long" => 4 * FRAMES,
        _ => FRAMES,
    };
    match task.as_str() {
        "idle" => {
            let (mut series, mut recorder) = (Series::new(), Recorder::new());
            for frame in 0..frames {
                series.count();
                recorder.end_frame_at(frame as f64 / 60.0);
            }
        }
        "read" => {
            let file = CaptureFile::open(path).expect("it was just written");
            let column = file.read("bench/timer/20").expect("it was just written");
            assert_eq!(column.slice().len() as u64, FRAMES);
        }
        _ => drop(record(path, &mut Series::new(), frames)),
    }
    println!("{}", peak_kib().unwrap_or_default());
    true
}

/// Returns the high-water mark of this process, on systems that report it.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// Returns the high-water mark of a process that does a task, in MiB.
fn peak_of(task: &str, file: &Path) -> f64 {
    let program = std::env::current_exe().expect("this is a program");
    let output = Command::new(program)
        .env(TASK, task)
        .env(FILE, file)
        .output()
        .expect("it can be started");
    assert!(output.status.success(), "{task}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse::<f64>().unwrap_or_default() / 1024.0
}

pub(crate) fn measure(table: &mut Table) {
    if peak_kib().is_none() {
        return;
    }
    let folder = Folder::new();
    let file = folder.file("memory.parquet");
    let idle = peak_of("idle", &file);
    let mut row = |task, what: &str, max_mib| {
        let peak = peak_of(task, &file) - idle;
        table.row(what, &[], peak, "MiB", Bar::AtMost(max_mib));
    };
    row(
        "recording",
        "memory of recording 162,000 frames of 120 columns, beyond the same process without",
        64.0,
    );
    row(
        "read",
        "memory of opening that capture and reading a column",
        16.0,
    );
    row(
        "long",
        "memory of recording 648,000 frames of 120 columns, beyond the same process without",
        64.0,
    );
}
