//! The tree of a listing: nodes in the order they are shown, and the rows that are visible of them.
//!
//! A node is one segment below its parent; it can carry a series, children, or both. Nodes stand in pre-order, so a
//! subtree is a run of nodes and of entries, and a closed folder is skipped in one step.

use std::collections::HashMap;
use std::ops::Range;

use stats_core::Kind;

use crate::listing::Listing;

/// The parent of a node at the top.
const NO_PARENT: u32 = u32::MAX;

/// A folder of at most so many series is open until someone closes it.
const OPEN_UP_TO: u32 = 24;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The segments above it.
    pub(crate) depth: u32,
    /// The node after its last descendant.
    pub(crate) end: u32,
    /// Its own series.
    pub(crate) entry: Option<u32>,
    parent: u32,
    /// The first entry at or below it; its path begins with this node's path.
    first_entry: u32,
    end_entry: u32,
    label_start: u32,
    path_end: u32,
    /// Series below it, calls of timers not counted.
    below: u32,
}

/// All nodes of a listing.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    node_of_entry: Vec<u32>,
}

/// One visible line of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// The frame time, before everything else.
    FrameTime,
    /// A ticked path that no series has yet, by its place among the ticked ones.
    Missing(u32),
    /// A node at its place.
    Node(u32),
    /// A line over search results that are only like what was asked for.
    SimilarHeading,
    /// A series with its whole path.
    Similar(u32),
}

impl Tree {
    pub(crate) fn build(listing: &Listing) -> Self {
        let mut tree = Self::default();
        let mut open: Vec<u32> = Vec::new();
        let mut previous = "";
        for at in 0..listing.len() {
            let path = listing.path(at);
            let shared = if at == 0 { 0 } else { shared_segments(previous, path) };
            // A path listed twice (a counter named like the calls of a timer) still needs a row of its own.
            let shared = shared.min(path.split('/').count() - 1);
            while open.len() > shared {
                tree.close(&mut open, at);
            }
            tree.open_segments(path, at, &mut open);
            tree.count(listing, at, &open);
            previous = path;
        }
        while !open.is_empty() {
            tree.close(&mut open, listing.len());
        }
        tree
    }

    pub(crate) fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    pub(crate) fn node_of_entry(&self, entry: u32) -> u32 {
        self.node_of_entry[entry as usize]
    }

    /// The last segment of a node's path.
    pub(crate) fn label<'a>(&self, listing: &'a Listing, at: u32) -> &'a str {
        let node = self.node(at);
        &listing.path(node.first_entry as usize)[node.label_start as usize..node.path_end as usize]
    }

    /// The whole path of a node.
    pub(crate) fn path<'a>(&self, listing: &'a Listing, at: u32) -> &'a str {
        let node = self.node(at);
        &listing.path(node.first_entry as usize)[..node.path_end as usize]
    }

    /// The rows to show when nothing is searched for.
    pub(crate) fn browse_rows(&self, open: &[bool], rows: &mut Vec<Row>) {
        let mut at = 0;
        while at < self.nodes.len() {
            rows.push(Row::Node(at as u32));
            let node = &self.nodes[at];
            at = if open[at] { at + 1 } else { node.end as usize };
        }
    }

    /// The rows to show of some entries (ascending): each with the folders above it, all open but the `closed` ones.
    pub(crate) fn search_rows(&self, entries: &[u32], closed: &dyn Fn(u32) -> bool, rows: &mut Vec<Row>) {
        rows.reserve(entries.len());
        let mut above: Vec<u32> = Vec::new();
        let mut chain: Vec<u32> = Vec::new();
        let mut skip_until = 0;
        for &entry in entries {
            let node = self.node_of_entry(entry);
            if node < skip_until {
                continue;
            }
            while above.last().is_some_and(|&top| self.node(top).end <= node) {
                above.pop();
            }
            let shown = above.last().copied();
            chain.clear();
            let mut at = node;
            while at != NO_PARENT && Some(at) != shown {
                chain.push(at);
                at = self.node(at).parent;
            }
            for &at in chain.iter().rev() {
                rows.push(Row::Node(at));
                above.push(at);
                if self.node(at).has_children(at) && closed(at) {
                    skip_until = self.node(at).end;
                    break;
                }
            }
        }
    }

    /// Which folders are open: as the user left them, small ones open otherwise.
    pub(crate) fn open_folders(&self, listing: &Listing, folds: &HashMap<String, bool>) -> Vec<bool> {
        let is_open = |(at, node): (usize, &Node)| {
            let chosen = if folds.is_empty() { None } else { folds.get(self.path(listing, at as u32)) };
            chosen.copied().unwrap_or(node.below <= OPEN_UP_TO && node.below > 0)
        };
        self.nodes.iter().enumerate().map(is_open).collect()
    }

    /// Opens a node for each segment of `path` beyond those that are open already.
    fn open_segments(&mut self, path: &str, entry: usize, open: &mut Vec<u32>) {
        let mut start = 0;
        for (depth, segment) in path.split('/').enumerate() {
            let end = start + segment.len();
            if depth >= open.len() {
                let parent = open.last().copied().unwrap_or(NO_PARENT);
                open.push(self.nodes.len() as u32);
                self.nodes.push(Node {
                    depth: depth as u32,
                    end: 0,
                    entry: None,
                    parent,
                    first_entry: entry as u32,
                    end_entry: 0,
                    label_start: start as u32,
                    path_end: end as u32,
                    below: 0,
                });
            }
            start = end + 1;
        }
        if let Some(&last) = open.last() {
            self.nodes[last as usize].entry = Some(entry as u32);
            self.node_of_entry.push(last);
        }
    }

    fn count(&mut self, listing: &Listing, entry: usize, open: &[u32]) {
        if listing.entry(entry).kind == Kind::TimerCalls {
            return;
        }
        for &folder in &open[..open.len() - 1] {
            self.nodes[folder as usize].below += 1;
        }
    }

    fn close(&mut self, open: &mut Vec<u32>, next_entry: usize) {
        if let Some(at) = open.pop() {
            let end = self.nodes.len() as u32;
            let node = &mut self.nodes[at as usize];
            node.end = end;
            node.end_entry = next_entry as u32;
        }
    }
}

impl Node {
    /// Whether there is anything below the node that stands at `at`.
    pub(crate) fn has_children(&self, at: u32) -> bool {
        self.end > at + 1
    }

    /// How many series there are below it, calls of timers not counted.
    pub(crate) fn series_below(&self) -> u32 {
        self.below
    }

    /// The entries at and below it.
    pub(crate) fn entries(&self) -> Range<u32> {
        self.first_entry..self.end_entry
    }
}

/// How many leading segments two paths have in common.
fn shared_segments(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::tests::listing_of;
    use crate::testing::Random;

    fn shown(tree: &Tree, listing: &Listing, rows: &[Row]) -> Vec<String> {
        rows.iter()
            .map(|row| match *row {
                Row::Node(at) => format!("{}{}", " ".repeat(tree.node(at).depth as usize), tree.label(listing, at)),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn a_path_can_be_both_a_series_and_a_folder() {
        let listing = listing_of(&["a/b", "a", "a/c/d"]);
        let tree = Tree::build(&listing);
        let mut rows = Vec::new();
        tree.browse_rows(&[true; 4], &mut rows);
        assert_eq!(shown(&tree, &listing, &rows), ["a", " b", " c", "  d"]);
        assert!(tree.node(0).entry.is_some() && tree.node(0).has_children(0));
        assert_eq!(tree.node(0).series_below(), 2);
        assert_eq!(tree.node(0).entries(), 0..3);
        assert!(tree.node(2).entry.is_none());
    }

    #[test]
    fn closed_folders_hide_what_is_in_them() {
        let listing = listing_of(&["a/b/c", "a/d", "e"]);
        let tree = Tree::build(&listing);
        let mut rows = Vec::new();
        let open = tree.open_folders(&listing, &HashMap::from([("a".to_owned(), false)]));
        tree.browse_rows(&open, &mut rows);
        assert_eq!(shown(&tree, &listing, &rows), ["a", "e"]);
    }

    #[test]
    fn search_rows_show_each_folder_once() {
        let listing = listing_of(&["a/b/c", "a/b/d", "a/e", "f/c"]);
        let tree = Tree::build(&listing);
        let mut rows = Vec::new();
        tree.search_rows(&[0, 1, 3], &|_| false, &mut rows);
        assert_eq!(shown(&tree, &listing, &rows), ["a", " b", "  c", "  d", "f", " c"]);
        rows.clear();
        tree.search_rows(&[0, 1, 3], &|node| tree.path(&listing, node) == "a/b", &mut rows);
        assert_eq!(shown(&tree, &listing, &rows), ["a", " b", "f", " c"]);
    }

    #[test]
    fn a_tree_holds_what_its_paths_say() {
        let mut random = Random::new(5);
        for _ in 0..60 {
            let mut owned: Vec<String> = (0..random.below(120)).map(|_| random.path()).collect();
            owned.sort();
            owned.dedup();
            let listing = listing_of(&owned.iter().map(String::as_str).collect::<Vec<_>>());
            let tree = Tree::build(&listing);
            let mut rows = Vec::new();
            tree.browse_rows(&vec![true; tree.nodes.len()], &mut rows);
            let mut wanted: Vec<String> = owned
                .iter()
                .flat_map(|path| path.match_indices('/').map(|(at, _)| path[..at].to_owned()).chain([path.clone()]))
                .collect();
            wanted.sort();
            wanted.dedup();
            let mut paths: Vec<String> = Vec::new();
            for row in &rows {
                let Row::Node(at) = *row else { continue };
                let path = tree.path(&listing, at);
                paths.push(path.to_owned());
                let inside = owned.iter().filter(|other| other.starts_with(&format!("{path}/"))).count();
                assert_eq!(tree.node(at).series_below() as usize, inside, "{path}");
                assert_eq!(tree.node(at).entry.is_some(), owned.iter().any(|other| other == path), "{path}");
            }
            paths.sort();
            assert_eq!(paths, wanted);
            let all: Vec<u32> = (0..listing.len() as u32).collect();
            let mut searched = Vec::new();
            tree.search_rows(&all, &|_| false, &mut searched);
            assert_eq!(searched, rows, "a search that finds everything looks like browsing");
        }
    }

    #[test]
    fn a_thousand_segments_are_a_thousand_rows() {
        let path = vec!["x"; 1000].join("/");
        let listing = listing_of(&[&path]);
        let tree = Tree::build(&listing);
        let mut rows = Vec::new();
        tree.browse_rows(&vec![true; 1000], &mut rows);
        assert_eq!(rows.len(), 1000);
    }
}
