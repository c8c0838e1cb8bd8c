//! Marks in captures.

use stats_capture::MarkKind;
use stats_core::{MarkEvent, Recorder, Source};
use stats_testing::{Folder, Random};

use crate::{finished, start};

#[test]
fn a_file_has_the_same_marks_as_a_recorder() {
    let folder = Folder::new("marks");
    let mut random = Random::new(9);
    let (mut capture, mut recorder) = (start(&folder), Recorder::new());
    let long = "long".repeat(100);
    for frame in 0..2000 {
        if random.below(5) == 0 {
            let name = ["loading", "save", "", "Über \"x\"", &long][random.below(5) as usize];
            let event = [MarkEvent::Point, MarkEvent::Begin, MarkEvent::End];
            let event = event[random.below(3) as usize];
            capture.mark(name, event);
            recorder.mark(name, event);
        }
        capture.end_frame_at(f64::from(frame));
        recorder.end_frame_at(f64::from(frame));
    }
    let file = finished(capture);
    assert_eq!(file.marks(), recorder.marks());
    assert!(file.marks().len() > 100);
}

#[test]
fn a_span_may_end_after_the_last_frame_or_never() {
    let folder = Folder::new("open-span");
    let mut capture = start(&folder);
    capture.mark("run", MarkEvent::Begin);
    capture.mark("level", MarkEvent::Begin);
    capture.end_frame_at(1.0);
    capture.end_frame_at(2.0);
    capture.mark("level", MarkEvent::End);
    capture.mark("too late", MarkEvent::Point);
    let file = finished(capture);
    let marks = file.mark_records();
    assert_eq!(marks.len(), 2);
    assert_eq!((marks[0].name.as_str(), marks[0].end), ("run", None));
    assert_eq!((marks[1].kind, marks[1].end), (MarkKind::Span, Some(2)));
    assert!(file.marks()[0].is_open());
}
