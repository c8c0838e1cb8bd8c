//! The tree of a listing: one node per path segment, and the rows that are visible.
//!
//! A node can have a series, children, or both. Nodes keep their indices when others are added, so
//! adding a series takes time proportional to its depth. Children are in listing order.

use std::collections::HashMap;

use crate::data::listing::Listing;
use crate::tree::rows::Row;
use stats_ui::sort_key::compare_segments;

/// The parent of a top-level node.
const NO_PARENT: u32 = u32::MAX;

/// Folders of at most this many series are open until the user closes them.
const OPEN_UP_TO: u32 = 24;

#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The number of segments above it.
    pub(super) depth: u32,
    /// Its own series.
    pub(crate) entry: Option<u32>,
    parent: u32,
    children: Vec<u32>,
    /// An entry at or below it, whose path starts with this node's path.
    some_entry: u32,
    label_start: u32,
    path_end: u32,
    /// The number of series below it, without the calls of timers.
    below: u32,
    /// Whether the user opened or closed it; `None` if neither.
    fold: Option<bool>,
}

/// Folders that the user opened or closed, by path.
pub(super) type Folds = HashMap<String, bool>;

/// All nodes of a listing.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    top: Vec<u32>,
    node_of_entry: Vec<u32>,
}

impl Tree {
    pub(super) fn build(listing: &Listing, folds: &Folds) -> Self {
        let mut tree = Self {
            node_of_entry: vec![NO_PARENT; listing.len()],
            ..Self::default()
        };
        let mut open: Vec<u32> = Vec::new();
        let mut previous = "";
        for (at, &entry) in listing.order().iter().enumerate() {
            let path = listing.path(entry);
            let shared = if at == 0 {
                0
            } else {
                shared_segments(previous, path)
            };
            // A path that is listed twice (a counter named like the calls of a timer) still needs
            // its own row.
            open.truncate(shared.min(path.split('/').count() - 1));
            let mut start = 0;
            for (depth, segment) in path.split('/').enumerate() {
                let end = start + segment.len();
                if depth >= open.len() {
                    let parent = open.last().copied().unwrap_or(NO_PARENT);
                    let last = tree.children(parent).len();
                    open.push(tree.add_node(listing, folds, parent, last, (entry, start, end)));
                }
                start = end + 1;
            }
            if let Some(&node) = open.last() {
                tree.settle(listing, entry, node);
            }
            previous = path;
        }
        tree
    }

    /// Adds the node of a new entry and its missing folders.
    pub(super) fn insert(&mut self, listing: &Listing, folds: &Folds, entry: u32) {
        let path = listing.path(entry);
        let (mut node, mut start) = (NO_PARENT, 0);
        for segment in path.split('/') {
            let end = start + segment.len();
            let place = self.children(node).partition_point(|&child| {
                compare_segments(self.label(listing, child), segment).is_le()
            });
            // Among nodes that compare equal (almost always one), the node with this path.
            let is_it = |&&child: &&u32| self.label(listing, child) == segment;
            node = match self.children(node)[..place]
                .iter()
                .rev()
                .take(16)
                .find(is_it)
            {
                Some(&child) => child,
                None => self.add_node(listing, folds, node, place, (entry, start, end)),
            };
            start = end + 1;
        }
        self.settle(listing, entry, node);
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    pub(super) fn node_of_entry(&self, entry: u32) -> u32 {
        self.node_of_entry[entry as usize]
    }

    /// The last segment of a node's path.
    pub(super) fn label<'a>(&self, listing: &'a Listing, at: u32) -> &'a str {
        let node = self.node(at);
        &listing.path(node.some_entry)[node.label_start as usize..node.path_end as usize]
    }

    /// The whole path of a node.
    pub(crate) fn path<'a>(&self, listing: &'a Listing, at: u32) -> &'a str {
        let node = self.node(at);
        &listing.path(node.some_entry)[..node.path_end as usize]
    }

    /// Whether a folder is open: as the user left it, or else whether it is small.
    pub(super) fn is_open(&self, at: u32) -> bool {
        let node = self.node(at);
        node.fold.unwrap_or((1..=OPEN_UP_TO).contains(&node.below))
    }

    pub(super) fn set_open(&mut self, at: u32, open: bool) {
        self.nodes[at as usize].fold = Some(open);
    }

    /// A node and all nodes below it, in order.
    pub(super) fn at_and_below(&self, at: u32) -> impl Iterator<Item = u32> {
        let mut next = vec![at];
        std::iter::from_fn(move || {
            let at = next.pop()?;
            next.extend(self.children(at).iter().rev());
            Some(at)
        })
    }

    /// The folders that contain an entry, innermost first.
    pub(super) fn folders_of(&self, entry: u32) -> impl Iterator<Item = u32> {
        let above = |&at: &u32| Some(self.node(at).parent).filter(|&parent| parent != NO_PARENT);
        std::iter::successors(Some(self.node_of_entry(entry)), above).skip(1)
    }

    /// The rows to show without a search.
    pub(super) fn browse_rows(&self, rows: &mut Vec<Row>) {
        let mut next: Vec<u32> = self.top.iter().rev().copied().collect();
        while let Some(at) = next.pop() {
            rows.push(Row::Node(at));
            if self.is_open(at) {
                next.extend(self.children(at).iter().rev());
            }
        }
    }

    /// The rows to show for some entries, given in listing order: each entry with its folders,
    /// which are open unless they are in `closed`.
    pub(super) fn search_rows(
        &self,
        entries: &[u32],
        closed: &dyn Fn(u32) -> bool,
        rows: &mut Vec<Row>,
    ) {
        rows.reserve(entries.len());
        // The path of folders to the last row, and whether each is closed.
        let (mut shown, mut is_closed): (Vec<u32>, bool) = (Vec::new(), false);
        let mut chain: Vec<u32> = Vec::new();
        for &entry in entries {
            chain.clear();
            let mut at = self.node_of_entry(entry);
            while at != NO_PARENT && shown.get(self.node(at).depth as usize) != Some(&at) {
                chain.push(at);
                at = self.node(at).parent;
            }
            let common = if at == NO_PARENT {
                0
            } else {
                self.node(at).depth as usize + 1
            };
            if is_closed && common == shown.len() {
                continue;
            }
            shown.truncate(common);
            is_closed = false;
            for &at in chain.iter().rev() {
                rows.push(Row::Node(at));
                shown.push(at);
                if self.node(at).has_children() && closed(at) {
                    is_closed = true;
                    break;
                }
            }
        }
    }

    /// Counts the given entries below each node.
    pub(super) fn count_below(&self, entries: &[u32], counts: &mut Vec<u32>) {
        counts.clear();
        counts.resize(self.nodes.len(), 0);
        // Neighbors usually share a folder, so their way up is walked once.
        let mut add = |parent: u32, count: u32| {
            let mut at = parent;
            while at != NO_PARENT {
                counts[at as usize] += count;
                at = self.node(at).parent;
            }
        };
        let (mut parent, mut run) = (NO_PARENT, 0);
        for &entry in entries {
            let its = self.node(self.node_of_entry(entry)).parent;
            if its != parent {
                add(parent, std::mem::take(&mut run));
                parent = its;
            }
            run += 1;
        }
        add(parent, run);
    }

    fn children(&self, at: u32) -> &[u32] {
        self.nodes
            .get(at as usize)
            .map_or(&self.top, |node| &node.children)
    }

    /// Adds a node for a prefix of an entry's path, as the child at index `place`.
    fn add_node(
        &mut self,
        listing: &Listing,
        folds: &Folds,
        parent: u32,
        place: usize,
        part: (u32, usize, usize),
    ) -> u32 {
        let (some_entry, start, end) = part;
        let at = self.nodes.len() as u32;
        let depth = self
            .nodes
            .get(parent as usize)
            .map_or(0, |node| node.depth + 1);
        let fold = if folds.is_empty() {
            None
        } else {
            folds.get(&listing.path(some_entry)[..end]).copied()
        };
        let (label_start, path_end) = (start as u32, end as u32);
        self.nodes.push(Node {
            depth,
            entry: None,
            parent,
            children: Vec::new(),
            some_entry,
            label_start,
            path_end,
            below: 0,
            fold,
        });
        match self.nodes.get_mut(parent as usize) {
            Some(node) => node.children.insert(place, at),
            None => self.top.insert(place, at),
        }
        at
    }

    /// Assigns an entry to its node.
    fn settle(&mut self, listing: &Listing, entry: u32, node: u32) {
        self.nodes[node as usize].entry = Some(entry);
        if self.node_of_entry.len() <= entry as usize {
            self.node_of_entry.resize(entry as usize + 1, NO_PARENT);
        }
        self.node_of_entry[entry as usize] = node;
        if listing.entry(entry).kind.is_recording_count() {
            return;
        }
        let mut at = self.node(node).parent;
        while at != NO_PARENT {
            self.nodes[at as usize].below += 1;
            at = self.node(at).parent;
        }
    }
}

impl Node {
    /// Whether it has children.
    pub(super) fn has_children(&self) -> bool {
        !self.children.is_empty()
    }

    /// The number of series below it, without the calls of timers.
    pub(super) fn series_below(&self) -> u32 {
        self.below
    }
}

/// The number of leading segments that two paths share.
fn shared_segments(a: &str, b: &str) -> usize {
    a.split('/')
        .zip(b.split('/'))
        .take_while(|(a, b)| a == b)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::listing::tests::listing_of;
    use stats_testing::Random;

    fn shown(tree: &Tree, listing: &Listing, rows: &[Row]) -> Vec<String> {
        rows.iter()
            .map(|row| match *row {
                Row::Node(at) => format!(
                    "{}{}",
                    " ".repeat(tree.node(at).depth as usize),
                    tree.label(listing, at)
                ),
                other => format!("{other:?}"),
            })
            .collect()
    }

    /// The rows with every folder open.
    fn all_rows(tree: &mut Tree) -> Vec<Row> {
        (0..tree.len() as u32).for_each(|node| tree.set_open(node, true));
        let mut rows = Vec::new();
        tree.browse_rows(&mut rows);
        rows
    }

    #[test]
    fn a_path_can_be_both_a_series_and_a_folder() {
        let listing = listing_of(&["a/b", "a", "a/c/d"]);
        let mut tree = Tree::build(&listing, &Folds::new());
        let rows = all_rows(&mut tree);
        assert_eq!(shown(&tree, &listing, &rows), ["a", " b", " c", "  d"]);
        assert!(tree.node(0).entry.is_some() && tree.node(0).has_children());
        assert_eq!(tree.node(0).series_below(), 2);
        assert_eq!(tree.at_and_below(0).count(), 4);
        assert!(tree.node(2).entry.is_none());
    }

    #[test]
    fn closed_folders_hide_their_contents() {
        let listing = listing_of(&["a/b/c", "a/d", "e"]);
        let tree = Tree::build(&listing, &HashMap::from([("a".to_owned(), false)]));
        let mut rows = Vec::new();
        tree.browse_rows(&mut rows);
        assert_eq!(shown(&tree, &listing, &rows), ["a", "e"]);
    }

    #[test]
    fn search_rows_show_each_folder_once() {
        let listing = listing_of(&["a/b/c", "a/b/d", "a/e", "f/c"]);
        let tree = Tree::build(&listing, &Folds::new());
        let mut rows = Vec::new();
        tree.search_rows(&[0, 1, 3], &|_| false, &mut rows);
        assert_eq!(
            shown(&tree, &listing, &rows),
            ["a", " b", "  c", "  d", "f", " c"]
        );
        rows.clear();
        tree.search_rows(
            &[0, 1, 3],
            &|node| tree.path(&listing, node) == "a/b",
            &mut rows,
        );
        assert_eq!(shown(&tree, &listing, &rows), ["a", " b", "f", " c"]);
        let mut counts = Vec::new();
        tree.count_below(&[0, 1, 3], &mut counts);
        assert_eq!(counts[..2], [2, 2]);
    }

    #[test]
    fn a_tree_contains_exactly_its_paths() {
        let mut random = Random::new(5);
        for _ in 0..60 {
            let mut owned: Vec<String> = (0..random.below(120)).map(|_| random.path()).collect();
            owned.sort();
            owned.dedup();
            let listing = listing_of(&owned.iter().map(String::as_str).collect::<Vec<_>>());
            let mut tree = Tree::build(&listing, &Folds::new());
            let rows = all_rows(&mut tree);
            let mut wanted: Vec<String> = owned
                .iter()
                .flat_map(|path| {
                    path.match_indices('/')
                        .map(|(at, _)| path[..at].to_owned())
                        .chain([path.clone()])
                })
                .collect();
            wanted.sort();
            wanted.dedup();
            let mut counts = Vec::new();
            tree.count_below(listing.order(), &mut counts);
            let mut paths: Vec<String> = Vec::new();
            for row in &rows {
                let Row::Node(at) = *row else { continue };
                let path = tree.path(&listing, at);
                paths.push(path.to_owned());
                let inside = owned
                    .iter()
                    .filter(|other| other.starts_with(&format!("{path}/")))
                    .count();
                assert_eq!(tree.node(at).series_below() as usize, inside, "{path}");
                assert_eq!(counts[at as usize] as usize, inside, "{path}");
                assert_eq!(
                    tree.node(at).entry.is_some(),
                    owned.iter().any(|other| other == path),
                    "{path}"
                );
            }
            paths.sort();
            assert_eq!(paths, wanted);
            let mut searched = Vec::new();
            tree.search_rows(listing.order(), &|_| false, &mut searched);
            assert_eq!(
                searched, rows,
                "a search that matches everything looks like browsing"
            );
        }
    }

    #[test]
    fn a_thousand_segments_are_a_thousand_rows() {
        let path = vec!["x"; 1000].join("/");
        let mut tree = Tree::build(&listing_of(&[&path]), &Folds::new());
        assert_eq!(all_rows(&mut tree).len(), 1000);
    }
}
