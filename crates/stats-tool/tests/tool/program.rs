//! The program that `stats record` runs in these tests: this test binary, which records frames if
//! an environment variable is set.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use stats_capture::{Capture, CaptureFile};
use stats_core::{Counter, FROZEN, FreezeWatch, MarkEvent, Timer};

use crate::Output;

static WORK: Counter = Counter::new("program/work").describe("the same in every run");
static ROLL: Counter = Counter::new("program/process-id").describe("another one in every run");

static PATHS: Timer = Timer::new("paths/find");
static NODES: Counter = Counter::new("paths/nodes-expanded");

/// Does nothing in a normal run of the tests.
#[test]
fn the_recorded_program() {
    let Ok(behavior) = std::env::var("STATS_TOOL_TEST_PROGRAM") else {
        return;
    };
    if behavior == "silent" {
        return;
    }
    let capture = stats_capture::from_env().expect("it can be written");
    let mut capture = capture.expect("`stats record` sets the variable");
    if behavior == "early" {
        std::process::abort();
    }
    if behavior == "night" {
        return play_the_same_frames(capture);
    }
    if behavior == "freeze" {
        return freeze(capture);
    }
    for frame in 0..700_u64 {
        WORK.add(frame % 7);
        ROLL.add(std::process::id());
        capture.end_frame();
    }
    if behavior == "clean" || behavior == "fail" {
        capture.finish().expect("it can be written");
        println!("played 700 frames");
        std::process::exit(i32::from(behavior == "fail") * 9);
    }
    // Within half a second, the writer thread receives the frames. It then writes them to the
    // journal.
    std::thread::sleep(std::time::Duration::from_millis(700));
    match behavior.as_str() {
        "crash" => std::process::abort(),
        _ => std::thread::sleep(std::time::Duration::from_secs(600)),
    }
}

/// Plays frames, of which the last one does not end. The program is killed as soon as its recording
/// says so.
fn freeze(mut capture: Capture) {
    let mut watch = FreezeWatch::begin(Duration::from_secs(2)).expect("counters are enabled");
    for frame in 0..700_u64 {
        WORK.add(frame % 7);
        capture.end_frame();
    }
    let _frame = PATHS.scope();
    // Without waiting: time is counted in polls.
    let freeze = (0..100).find_map(|_| watch.poll());
    freeze.expect("no frame ends");
    let path = std::env::var("STATS_CAPTURE").expect("`stats record` sets the variable");
    let has_freeze = |journal: CaptureFile| {
        let marks = journal.mark_records();
        marks.iter().any(|mark| mark.name.contains(FROZEN))
    };
    while !CaptureFile::open(format!("{path}.journal")).is_ok_and(has_freeze) {
        std::thread::yield_now();
    }
    std::process::abort();
}

/// Records a second of loading, and then frames that take the same time in every run.
fn play_the_same_frames(mut capture: Capture) {
    capture.mark("loading the level", MarkEvent::Begin);
    for frame in 0..1000_u64 {
        if frame == 100 {
            capture.mark("loading the level", MarkEvent::End);
        }
        PATHS.record_ms(if frame % 7 == 0 { 1.5 } else { 0.5 });
        NODES.add(2000 + frame % 7);
        capture.end_frame_at(0.010 * frame as f64);
    }
    capture.finish().expect("it can be written");
}

/// Runs `stats record` with this program.
pub(crate) fn record(folder: &Path, behavior: &str, options: &[&str]) -> Output {
    Output::of(&mut record_command(folder, behavior, options))
}

/// Returns the command that runs `stats record` with this program.
pub(crate) fn record_command(folder: &Path, behavior: &str, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stats"));
    command
        .arg("record")
        .args(options)
        .arg("--")
        .arg(std::env::current_exe().expect("it runs"))
        .args(["program::the_recorded_program", "--exact", "--nocapture"])
        .current_dir(folder)
        .env("STATS_TOOL_TEST_PROGRAM", behavior)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Returns a command by which `starter` starts a command of [`record_command`].
#[cfg(target_os = "linux")]
pub(crate) fn started_by(starter: &[&str], command: &Command) -> Command {
    let mut started = Command::new(starter[0]);
    (started.args(&starter[1..]))
        .arg(command.get_program())
        .args(command.get_args())
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .current_dir(command.get_current_dir().expect("a folder"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    started
}
