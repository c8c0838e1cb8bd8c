//! The nodes of the tree that a search found.

use crate::data::allowance::Allowance;
use crate::tree::model::{NO_PARENT, Tree};

/// The series of a node was found.
const FOUND: u8 = 1;
/// Something below the node was found.
const ABOVE_FOUND: u8 = 2;
/// More than one thing below the node was found.
const ABOVE_SEVERAL: u8 = 4;

/// The number of nodes that a unit of allowance makes room for. The memory is often new, which takes
/// a microsecond for each 4 KiB.
const CLEARED_IN_A_UNIT: usize = 256;

/// The results of a search: five bytes for each node.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// Makes room for the nodes of a tree, until the allowance is used up. Returns whether there is
    /// room for all of them.
    pub(super) fn make_room(&mut self, tree: &Tree, allowance: &mut Allowance) -> bool {
        let missing = tree.node_count() - self.of_node.len();
        self.of_node.reserve_exact(missing);
        self.below.reserve_exact(missing);
        while let count @ 1.. =
            allowance.take(tree.node_count() - self.of_node.len(), CLEARED_IN_A_UNIT)
        {
            let nodes = self.of_node.len() + count;
            self.of_node.resize(nodes, 0);
            self.below.resize(nodes, 0);
        }
        self.of_node.len() == tree.node_count()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::listing::tests::listing_of;
    use crate::tree::model::Folds;

    #[test]
    fn room_for_many_nodes_is_made_in_several_passes() {
        let paths: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
        let (mut listing, mut tree) = (listing_of(&paths), Tree::default());
        (0..listing.len()).for_each(|_| _ = tree.insert_next(&mut listing, &Folds::new()));
        let (mut marks, mut passes) = (Marks::default(), 1);
        while !marks.make_room(&tree, &mut Allowance::of_units(1)) {
            passes += 1;
        }
        assert_eq!(passes, 1000_usize.div_ceil(CLEARED_IN_A_UNIT));
        assert_eq!(marks.of_node.len(), 1000);
        assert_eq!(marks.below.len(), 1000);
        assert!(marks.make_room(&tree, &mut Allowance::of_units(0)));
    }
}
