//! Finds the marks of the visible frames, and assigns overlapping spans to lanes.
//!
//! If there are many, they are thinned in cells that begin at frame 0, as the buckets of a graph
//! do.

use std::ops::Range;

use stats_core::{LogLine, Mark};

use stats_analysis::format::whole_text;

/// The number of lanes for overlapping spans. Spans without a lane are only counted.
pub(crate) const LANES: usize = 3;
/// The minimum space for a name, in points.
const MIN_LABEL: f32 = 8.0;
/// The gap between a label and its mark, and between a label and the next mark, in points.
const GAP: f32 = 4.0;

/// The positions of a source's marks. Rebuilt in every pass; its memory is reused.
///
/// Rebuilding takes one pass over all marks. A span's lane does not depend on what is visible, so
/// the span keeps it while views scroll.
#[derive(Debug, Default)]
pub(crate) struct MarkLanes {
    /// For each mark, the latest end of this mark and all earlier marks. The sequence never
    /// decreases, which allows binary search.
    ends: Vec<u64>,
    /// The lane of each mark; [`LANES`] for points and for spans without a free lane.
    lanes: Vec<u8>,
    has_points: bool,
}

/// A span that overlaps the visible frames.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeenSpan<'a> {
    /// Its index among the marks.
    pub(crate) at: usize,
    pub(crate) mark: &'a Mark,
    /// Its lane, from 0 to [`LANES`] - 1.
    pub(crate) lane: usize,
    /// Its visible frames.
    pub(crate) frames: Range<u64>,
    /// Whether its first and its last frame are visible.
    pub(crate) edges: [bool; 2],
}

/// Points that are too close together to be distinguished.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeenPoint<'a> {
    /// The index of the named point among the marks.
    pub(crate) at: usize,
    /// The named point: the first one that is no line of the log, or else the first one.
    pub(crate) mark: &'a Mark,
    /// The number of points, including the first.
    pub(crate) count: usize,
}

/// Overlapping spans without a lane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Crowd {
    /// Their visible frames.
    pub(crate) frames: Range<u64>,
    pub(crate) count: usize,
}

/// Returns the frames of a mark; a point has one frame.
pub(crate) fn extent(mark: &Mark) -> Range<u64> {
    let Range { start, end } = mark.frames;
    start..if mark.is_point {
        start.saturating_add(1)
    } else {
        end
    }
}

impl MarkLanes {
    /// Returns the positions of these marks.
    pub(crate) fn of(marks: &[Mark]) -> Self {
        let mut lanes = Self::default();
        lanes.read(marks);
        lanes
    }

    /// Rebuilds the positions from marks that are sorted by first frame.
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

    /// Returns the row of a lane, counted from the top. If the history contains points, they take
    /// the first row.
    pub(crate) fn row_of(&self, lane: usize) -> usize {
        lane + usize::from(self.has_points)
    }

    /// Returns the marks that overlap `frames`, with their indices. `marks` must be the marks
    /// passed to `read`.
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

    pub(super) fn at<'a>(&self, marks: &'a [Mark], frame: u64) -> impl Iterator<Item = &'a Mark> {
        self.within(marks, frame..frame.saturating_add(1))
            .map(|(_, mark)| mark)
    }

    /// Returns the lane of a mark; `None` for a point or a span without a lane.
    pub(crate) fn lane_of(&self, at: usize) -> Option<usize> {
        self.lanes
            .get(at)
            .map(|&lane| usize::from(lane))
            .filter(|&lane| lane < LANES)
    }

    /// Returns the spans with a lane that overlap these frames.
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

    /// Returns the spans without a lane that overlap these frames, grouped into crowds that
    /// overlap.
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

    /// Returns the points in these frames, within the `held` frames, grouped by cells of `cell`
    /// frames. Cells begin at multiples of their length, so that groups do not change while views
    /// scroll.
    pub(crate) fn points<'a>(
        &'a self,
        marks: &'a [Mark],
        frames: Range<u64>,
        held: Range<u64>,
        cell: u64,
    ) -> impl Iterator<Item = SeenPoint<'a>> {
        let cell = cell.max(1);
        // Read whole cells, so that the first and the last cell keep their labels.
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
            let (mut at, mut mark) = points.next()?;
            let mut count = 1;
            let is_line = |mark: &Mark| LogLine::of_mark(&mark.name).is_some();
            // Known once there is a second one.
            let mut first_is_line = None;
            while let Some(next) =
                points.next_if(|(_, next)| next.frames.start / cell == mark.frames.start / cell)
            {
                count += 1;
                if *first_is_line.get_or_insert_with(|| is_line(mark)) && !is_line(next.1) {
                    (at, mark) = next;
                    first_is_line = Some(false);
                }
            }
            Some(SeenPoint { at, mark, count })
        })
    }
}

impl SeenPoint<'_> {
    /// Returns the suffix of the point's name that counts the other points.
    pub(crate) fn others(&self) -> String {
        if self.count > 1 {
            format!(" +{}", whole_text((self.count - 1) as f64))
        } else {
            String::new()
        }
    }
}

/// Returns whether two ranges share a frame.
fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// Returns the start and width of the label for the span from `left` to `right`, within the visible
/// range; `None` if there is too little space.
pub(crate) fn label_place(left: f32, right: f32, visible: (f32, f32)) -> Option<(f32, f32)> {
    let left = left.max(visible.0) + GAP;
    let room = right.min(visible.1) - GAP - left;
    (room >= MIN_LABEL).then_some((left, room))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    /// Returns marks as a program might set them: points, and spans that are closed, open, nested
    /// or empty.
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

    /// Calls `check` with random marks and random visible frames.
    fn for_random_marks(seed: u64, mut check: impl FnMut(&[Mark], &MarkLanes, Range<u64>)) {
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
    fn the_search_finds_the_same_as_a_linear_scan() {
        for_random_marks(1, |marks, lanes, frames| {
            let found: Vec<usize> = lanes
                .within(marks, frames.clone())
                .map(|(at, _)| at)
                .collect();
            // Look frame by frame; no mark begins after frame 4000.
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
    fn spans_of_one_lane_do_not_overlap_and_all_lanes_are_used() {
        for_random_marks(2, |marks, lanes, _| {
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
        for_random_marks(3, |marks, lanes, frames| {
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
            // A crowd is connected: a span covers every boundary between two of its frames.
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
            let cells = points.iter().map(|point| point.mark.frames.start / cell);
            assert!(cells.is_sorted_by(|one, next| one < next));
            // A cell does not depend on the visible range.
            let all: Vec<SeenPoint<'_>> = lanes.points(marks, 0..u64::MAX, held, cell).collect();
            assert!(
                points.iter().all(|point| all.contains(point)),
                "{cell} {frames:?}"
            );
        });
    }

    #[test]
    fn crowds_contain_overlapping_spans() {
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
        // The span `y` began while no lane was free.
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
    fn labels_stay_within_their_mark_and_the_visible_range() {
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
                    assert!(room >= MIN_LABEL);
                }
                None => assert!(common < MIN_LABEL + 2.0 * GAP),
            }
        }
    }

    #[test]
    fn rebuilding_does_not_allocate() {
        let marks: Vec<Mark> = (0..4096)
            .map(|at| Mark::new("x", at..at + 9, false))
            .collect();
        let mut lanes = MarkLanes::of(&marks);
        let before = (lanes.ends.as_ptr(), lanes.lanes.as_ptr());
        lanes.read(&marks);
        assert_eq!((lanes.ends.as_ptr(), lanes.lanes.as_ptr()), before);
    }
}
