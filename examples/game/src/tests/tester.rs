//! What docs/testers.md tells: somebody plays with a planted fault, marks two moments, and saves the last
//! minute.
use std::path::PathBuf;
use std::time::Duration;

use stats_capture::{CaptureFile, RecordingOptions, Recordings};
use stats_core::Source;
use stats_overlay::Action;
use stats_testing::Folder;

use super::alone;
use super::hitches::{Play, TEN_SECONDS};
use crate::sim::faults::Fault;

#[test]
fn the_last_minute_has_both_notes_and_a_line_of_the_log_in_each_long_frame() {
    let _alone = alone();
    let folder = Folder::new("game-tester");
    let mut options = RecordingOptions::default();
    options.folder = folder.0.clone();
    options.recent = Duration::from_secs(60);
    let mut recordings = Recordings::new(options);
    let mut play = Play::new(Some(Fault::PeriodicStall));
    play.overlay.set_recording(recordings.control());
    play.game.sim.faults.set(Fault::PeriodicStall, true);
    let mut events = Vec::new();
    for frame in 0..TEN_SECONDS {
        match frame {
            150 => play.overlay.mark_moment("stutter at the gate"),
            250 => play.overlay.mark_moment("again"),
            _ => {}
        }
        play.frame();
        recordings.end_frame_at(play.now_secs);
        while let Some(event) = play.overlay.poll_event() {
            events.push(event.to_string());
        }
    }
    play.game.sim.faults.set(Fault::PeriodicStall, false);
    play.overlay.act(Action::SaveRecent);
    play.frame();
    recordings.end_frame_at(play.now_secs);
    // Waits for the file.
    drop(recordings);
    let files = std::fs::read_dir(&folder.0).expect("a folder");
    let files = files.map(|file| file.expect("a name").path());
    let is_capture = |path: &PathBuf| path.extension().is_some_and(|end| end == "parquet");
    let captures: Vec<PathBuf> = files.filter(is_capture).collect();
    let [path] = &captures[..] else {
        panic!("one capture, not {captures:?}");
    };

    let is_named = |event: &String| event.contains("+50.0 ms: 100 % level/autosave");
    assert!(events.iter().any(is_named), "{events:#?}");
    let run = CaptureFile::open(path).expect("a capture");
    let mut marked: Vec<&str> = Vec::new();
    let mut logged: Vec<u64> = Vec::new();
    for mark in run.marks() {
        match mark.name.as_str() {
            name if name.starts_with("moment ") => marked.push(name),
            "log info game::level: saved the game" => logged.push(mark.frames.start),
            _ => {}
        }
    }
    assert_eq!(marked, ["moment 1: stutter at the gate", "moment 2: again"]);
    let calls = run.read("level/autosave/calls").expect("a column");
    let saved: Vec<u64> = (calls.slice().frames())
        .filter(|&frame| calls.slice().at(frame) == Some(1.0))
        .collect();
    assert_eq!(logged, saved);
    assert_eq!(logged.len(), 5, "every second step of two");
}
