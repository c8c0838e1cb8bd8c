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

/// A list of rows that is longer gets room for all nodes.
const LONG: usize = 1 << 15;

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
    /// The folders around the next node, outermost first.
    path: Vec<Visit>,
    /// The number of nodes that may be visited before the next request to the allowance.
    credit: usize,
}

/// The visit of a folder.
#[derive(Clone, Copy, Debug)]
struct Visit {
    folder: u32,
    /// The next child; `None` after the last one.
    next: Option<u32>,
    has_begun: bool,
}

impl Visit {
    fn of(folder: u32) -> Self {
        Self {
            folder,
            next: None,
            has_begun: false,
        }
    }
}

impl Default for Walk {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            path: vec![Visit::of(NO_PARENT)],
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
        while let Some(visit) = self.path.last_mut() {
            if !visit.has_begun {
                let needs_order = shown.needs_order(visit.folder);
                if needs_order && !tree.sort(listing, visit.folder, allowance) {
                    return false;
                }
                (visit.next, visit.has_begun) = (tree.first_child(visit.folder), true);
            }
            let mut opened = None;
            while let Some(child) = visit.next {
                if self.credit == 0 {
                    self.credit = allowance.take(NODES_IN_A_UNIT, NODES_IN_A_UNIT);
                    if self.credit == 0 {
                        return false;
                    }
                }
                self.credit -= 1;
                visit.next = tree.next_child(child);
                if shown.has_row(tree, child) {
                    if self.rows.len() == self.rows.capacity() && self.rows.len() >= LONG {
                        // Moving a long list when it grows takes milliseconds.
                        let left = tree.node_count().saturating_sub(self.rows.len());
                        self.rows.reserve_exact(left.max(1));
                    }
                    self.rows.push(Row::Node(child));
                    if shown.is_open(tree, child) {
                        opened = Some(child);
                        break;
                    }
                }
            }
            match opened {
                Some(child) => self.path.push(Visit::of(child)),
                None => _ = self.path.pop(),
            }
        }
        true
    }

    /// Returns the rows listed so far.
    pub(super) fn into_rows(mut self) -> Vec<Row> {
        self.rows.shrink_to_fit();
        self.rows
    }
}
