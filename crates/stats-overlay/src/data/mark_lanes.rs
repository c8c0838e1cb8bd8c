//! Which marks are seen where: a way to find those of some frames, and lanes for spans that
//! overlap.

use std::ops::Range;

use stats_core::Mark;

use stats_analysis::format::whole_text;

/// How many spans stand below each other where they overlap; the others are counted.
pub(crate) const LANES: usize = 3;
/// Less room than this, in points, is not enough for a name.
pub(crate) const LEAST_LABEL: f32 = 22.0;
/// Between a label and what it belongs to, and between a label and the next thing, in points.
const GAP: f32 = 4.0;

/// Where the marks of a source are, read anew in every pass; kept for its memory.
///
/// Reading is one walk over all marks: which lane a span has does not depend on what is visible, so
/// it keeps it while views move.
#[derive(Debug, Default)]
pub(crate) struct MarkLanes {
    /// For each mark the latest end of it and of all that begin before it. It only rises, so frames
    /// are found by halving.
    ends: Vec<u64>,
    /// For each mark its lane; [`LANES`] where there was none free, and for points.
    lanes: Vec<u8>,
    has_points: bool,
}

/// A span among visible frames.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeenSpan<'a> {
    /// Its place among the marks.
    pub(crate) at: usize,
    pub(crate) mark: &'a Mark,
    /// From 0 to [`LANES`] - 1.
    pub(crate) lane: usize,
    /// The visible ones of its frames.
    pub(crate) frames: Range<u64>,
    /// Whether its first frame is visible, and its last.
    pub(crate) edges: [bool; 2],
}

/// Points too near to each other to be told apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeenPoint<'a> {
    /// The place of the first among the marks.
    pub(crate) at: usize,
    /// The first.
    pub(crate) mark: &'a Mark,
    /// How many there are, the first included.
    pub(crate) count: usize,
}

/// Spans for which there was no lane, and which overlap.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Crowd {
    /// The visible ones of their frames.
    pub(crate) frames: Range<u64>,
    pub(crate) count: usize,
}

/// The frames that a mark is about: one of a point.
pub(crate) fn extent(mark: &Mark) -> Range<u64> {
    let Range { start, end } = mark.frames;
    start..if mark.is_point {
        start.saturating_add(1)
    } else {
        end
    }
}

impl MarkLanes {
    /// Those of these marks.
    pub(crate) fn of(marks: &[Mark]) -> Self {
        let mut lanes = Self::default();
        lanes.read(marks);
        lanes
    }

    /// Reads marks that are sorted by their first frames.
    pub(crate) fn read(&mut self, marks: &[Mark]) {
        self.ends.clear();
        self.lanes.clear();
        let (mut free_from, mut latest) = ([0; LANES], 0);
        for mark in marks {
            let frames = extent(mark);
            latest = frames.end.max(latest);
            self.ends.push(latest);
            let free = free_from
                .iter()
                .position(|&from| from <= frames.start)
                .filter(|_| !mark.is_point && !frames.is_empty());
            if let Some(lane) = free {
                free_from[lane] = frames.end;
            }
            self.lanes.push(free.unwrap_or(LANES) as u8);
        }
        self.has_points = marks.iter().any(|mark| mark.is_point);
    }

    /// The row of a lane, counted from the top: that of the points, if there are any in the whole
    /// history, is the first.
    pub(crate) fn row_of(&self, lane: usize) -> usize {
        lane + usize::from(self.has_points)
    }

    /// Those of `marks` that are about any of `frames`, and their places. They have to be those
    /// that were read.
    pub(crate) fn within<'a>(
        &self,
        marks: &'a [Mark],
        frames: Range<u64>,
    ) -> impl Iterator<Item = (usize, &'a Mark)> {
        let first = self.ends.partition_point(|&end| end <= frames.start);
        let last = marks.partition_point(|mark| mark.frames.start < frames.end);
        let near = marks.get(first..last).unwrap_or_default();
        near.iter()
            .enumerate()
            .filter(move |(_, mark)| overlap(&extent(mark), &frames))
            .map(move |(at, mark)| (first + at, mark))
    }

    /// Those about one frame.
    pub(crate) fn at<'a>(&self, marks: &'a [Mark], frame: u64) -> impl Iterator<Item = &'a Mark> {
        self.within(marks, frame..frame.saturating_add(1))
            .map(|(_, mark)| mark)
    }

    /// The lane of a mark; `None` of a point, and of a span for which there was none.
    pub(crate) fn lane_of(&self, at: usize) -> Option<usize> {
        self.lanes
            .get(at)
            .map(|&lane| usize::from(lane))
            .filter(|&lane| lane < LANES)
    }

    /// The spans with a lane among these frames.
    pub(crate) fn spans<'a>(
        &'a self,
        marks: &'a [Mark],
        frames: Range<u64>,
    ) -> impl Iterator<Item = SeenSpan<'a>> {
        self.within(marks, frames.clone())
            .filter_map(move |(at, mark)| {
                let (lane, whole) = (self.lane_of(at)?, extent(mark));
                let edges = [whole.start >= frames.start, whole.end <= frames.end];
                Some(SeenSpan {
                    at,
                    mark,
                    lane,
                    frames: whole.start.max(frames.start)..whole.end.min(frames.end),
                    edges,
                })
            })
    }

    /// The spans without a lane among these frames, in crowds of those that overlap.
    pub(crate) fn crowds<'a>(
        &'a self,
        marks: &'a [Mark],
        frames: Range<u64>,
    ) -> impl Iterator<Item = Crowd> {
        let left_out = |&(at, mark): &(usize, &Mark)| !mark.is_point && self.lane_of(at).is_none();
        let mut spans =
            self.within(marks, frames.clone())
                .filter(left_out)
                .map(move |(_, mark)| {
                    let whole = extent(mark);
                    whole.start.max(frames.start)..whole.end.min(frames.end)
                });
        let mut next = spans.next();
        std::iter::from_fn(move || {
            let mut crowd = Crowd {
                frames: next.take()?,
                count: 1,
            };
            next = spans.next();
            while let Some(more) = next.take_if(|more| more.start < crowd.frames.end) {
                crowd.frames.end = crowd.frames.end.max(more.end);
                crowd.count += 1;
                next = spans.next();
            }
            Some(crowd)
        })
    }

    /// The points among these frames of those that are `held`, those of every `cell` frames taken
    /// together. Cells begin at multiples of their length: which points are together does not
    /// change while views move.
    pub(crate) fn points<'a>(
        &'a self,
        marks: &'a [Mark],
        frames: Range<u64>,
        held: Range<u64>,
        cell: u64,
    ) -> impl Iterator<Item = SeenPoint<'a>> {
        let cell = cell.max(1);
        // Whole cells, so that what the first and the last are called stays.
        let (first, end) = (
            frames.start - frames.start % cell,
            frames.end.checked_next_multiple_of(cell),
        );
        let whole = first.max(held.start)..end.unwrap_or(frames.end).min(held.end);
        let mut points = self
            .within(marks, whole)
            .filter(|(_, mark)| mark.is_point)
            .peekable();
        std::iter::from_fn(move || {
            let (at, mark) = points.next()?;
            let mut count = 1;
            while points
                .next_if(|(_, next)| next.frames.start / cell == mark.frames.start / cell)
                .is_some()
            {
                count += 1;
            }
            Some(SeenPoint { at, mark, count })
        })
    }
}

impl SeenPoint<'_> {
    /// What stands behind the name of the first.
    pub(crate) fn others(&self) -> String {
        if self.count > 1 {
            format!(" +{}", whole_text((self.count - 1) as f64))
        } else {
            String::new()
        }
    }
}

/// Whether two ranges have a frame in common; an empty one has none.
fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// Where the label of what lies between `left` and `right` begins, within what is visible, and how
/// much room it has; `None` where that is too little.
pub(crate) fn label_place(left: f32, right: f32, visible: (f32, f32)) -> Option<(f32, f32)> {
    let left = left.max(visible.0) + GAP;
    let room = right.min(visible.1) - GAP - left;
    (room >= LEAST_LABEL).then_some((left, room))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    /// Marks as a program might make them: points, spans that end or do not, nested and empty ones.
    fn marks(random: &mut Random, count: u64) -> Vec<Mark> {
        let mut first = 0;
        let mut one = |name: u64| {
            first += random.below(3) * random.below(20);
            let length =
                [1, 0, random.below(10), random.below(300), u64::MAX][random.below(5) as usize];
            let is_point = random.below(3) == 0;
            Mark::new(
                name.to_string(),
                first..first.saturating_add(length),
                is_point,
            )
        };
        (0..count).map(&mut one).collect()
    }

    /// Random marks, and random frames to look at.
    fn many(seed: u64, mut check: impl FnMut(&[Mark], &MarkLanes, Range<u64>)) {
        let mut random = Random::new(seed);
        let mut lanes = MarkLanes::default();
        for round in 0..300 {
            let marks = marks(&mut random, round % 60);
            lanes.read(&marks);
            for _ in 0..8 {
                let start = random.below(900);
                check(&marks, &lanes, start..start + random.below(200));
            }
            check(&marks, &lanes, 0..u64::MAX);
        }
    }

    #[test]
    fn what_is_found_is_what_a_walk_over_all_finds() {
        many(1, |marks, lanes, frames| {
            let found: Vec<usize> = lanes
                .within(marks, frames.clone())
                .map(|(at, _)| at)
                .collect();
            // Frame by frame; no mark begins beyond frame 4000.
            let looked_at = frames.start..frames.end.min(4000);
            let is_in = |at: &usize| {
                looked_at
                    .clone()
                    .any(|frame| extent(&marks[*at]).contains(&frame))
            };
            assert_eq!(
                found,
                (0..marks.len()).filter(is_in).collect::<Vec<_>>(),
                "{frames:?}"
            );
            let there: Vec<&Mark> = marks
                .iter()
                .filter(|mark| extent(mark).contains(&frames.start))
                .collect();
            assert_eq!(lanes.at(marks, frames.start).collect::<Vec<_>>(), there);
        });
    }

    #[test]
    fn spans_of_one_lane_share_no_frame_and_lanes_are_used_up_first() {
        many(2, |marks, lanes, _| {
            for (at, mark) in marks.iter().enumerate() {
                let mine = extent(mark);
                let taken = |lane: usize| {
                    (0..at).any(|other| {
                        lanes.lane_of(other) == Some(lane) && overlap(&extent(&marks[other]), &mine)
                    })
                };
                match lanes.lane_of(at) {
                    Some(lane) => assert!(!taken(lane) && (0..lane).all(taken), "{at}: {lane}"),
                    None => assert!(
                        mark.is_point || mine.is_empty() || (0..LANES).all(taken),
                        "{at}"
                    ),
                }
            }
        });
    }

    #[test]
    fn every_visible_mark_is_in_a_lane_a_crowd_or_a_cell() {
        let mut random = Random::new(5);
        many(3, |marks, lanes, frames| {
            let spans: Vec<SeenSpan<'_>> = lanes.spans(marks, frames.clone()).collect();
            let crowds: Vec<Crowd> = lanes.crowds(marks, frames.clone()).collect();
            let seen = lanes
                .within(marks, frames.clone())
                .filter(|(_, mark)| !mark.is_point)
                .count();
            assert_eq!(
                spans.len() + crowds.iter().map(|crowd| crowd.count).sum::<usize>(),
                seen
            );
            assert!(
                crowds
                    .windows(2)
                    .all(|pair| pair[0].frames.end <= pair[1].frames.start)
            );
            // A crowd hangs together: some span goes on over every boundary between two of its
            // frames.
            let left_out =
                (0..marks.len()).filter(|&at| !marks[at].is_point && lanes.lane_of(at).is_none());
            let left_out: Vec<Range<u64>> = left_out.map(|at| extent(&marks[at])).collect();
            for crowd in &crowds {
                let mut inner = crowd.frames.start + 1..crowd.frames.end.min(4000);
                assert!(inner.all(|frame| {
                    left_out
                        .iter()
                        .any(|span| span.contains(&(frame - 1)) && span.contains(&frame))
                }));
            }
            for span in &spans {
                assert!(
                    span.frames.start >= frames.start
                        && span.frames.end <= frames.end
                        && !span.frames.is_empty()
                );
                let whole = extent(span.mark);
                assert_eq!(
                    span.edges,
                    [
                        span.frames.start == whole.start,
                        span.frames.end == whole.end
                    ]
                );
            }
            let cell = 1 + random.below(20);
            let held = random.below(300)..[random.below(1500), u64::MAX][random.below(2) as usize];
            let points: Vec<SeenPoint<'_>> = lanes
                .points(marks, frames.clone(), held.clone(), cell)
                .collect();
            let frames = frames.start.max(held.start)..frames.end.min(held.end);
            assert!(
                points
                    .iter()
                    .all(|point| held.contains(&point.mark.frames.start))
            );
            let alone = lanes
                .within(marks, frames.clone())
                .filter(|(_, mark)| mark.is_point)
                .count();
            assert!(points.iter().map(|point| point.count).sum::<usize>() >= alone);
            assert!(points.windows(2).all(|pair| pair[0].mark.frames.start / cell < pair[1].mark.frames.start / cell));
            // A cell is the same whatever is seen beside it.
            let all: Vec<SeenPoint<'_>> = lanes.points(marks, 0..u64::MAX, held, cell).collect();
            assert!(
                points.iter().all(|point| all.contains(point)),
                "{cell} {frames:?}"
            );
        });
    }

    #[test]
    fn crowds_are_of_spans_that_overlap() {
        let nested: Vec<Mark> = (0..6)
            .map(|at| Mark::new("x", at..100 - at, false))
            .chain([Mark::new("y", 50..u64::MAX, false)])
            .collect();
        let lanes = MarkLanes::of(&nested);
        assert_eq!(
            lanes.crowds(&nested, 0..90).collect::<Vec<_>>(),
            [Crowd {
                frames: 3..90,
                count: 4
            }]
        );
        // It began while there was no lane.
        assert_eq!(
            lanes.crowds(&nested, 98..200).collect::<Vec<_>>(),
            [Crowd {
                frames: 98..200,
                count: 1
            }]
        );
        assert_eq!(lanes.spans(&nested, 98..200).count(), 2);
    }

    #[test]
    fn labels_stay_within_what_they_name_and_what_is_visible() {
        let mut random = Random::new(7);
        for _ in 0..10_000 {
            let mut x = || random.below(600) as f32 - 100.0;
            let (left, width, edge, visible) = (x(), x().abs(), x(), x().abs());
            let (right, visible) = (left + width, (edge, edge + visible));
            let common = right.min(visible.1) - left.max(visible.0);
            match label_place(left, right, visible) {
                Some((from, room)) => {
                    assert!(
                        from > left
                            && from > visible.0
                            && from + room < right
                            && from + room < visible.1
                    );
                    assert!(room >= LEAST_LABEL);
                }
                None => assert!(common < LEAST_LABEL + 2.0 * GAP),
            }
        }
    }

    #[test]
    fn reading_again_takes_no_memory() {
        let marks: Vec<Mark> = (0..4096)
            .map(|at| Mark::new("x", at..at + 9, false))
            .collect();
        let mut lanes = MarkLanes::of(&marks);
        let before = (lanes.ends.as_ptr(), lanes.lanes.as_ptr());
        lanes.read(&marks);
        assert_eq!((lanes.ends.as_ptr(), lanes.lanes.as_ptr()), before);
    }
}
