//! The thread that watches for frames that do not end. A process has one, so this test has a process
//! of its own.
#![cfg(feature = "enabled")]

use std::sync::mpsc;
use std::time::Duration;

use stats_core::{FROZEN, LogLine, Recorder, timer};

#[test]
fn a_freeze_is_told_while_it_lasts_and_marks_its_frame() {
    let (told, freezes) = mpsc::channel();
    let tell = move |freeze: &stats_core::Freeze| told.send(freeze.clone()).unwrap();
    stats_process::watch_freezes(Duration::from_millis(100), tell);
    stats_process::watch_freezes(Duration::from_millis(100), |_| panic!("only the first"));
    let mut recorder = Recorder::new();
    // Open before a frame can be missed, however slow this thread is.
    let scope = timer("freezes/lock").scope();
    recorder.end_frame();
    // The frame does not end before the thread has told it.
    let freeze = freezes.recv().unwrap();
    assert_eq!(freeze.seconds, 0.1);
    let scopes = freeze.threads.iter().flat_map(|thread| &thread.scopes);
    let paths: Vec<&str> = scopes.map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["freezes/lock"]);
    drop(scope);
    recorder.end_frame();
    let lines = recorder.marks().iter();
    let lines = lines.filter_map(|mark| LogLine::of_mark(&mark.name));
    let lines: Vec<&str> = lines
        .filter(|line| line.target == FROZEN)
        .map(|line| line.text)
        .collect();
    assert_eq!(lines[0], "no frame for 0.1 s");
    assert!(lines[1].contains("freezes/lock"), "{lines:?}");
}
