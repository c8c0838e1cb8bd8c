//! A thread that writes too slowly.

use stats_core::{Source, counter};
use stats_testing::Folder;

use crate::{finished, start, values};

#[test]
fn frames_are_dropped_and_counted_and_the_others_are_right() {
    const FRAMES: u64 = 6_000;
    let folder = Folder::new("stall");
    let mut capture = start(&folder);
    let series = counter("stalls/series");
    capture.end_frame_at(0.0);
    // Keeps the thread that writes busy for longer than all frames take.
    capture.picture(0, 1500, 1000, vec![7; 4 * 1500 * 1000]);
    for frame in 1..FRAMES {
        series.add(frame);
        capture.end_frame_at(frame as f64 / 1000.0);
    }
    let dropped = capture.dropped_frames();
    assert!(dropped > 0, "the picture took less time than the frames");
    let file = finished(capture);
    assert_eq!(file.run().cost.dropped_frames, dropped);
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
