//! The command as a user runs it, on captures that these tests record.

mod damage;
mod explain;
mod export;
mod extremes;
mod import;
mod json_fields;
mod memory;
#[cfg(unix)]
mod nightly;
mod peers;
mod program;
mod record;
mod report;
mod scopes;
mod standard_input;
mod targets;
mod writers;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use stats_capture::{Capture, CaptureOptions};
use stats_core::MarkEvent;

/// Runs `stats` in a folder. Spaces separate the arguments.
fn stats(folder: &Path, line: &str) -> Output {
    stats_with(folder, &line.split_whitespace().collect::<Vec<_>>())
}

fn stats_with(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stats"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command can be started")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it prints UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asserts that a command succeeded, and returns its standard output as JSON.
fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

/// Lets only one test record at a time: all of them share the series of the process, so a capture has
/// the values of tests that run beside it.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records frames of 1/60 s, with a series whose value is the number of the frame. Marks the first
/// ten frames as `loading`.
fn record(path: &Path, scenario: &str, frames: u64, series: &str) -> PathBuf {
    let mut options = CaptureOptions::default();
    options.scenario = Some(scenario.to_owned());
    options.commit = Some("abc123".to_owned());
    let _alone = alone();
    let mut capture = Capture::create(path, options).expect("the folder can be written");
    let work = stats_core::counter(series).budget(50.0);
    capture.mark("loading", MarkEvent::Begin);
    for frame in 0..frames {
        work.add(frame);
        if frame == 9 {
            capture.mark("loading", MarkEvent::End);
        }
        // A period that nanoseconds cannot express.
        capture.end_frame_at(frame as f64 / 60.0);
    }
    capture.finish().expect("the folder can be written")
}
