//! The recordings of a program that panics are complete, up to its last frame.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

use stats_capture::{
    Capture, CaptureFile, CaptureOptions, Ended, RecordingOptions, Recordings, save_on_panic,
};
use stats_core::limits::MAX_MARK_NAME;
use stats_core::{MarkEvent, Source, counter};
use stats_testing::Folder;

/// The environment variables with the behavior and the folder of the program that panics.
const BEHAVIOR: &str = "STATS_CAPTURE_PANICS";
const FOLDER: &str = "STATS_CAPTURE_PANICS_IN";

/// More than a block, and not a multiple of its length.
const FRAMES: u64 = 300;

/// More than the files of panics of a program.
const PANICS: usize = 10;

/// The program that panics, if the environment variables are set.
#[test]
fn program() {
    let (Some(behavior), Some(folder)) = (env::var_os(BEHAVIOR), env::var_os(FOLDER)) else {
        return;
    };
    let (behavior, folder) = (
        behavior.to_string_lossy().into_owned(),
        PathBuf::from(folder),
    );
    if behavior == "abort" {
        // Like a crash reporter, or a program that is compiled to abort.
        std::panic::set_hook(Box::new(|_| std::process::abort()));
    }
    save_on_panic();
    let mut options = RecordingOptions::default();
    options.folder = folder.clone();
    options.recent = Duration::from_secs(60);
    let mut recordings = Recordings::new(options);
    let mut capture = Capture::create(folder.join("run.parquet"), CaptureOptions::default())
        .expect("it can be written");
    let frames = counter("panics/frame");
    for frame in 0..FRAMES {
        frames.add(frame);
        if frame == FRAMES - 1 {
            capture.mark("last", MarkEvent::Point);
        }
        capture.end_frame_at(frame as f64 / 60.0);
        recordings.end_frame_at(frame as f64 / 60.0);
    }
    if behavior == "again" {
        for _ in 0..PANICS {
            let message = "ü ".repeat(MAX_MARK_NAME);
            let worker = thread::Builder::new().name("worker 7".to_owned());
            let worker = worker.spawn(move || panic!("{message}"));
            assert!(worker.expect("it can be started").join().is_err());
        }
        return;
    }
    if behavior != "worker" {
        panic!("the {behavior}\nis gone");
    }
    let worker = thread::Builder::new().name("worker 7".to_owned());
    let worker = worker.spawn(|| panic!("the worker\nis gone"));
    assert!(worker.expect("it can be started").join().is_err());
    // The program goes on: the capture is complete, and the last frames are still kept.
    for frame in FRAMES..2 * FRAMES {
        capture.end_frame_at(frame as f64 / 60.0);
        recordings.end_frame_at(frame as f64 / 60.0);
    }
    assert_eq!(
        capture.finish().expect("it is complete"),
        folder.join("run.parquet")
    );
    recordings.save_recent();
}

fn run(behavior: &str, folder: &Path) -> Output {
    Command::new(env::current_exe().expect("this is a program"))
        .args([
            "--exact",
            "program",
            "--nocapture",
            "--quiet",
            "--test-threads=1",
        ])
        .env(BEHAVIOR, behavior)
        .env(FOLDER, folder)
        .output()
        .expect("it can be started")
}

/// Checks a file: it has all frames, and its last mark is the panic.
fn check(path: &Path, message: &str, thread: &str) {
    let file = CaptureFile::open(path).expect("a capture");
    assert_eq!(file.run().ended, Ended::Clean);
    assert_eq!(file.frames(), 0..FRAMES);
    assert!(file.run().cost.is_some_and(|cost| cost.us_per_frame > 0.0));
    let column = file.read("panics/frame").expect("a series");
    for frame in 0..FRAMES {
        assert_eq!(column.slice().at(frame), Some(frame as f64), "{frame}");
    }
    let mark = file.mark_records().last().expect("a mark");
    assert_eq!(mark.begin, FRAMES - 1);
    let begin = format!("panic: {message} (thread {thread}, ");
    assert!(mark.name.starts_with(&begin), "{}", mark.name);
    assert!(mark.name.contains("main.rs:"), "{}", mark.name);
}

fn saved(folder: &Path, kind: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("a folder");
    let files = files.map(|file| file.expect("a file").path());
    let is_of = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy();
        name.starts_with(kind) && name.ends_with(".parquet")
    };
    files.filter(is_of).collect()
}

/// Runs the program, and checks both files.
fn check_program(behavior: &str, is_success: bool, message: &str, thread: &str) -> Folder {
    let folder = Folder::new(&format!("panics-{behavior}"));
    let output = run(behavior, &folder.0);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.success(), is_success, "{said}");
    let capture = folder.0.join("run.parquet");
    check(&capture, message, thread);
    let file = CaptureFile::open(&capture).expect("a capture");
    let names: Vec<&str> = (file.mark_records().iter())
        .map(|mark| mark.name.as_str())
        .collect();
    assert_eq!((names.len(), names[0]), (2, "last"), "{names:?}");
    assert!(!folder.0.join("run.parquet.journal").exists());
    let panics = saved(&folder.0, "panic-");
    assert_eq!(panics.len(), 1, "{panics:?}");
    check(&panics[0], message, thread);
    folder
}

#[test]
fn a_panic_on_the_thread_of_the_frames_completes_everything() {
    check_program("main", false, "the main is gone", "program");
}

#[test]
fn a_panic_that_aborts_completes_everything_first() {
    check_program("abort", false, "the abort is gone", "program");
}

#[test]
fn a_panic_on_a_worker_completes_the_recording_and_keeps_the_last_frames() {
    let folder = check_program("worker", true, "the worker is gone", "worker 7");
    let recent = saved(&folder.0, "recent-");
    assert_eq!(recent.len(), 1, "{recent:?}");
    let file = CaptureFile::open(&recent[0]).expect("a capture");
    assert_eq!(file.frames(), 0..2 * FRAMES);
}

#[test]
fn panics_that_are_caught_leave_eight_files_whose_marks_end_with_the_place() {
    let folder = Folder::new("panics-again");
    let output = run("again", &folder.0);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let mut files = saved(&folder.0, "panic-");
    assert_eq!(files.len(), 8, "{files:?}");
    files.push(folder.0.join("run.parquet"));
    for file in files {
        let file = CaptureFile::open(&file).expect("a capture");
        assert_eq!(file.frames(), 0..FRAMES);
        let name = &file.mark_records().last().expect("a mark").name;
        assert_eq!(name.chars().count(), MAX_MARK_NAME, "{name}");
        assert!(
            name.starts_with("panic: ü ü ") && name.ends_with(')'),
            "{name}"
        );
        assert!(name.contains(" (thread worker 7, "), "{name}");
        assert!(name.contains("main.rs:"), "{name}");
    }
}
