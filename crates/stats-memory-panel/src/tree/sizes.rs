//! The rows of sizes, the lowest level of the tree.
//!
//! Most rows are sizes, so they are built only when the row above them is opened.

use super::merged::Merged;
use super::node::{Homes, NOWHERE, Node, TOTAL};
use super::sums::Sums;
use crate::snapshot::{Contents, Entry};

/// What is known about the sizes of a node's own allocations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SeenSizes {
    sizes: DistinctSizes,
    /// Whether some entries are sums, whose sizes are unknown.
    has_sum: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DistinctSizes {
    #[default]
    None,
    One(u64),
    Many,
}

impl SeenSizes {
    pub(super) fn add(&mut self, entry: &Entry) {
        let Some(size) = entry.size() else {
            self.has_sum = true;
            return;
        };
        self.sizes = match self.sizes {
            DistinctSizes::None => DistinctSizes::One(size),
            DistinctSizes::One(one) if one == size => self.sizes,
            DistinctSizes::One(_) | DistinctSizes::Many => DistinctSizes::Many,
        };
    }
}

/// Decides for each passing node whether it gets rows of sizes, or only the size that all its
/// allocations share.
pub(super) fn mark(nodes: &mut [Node], passes: &[bool], seen: &[SeenSizes]) {
    for (number, node) in nodes
        .iter_mut()
        .enumerate()
        .filter(|&(number, _)| passes[number])
    {
        let SeenSizes { sizes, has_sum } = seen[number];
        let is_alone = !has_sum && node.child_count == 0 && number != TOTAL as usize;
        match sizes {
            DistinctSizes::One(size) if is_alone => node.size = Some(size),
            _ => node.lacks_sizes = sizes != DistinctSizes::None,
        }
    }
}

/// The entries of both snapshots, grouped by node.
#[derive(Debug)]
pub(super) struct Sizes {
    /// The index of the first entry of each node, and the end of the last one.
    starts: Vec<u32>,
    /// Indices into the entries of the newer snapshot, followed by those of the older one.
    entries: Vec<u32>,
}

impl Sizes {
    pub(super) fn new(merged: &Merged, homes: &[Homes; 2], nodes: usize) -> Self {
        let homes_of = |contents: &Contents, homes: &Homes| {
            contents
                .entries
                .iter()
                .map(|entry| homes[entry.site as usize])
                .collect::<Vec<_>>()
        };
        let mut all = homes_of(&merged.now, &homes[0]);
        if let Some(before) = &merged.before {
            all.extend(homes_of(before, &homes[1]));
        }
        // Counting sort by node.
        let mut starts = vec![0_u32; nodes + 1];
        let homes = || (0..).zip(&all).filter(|&(_, &home)| home != NOWHERE);
        homes().for_each(|(_, &home)| starts[home as usize] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut entries = vec![0; end as usize];
        for (entry, &home) in homes() {
            let start = &mut starts[home as usize];
            *start -= 1;
            entries[*start as usize] = entry;
        }
        Self { starts, entries }
    }

    /// Returns the sizes of a node in ascending order, with the sums of each.
    pub(super) fn of(&self, node: u32, merged: &Merged) -> Vec<(u64, Sums)> {
        let (now, node) = (&merged.now.entries, node as usize);
        let with_size = |&place: &u32| {
            let place = place as usize;
            let (entry, sums) = match (now.get(place), &merged.before) {
                (Some(entry), _) => (entry, Sums::now(entry)),
                (None, before) => before
                    .as_ref()?
                    .entries
                    .get(place - now.len())
                    .map(|entry| (entry, Sums::before(entry)))?,
            };
            Some((entry.size()?, sums))
        };
        let range = self.starts[node] as usize..self.starts[node + 1] as usize;
        let mut sizes: Vec<(u64, Sums)> =
            self.entries[range].iter().filter_map(with_size).collect();
        sizes.sort_unstable_by_key(|&(size, _)| size);
        sizes.dedup_by(|other, kept| {
            let is_same = other.0 == kept.0;
            if is_same {
                kept.1.add(other.1);
            }
            is_same
        });
        sizes
    }
}
