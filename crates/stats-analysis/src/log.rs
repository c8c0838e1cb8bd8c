//! The lines of a log beside a frame.

use std::ops::Range;

use stats_core::{LogLine, Mark};

/// The maximum number of lines that are shown beside a frame.
pub const MAX_BESIDE: usize = 5;

/// Returns the newest [`MAX_BESIDE`] lines of the log in some frames, such as those of [the two
/// seconds before a frame](crate::moments::frames_before) and its own: each with its frame, oldest
/// first. `marks` are those of a [`Source`](stats_core::Source), in the order of their frames.
#[must_use]
pub fn lines_beside(marks: &[Mark], frames: Range<u64>) -> Vec<(u64, LogLine<'_>)> {
    let first = marks.partition_point(|mark| mark.frames.start < frames.start);
    let end = marks.partition_point(|mark| mark.frames.start < frames.end);
    let within = marks.get(first..end).unwrap_or_default();
    let lines = within.iter().rev().filter(|mark| mark.is_point);
    let lines = lines.filter_map(|mark| Some((mark.frames.start, LogLine::of_mark(&mark.name)?)));
    let mut lines: Vec<_> = lines.take(MAX_BESIDE).collect();
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_of_the_frames_are_beside_them() {
        let marks: Vec<Mark> = (0..100)
            .flat_map(|frame| {
                let line = format!("log info game: {frame}");
                [
                    (line.as_str(), true),
                    ("loading", true),
                    (line.as_str(), false),
                ]
                .map(|(name, is_point)| Mark::new(name, frame..frame + 1, is_point))
            })
            .collect();
        for (frames, expected) in [
            (10..13, vec![10, 11, 12]),
            (10..30, vec![25, 26, 27, 28, 29]),
            (90..200, vec![95, 96, 97, 98, 99]),
            (0..1, vec![0]),
            (5..5, vec![]),
            (200..300, vec![]),
        ] {
            let found = lines_beside(&marks, frames.clone());
            let of: Vec<u64> = found.iter().map(|(frame, _)| *frame).collect();
            assert_eq!(of, expected, "{frames:?}");
            assert!(
                found
                    .iter()
                    .all(|(frame, line)| line.text == frame.to_string())
            );
        }
        assert_eq!(lines_beside(&[], 0..10), []);
    }
}
