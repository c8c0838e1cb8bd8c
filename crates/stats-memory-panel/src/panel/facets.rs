//! The threads and groups of a snapshot, which the filters list, and its budgets.

use std::collections::HashSet;

use stats_analysis::sort::sort_by;

use super::budget::GroupBudget;
use crate::snapshot::MemorySnapshot;
use crate::tree::{Filter, Levels, MemoryTree, Order};

/// The threads and groups of a snapshot with their bytes, the largest first, and the groups'
/// budgets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facets {
    pub(super) threads: Vec<(String, u64)>,
    pub(super) groups: Vec<(String, u64)>,
    pub(super) budgets: Vec<GroupBudget>,
    /// Whether the sizes of single allocations are known.
    pub(super) has_sizes: bool,
    /// Whether the dump distinguishes any owners. An allocator that only counts writes one sum
    /// without any text.
    pub(super) has_detail: bool,
}

impl Facets {
    pub(super) fn of(snapshot: &MemorySnapshot) -> Self {
        let (threads, groups) = (
            largest_first(snapshot.threads()),
            largest_first(snapshot.groups()),
        );
        let has_sizes = snapshot.is_per_allocation();
        let has_detail = snapshot.entries() > 1 || has_sizes || has_texts(snapshot);
        Self {
            threads,
            groups,
            budgets: GroupBudget::all(snapshot),
            has_sizes,
            has_detail,
        }
    }

    /// Returns whether the dump distinguishes threads.
    pub(super) fn has_threads(&self) -> bool {
        self.threads.iter().any(|(name, _)| !name.is_empty())
    }
}

fn largest_first<'a>(names: impl Iterator<Item = (&'a str, u64)>) -> Vec<(String, u64)> {
    let mut names: Vec<(String, u64)> = names
        .map(|(name, bytes)| (name.to_owned(), bytes))
        .collect();
    sort_by(&mut names, |a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    names
}

/// Returns whether any allocation has a scope or a name.
fn has_texts(snapshot: &MemorySnapshot) -> bool {
    let levels = Levels {
        threads: false,
        groups: false,
        scopes: true,
        names: true,
        sizes: false,
    };
    let mut tree = MemoryTree::new(snapshot, None, levels, &Filter::default());
    let mut rows = Vec::new();
    tree.visible(&HashSet::new(), Order::default(), &mut rows);
    rows.iter().any(|&row| !tree.row(row).text.is_empty())
}
