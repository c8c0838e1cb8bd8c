//! Lists the rows of the tree, over several passes if there are many.
//!
//! The tree does not change during a walk, except that folders are sorted when the walk enters
//! them.

use crate::data::allowance::Allowance;
use crate::data::listing::Listing;
use crate::tree::model::{NO_PARENT, Tree};
use crate::tree::rows::Row;

/// The number of nodes that are visited in a unit of allowance.
const NODES_IN_A_UNIT: usize = 2;

/// Decides which nodes have a row, and which of them show their children.
pub(super) trait Shown {
    fn has_row(&self, tree: &Tree, node: u32) -> bool;
    fn is_open(&self, tree: &Tree, node: u32) -> bool;
    /// Returns whether the order of a folder's children matters.
    fn needs_order(&self, folder: u32) -> bool;
}

/// The whole tree, with the folders that are open.
pub(super) struct Browsing;

impl Shown for Browsing {
    fn has_row(&self, _: &Tree, _: u32) -> bool {
        true
    }

    fn is_open(&self, tree: &Tree, node: u32) -> bool {
        tree.node(node).has_children() && tree.is_open(node)
    }

    fn needs_order(&self, _: u32) -> bool {
        true
    }
}

/// A walk that has begun.
#[derive(Debug)]
pub(super) struct Walk {
    rows: Vec<Row>,
    /// The folders around the next node, outermost first, and the number of their visited children.
    path: Vec<(u32, usize)>,
    /// The number of nodes that may be visited before the next request to the allowance.
    credit: usize,
}

impl Default for Walk {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            path: vec![(NO_PARENT, 0)],
            credit: 0,
        }
    }
}

impl Walk {
    /// Continues the walk. Returns whether it has ended.
    pub(super) fn step(
        &mut self,
        tree: &mut Tree,
        listing: &Listing,
        shown: &dyn Shown,
        allowance: &mut Allowance,
    ) -> bool {
        while let Some((folder, visited)) = self.path.last_mut() {
            let is_entered = *visited == 0 && shown.needs_order(*folder);
            if is_entered && !tree.sort(listing, *folder, allowance) {
                return false;
            }
            let children = tree.children(*folder);
            let mut opened = None;
            while let Some(&child) = children.get(*visited) {
                if self.credit == 0 {
                    self.credit = allowance.take(NODES_IN_A_UNIT, NODES_IN_A_UNIT);
                    if self.credit == 0 {
                        return false;
                    }
                }
                self.credit -= 1;
                *visited += 1;
                if shown.has_row(tree, child) {
                    self.rows.push(Row::Node(child));
                    if shown.is_open(tree, child) {
                        opened = Some(child);
                        break;
                    }
                }
            }
            match opened {
                Some(child) => self.path.push((child, 0)),
                None => _ = self.path.pop(),
            }
        }
        true
    }

    /// Returns the rows listed so far.
    pub(super) fn into_rows(self) -> Vec<Row> {
        self.rows
    }
}
