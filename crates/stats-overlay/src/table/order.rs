//! The order of the table's rows when they are sorted by a column.
//!
//! Rows are ordered by their values. For equal values, such as -0 and 0, the newest frame comes
//! first. Frames without a value come last in both directions.

use std::cmp::Ordering;
use std::ops::Range;

use crate::table::choices::Sort;

/// A frame and the value that it is sorted by.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    frame: u64,
    value: Option<f64>,
}

impl Row {
    fn new(frame: u64, value: Option<f64>) -> Self {
        // -0 + 0 is 0.
        Self {
            frame,
            value: value.map(|value| value + 0.0),
        }
    }

    fn compare(&self, other: &Self, descending: bool) -> Ordering {
        let by_value = match (self.value, other.value) {
            (Some(one), Some(other)) if descending => other.total_cmp(&one),
            (Some(one), Some(other)) => one.total_cmp(&other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        by_value.then(other.frame.cmp(&self.frame))
    }
}

/// The rows from top to bottom. They are updated instead of sorted again: an update compares each
/// value, merges the new frames, and allocates nothing once the history is full.
#[derive(Debug, Default)]
pub(super) struct Order {
    rows: Vec<Row>,
    /// The rows to merge.
    fresh: Vec<Row>,
    /// The frames of `rows`.
    frames: Range<u64>,
    /// The order that `rows` are in.
    sort: Option<Sort>,
}

impl Order {
    pub(super) fn is_of(&self, sort: Option<&Sort>) -> bool {
        self.sort.as_ref() == sort
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn frame(&self, row: usize) -> Option<u64> {
        self.rows.get(row).map(|row| row.frame)
    }

    /// Returns the row of a frame. The cost is linear in the number of rows.
    pub(super) fn row_of(&self, frame: u64) -> Option<usize> {
        self.rows.iter().position(|row| row.frame == frame)
    }

    /// Returns all frames from top to bottom.
    pub(super) fn frames(&self) -> impl Iterator<Item = u64> {
        self.rows.iter().map(|row| row.frame)
    }

    /// Returns the frames that have a row, from the oldest to the newest.
    pub(super) fn range(&self) -> Range<u64> {
        self.frames.clone()
    }

    /// Drops all rows.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.frames = 0..0;
        self.sort = None;
    }

    /// Updates the rows to the frames `held` and their values. Values of known frames may have
    /// changed.
    pub(super) fn update(
        &mut self,
        sort: &Sort,
        held: Range<u64>,
        value: impl Fn(u64) -> Option<f64>,
    ) {
        if !self.is_of(Some(sort)) {
            self.clear();
            self.sort = Some(sort.clone());
        }
        let fresh = &mut self.fresh;
        fresh.clear();
        self.rows.retain(|row| {
            if !held.contains(&row.frame) {
                return false;
            }
            let now = Row::new(row.frame, value(row.frame));
            if now != *row {
                fresh.push(now);
            }
            now == *row
        });
        let known = &self.frames;
        let before = held.start..known.start.clamp(held.start, held.end);
        let after = known.end.clamp(before.end, held.end)..held.end;
        fresh.extend(
            before
                .chain(after)
                .map(|frame| Row::new(frame, value(frame))),
        );
        self.frames = held;
        self.merge(sort.descending);
    }

    /// Sorts the new rows and merges them from the back, which needs no extra memory.
    fn merge(&mut self, descending: bool) {
        let (rows, fresh) = (&mut self.rows, &mut self.fresh);
        fresh.sort_unstable_by(|a, b| a.compare(b, descending));
        let mut old = rows.len();
        rows.extend_from_slice(fresh);
        let mut place = rows.len();
        while let Some(&newer) = fresh.last() {
            place -= 1;
            if old > 0 && rows[old - 1].compare(&newer, descending) == Ordering::Greater {
                old -= 1;
                rows[place] = rows[old];
            } else {
                rows[place] = newer;
                fresh.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    fn sort(descending: bool) -> Sort {
        Sort {
            path: Some("x".to_owned()),
            descending,
        }
    }

    /// Sorts in the simplest way: newest first, then stably by value.
    fn brute_force(
        held: Range<u64>,
        descending: bool,
        value: impl Fn(u64) -> Option<f64>,
    ) -> Vec<u64> {
        let mut frames: Vec<u64> = held.rev().collect();
        frames.sort_by(|&a, &b| match (value(a), value(b)) {
            (Some(a), Some(b)) if descending => b.partial_cmp(&a).unwrap(),
            (Some(a), Some(b)) => a.partial_cmp(&b).unwrap(),
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
        frames
    }

    /// Frames are added and dropped, and values arrive late and change. The order always equals
    /// that of a full sort.
    #[test]
    fn an_updated_order_equals_a_full_sort() {
        let mut random = Random::new(17);
        for _ in 0..60 {
            let descending = random.below(2) == 0;
            let (mut order, mut held) = (Order::default(), 0..0_u64);
            let mut values: Vec<Option<f64>> = Vec::new();
            for _ in 0..20 {
                for _ in 0..random.below(40) {
                    let value = random.value();
                    values.push((random.below(5) > 0).then_some(if random.below(9) == 0 {
                        -0.0
                    } else {
                        value
                    }));
                }
                for _ in 0..random.below(4).min(values.len() as u64) {
                    let at = random.below(values.len() as u64) as usize;
                    values[at] = Some(random.value());
                }
                let end = values.len() as u64;
                held = (held.start + random.below(25)).min(end)..end;
                order.update(&sort(descending), held.clone(), |frame| {
                    values[frame as usize]
                });
                let expected =
                    brute_force(held.clone(), descending, |frame| values[frame as usize]);
                assert_eq!(order.frames().collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn of_equal_values_the_newest_comes_first_and_missing_values_come_last() {
        let values = [Some(0.0), None, Some(-0.0), Some(1.0), None, Some(1.0)];
        let mut order = Order::default();
        order.update(&sort(true), 0..6, |frame| values[frame as usize]);
        assert_eq!(order.frames().collect::<Vec<_>>(), [5, 3, 2, 0, 4, 1]);
        order.update(&sort(false), 0..6, |frame| values[frame as usize]);
        assert_eq!(order.frames().collect::<Vec<_>>(), [2, 0, 5, 3, 4, 1]);
        assert_eq!(
            (
                order.row_of(4),
                order.frame(4),
                order.frame(6),
                order.row_of(9)
            ),
            (Some(4), Some(4), None, None)
        );
    }

    #[test]
    fn zero_frames_and_one_frame_are_in_order() {
        let mut order = Order::default();
        order.update(&sort(true), 0..0, |_| None);
        assert_eq!(order.len(), 0);
        order.update(&sort(true), 0..1, |_| Some(3.0));
        assert_eq!(order.frames().collect::<Vec<_>>(), [0]);
        order.update(&sort(true), 7..8, |_| None);
        assert_eq!(order.frames().collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn a_click_leads_from_descending_to_ascending_and_back() {
        let first = Sort::clicked(None, Some("x"));
        assert_eq!(first, Some(sort(true)));
        let second = Sort::clicked(first.clone(), Some("x"));
        assert_eq!(second, Some(sort(false)));
        assert_eq!(Sort::clicked(second, Some("x")), None);
        assert_eq!(
            Sort::clicked(first.clone(), Some("y"))
                .unwrap()
                .path
                .as_deref(),
            Some("y")
        );
        assert_eq!(Sort::clicked(first, None), None, "back to frames");
        let oldest_first = Sort::clicked(None, None);
        assert_eq!(
            oldest_first,
            Some(Sort {
                path: None,
                descending: false
            })
        );
        assert_eq!(Sort::clicked(oldest_first, None), None);
    }
}
