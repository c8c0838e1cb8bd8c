//! The nodes of the tree, and what they add up to.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::fold::Entry;
use super::merged::Merged;
use super::tree::Order;

/// Bytes and allocations, in two snapshots. Sums end at [`u64::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) bytes: u64,
    pub(super) count: u64,
    pub(super) bytes_before: u64,
    pub(super) count_before: u64,
}

impl Sums {
    pub(super) fn now(entry: &Entry) -> Self {
        Self {
            bytes: entry.bytes(),
            count: entry.count,
            ..Self::default()
        }
    }

    pub(super) fn before(entry: &Entry) -> Self {
        Self {
            bytes_before: entry.bytes(),
            count_before: entry.count,
            ..Self::default()
        }
    }

    /// Bytes now, less those before.
    pub(super) fn growth_bytes(&self) -> i128 {
        i128::from(self.bytes) - i128::from(self.bytes_before)
    }

    /// Before as now.
    pub(super) fn unchanged(self) -> Self {
        Self {
            bytes_before: self.bytes,
            count_before: self.count,
            ..self
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.count = self.count.saturating_add(other.count);
        self.bytes_before = self.bytes_before.saturating_add(other.bytes_before);
        self.count_before = self.count_before.saturating_add(other.count_before);
    }
}

/// What a node is about: the kinds of rows, and all of them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Label {
    Total,
    Thread(u32),
    Group(u32),
    Scope(u32),
    Name(u32),
    Size(u64),
}

impl Label {
    /// What identifies it below a parent, in whatever tree.
    fn key(self, parent: u64, merged: &Merged) -> u64 {
        // The same in every tree.
        let state = FixedState::with_seed(0);
        match self {
            Self::Total => 0,
            Self::Thread(name) => state.hash_one((parent, 1, merged.text(name))),
            Self::Group(name) => state.hash_one((parent, 2, merged.text(name))),
            Self::Scope(name) => state.hash_one((parent, 3, merged.text(name))),
            Self::Name(name) => state.hash_one((parent, 4, merged.text(name))),
            Self::Size(bytes) => state.hash_one((parent, 5, bytes)),
        }
    }
}

/// The node that all others are below, and that is no row.
pub(super) const TOTAL: u32 = 0;

/// A row of the tree, or the total.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) label: Label,
    pub(super) parent: u32,
    pub(super) depth: u32,
    /// Of what it is and what is above it.
    pub(super) key: u64,
    pub(super) sums: Sums,
    /// Of allocations that all have one size, which stands in no row below.
    pub(super) size: Option<u64>,
    /// Of a scope: whether it has what lies deeper than [`MAX_SCOPES`](super::stacks::MAX_SCOPES),
    /// too.
    pub(super) is_cut: bool,
    /// Where its children are in the list of all children.
    pub(super) children: u32,
    pub(super) child_count: u32,
    /// Whether rows of sizes are to be made below it.
    pub(super) lacks_sizes: bool,
    /// By what its children are sorted.
    pub(super) sorted: Option<Order>,
}

impl Node {
    pub(super) fn total() -> Self {
        Self {
            label: Label::Total,
            parent: TOTAL,
            depth: 0,
            key: 0,
            sums: Sums::default(),
            size: None,
            is_cut: false,
            children: 0,
            child_count: 0,
            lacks_sizes: false,
            sorted: None,
        }
    }

    pub(super) fn has_children(&self) -> bool {
        self.child_count > 0 || self.lacks_sizes
    }

    /// A node below a parent, without anything.
    pub(super) fn below(parent: &Self, number: u32, label: Label, merged: &Merged) -> Self {
        let depth = if number == TOTAL { 0 } else { parent.depth + 1 };
        Self {
            label,
            parent: number,
            depth,
            key: label.key(parent.key, merged),
            ..Self::total()
        }
    }
}
