//! The nodes of a tree.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::growth::Growth;
use super::merged::Merged;
use super::order::Order;
use super::sums::Sums;

/// What a node is about, by the number of its name.
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
    /// Returns the key of a node with this label below a parent with the key `parent`. It is the
    /// same in every tree.
    fn key(self, parent: u64, merged: &Merged) -> u64 {
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

/// Stands for the home of a site that does not pass the filter.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The home of each site of a snapshot: the number of its node, or [`NOWHERE`].
pub(super) type Homes = Vec<u32>;

/// The root, which is not shown as a row.
pub(super) const TOTAL: u32 = 0;

/// A row of the tree, or the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) label: Label,
    pub(super) parent: u32,
    pub(super) depth: u32,
    /// Identifies the node in every tree, by its label and those above it.
    pub(super) key: u64,
    pub(super) sums: Sums,
    /// In a comparison, the growth of the owner that grew most: the node itself or one below it.
    pub(super) growth: Option<Growth>,
    /// The size of its allocations, if all have the same one. That size gets no row.
    pub(super) size: Option<u64>,
    /// Whether it is a scope that includes deeper ones, beyond
    /// [`MAX_SCOPES`](crate::snapshot::MAX_SCOPES).
    pub(super) is_cut: bool,
    /// The offset of its children in the list of all children.
    pub(super) children: u32,
    pub(super) child_count: u32,
    /// Whether rows of sizes are still to be built below it.
    pub(super) lacks_sizes: bool,
    /// The order of its children; `None` if they are not sorted.
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
            growth: None,
            size: None,
            is_cut: false,
            children: 0,
            child_count: 0,
            lacks_sizes: false,
            sorted: None,
        }
    }

    /// Returns whether it has rows below it, built or not.
    pub(super) fn has_children(&self) -> bool {
        self.child_count > 0 || self.lacks_sizes
    }

    /// Returns an empty node below a parent.
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
