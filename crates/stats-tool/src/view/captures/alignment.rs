//! Aligns the frames of two runs on one axis.
//!
//! They are aligned by inserting gaps, not by stretching: a stretched frame would be a value that
//! nobody measured.

use std::collections::HashMap;
use std::ops::Range;

use stats_core::{LogLine, Mark};

/// The positions of the frames of two runs on a common axis.
///
/// Common marks, which have the same names in the same order, begin at the same place. If one run
/// has fewer frames before the next common mark, a gap follows them. No frame is stretched, left
/// out, or shown twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alignment {
    /// Where each part begins: on the axis, and in each run.
    parts: Vec<AlignedPart>,
    /// The frames of each run.
    runs: [Range<u64>; 2],
    end: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AlignedPart {
    at: u64,
    frames: [u64; 2],
}

impl Alignment {
    /// Aligns two runs by their marks.
    pub(super) fn new(runs: [Range<u64>; 2], marks: [&[Mark]; 2]) -> Self {
        let mut parts = vec![AlignedPart {
            at: 0,
            frames: [runs[0].start, runs[1].start],
        }];
        let mut last = parts[0];
        let within = |pair: &[u64; 2]| (0..2).all(|run| runs[run].contains(&pair[run]));
        for frames in increasing(common(marks).into_iter().filter(within).collect()) {
            if (0..2).any(|run| frames[run] <= last.frames[run]) {
                continue;
            }
            let len = |run: usize| frames[run] - last.frames[run];
            let at = last.at + len(0).max(len(1));
            last = AlignedPart { at, frames };
            parts.push(last);
        }
        let rest = |run: usize| runs[run].end - last.frames[run];
        let end = last.at + rest(0).max(rest(1));
        Self { parts, runs, end }
    }

    /// Returns the length of the axis, which begins at 0.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Returns the place of a frame of a run. Frames after the end of the run continue after it.
    pub(super) fn place(&self, run: usize, frame: u64) -> u64 {
        let after = self.parts.partition_point(|part| part.frames[run] <= frame);
        let part = self.parts[after.saturating_sub(1)];
        part.at + frame.saturating_sub(part.frames[run])
    }

    /// Returns the frame of a run at a place; `None` in a gap.
    pub(super) fn frame(&self, run: usize, place: u64) -> Option<u64> {
        let after = self.parts.partition_point(|part| part.at <= place);
        let part = self.parts[after.checked_sub(1)?];
        let frame = part.frames[run] + (place - part.at);
        let next = self.parts.get(after).map(|part| part.frames[run]);
        (frame < next.unwrap_or(self.runs[run].end)).then_some(frame)
    }
}

/// Returns the first frames of the common marks, in the order of the first run. The lines of a log
/// are none: two runs write the same line at different places. For each name,
/// pairs the first mark of one run with the first of the other, the second with the second, and so
/// on.
fn common(marks: [&[Mark]; 2]) -> Vec<[u64; 2]> {
    let numbered = |run: usize| {
        let mut counts = HashMap::new();
        let number = move |mark: &'_ Mark| {
            let count = counts.entry(mark.name.clone()).or_insert(0_usize);
            *count += 1;
            ((mark.name.clone(), *count), mark.frames.start)
        };
        let marks = marks[run].iter();
        let marks = marks.filter(|mark| LogLine::of_mark(&mark.name).is_none());
        marks.map(number).collect::<Vec<_>>()
    };
    let other: HashMap<_, _> = numbered(1).into_iter().collect();
    let pairs = numbered(0).into_iter();
    let mut pairs: Vec<[u64; 2]> = pairs
        .filter_map(|(key, frame)| Some([frame, *other.get(&key)?]))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Returns a longest subsequence of pairs in which the second number increases, too. The pairs are
/// sorted by the first number.
fn increasing(pairs: Vec<[u64; 2]>) -> Vec<[u64; 2]> {
    // For each length, the last pair of the subsequence that ends lowest. For each pair, the pair
    // before it.
    let (mut ends, mut before) = (Vec::<usize>::new(), vec![None; pairs.len()]);
    for at in 0..pairs.len() {
        let len = ends.partition_point(|&end| pairs[end][1] < pairs[at][1]);
        before[at] = len.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(len) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut found = Vec::new();
    let mut next = ends.last().copied();
    while let Some(at) = next {
        found.push(pairs[at]);
        next = before[at];
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use stats_core::Mark;
    use stats_testing::Random;

    use super::Alignment;

    fn mark(name: &str, frame: u64) -> Mark {
        Mark::new(name, frame..frame + 1, true)
    }

    #[test]
    fn common_marks_begin_at_the_same_place_and_the_shorter_run_has_a_gap() {
        let a = [mark("load", 10), mark("only a", 15), mark("fight", 20)];
        let b = [mark("load", 30), mark("fight", 35)];
        let aligned = Alignment::new([0..50, 0..50], [&a, &b]);
        assert_eq!([aligned.place(0, 10), aligned.place(1, 30)], [30, 30]);
        assert_eq!([aligned.place(0, 20), aligned.place(1, 35)], [40, 40]);
        assert_eq!([aligned.frame(0, 9), aligned.frame(0, 10)], [Some(9), None]);
        assert_eq!(
            [aligned.frame(1, 34), aligned.frame(1, 35)],
            [Some(34), None]
        );
        assert_eq!(aligned.end(), 70);
        assert_eq!(
            [
                aligned.frame(0, 69),
                aligned.frame(1, 54),
                aligned.frame(1, 55)
            ],
            [Some(49), Some(49), None]
        );
    }

    #[test]
    fn every_frame_has_one_place_and_frames_stay_in_order() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let runs = [random.below(5)..100 + random.below(50), 0..80];
            let marks = [0, 1].map(|_| {
                let names = ["a", "b", "c"];
                let mut marks: Vec<Mark> = (0..random.below(12))
                    .map(|_| mark(names[random.index(3)], random.below(140)))
                    .collect();
                marks.sort_by_key(|mark| mark.frames.start);
                marks
            });
            let aligned = Alignment::new(runs.clone(), [&marks[0], &marks[1]]);
            for (run, frames) in runs.into_iter().enumerate() {
                let places: Vec<u64> = frames
                    .clone()
                    .map(|frame| aligned.place(run, frame))
                    .collect();
                assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
                assert!(places.last().is_none_or(|last| *last < aligned.end()));
                let back = (0..aligned.end()).filter_map(|place| aligned.frame(run, place));
                assert!(back.eq(frames), "each frame is found at one place");
            }
        }
    }
}
