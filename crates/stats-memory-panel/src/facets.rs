//! What the filters of a snapshot can be set to: its threads and groups, with what they hold.

use std::collections::HashSet;

use super::filter::Filter;
use super::snapshot::MemorySnapshot;
use super::tree::{Levels, MemoryTree, Order};

/// Threads and groups of a snapshot, each with its bytes, the largest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facets {
    pub(super) threads: Vec<(String, u64)>,
    pub(super) groups: Vec<(String, u64)>,
    /// Whether sizes of single allocations are known.
    pub(super) has_sizes: bool,
    /// Whether anything is told apart at all: of an allocator that only counts there is one line.
    pub(super) has_detail: bool,
}

impl Facets {
    pub(super) fn of(snapshot: &MemorySnapshot) -> Self {
        let (threads, groups) = (
            largest_first(snapshot.threads()),
            largest_first(snapshot.groups()),
        );
        // One line for all of it, by which nobody can be told from anybody.
        let has_sizes = snapshot.is_per_allocation();
        let has_detail = snapshot.entries() > 1 || has_sizes || has_texts(snapshot);
        Self {
            threads,
            groups,
            has_sizes,
            has_detail,
        }
    }

    /// Whether the dump told the threads apart.
    pub(super) fn has_threads(&self) -> bool {
        self.threads.iter().any(|(name, _)| !name.is_empty())
    }
}

fn largest_first<'a>(names: impl Iterator<Item = (&'a str, u64)>) -> Vec<(String, u64)> {
    let mut names: Vec<(String, u64)> = names
        .map(|(name, bytes)| (name.to_owned(), bytes))
        .collect();
    names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    names
}

/// Whether anything has a scope or a name.
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
