//! The tree of what is held: thread, group, scopes, name and size, with accumulated sizes and
//! counts.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ops::Range;

use super::build::{Built, Homes, build};
use super::filter::Filter;
use super::merged::Merged;
use super::node::{Label, Node, Sums, TOTAL};
use super::order::sort;
use super::own::OwnGrowth;
use super::sizes::Sizes;
use super::snapshot::MemorySnapshot;

/// Which levels the tree has: all by default. Always in this order; scopes stand one within the
/// other. What a level would tell apart adds up where it is left out, which a level without any
/// text is by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Levels {
    pub(crate) threads: bool,
    pub(crate) groups: bool,
    pub(crate) scopes: bool,
    pub(crate) names: bool,
    /// Allocations of one size each, below their name. One size alone has no row: the row above
    /// [has it](Row::size).
    pub(crate) sizes: bool,
}

impl Default for Levels {
    fn default() -> Self {
        Self {
            threads: true,
            groups: true,
            scopes: true,
            names: true,
            sizes: true,
        }
    }
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Thread,
    Group,
    Scope,
    Name,
    /// Allocations of this size, in bytes.
    Size(u64),
}

/// What became of something between two snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// As many bytes, in whatever number of allocations.
    Same,
    /// More bytes.
    Grown,
    /// Fewer bytes.
    Shrunk,
    /// There is something, and was nothing.
    New,
    /// There was something, and is nothing.
    Gone,
}

/// A row of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) kind: Kind,
    /// Empty for a size, and for the name of what has none.
    pub(crate) text: &'a str,
    /// How many rows it stands below.
    pub(crate) depth: u32,
    pub(crate) has_children: bool,
    /// Identifies the row by what it and those above it are, from one tree to the next.
    pub(crate) key: u64,
    pub(crate) bytes: u64,
    pub(crate) count: u64,
    /// Of allocations that all have one size, it: of a row of that size, and of one that would have
    /// such a row alone below it.
    pub(crate) size: Option<u64>,
    /// Whether it is the deepest scope that is told apart, and has what lies deeper, too.
    pub(crate) is_cut: bool,
    /// In the snapshot that is compared with; the same as now where none is.
    pub(crate) bytes_before: u64,
    pub(crate) count_before: u64,
}

/// What the rows of one parent are sorted by. A change is what there is now less what was before,
/// so the largest growth is first where it is descending. Labels are in the order people expect:
/// numbers by their value, letters whatever their case; sizes come after texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SortBy {
    Label,
    Bytes,
    Count,
    BytesChange,
    CountChange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) by: SortBy,
    pub(crate) descending: bool,
}

/// The tree of one snapshot, or of what changed between two.
#[derive(Debug)]
pub(crate) struct MemoryTree {
    merged: Merged,
    /// The first is the total; parents come before their children.
    nodes: Vec<Node>,
    /// The children of the nodes, one parent's behind the other's.
    children: Vec<u32>,
    /// For each site, now and before, the node that it belongs to.
    homes: [Homes; 2],
    /// What rows of sizes are made from, once one is.
    sizes: Option<Sizes>,
    /// Where the search for visible rows is: what remains of each open parent.
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
    /// The tree of what passes the filter; with `before`, of both.
    ///
    /// What is the same in both, by its texts, is one row. Takes about as long as going through all
    /// entries a few times.
    pub(crate) fn new(
        now: &MemorySnapshot,
        before: Option<&MemorySnapshot>,
        levels: Levels,
        filter: &Filter,
    ) -> Self {
        let merged = Merged::new(now, before);
        let Built {
            nodes,
            children,
            homes,
        } = build(&merged, levels, filter);
        Self {
            merged,
            nodes,
            children,
            homes,
            sizes: None,
            walk: Vec::new(),
        }
    }

    /// The sum of all rows without a parent.
    pub(crate) fn total(&self) -> Row<'_> {
        self.row(TOTAL)
    }

    /// Puts the rows that are seen into `rows`, as numbers for [`row`](Self::row): those without a
    /// parent, and those whose parents are all open.
    ///
    /// What was in `rows` goes. Rows that are equal in the order are sorted by their labels, and
    /// else as the dump has them first, whichever way the order goes. Only children of what is open
    /// are sorted, and only where they are not in this order already.
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

    /// A row by its number; the total for a number that was not given.
    pub(crate) fn row(&self, number: u32) -> Row<'_> {
        let node = self
            .nodes
            .get(number as usize)
            .unwrap_or(&self.nodes[TOTAL as usize]);
        let (kind, text) = match node.label {
            Label::Total => (Kind::Thread, ""),
            Label::Thread(name) => (Kind::Thread, self.merged.text(name)),
            Label::Group(name) => (Kind::Group, self.merged.text(name)),
            Label::Scope(name) => (Kind::Scope, self.merged.text(name)),
            Label::Name(name) => (Kind::Name, self.merged.text(name)),
            Label::Size(bytes) => (Kind::Size(bytes), ""),
        };
        let Sums {
            bytes,
            count,
            bytes_before,
            count_before,
        } = node.sums;
        let size = if let Kind::Size(bytes) = kind {
            Some(bytes)
        } else {
            node.size
        };
        let (depth, has_children, key, is_cut) =
            (node.depth, node.has_children(), node.key, node.is_cut);
        Row {
            kind,
            text,
            depth,
            has_children,
            key,
            bytes,
            count,
            size,
            is_cut,
            bytes_before,
            count_before,
        }
    }

    /// What is to be open for all rows but those of sizes to be seen; `None` where they are more
    /// than `most`.
    pub(super) fn ways(&self, most: usize) -> Option<HashSet<u64>> {
        let (mut open, mut rows, mut at) = (HashSet::new(), 0, vec![TOTAL]);
        while let Some(number) = at.pop() {
            let Node {
                children,
                child_count,
                ..
            } = self.nodes[number as usize];
            rows += child_count as usize;
            if rows > most {
                return None;
            }
            for &child in &self.children[children as usize..(children + child_count) as usize] {
                let Node {
                    label,
                    key,
                    child_count,
                    ..
                } = self.nodes[child as usize];
                // Below a name there are sizes alone.
                if child_count > 0 && !matches!(label, Label::Name(_)) {
                    open.insert(key);
                    at.push(child);
                }
            }
        }
        Some(open)
    }

    /// By how much the rows grew for reasons that are not the program's.
    pub(super) fn own_growth(&self) -> OwnGrowth {
        OwnGrowth::of(&self.nodes, &self.merged)
    }

    /// How many rows were made, and the total.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Where the children of a node are, once all are made.
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

    /// Makes the rows of sizes below a node, and lists them with its other children at the end of
    /// all.
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
        // Sites belong to nodes that were made before all rows of sizes.
        let sizes = sizes.get_or_insert_with(|| Sizes::new(merged, homes, nodes.len()));
        for (size, sums) in sizes.of(number, merged) {
            let sums = if merged.before.is_some() {
                sums
            } else {
                sums.unchanged()
            };
            children.push(nodes.len() as u32);
            nodes.push(Node {
                sums,
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

    /// Sorts the children of a node, and says where they are.
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

impl Row<'_> {
    /// What became of it.
    pub(crate) fn change(&self) -> Change {
        let Row {
            bytes,
            count,
            bytes_before,
            count_before,
            ..
        } = *self;
        change(&Sums {
            bytes,
            count,
            bytes_before,
            count_before,
        })
    }
}

/// What became of something that adds up to this.
pub(super) fn change(sums: &Sums) -> Change {
    let is_now = (sums.bytes, sums.count) != (0, 0);
    let was_before = (sums.bytes_before, sums.count_before) != (0, 0);
    match (is_now, was_before, sums.bytes.cmp(&sums.bytes_before)) {
        (true, false, _) => Change::New,
        (false, true, _) => Change::Gone,
        (.., Ordering::Greater) => Change::Grown,
        (.., Ordering::Less) => Change::Shrunk,
        (.., Ordering::Equal) => Change::Same,
    }
}
