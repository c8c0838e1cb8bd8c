//! A program that is killed while a frame does not end leaves what was open in its recordings.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use stats_capture::{
    Capture, CaptureFile, CaptureOptions, Ended, RecordingOptions, Recordings, recover,
    save_on_panic,
};
use stats_core::{FROZEN, FreezeWatch, LogLine, Source, timer};
use stats_testing::Folder;

/// The environment variables with the behavior and the folder of the program that freezes.
const BEHAVIOR: &str = "STATS_CAPTURE_FROZEN";
const FOLDER: &str = "STATS_CAPTURE_FROZEN_IN";

/// More than two blocks, and not a multiple of their length.
const FRAMES: u64 = 300;

/// The program that freezes, if the environment variables are set. Time is counted in polls, so
/// nothing depends on the speed of the machine.
#[test]
fn program() {
    let (Some(behavior), Some(folder)) = (env::var_os(BEHAVIOR), env::var_os(FOLDER)) else {
        return;
    };
    let folder = PathBuf::from(folder);
    let mut watch = FreezeWatch::begin(Duration::from_secs(2)).expect("counters are enabled");
    let mut options = RecordingOptions::default();
    options.folder = folder.clone();
    options.recent = Duration::from_secs(60);
    if behavior.to_string_lossy().starts_with("saves") {
        save_on_panic();
    }
    let mut recordings = Recordings::new(options);
    let path = folder.join("run.parquet");
    let mut capture = Capture::create(path, CaptureOptions::default()).expect("it can be written");
    let mut frame = 0;
    let mut end_frame = || {
        capture.end_frame_at(frame as f64 / 60.0);
        recordings.end_frame_at(frame as f64 / 60.0);
        frame += 1;
    };
    let frames = if behavior == "saves early" { 5 } else { FRAMES };
    (0..frames).for_each(|_| end_frame());
    let outer = timer("frozen/load").scope();
    let inner = timer("frozen/lock").scope();
    // The text of the lines is longer than the names of marks, as with the usual number of scopes.
    let long = timer(&format!("frozen/{}", "l".repeat(200))).scope();
    let told = (0..100).filter_map(|_| watch.poll()).count();
    assert_eq!(told, 1);
    if behavior != "ends" && behavior != "finished" {
        wait_for_ever();
    }
    // The frame goes on as soon as its marks are on the disk.
    let begun = Instant::now();
    while marks(&folder.join("run.parquet.journal")).is_empty() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "nothing tells it"
        );
        std::thread::yield_now();
    }
    drop((long, inner, outer));
    if behavior == "ends" {
        (0..FRAMES).for_each(|_| end_frame());
    }
    capture.finish().expect("it is complete");
}

/// Waits to be killed. Ends after two minutes, because the test that started this program may have
/// ended without killing it.
fn wait_for_ever() -> ! {
    std::thread::sleep(Duration::from_secs(120));
    std::process::exit(1)
}

fn start(behavior: &str, folder: &Path) -> Child {
    Command::new(env::current_exe().expect("this is a program"))
        .args(["--exact", "program", "--quiet", "--test-threads=1"])
        .env(BEHAVIOR, behavior)
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .spawn()
        .expect("it can be started")
}

/// Returns the frame and the text of each line about a freeze; empty if the file cannot be read.
fn marks(file: &Path) -> Vec<(u64, String)> {
    let Ok(file) = CaptureFile::open(file) else {
        return Vec::new();
    };
    let marks = file.mark_records().iter();
    let lines = marks.filter_map(|mark| Some((mark.begin, LogLine::of_mark(&mark.name)?)));
    let lines = lines.filter(|(_, line)| line.target == FROZEN);
    lines
        .map(|(frame, line)| (frame, line.text.to_owned()))
        .collect()
}

/// Asserts that these are the lines of one freeze, in this frame.
#[track_caller]
fn check(marks: &[(u64, String)], frame: u64) {
    let [(of_first, first), (of_second, second)] = marks else {
        panic!("a line for the freeze, and one for its thread: {marks:?}");
    };
    assert_eq!((*of_first, *of_second), (frame, frame));
    assert_eq!(first, "no frame for 2.0 s");
    assert!(second.contains(": frozen/load "), "{second}");
    assert!(second.contains(" > frozen/lock "), "{second}");
    assert!(second.contains(" > frozen/lll"), "{second}");
}

/// Waits until a file with the lines of a freeze is there, and kills the program.
fn killed_with(mut child: Child, mut find: impl FnMut() -> Vec<(u64, String)>) {
    let begun = Instant::now();
    while find().is_empty() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it runs");
            panic!("nothing tells it");
        }
        let ended = child.try_wait().expect("it is a child");
        assert!(ended.is_none(), "it ended: {ended:?}");
        std::thread::yield_now();
    }
    child.kill().expect("it runs");
    child.wait().expect("it was killed");
}

fn saved(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut files = files.map(|file| file.expect("a file").path());
    files.find(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        name.starts_with("freeze-") && name.ends_with(".parquet")
    })
}

#[test]
fn a_program_that_is_killed_while_it_is_frozen_leaves_what_was_open() {
    let folder = Folder::new("frozen-killed");
    let journal = folder.0.join("run.parquet.journal");
    killed_with(start("killed", &folder.0), || marks(&journal));
    let recovered = recover(&journal).expect("it can be recovered");
    let file = CaptureFile::open(&recovered.path).expect("a capture");
    assert_eq!(file.run().ended, Ended::Recovered);
    let end = file.frames().end;
    assert!(
        (256..=FRAMES).contains(&end),
        "the frames of full blocks: {end}"
    );
    check(&marks(&recovered.path), end);
    assert_eq!(saved(&folder.0), None, "without `save_on_panic`");
}

#[test]
fn the_last_minute_is_saved_at_a_freeze_where_it_is_saved_at_a_panic() {
    let folder = Folder::new("frozen-saves");
    let find = || saved(&folder.0).map_or(Vec::new(), |path| marks(&path));
    killed_with(start("saves", &folder.0), find);
    let path = saved(&folder.0).expect("it is there");
    let file = CaptureFile::open(&path).expect("a capture");
    let end = file.frames().end;
    assert!(
        (256..=FRAMES).contains(&end),
        "the frames of full blocks: {end}"
    );
    check(&marks(&path), end);
}

#[test]
fn a_freeze_after_the_first_frames_is_saved_with_what_was_open() {
    let folder = Folder::new("frozen-early");
    let find = || saved(&folder.0).map_or(Vec::new(), |path| marks(&path));
    killed_with(start("saves early", &folder.0), find);
    let path = saved(&folder.0).expect("it is there");
    let file = CaptureFile::open(&path).expect("a capture");
    let end = file.frames().end;
    assert!(end <= 5, "the frames of blocks: {end}");
    check(&marks(&path), end);
}

#[test]
fn a_frame_that_ends_after_all_has_the_lines_once() {
    let folder = Folder::new("frozen-ends");
    let ended = start("ends", &folder.0).wait().expect("it is a child");
    assert!(ended.success());
    let path = folder.0.join("run.parquet");
    let file = CaptureFile::open(&path).expect("a capture");
    assert_eq!(file.frames(), 0..2 * FRAMES);
    check(&marks(&path), FRAMES);
}

#[test]
fn a_recording_that_ends_within_the_frame_keeps_the_lines() {
    let folder = Folder::new("frozen-finished");
    let ended = start("finished", &folder.0).wait().expect("it is a child");
    assert!(ended.success());
    let path = folder.0.join("run.parquet");
    let file = CaptureFile::open(&path).expect("a capture");
    assert_eq!((file.frames(), file.run().ended), (0..FRAMES, Ended::Clean));
    check(&marks(&path), FRAMES);
}
