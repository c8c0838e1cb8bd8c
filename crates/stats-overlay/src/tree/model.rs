//! The tree of a listing: one node per path segment.
//!
//! A node can have a series, children, or both. Nodes keep their indices when others are added, and
//! adding a series takes time proportional to its depth: an index finds the child of a node by its
//! label. Children are sorted when their folder is first shown, because few folders are ever shown.
//!
//! A node takes 32 bytes, and 10 to 20 in the index. Children are a list of nodes that each name the
//! next one. A long list that was sorted takes 4 bytes more for each child.

use std::collections::HashMap;

use stats_core::SeriesKind;

use crate::data::allowance::Allowance;
use crate::data::listing::Listing;
use crate::tree::node_index::NodeIndex;
use crate::tree::nodes::{Children, NO_NODE, Node, Nodes};
use crate::tree::sorter::Sorter;
use stats_ui::sort_key::compare_segments;

/// The parent of a top-level node.
pub(super) const NO_PARENT: u32 = u32::MAX;

/// In a tree of at most this many series, all folders are open until the user closes them. A larger
/// tree is folded to its first level.
const OPEN_UP_TO: u32 = 24;

/// If a node has more than this many sorted children, a new child is inserted among them;
/// otherwise, all children are sorted again.
const FEW_CHILDREN: usize = 16;

/// Folders that the user opened or closed, by path.
pub(super) type Folds = HashMap<String, bool>;

/// All nodes of a listing.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Nodes,
    top: Children,
    node_of_entry: Vec<u32>,
    index: NodeIndex,
    /// The number of series, without calls, samples and self times.
    series: u32,
    /// The children of each folder with many of them that was sorted, in order.
    sorted: HashMap<u32, Vec<u32>>,
    /// The folder that is being sorted, and its children.
    sorting: Option<(u32, Vec<u32>, Sorter)>,
}

impl Tree {
    /// Makes room for the entries of a long listing.
    pub(super) fn reserve(&mut self, entries: usize) {
        let missing = entries.saturating_sub(self.node_of_entry.len());
        self.node_of_entry.reserve(missing);
    }

    /// Adds the next entry of the listing, with its missing folders. Returns whether an earlier
    /// entry was renamed for it.
    ///
    /// If calls or samples have the path of another series, they get another path.
    pub(super) fn insert_next(&mut self, listing: &mut Listing, folds: &Folds) -> bool {
        let entry = self.node_of_entry.len() as u32;
        let node = self.node_at(listing, folds, entry);
        match self.node(node).entry() {
            None => self.assign(listing, entry, node),
            Some(_) if listing.may_be_renamed(entry) => {
                listing.rename(entry);
                self.assign_renamed(listing, folds, entry);
            }
            Some(calls) if listing.may_be_renamed(calls) => {
                self.assign(listing, entry, node);
                listing.rename(calls);
                self.assign_renamed(listing, folds, calls);
                return true;
            }
            Some(_) => {
                let node = self.add_twin(listing, node, entry);
                self.assign(listing, entry, node);
            }
        }
        false
    }

    /// Assigns a renamed entry to its node.
    fn assign_renamed(&mut self, listing: &Listing, folds: &Folds, entry: u32) {
        let mut node = self.node_at(listing, folds, entry);
        if self.node(node).entry().is_some() {
            node = self.add_twin(listing, node, entry);
        }
        self.assign(listing, entry, node);
    }

    /// Frees some of the nodes. Returns `false` if all are freed. After the first call, the tree must
    /// not be used for anything else.
    pub(super) fn free_part(&mut self) -> bool {
        self.nodes.free_part() || self.index.free_part()
    }

    pub(super) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of entries of the listing that have a node.
    pub(super) fn entry_count(&self) -> usize {
        self.node_of_entry.len()
    }

    pub(super) fn node(&self, at: u32) -> &Node {
        self.nodes.at(at)
    }

    pub(super) fn node_of_entry(&self, entry: u32) -> u32 {
        self.node_of_entry[entry as usize]
    }

    /// Returns the node of a path.
    pub(super) fn find(&self, listing: &Listing, path: &str) -> Option<u32> {
        path.split('/').try_fold(NO_PARENT, |parent, segment| {
            self.child(listing, parent, segment)
        })
    }

    pub(super) fn find_entry(&self, listing: &Listing, path: &str) -> Option<u32> {
        self.node(self.find(listing, path)?).entry()
    }

    /// Returns the last segment of a node's path.
    pub(super) fn label<'a>(&self, listing: &'a Listing, at: u32) -> &'a str {
        let path = self.path(listing, at);
        let parent = self.nodes.get(self.node(at).parent);
        &path[parent.map_or(0, |parent| parent.path_end as usize + 1)..]
    }

    /// Returns the whole path of a node.
    pub(super) fn path<'a>(&self, listing: &'a Listing, at: u32) -> &'a str {
        let node = self.node(at);
        &listing.path(node.some_entry)[..node.path_end as usize]
    }

    /// Returns whether a folder is open. If the user neither opened nor closed it, it is open in a
    /// small tree.
    pub(super) fn is_open(&self, at: u32) -> bool {
        let node = self.node(at);
        node.fold
            .unwrap_or(node.below > 0 && self.series <= OPEN_UP_TO)
    }

    pub(super) fn set_open(&mut self, at: u32, open: bool) {
        self.nodes.at_mut(at).fold = Some(open);
    }

    /// Returns the nodes above a node, innermost first.
    pub(super) fn above(&self, at: u32) -> impl Iterator<Item = u32> {
        let above = |&at: &u32| Some(self.node(at).parent).filter(|&parent| parent != NO_PARENT);
        std::iter::successors(Some(at), above).skip(1)
    }

    /// Returns the children of a node, or the top-level nodes for [`NO_PARENT`]. They are in order
    /// if they were [sorted](Self::sort).
    pub(super) fn children(&self, at: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.first_child(at), |&child| self.next_child(child))
    }

    pub(super) fn first_child(&self, at: u32) -> Option<u32> {
        Some(self.children_of(at).first).filter(|&first| first != NO_NODE)
    }

    /// Returns the next child of the same node.
    pub(super) fn next_child(&self, child: u32) -> Option<u32> {
        Some(self.node(child).next).filter(|&next| next != NO_NODE)
    }

    /// Returns the label by which a node is sorted. A frame time has an empty one, so that it is first in its
    /// folder.
    fn sort_label<'a>(&self, listing: &'a Listing, at: u32) -> &'a str {
        let Node {
            some_entry,
            path_end,
            ..
        } = *self.node(at);
        let is_whole = path_end as usize == listing.path(some_entry).len();
        if is_whole && listing.entry(some_entry).kind == SeriesKind::FrameTime {
            return "";
        }
        self.label(listing, at)
    }

    /// Sorts the children of a node. Returns `false` if the allowance ran out first.
    pub(super) fn sort(&mut self, listing: &Listing, at: u32, allowance: &mut Allowance) -> bool {
        if !self.children_of(at).is_unsorted {
            return true;
        }
        let begun = self.sorting.take().filter(|(node, ..)| *node == at);
        let (_, children, mut sorter) = begun.unwrap_or_else(|| {
            let children: Vec<u32> = self.children(at).collect();
            let sorter = Sorter::new(children.len());
            (at, children, sorter)
        });
        let label = |node| self.sort_label(listing, node);
        let Some(list) = sorter.sort(&children, label, allowance) else {
            self.sorting = Some((at, children, sorter));
            return false;
        };
        let mut first = NO_NODE;
        for &child in list.iter().rev() {
            self.nodes.at_mut(child).next = first;
            first = child;
        }
        let is_unsorted = false;
        *self.children_mut(at) = Children { first, is_unsorted };
        if list.len() > FEW_CHILDREN {
            self.sorted.insert(at, list);
        }
        true
    }

    /// Returns the node of an entry's path, adding the nodes that are missing.
    fn node_at(&mut self, listing: &Listing, folds: &Folds, entry: u32) -> u32 {
        let (mut node, mut start) = (NO_PARENT, 0);
        for segment in listing.path(entry).split('/') {
            let end = start + segment.len();
            node = match self.child(listing, node, segment) {
                Some(child) => child,
                None => {
                    let child = self.add_node(listing, folds, node, (entry, end));
                    self.index.insert(node, segment, child);
                    child
                }
            };
            start = end + 1;
        }
        node
    }

    fn child(&self, listing: &Listing, parent: u32, label: &str) -> Option<u32> {
        self.index.find(parent, label, |node| {
            self.node(node).parent == parent && self.label(listing, node) == label
        })
    }

    fn children_of(&self, at: u32) -> &Children {
        (self.nodes.get(at)).map_or(&self.top, |node| &node.children)
    }

    fn children_mut(&mut self, at: u32) -> &mut Children {
        let node = self.nodes.get_mut(at);
        node.map_or(&mut self.top, |node| &mut node.children)
    }

    /// Adds a node with the path of another one, for a path that is listed twice.
    fn add_twin(&mut self, listing: &Listing, of: u32, entry: u32) -> u32 {
        let Node {
            parent, path_end, ..
        } = *self.node(of);
        self.add_node(listing, &Folds::new(), parent, (entry, path_end as usize))
    }

    /// Adds a node for a prefix of an entry's path.
    fn add_node(
        &mut self,
        listing: &Listing,
        folds: &Folds,
        parent: u32,
        (some_entry, end): (u32, usize),
    ) -> u32 {
        let at = self.nodes.len() as u32;
        let above = self.nodes.get(parent);
        let depth = above.map_or(0, |node| node.depth.saturating_add(1));
        let fold = if folds.is_empty() {
            None
        } else {
            folds.get(&listing.path(some_entry)[..end]).copied()
        };
        self.nodes.push(Node {
            parent,
            some_entry,
            path_end: end as u32,
            below: 0,
            children: Children::default(),
            next: NO_NODE,
            depth,
            has_entry: false,
            fold,
        });
        self.add_child(listing, parent, at);
        at
    }

    fn add_child(&mut self, listing: &Listing, parent: u32, child: u32) {
        if self.sorting.as_ref().is_some_and(|(at, ..)| *at == parent) {
            self.sorting = None;
        }
        let Children { first, .. } = *self.children_of(parent);
        let Some(mut sorted) = self.sorted.remove(&parent) else {
            self.nodes.at_mut(child).next = first;
            let is_unsorted = first != NO_NODE;
            *self.children_mut(parent) = Children {
                first: child,
                is_unsorted,
            };
            return;
        };
        let label = self.sort_label(listing, child);
        let place = sorted.partition_point(|&other| {
            compare_segments(self.sort_label(listing, other), label).is_le()
        });
        match place.checked_sub(1).map(|before| sorted[before]) {
            Some(before) => {
                let next = std::mem::replace(&mut self.nodes.at_mut(before).next, child);
                self.nodes.at_mut(child).next = next;
            }
            None => {
                self.nodes.at_mut(child).next = first;
                self.children_mut(parent).first = child;
            }
        }
        sorted.insert(place, child);
        self.sorted.insert(parent, sorted);
    }

    fn assign(&mut self, listing: &Listing, entry: u32, node: u32) {
        let assigned = self.nodes.at_mut(node);
        (assigned.some_entry, assigned.has_entry) = (entry, true);
        if self.node_of_entry.len() <= entry as usize {
            self.node_of_entry.resize(entry as usize + 1, NO_PARENT);
        }
        self.node_of_entry[entry as usize] = node;
        if listing.entry(entry).kind.is_companion() {
            return;
        }
        self.series += 1;
        let mut at = self.node(node).parent;
        while at != NO_PARENT {
            self.nodes.at_mut(at).below += 1;
            at = self.node(at).parent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::listing::tests::{listing_of, listing_of_infos};
    use crate::data::listing::{companion_path, recorder_of};
    use crate::tree::rows::Row;
    use crate::tree::walk::{Shown, Walk};
    use stats_core::{SeriesId, SeriesInfo, SeriesKind, Unit};
    use stats_testing::Random;

    /// Returns the tree of a listing, without folders that the user opened or closed.
    fn tree_of(listing: &mut Listing) -> Tree {
        tree_with(listing, &Folds::new())
    }

    fn tree_with(listing: &mut Listing, folds: &Folds) -> Tree {
        let mut tree = Tree::default();
        (0..listing.len()).for_each(|_| _ = tree.insert_next(listing, folds));
        tree
    }

    /// Returns the visible rows.
    fn rows(tree: &mut Tree, listing: &Listing) -> Vec<u32> {
        let (mut walk, mut allowance) = (Walk::default(), Allowance::of_units(usize::MAX));
        assert!(walk.step(tree, listing, &Shown::default(), &mut allowance));
        let node = |row| match row {
            Row::Node(node) => node,
            other => panic!("{other:?}"),
        };
        walk.into_rows().into_iter().map(node).collect()
    }

    /// Returns the rows with every folder open.
    fn all_rows(tree: &mut Tree, listing: &Listing) -> Vec<u32> {
        (0..tree.node_count() as u32).for_each(|node| tree.set_open(node, true));
        rows(tree, listing)
    }

    #[test]
    fn a_large_tree_opens_folded_to_one_level_and_a_small_one_whole() {
        for count in [OPEN_UP_TO, OPEN_UP_TO + 1] {
            let paths: Vec<String> = (0..count).map(|at| format!("a{}/b/{at}", at % 3)).collect();
            let mut listing = listing_of(&paths);
            let mut tree = tree_of(&mut listing);
            let shown = rows(&mut tree, &listing);
            let is_folded = shown.iter().all(|&node| tree.node(node).depth() == 0);
            assert_eq!(
                is_folded,
                count > OPEN_UP_TO,
                "{count} series: {}",
                shown.len()
            );
            let wanted = if is_folded { 3 } else { 6 + count as usize };
            assert_eq!(shown.len(), wanted);
        }
    }

    /// Returns all paths in the order of the tree.
    fn sorted(paths: &[&str]) -> Vec<String> {
        let mut listing = listing_of(paths);
        let mut tree = tree_of(&mut listing);
        let rows = all_rows(&mut tree, &listing);
        let entries = rows.iter().filter_map(|&node| tree.node(node).entry());
        entries
            .map(|entry| listing.path(entry).to_owned())
            .collect()
    }

    fn shown(tree: &Tree, listing: &Listing, rows: &[u32]) -> Vec<String> {
        let indent = |at| " ".repeat(tree.node(at).depth() as usize);
        rows.iter()
            .map(|&at| indent(at) + tree.label(listing, at))
            .collect()
    }

    #[test]
    fn a_node_takes_32_bytes() {
        assert_eq!(size_of::<Node>(), 32);
    }

    #[test]
    fn paths_sort_in_natural_order() {
        let sorted = sorted(&[
            "b",
            "enemy/10/count",
            "a!",
            "enemy/9/count",
            "A/x",
            "a",
            "a/b",
            "enemy/9",
            "Zoo",
            "yak",
        ]);
        let wanted = [
            "a",
            "a/b",
            "A/x",
            "a!",
            "b",
            "enemy/9",
            "enemy/9/count",
            "enemy/10/count",
            "yak",
            "Zoo",
        ];
        assert_eq!(sorted, wanted);
    }

    #[test]
    fn series_added_to_sorted_folders_are_in_order() {
        let mut random = Random::new(6);
        for _ in 0..40 {
            let mut paths: Vec<String> = (0..200).map(|_| random.path()).collect();
            paths.sort();
            paths.dedup();
            paths.sort_by_cached_key(|_| random.below(1000));
            let (mut listing, mut tree) = (listing_of(&paths), Tree::default());
            for at in 0..listing.len() {
                tree.insert_next(&mut listing, &Folds::new());
                if at % 50 == 0 {
                    all_rows(&mut tree, &listing);
                }
            }
            let rows = all_rows(&mut tree, &listing);
            let mut whole = tree_of(&mut listing_of(&paths));
            let all = all_rows(&mut whole, &listing);
            assert_eq!(shown(&tree, &listing, &rows), shown(&whole, &listing, &all));
        }
    }

    #[test]
    fn a_path_can_be_both_a_series_and_a_folder() {
        let mut listing = listing_of(&["a/b", "a", "a/c/d"]);
        let mut tree = tree_of(&mut listing);
        let rows = all_rows(&mut tree, &listing);
        assert_eq!(shown(&tree, &listing, &rows), ["a", " b", " c", "  d"]);
        assert!(tree.node(0).entry().is_some() && tree.node(0).has_children());
        assert_eq!(tree.node(0).series_below(), 2);
        assert!(tree.node(2).entry().is_none());
        assert_eq!(tree.find_entry(&listing, "a/c/d"), Some(2));
        assert_eq!(tree.find(&listing, "a/c"), Some(2));
        assert_eq!(tree.find_entry(&listing, "a/c"), None);
        assert_eq!(tree.find(&listing, "a/d"), None);
    }

    #[test]
    fn closed_folders_hide_their_contents() {
        let mut listing = listing_of(&["a/b/c", "a/d", "e"]);
        let mut tree = tree_with(&mut listing, &HashMap::from([("a".to_owned(), false)]));
        let rows = rows(&mut tree, &listing);
        assert_eq!(shown(&tree, &listing, &rows), ["a", "e"]);
    }

    #[test]
    fn a_tree_contains_exactly_its_paths() {
        let mut random = Random::new(5);
        for _ in 0..60 {
            let mut paths: Vec<String> = (0..random.below(120)).map(|_| random.path()).collect();
            paths.sort();
            paths.dedup();
            let mut listing = listing_of(&paths);
            let mut tree = tree_of(&mut listing);
            let mut wanted: Vec<String> = paths
                .iter()
                .flat_map(|path| {
                    path.match_indices('/')
                        .map(|(at, _)| path[..at].to_owned())
                        .chain([path.clone()])
                })
                .collect();
            wanted.sort();
            wanted.dedup();
            let mut found: Vec<String> = Vec::new();
            for at in all_rows(&mut tree, &listing) {
                let path = tree.path(&listing, at);
                found.push(path.to_owned());
                let inside = paths
                    .iter()
                    .filter(|other| other.starts_with(&format!("{path}/")))
                    .count();
                assert_eq!(tree.node(at).series_below() as usize, inside, "{path}");
                assert_eq!(tree.find(&listing, path), Some(at), "{path}");
                assert_eq!(
                    tree.node(at).entry().is_some(),
                    paths.iter().any(|other| other == path),
                    "{path}"
                );
            }
            // The contents of each folder are contiguous.
            for path in &paths {
                let folder = path.split('/').next().unwrap();
                let inside = |path: &String| path.split('/').next() == Some(folder);
                let first = found.iter().position(inside).unwrap();
                let last = found.iter().rposition(inside).unwrap();
                assert!(found[first..=last].iter().all(inside), "{folder}");
            }
            found.sort();
            assert_eq!(found, wanted);
        }
    }

    #[test]
    fn the_frame_time_is_first_in_its_folder_whenever_it_is_listed() {
        let info = |id, path| {
            let kind = SeriesKind::Counter;
            SeriesInfo::new(SeriesId::new(id), path, kind, Unit::Count)
        };
        let names: Vec<String> = (0..2 * FEW_CHILDREN).map(|at| format!("b{at}")).collect();
        let mut others: Vec<SeriesInfo<'_>> =
            (1..).zip(&names).map(|(id, path)| info(id, path)).collect();
        others.push(info(99, "A/x"));
        let first = SeriesInfo::frame_time(SeriesId::new(0));
        let mut of_a_run = SeriesInfo::frame_time(SeriesId::new(100));
        of_a_run.path = "A/frame time";
        // Also if the other ones were sorted before.
        for is_early in [true, false] {
            let early: Vec<_> = others.iter().chain(is_early.then_some(&first)).collect();
            let mut listing = listing_of_infos(&early);
            let mut tree = tree_of(&mut listing);
            rows(&mut tree, &listing);
            for late in [&of_a_run, &first]
                .into_iter()
                .take(2 - usize::from(is_early))
            {
                assert!(listing.take_in(late));
                tree.insert_next(&mut listing, &Folds::new());
            }
            let rows = all_rows(&mut tree, &listing);
            let paths: Vec<&str> = rows.iter().map(|&node| tree.path(&listing, node)).collect();
            assert_eq!(paths[..4], ["frame time", "A", "A/frame time", "A/x"]);
            assert_eq!(paths.len(), others.len() + 3);
        }
    }

    #[test]
    fn a_thousand_segments_are_a_thousand_rows() {
        let path = vec!["x"; 1000].join("/");
        let mut listing = listing_of(&[&path]);
        let mut tree = tree_of(&mut listing);
        assert_eq!(all_rows(&mut tree, &listing).len(), 1000);
    }

    #[test]
    fn a_counter_with_the_path_of_calls_or_samples_is_distinct() {
        let info = |id, path, kind| SeriesInfo::new(SeriesId::new(id), path, kind, Unit::Count);
        for (kind, [name, path_below, renamed]) in [
            (
                SeriesKind::Timer,
                ["x/calls", "x/calls/y", "x/calls (timer)"],
            ),
            (
                SeriesKind::Histogram,
                ["x/samples", "x/samples/y", "x/samples (histogram)"],
            ),
        ] {
            let counter = info(3, name, SeriesKind::Counter);
            let mut recorder = info(1, "x", kind);
            recorder.calls = Some(SeriesId::new(2));
            let below = info(4, path_below, SeriesKind::Counter);
            for infos in [[&recorder, &counter, &below], [&below, &counter, &recorder]] {
                let mut listing = listing_of_infos(&infos);
                let mut tree = tree_of(&mut listing);
                let rows = all_rows(&mut tree, &listing);
                let entries = || rows.iter().filter_map(|&node| tree.node(node).entry());
                let paths: Vec<&str> = entries().map(|entry| listing.path(entry)).collect();
                assert_eq!(paths, ["x", name, below.path, renamed]);
                let ids: Vec<u32> = entries()
                    .map(|entry| listing.entry(entry).id.number())
                    .collect();
                assert_eq!(ids, [1, 3, 4, 2]);
                assert_eq!(
                    tree.node(tree.find(&listing, "x").unwrap()).series_below(),
                    2
                );
                assert_eq!(recorder_of(renamed), Some("x"));
                assert_eq!(companion_path("x", kind, |path| path == name), renamed);
                assert_eq!(companion_path("x", kind, |_| false), name);
            }
        }
    }

    #[test]
    fn paths_that_are_listed_twice_have_a_row_each() {
        let mut listing = listing_of(&["a", "b/c", "b/c", "a"]);
        let mut tree = tree_of(&mut listing);
        let rows = all_rows(&mut tree, &listing);
        assert_eq!(shown(&tree, &listing, &rows), ["a", "a", "b", " c", " c"]);
    }
}
