//! Sorts the children of a folder when they are first shown, over several passes if there are many.
//! Sorting takes most of the time of reading a million paths.
//!
//! A merge sort from the bottom up: short runs are sorted one by one, then neighbors are merged
//! until one run is left. It can stop after any step. Children with equal keys stay in the order of
//! their numbers.

use stats_ui::sort_key::push_sort_key;

use crate::data::allowance::Allowance;

/// The children in a run that is sorted at once.
const RUN: usize = 512;
/// The units of each child in a run.
const RUN_UNITS: usize = 4;

/// The sorting of one folder.
#[derive(Debug)]
pub(super) struct Sorter {
    /// The number of children.
    count: usize,
    /// The sort keys of all labels.
    keys: Vec<u8>,
    /// The children whose keys are known, in sorted runs of `width` so far.
    items: Vec<Item>,
    /// The number of items in sorted runs of `RUN`.
    in_runs: usize,
    /// The length of the sorted runs that are merged now.
    width: usize,
    /// The items of the runs merged so far.
    merged: Vec<Item>,
    /// The next items to merge, in the left and in the right run.
    next: (usize, usize),
}

/// A child and the range of its key.
#[derive(Clone, Copy, Debug)]
struct Item {
    start: u32,
    end: u32,
    node: u32,
}

impl Sorter {
    /// Creates a sorter for this many children. Sorting has not begun.
    pub(super) fn new(count: usize) -> Self {
        Self {
            count,
            keys: Vec::with_capacity(count * 16),
            items: Vec::with_capacity(count),
            in_runs: 0,
            width: 0,
            merged: Vec::new(),
            next: (0, 0),
        }
    }

    /// Sorts children by their labels until the allowance is used up. Returns `None` if they are
    /// not sorted yet. The children must be the same in each call.
    pub(super) fn sort<'a>(
        &mut self,
        children: &[u32],
        label: impl Fn(u32) -> &'a str,
        allowance: &mut Allowance,
    ) -> Option<Vec<u32>> {
        while let count @ 1.. = allowance.take(self.count - self.items.len(), 4) {
            let from = self.items.len();
            for &node in &children[from..from + count] {
                let start = self.keys.len() as u32;
                push_sort_key(label(node), &mut self.keys);
                let end = self.keys.len() as u32;
                self.items.push(Item { start, end, node });
            }
        }
        if self.items.len() < self.count {
            return None;
        }
        if !self.sort_runs(allowance) {
            return None;
        }
        while self.width < self.items.len() {
            if !self.merge(allowance) {
                return None;
            }
        }
        Some(self.items.iter().map(|item| item.node).collect())
    }

    fn sort_runs(&mut self, allowance: &mut Allowance) -> bool {
        let keys = &self.keys;
        while self.in_runs < self.items.len() {
            if !allowance.has_left() {
                return false;
            }
            let end = (self.in_runs + RUN).min(self.items.len());
            let run = &mut self.items[self.in_runs..end];
            run.sort_unstable_by(|a, b| order(keys, *a).cmp(&order(keys, *b)));
            allowance.spend(run.len() * RUN_UNITS);
            self.in_runs = end;
            self.width = RUN;
        }
        true
    }

    /// Merges each run with its neighbor, and then doubles the width. Returns whether all runs have
    /// been merged.
    fn merge(&mut self, allowance: &mut Allowance) -> bool {
        let len = self.items.len();
        if self.merged.is_empty() {
            self.merged.reserve(len);
            self.next = (0, self.width);
        }
        while let steps @ 1.. = allowance.take(len - self.merged.len(), 2) {
            for _ in 0..steps {
                self.merge_one(len);
            }
        }
        if self.merged.len() < len {
            return false;
        }
        std::mem::swap(&mut self.items, &mut self.merged);
        self.merged.clear();
        self.width *= 2;
        true
    }

    fn merge_one(&mut self, len: usize) {
        let pair = self.merged.len() / (2 * self.width) * (2 * self.width);
        if self.merged.len() == pair {
            self.next = (pair, pair + self.width);
        }
        let (left, right) = self.next;
        let left_end = (pair + self.width).min(len);
        let right_end = (pair + 2 * self.width).min(len);
        let takes_left = left < left_end
            && (right >= right_end
                || order(&self.keys, self.items[left]) <= order(&self.keys, self.items[right]));
        if takes_left {
            self.merged.push(self.items[left]);
            self.next.0 += 1;
        } else {
            self.merged.push(self.items[right]);
            self.next.1 += 1;
        }
    }
}

fn order(keys: &[u8], item: Item) -> (&[u8], u32) {
    (&keys[item.start as usize..item.end as usize], item.node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn sorting_in_steps_gives_the_order_of_the_keys() {
        let mut random = Random::new(8);
        for count in [0, 1, 2, RUN - 1, RUN, RUN + 1, 3 * RUN, 4 * RUN + 7] {
            let labels: Vec<String> = (0..count)
                .map(|_| {
                    format!(
                        "{}{}",
                        ["x", "X", "é"][random.below(3) as usize],
                        random.below(2000)
                    )
                })
                .collect();
            let nodes: Vec<u32> = (0..count as u32).collect();
            let key = |node: u32| {
                let mut key = Vec::new();
                push_sort_key(&labels[node as usize], &mut key);
                (key, node)
            };
            let mut wanted = nodes.clone();
            wanted.sort_by_key(|&node| key(node));
            for units in [1, 100, 3000, usize::MAX] {
                let (mut sorter, mut passes) = (Sorter::new(count), 0);
                let sorted = loop {
                    passes += 1;
                    let label = |node: u32| labels[node as usize].as_str();
                    let mut allowance = Allowance::of_units(units);
                    if let Some(sorted) = sorter.sort(&nodes, label, &mut allowance) {
                        break sorted;
                    }
                };
                assert_eq!(sorted, wanted, "{count} in steps of {units}");
                assert!(passes == 1 || units < usize::MAX);
            }
        }
    }
}
