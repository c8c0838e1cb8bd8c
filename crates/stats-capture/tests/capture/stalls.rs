//! A writer thread that stalls.
#![cfg(unix)]

use stats_core::{Source, counter};
use stats_testing::Folder;

use crate::{finished, start, values};

#[test]
fn frames_are_dropped_and_counted_and_the_others_are_correct() {
    const FRAMES: u64 = 12_000;
    let folder = Folder::new("stall");
    let mut capture = start(&folder);
    let series = counter("stalls/series");
    capture.end_frame_at(0.0);
    // The picture's file is a pipe without a reader, so the writer thread blocks.
    let pipe = folder.0.join("run.pictures/frame-0.png");
    std::fs::create_dir(folder.0.join("run.pictures")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    capture.picture(0, 1, 1, vec![7; 4]);
    for frame in 1..FRAMES {
        series.add(frame);
        capture.end_frame_at(frame as f64 / 1000.0);
    }
    let dropped = capture.dropped_frames();
    // Must precede all assertions: without a reader, the thread would block forever.
    let reader = std::thread::spawn(move || std::fs::read(pipe));
    assert!(dropped > 0, "the queue of blocks has no limit");
    let file = finished(capture);
    assert!(reader.join().unwrap().is_ok());
    assert_eq!(file.run().cost.unwrap().dropped_frames, dropped);
    let found = values(&file, "stalls/series");
    let held = file.frames();
    let missing = found.iter().filter(|value| value.is_none()).count() as u64;
    assert_eq!(missing + held.start + FRAMES - held.end, dropped);
    for (frame, value) in held.zip(found) {
        assert!(
            value.is_none_or(|value| value == frame as f64),
            "frame {frame}: {value:?}"
        );
        assert_eq!(file.frame(frame).is_some(), value.is_some());
    }
}
