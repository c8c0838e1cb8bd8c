//! The tree, and the list of its visible rows.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::build::{Built, build};
use super::filter::Filter;
use super::levels::Levels;
use super::merged::Merged;
use super::node::{Homes, Label, Node, TOTAL};
use super::order::Order;
use super::row::{Row, RowKind};
use super::sizes::Sizes;
use super::sort::sort;
use crate::snapshot::{Contents, MemorySnapshot};

/// The tree of one snapshot, or of two for a comparison.
#[derive(Debug)]
pub(crate) struct MemoryTree {
    merged: Merged,
    /// The number of steps from the older snapshot to the newer one, through those in between.
    steps: u8,
    /// The root comes first, and parents come before their children.
    nodes: Vec<Node>,
    /// The numbers of the nodes' children, grouped by parent.
    children: Vec<u32>,
    /// The node of each site, now and before.
    homes: [Homes; 2],
    /// The input for rows of sizes; `None` until the first such row is built.
    sizes: Option<Sizes>,
    /// A buffer: the remaining children of each open parent during a walk.
    walk: Vec<Range<usize>>,
}

impl Default for MemoryTree {
    fn default() -> Self {
        Self::new(
            &MemorySnapshot::default(),
            None,
            Levels::default(),
            &Filter::default(),
        )
    }
}

impl MemoryTree {
    /// Builds the tree of all entries that pass the filter. With `before`, it compares the two
    /// snapshots: sites with the same texts in both share a row.
    ///
    /// Takes about as long as iterating over all entries a few times.
    pub(crate) fn new(
        now: &MemorySnapshot,
        before: Option<&MemorySnapshot>,
        levels: Levels,
        filter: &Filter,
    ) -> Self {
        Self::with_between(now, before, &[], levels, filter)
    }

    /// Builds the same tree as [`new`](Self::new). With the snapshots `between` the two of a
    /// comparison, oldest first, it distinguishes steady growth from single allocations.
    pub(crate) fn with_between(
        now: &MemorySnapshot,
        before: Option<&MemorySnapshot>,
        between: &[Arc<MemorySnapshot>],
        levels: Levels,
        filter: &Filter,
    ) -> Self {
        let merged = Merged::new(now, before);
        let contents: Vec<&Contents> = between.iter().map(|other| &*other.contents).collect();
        let Built {
            nodes,
            children,
            homes,
        } = build(&merged, &contents, levels, filter);
        Self {
            merged,
            steps: between.len() as u8 + 1,
            nodes,
            children,
            homes,
            sizes: None,
            walk: Vec::new(),
        }
    }

    /// Returns the sum of all rows without a parent.
    pub(crate) fn total(&self) -> Row<'_> {
        self.row(TOTAL)
    }

    /// Returns the number of steps of the comparison: 1, plus 1 for each snapshot in between.
    pub(crate) fn steps(&self) -> u8 {
        self.steps
    }

    /// Replaces the contents of `rows` with the numbers of the visible rows, for
    /// [`row`](Self::row). A row is visible if all its ancestors are open.
    ///
    /// Rows that the order considers equal are sorted by label and then by their first appearance
    /// in the dump, both ascending in either direction. Only the children of open rows are sorted,
    /// and only if the order has changed.
    pub(crate) fn visible(&mut self, open: &HashSet<u64>, order: Order, rows: &mut Vec<u32>) {
        rows.clear();
        let mut walk = std::mem::take(&mut self.walk);
        walk.push(self.sort_children(TOTAL, order));
        while let Some(here) = walk.last_mut() {
            let Some(at) = here.next() else {
                walk.pop();
                continue;
            };
            let number = self.children[at];
            rows.push(number);
            let node = &self.nodes[number as usize];
            if node.has_children() && open.contains(&node.key) {
                walk.push(self.sort_children(number, order));
            }
        }
        self.walk = walk;
    }

    /// Returns a row by its number; the total for an unknown number.
    pub(crate) fn row(&self, number: u32) -> Row<'_> {
        let node = self
            .nodes
            .get(number as usize)
            .unwrap_or(&self.nodes[TOTAL as usize]);
        let (kind, text) = match node.label {
            Label::Total => (RowKind::Thread, ""),
            Label::Thread(name) => (RowKind::Thread, self.merged.text(name)),
            Label::Group(name) => (RowKind::Group, self.merged.text(name)),
            Label::Scope(name) => (RowKind::Scope, self.merged.text(name)),
            Label::Name(name) => (RowKind::Name, self.merged.text(name)),
            Label::Size(bytes) => (RowKind::Size(bytes), ""),
        };
        let size = if let RowKind::Size(bytes) = kind {
            Some(bytes)
        } else {
            node.size
        };
        Row {
            kind,
            text,
            depth: node.depth,
            has_children: node.has_children(),
            key: node.key,
            sums: node.sums,
            size,
            is_cut: node.is_cut,
            growth: node.growth,
        }
    }

    /// Returns the number of the row with this key; `None` if there is none.
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
        let at = self.nodes.iter().skip(1).position(|node| node.key == key)?;
        u32::try_from(at + 1).ok()
    }

    /// Returns the key of the row around a row; `None` if that is the total.
    pub(crate) fn parent_key(&self, number: u32) -> Option<u64> {
        let parent = self.nodes.get(number as usize)?.parent;
        (parent != TOTAL).then(|| self.nodes[parent as usize].key)
    }

    /// Returns the rows directly below a row, in no particular order, without rows of sizes that no
    /// open row has needed yet.
    pub(crate) fn built_children(&self, number: u32) -> &[u32] {
        let Some(node) = self.nodes.get(number as usize) else {
            return &[];
        };
        &self.children[node.children as usize..(node.children + node.child_count) as usize]
    }

    /// Returns the number of the group that a row is or belongs to; `None` if it is around several.
    pub(crate) fn group_of(&self, number: u32) -> Option<u32> {
        let mut at = number;
        while at != TOTAL {
            let node = self.nodes.get(at as usize)?;
            if matches!(node.label, Label::Group(_)) {
                return Some(at);
            }
            at = node.parent;
        }
        None
    }

    /// Returns the keys of the rows to open to show all rows except sizes; `None` if there are more
    /// than `max_rows` of these.
    pub(crate) fn keys_to_open(&self, max_rows: usize) -> Option<HashSet<u64>> {
        let (mut open, mut rows, mut at) = (HashSet::new(), 0, vec![TOTAL]);
        while let Some(number) = at.pop() {
            let Node {
                children,
                child_count,
                ..
            } = self.nodes[number as usize];
            rows += child_count as usize;
            if rows > max_rows {
                return None;
            }
            for &child in &self.children[children as usize..(children + child_count) as usize] {
                let Node {
                    label,
                    key,
                    child_count,
                    ..
                } = self.nodes[child as usize];
                // Below a name there are only sizes.
                if child_count > 0 && !matches!(label, Label::Name(_)) {
                    open.insert(key);
                    at.push(child);
                }
            }
        }
        Some(open)
    }

    /// Returns the range of a node's children, and builds its rows of sizes if they are missing.
    fn children_of(&mut self, number: u32) -> Range<usize> {
        if std::mem::take(&mut self.nodes[number as usize].lacks_sizes) {
            self.add_sizes(number);
        }
        let Node {
            children,
            child_count,
            ..
        } = self.nodes[number as usize];
        children as usize..(children + child_count) as usize
    }

    /// Builds the rows of sizes below a node, and moves its children to the end of the list.
    fn add_sizes(&mut self, number: u32) {
        let Self {
            merged,
            nodes,
            children,
            homes,
            sizes,
            ..
        } = self;
        let node = nodes[number as usize];
        let start = children.len() as u32;
        children.extend_from_within(
            node.children as usize..(node.children + node.child_count) as usize,
        );
        // The homes of sites are nodes that were built before any row of sizes.
        let sizes = sizes.get_or_insert_with(|| Sizes::new(merged, homes, nodes.len()));
        for (size, sums) in sizes.of(number, merged) {
            let sums = if merged.before.is_some() {
                sums
            } else {
                sums.unchanged()
            };
            children.push(nodes.len() as u32);
            let growth = node
                .growth
                .map(|growth| growth.of_size(sums.bytes, sums.bytes_before));
            nodes.push(Node {
                sums,
                growth,
                ..Node::below(&node, number, Label::Size(size), merged)
            });
        }
        let child_count = children.len() as u32 - start;
        nodes[number as usize] = Node {
            children: start,
            child_count,
            sorted: None,
            ..node
        };
    }

    /// Sorts the children of a node. Returns their range.
    fn sort_children(&mut self, number: u32, order: Order) -> Range<usize> {
        let range = self.children_of(number);
        let sorted = &mut self.nodes[number as usize].sorted;
        if *sorted != Some(order) {
            *sorted = Some(order);
            sort(
                &mut self.children[range.clone()],
                &self.nodes,
                &self.merged,
                order,
            );
        }
        range
    }
}
