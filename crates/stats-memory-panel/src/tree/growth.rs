//! Finds the owner that grew most, and how steadily it grew.
//!
//! A comparison ranks its rows by growth. The net change of a row can hide growth: a thread that
//! freed the memory of a level may still own a leak. So a row is ranked by the *owner* below it
//! that grew most. An owner is the smallest unit that the tree distinguishes, apart from sizes.
//!
//! Snapshots between the two that are compared divide the time into steps. A leak grows in most
//! steps, but a block that is allocated once grows in one. So owners are ranked first by their
//! *typical* growth, the lower median of their changes in the steps, and second by their whole
//! growth. Without snapshots in between, the two are the same.
//!
//! Taking a snapshot allocates: the panel stores it, and the tracker needs buffers to write it. The
//! growth of the panel and the tracker ranks below that of the program, and above rows that did not
//! grow.

use super::merged::Merged;
use super::node::{Homes, Label, Node, TOTAL};
use crate::snapshot::Contents;
use stats_ui::job::THREAD_NAME;

/// The scope to which `stats-memory` assigns its own allocations, and, if it does not distinguish
/// threads, those made while a dump is written.
const TRACKER_SCOPE: &str = "stats-memory";

/// The maximum typical growth in bytes. Larger values are clamped, so that a rank fits into its
/// integer.
const MAX_TYPICAL: i64 = (1 << 62) - 1;

/// The growth of one owner between two snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Growth {
    /// Whether the owner is part of the program, and not of the panel or the tracker.
    is_program: bool,
    /// The lower median of the changes in the steps, in bytes, and at most the whole growth; 0
    /// unless both are positive.
    typical: i64,
    /// The bytes now minus those before.
    pub(crate) bytes: i64,
    /// The number of steps in which the bytes grew.
    pub(crate) steps: u8,
}

impl Growth {
    /// Returns the growth of an owner with these bytes in the snapshots, oldest first. `changes` is
    /// a buffer.
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

    /// Returns the growth of the allocations of one size below an owner. The steps of sizes are
    /// unknown.
    pub(super) fn of_size(&self, now: u64, before: u64) -> Self {
        Self {
            steps: 0,
            ..Self::of(&[before, now], self.is_program, &mut Vec::new())
        }
    }

    /// Returns a number that orders growths. The program comes first, then the panel and the tracker, then
    /// what did not grow. Among each, the typical growth decides, and then the whole growth.
    pub(crate) fn rank(&self) -> i128 {
        let whole = i128::from(self.bytes) - i128::from(i64::MIN);
        let owner = match (self.bytes > 0, self.is_program) {
            (true, true) => 1,
            (true, false) => 0,
            (false, _) => -1,
        };
        (owner << 126) + (i128::from(self.typical) << 64) + whole
    }

    /// Returns whether only the panel or the tracker grew.
    pub(crate) fn is_of_statistics(&self) -> bool {
        self.bytes > 0 && !self.is_program
    }
}

/// Returns `a - b`, saturating.
fn difference(a: u64, b: u64) -> i64 {
    i64::try_from(i128::from(a) - i128::from(b)).unwrap_or(if a > b { i64::MAX } else { i64::MIN })
}

/// A snapshot of the comparison, with the homes of its sites.
pub(super) type Step<'a> = (&'a Contents, &'a Homes);

/// The bytes of each node in each snapshot of a comparison, without those of the nodes below it.
pub(super) struct StepBytes {
    bytes: Vec<u64>,
    snapshots: usize,
}

impl StepBytes {
    /// Adds up the bytes in the snapshots, oldest first.
    pub(super) fn new(nodes: usize, steps: &[Step<'_>]) -> Self {
        let snapshots = steps.len();
        let mut bytes = vec![0_u64; nodes * snapshots];
        for (step, (contents, homes)) in steps.iter().enumerate() {
            for entry in &contents.entries {
                let home = homes[entry.site as usize] as usize;
                if home < nodes {
                    let sum = &mut bytes[home * snapshots + step];
                    *sum = sum.saturating_add(entry.bytes());
                }
            }
        }
        Self { bytes, snapshots }
    }

    /// Returns the bytes of a node, from the oldest snapshot to the newest.
    fn of(&self, node: usize) -> &[u64] {
        &self.bytes[node * self.snapshots..(node + 1) * self.snapshots]
    }

    /// Returns whether a node grew from each snapshot to the next.
    pub(super) fn grew_in_every_step(&self, node: usize) -> bool {
        self.of(node).windows(2).all(|pair| pair[0] < pair[1])
    }
}

/// Sets the growth of each node: its own if it passes the filter, or that of the owner below it
/// with a higher rank.
pub(super) fn set_growth(nodes: &mut [Node], passes: &[bool], merged: &Merged, steps: &StepBytes) {
    let mut changes = Vec::with_capacity(steps.snapshots);
    let mut is_program = vec![true; nodes.len()];
    // Parents come before their children.
    for number in TOTAL as usize + 1..nodes.len() {
        let parent = nodes[number].parent as usize;
        is_program[number] =
            is_program[parent] && !belongs_to_panel_or_tracker(&nodes[number], nodes, merged);
        nodes[number].growth =
            passes[number].then(|| Growth::of(steps.of(number), is_program[number], &mut changes));
    }
    for number in (TOTAL as usize + 1..nodes.len()).rev() {
        let Node { parent, growth, .. } = nodes[number];
        let above = &mut nodes[parent as usize].growth;
        if growth.map(|growth| growth.rank()) > above.map(|above| above.rank()) {
            *above = growth;
        }
    }
}

/// Returns whether a node and everything below it belong to the panel or the tracker.
fn belongs_to_panel_or_tracker(node: &Node, nodes: &[Node], merged: &Merged) -> bool {
    match node.label {
        Label::Thread(name) => merged.text(name) == THREAD_NAME,
        // A scope with that name within another scope belongs to the program.
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
    fn steady_growth_ranks_above_a_single_allocation() {
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
    fn ranks_compare_the_owner_then_the_typical_then_the_whole_growth() {
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
            let key = |it: Growth| {
                let grew = it.bytes > 0;
                (grew, grew && it.is_program, it.typical, it.bytes)
            };
            assert_eq!(a.rank().cmp(&b.rank()), key(a).cmp(&key(b)), "{a:?} {b:?}");
        }
    }
}
