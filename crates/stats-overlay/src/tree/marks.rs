//! The nodes of the tree that a search found.

use crate::tree::model::{NO_PARENT, Tree};

/// The series of a node was found.
const FOUND: u8 = 1;
/// Something below the node was found.
const ABOVE_FOUND: u8 = 2;
/// More than one thing below the node was found.
const ABOVE_SEVERAL: u8 = 4;

/// The results of a search: five bytes for each node.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Marks {
    /// The flags of each node.
    of_node: Vec<u8>,
    /// For each node, the number of found series below it, without the calls of timers.
    below: Vec<u32>,
    /// The number of found entries.
    count: usize,
    /// Similar paths, best first.
    pub(super) similar: Vec<u32>,
}

impl Marks {
    pub(super) fn is_empty(&self) -> bool {
        self.of_node.is_empty()
    }

    /// Makes room for the nodes of a tree.
    pub(super) fn reserve(&mut self, tree: &Tree) {
        self.of_node = vec![0; tree.node_count()];
        self.below = vec![0; tree.node_count()];
    }

    /// Marks an entry and the folders around it. If `counts` is true, these folders count the
    /// entry.
    pub(super) fn mark(&mut self, tree: &Tree, entry: u32, counts: bool) {
        let node = tree.node_of_entry(entry);
        self.of_node[node as usize] |= FOUND;
        self.count += 1;
        for folder in tree.above(node) {
            let marks = &mut self.of_node[folder as usize];
            *marks |= ABOVE_FOUND | ((*marks & ABOVE_FOUND) << 1);
            self.below[folder as usize] += u32::from(counts);
        }
    }

    /// Returns the number of found entries, similar ones included.
    pub(super) fn count(&self) -> usize {
        self.count + self.similar.len()
    }

    /// Returns whether the series of a node was found.
    pub(super) fn is_found(&self, node: u32) -> bool {
        self.has(node, FOUND)
    }

    /// Returns whether anything below a node was found.
    pub(super) fn is_above_found(&self, node: u32) -> bool {
        node == NO_PARENT || self.has(node, ABOVE_FOUND)
    }

    /// Returns whether more than one thing below a node was found.
    pub(super) fn is_above_several(&self, node: u32) -> bool {
        node == NO_PARENT || self.has(node, ABOVE_SEVERAL)
    }

    /// Returns the number of found series below a node.
    pub(super) fn found_below(&self, node: u32) -> u32 {
        self.below.get(node as usize).copied().unwrap_or(0)
    }

    fn has(&self, node: u32, mark: u8) -> bool {
        let marks = self.of_node.get(node as usize);
        marks.is_some_and(|marks| marks & mark != 0)
    }
}
