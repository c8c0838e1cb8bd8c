//! A row of the tree, as the list shows it.

use super::growth::Growth;
use super::sums::Sums;

/// A row of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) kind: RowKind,
    /// The text of the label; empty for a size, and for anything unnamed.
    pub(crate) text: &'a str,
    /// The number of its ancestors.
    pub(crate) depth: u32,
    pub(crate) has_children: bool,
    /// Identifies the row in every tree, by its label and those above it.
    pub(crate) key: u64,
    /// The sums before and now. Without an older snapshot, the two are the same.
    pub(crate) sums: Sums,
    /// The size of its allocations, if all have the same one.
    pub(crate) size: Option<u64>,
    /// Whether it is a scope that includes deeper ones, which are not distinguished.
    pub(crate) is_cut: bool,
    /// In a comparison, the growth of the owner that grew most: the row itself or one below it.
    pub(crate) growth: Option<Growth>,
}

/// The group of the memory that is not tracked, which belongs to no thread.
pub(super) const UNTRACKED: &str = "untracked";

impl Row<'_> {
    /// Returns whether it has only memory that is not tracked.
    pub(crate) fn is_untracked(&self) -> bool {
        match self.kind {
            RowKind::Thread => self.text.is_empty(),
            RowKind::Group => self.text == UNTRACKED,
            _ => false,
        }
    }
}

/// The level of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    Thread,
    Group,
    Scope,
    Name,
    /// Allocations of this many bytes each.
    Size(u64),
}
