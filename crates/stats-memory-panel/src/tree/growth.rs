//! Finds the owner that grew most, and how steadily it grew.
//!
//! A comparison ranks its rows by growth. The net change of a row says little about it: a thread
//! that freed a level's memory may still own what leaks. So a row is ranked by the *owner* below it
//! that grew most. An owner is the smallest unit that the tree distinguishes, apart from sizes.
//!
//! Snapshots between the two that are compared divide the time into steps. A leak grows in most
//! steps, while a block that is allocated once grows in one. So owners are ranked first by the
//! lower median of their changes from step to step, and second by their whole growth. Without
//! snapshots in between, the two are the same.
//!
//! Taking a snapshot allocates: the panel keeps it, and the tracker needs buffers to write it.
//! Memory that the panel and the tracker own ranks below everything else.

use super::merged::Merged;
use super::node::{Homes, Label, Node, TOTAL};
use crate::snapshot::Contents;
use stats_ui::job::THREAD_NAME;

/// The scope in which the tracker of `stats-memory` puts its own allocations, and those of the
/// function that writes a dump, if threads are not distinguished.
const TRACKER_SCOPE: &str = "stats-memory";

/// The maximum typical growth in bytes; larger values are clamped, so that a rank fits its integer.
const MAX_TYPICAL: i64 = (1 << 62) - 1;

/// The growth of one owner between two snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Growth {
    /// Whether the owner is the program, and not the panel or the tracker.
    is_program: bool,
    /// The lower median of the changes from step to step, in bytes; 0 unless it and the whole
    /// growth are positive.
    typical: i64,
    /// The bytes now minus those before.
    pub(crate) bytes: i64,
    /// The number of steps in which the bytes grew.
    pub(crate) steps: u8,
}

impl Growth {
    /// Returns the growth for these bytes in each snapshot, oldest first. `changes` is overwritten.
    fn of(bytes: &[u64], is_program: bool, changes: &mut Vec<i64>) -> Self {
        let Some((first, last)) = bytes.first().zip(bytes.last()) else {
            return Self::default();
        };
        changes.clear();
        changes.extend(bytes.windows(2).map(|pair| difference(pair[1], pair[0])));
        changes.sort_unstable();
        let lower_median = changes
            .get(changes.len().saturating_sub(1) / 2)
            .copied()
            .unwrap_or(0);
        let whole = difference(*last, *first);
        let grown = changes.iter().filter(|change| **change > 0).count();
        Self {
            is_program,
            typical: lower_median.clamp(0, whole.clamp(0, MAX_TYPICAL)),
            bytes: whole,
            steps: grown as u8,
        }
    }

    /// Returns the growth of allocations of one size below an owner. The steps of a size are not
    /// known.
    pub(super) fn of_size(&self, now: u64, before: u64) -> Self {
        Self {
            steps: 0,
            ..Self::of(&[before, now], self.is_program, &mut Vec::new())
        }
    }

    /// Returns a number that orders growths. Growth of the program ranks first, then larger typical
    /// growth, then larger whole growth.
    pub(crate) fn rank(&self) -> i128 {
        let whole = i128::from(self.bytes) - i128::from(i64::MIN);
        (i128::from(self.is_program) << 126) + (i128::from(self.typical) << 64) + whole
    }
}

/// Returns `a - b`, saturating.
fn difference(a: u64, b: u64) -> i64 {
    i64::try_from(i128::from(a) - i128::from(b)).unwrap_or(if a > b { i64::MAX } else { i64::MIN })
}

/// One snapshot of the comparison: its contents, and the node of each of its sites.
pub(super) type Step<'a> = (&'a Contents, &'a Homes);

/// Sets the growth of all nodes: their own if they `pass` as owners, or that of an owner below them
/// if that ranks higher. `steps` are the snapshots, oldest first.
pub(super) fn set_growth(nodes: &mut [Node], passes: &[bool], merged: &Merged, steps: &[Step<'_>]) {
    // The bytes of each node in each snapshot.
    let mut bytes = vec![0_u64; nodes.len() * steps.len()];
    for (step, (contents, homes)) in steps.iter().enumerate() {
        for entry in &contents.entries {
            let home = homes[entry.site as usize] as usize;
            if home < nodes.len() {
                let sum = &mut bytes[home * steps.len() + step];
                *sum = sum.saturating_add(entry.bytes());
            }
        }
    }
    let mut changes = Vec::with_capacity(steps.len());
    let mut is_program = vec![true; nodes.len()];
    // Parents come before their children.
    for number in TOTAL as usize + 1..nodes.len() {
        let parent = nodes[number].parent as usize;
        is_program[number] = is_program[parent] && !is_own(&nodes[number], nodes, merged);
        nodes[number].growth = passes[number].then(|| {
            let bytes = &bytes[number * steps.len()..(number + 1) * steps.len()];
            Growth::of(bytes, is_program[number], &mut changes)
        });
    }
    for number in (TOTAL as usize + 1..nodes.len()).rev() {
        let Node { parent, growth, .. } = nodes[number];
        let above = &mut nodes[parent as usize].growth;
        if growth.map(|growth| growth.rank()) > above.map(|above| above.rank()) {
            *above = growth;
        }
    }
}

/// Returns whether a node and all below it belong to the panel or the tracker.
fn is_own(node: &Node, nodes: &[Node], merged: &Merged) -> bool {
    match node.label {
        Label::Thread(name) => merged.text(name) == THREAD_NAME,
        // A scope of that name within another scope belongs to the program.
        Label::Scope(name) => {
            merged.text(name) == TRACKER_SCOPE
                && !matches!(nodes[node.parent as usize].label, Label::Scope(_))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    fn growth(bytes: &[u64]) -> Growth {
        Growth::of(bytes, true, &mut Vec::new())
    }

    #[test]
    fn steady_growth_ranks_above_a_block_allocated_once() {
        let leak = growth(&[0, 100, 200, 300, 400]);
        let once = growth(&[0, 0, 0, 1 << 30, 1 << 30]);
        let mostly = growth(&[0, 100, 200, 200, 300]);
        assert_eq!([leak.steps, once.steps, mostly.steps], [4, 1, 3]);
        assert!(leak.rank() > once.rank() && mostly.rank() > once.rank());
        assert_eq!(
            leak.rank(),
            mostly.rank() + 100,
            "then the whole growth decides"
        );
    }

    #[test]
    fn a_shrunk_owner_ranks_below_an_unchanged_one() {
        let stayed = growth(&[50, 50, 50]);
        for shrank in [&[50, 60, 40][..], &[50, 10], &[u64::MAX, 0]] {
            assert!(growth(shrank).rank() < stayed.rank(), "{shrank:?}");
        }
        assert!(growth(&[50, 0, 60]).rank() > stayed.rank());
    }

    #[test]
    fn ranks_are_ordered_by_owner_then_typical_then_whole_growth() {
        let mut random = Random::new(3);
        let mut any = || {
            let bytes: Vec<u64> = (0..=random.below(4))
                .map(|_| {
                    let bits = random.below(64) as u32;
                    random.below(u64::MAX) >> bits
                })
                .collect();
            Growth::of(&bytes, random.below(2) == 0, &mut Vec::new())
        };
        for _ in 0..10_000 {
            let (a, b) = (any(), any());
            let key = |it: Growth| (it.is_program, it.typical, it.bytes);
            assert_eq!(a.rank().cmp(&b.rank()), key(a).cmp(&key(b)), "{a:?} {b:?}");
        }
    }
}
