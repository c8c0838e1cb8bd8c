//! A capture takes the lines of the log by itself. Every recorder of a process has them, so this
//! test has a process of its own.
#![cfg(feature = "enabled")]

use stats_capture::{Capture, CaptureFile, CaptureOptions};
use stats_core::limits::MAX_FRAME_LOG_LINES;
use stats_core::{LogLevel, LogLine, MarkEvent, Recorder, Source};
use stats_testing::Folder;

#[test]
fn a_capture_has_the_lines_of_each_frame_beside_its_marks() {
    let folder = Folder::new("capture-log");
    let path = folder.0.join("run.parquet");
    let mut capture = Capture::create(&path, CaptureOptions::default()).expect("a folder");
    let mut recorder = Recorder::new();
    let keep = |text: &str| LogLine::keep(LogLevel::Warn, "game::net", format_args!("{text}"));
    for frame in 0..200_u64 {
        match frame {
            0 => keep("first"),
            50 => {
                keep("retrying");
                for event in [MarkEvent::Point, MarkEvent::Begin] {
                    recorder.mark("person", event);
                    capture.mark("person", event);
                }
                keep("connected");
            }
            120 => (0..MAX_FRAME_LOG_LINES + 5).for_each(|line| keep(&line.to_string())),
            199 => keep("last"),
            _ => {}
        }
        capture.end_frame_at(frame as f64 * 0.01);
        recorder.end_frame_at(frame as f64 * 0.01);
    }
    capture.finish().expect("a capture");
    let file = CaptureFile::open(&path).expect("a capture");
    assert_eq!(file.marks(), recorder.marks());
    let name = |frame: u64| {
        let marks = file.marks().iter();
        let of_frame = marks.filter(move |mark| mark.frames.start == frame);
        of_frame.map(|mark| mark.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(name(0), ["log warn game::net: first"]);
    let of_50 = name(50);
    assert_eq!(of_50.len(), 4, "{of_50:?}");
    assert!(of_50.contains(&"log warn game::net: retrying"));
    assert_eq!(name(120).len(), MAX_FRAME_LOG_LINES + 1);
    assert_eq!(
        name(120).last(),
        Some(&"log warn stats: 5 more lines in this frame")
    );
    assert_eq!(name(199), ["log warn game::net: last"]);
}
