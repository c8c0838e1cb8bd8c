//! Lists the rows of the tree, over several passes if there are many.
//!
//! The tree does not change during a walk, except that folders are sorted when the walk enters
//! them.

use crate::data::allowance::Allowance;
use crate::data::listing::Listing;
use crate::tree::costs::Costs;
use crate::tree::model::{NO_PARENT, Tree};
use crate::tree::rows::Row;
use crate::tree::search::TreeSearch;

/// The number of nodes that are visited in a unit of allowance.
const NODES_IN_A_UNIT: usize = 2;

/// A list of rows that is longer gets room for all nodes.
const LONG: usize = 1 << 15;

/// Decides which nodes have a row, and which of them show their children.
#[derive(Default)]
pub(super) struct Shown<'a> {
    /// The search whose results are shown, with the folders around them. `None` shows the whole tree,
    /// with the folders that are open.
    pub(super) search: Option<&'a TreeSearch>,
    /// The costs by which children are sorted; `None` if they are sorted by name.
    pub(super) costs: Option<&'a Costs>,
}

impl Shown<'_> {
    fn has_row(&self, node: u32) -> bool {
        let marks = self.search.map(TreeSearch::marked);
        marks.is_none_or(|marks| marks.is_found(node) || marks.is_above_found(node))
    }

    fn is_open(&self, tree: &Tree, listing: &Listing, node: u32) -> bool {
        match self.search {
            Some(search) => {
                let is_above = search.marked().is_above_found(node);
                is_above && !search.is_closed(|| tree.path(listing, node))
            }
            None => tree.node(node).has_children() && tree.is_open(node),
        }
    }

    /// Returns whether the order of a folder's children matters.
    fn needs_order(&self, folder: u32) -> bool {
        let marks = self.search.map(TreeSearch::marked);
        marks.is_none_or(|marks| marks.is_above_several(folder))
    }

    /// Returns whether a node of the first level comes before those for which this is `false`.
    /// `None` if all stay in their order.
    fn is_first(&self, tree: &Tree, listing: &Listing, node: u32) -> Option<bool> {
        let query = self.search?.query();
        let label = || tree.label(listing, node);
        query.has_text().then(|| query.begins_in(label()))
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
#[derive(Clone, Debug)]
struct Visit {
    folder: u32,
    /// The children that cost most, and come first, from the last to the first.
    costly: Vec<u32>,
    /// The next child; `None` after the last one.
    next: Option<u32>,
    has_begun: bool,
    wanted: Wanted,
}

/// The children of a folder that a visit lists. The first level is visited twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    First,
    Others,
}

impl Visit {
    fn of_top(wanted: Wanted) -> Self {
        Self {
            wanted,
            ..Self::of(NO_PARENT)
        }
    }

    fn of(folder: u32) -> Self {
        Self {
            folder,
            costly: Vec::new(),
            next: None,
            has_begun: false,
            wanted: Wanted::All,
        }
    }
}

impl Default for Walk {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            path: [Wanted::Others, Wanted::First].map(Visit::of_top).into(),
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
        shown: &Shown<'_>,
        allowance: &mut Allowance,
    ) -> bool {
        while let Some(visit) = self.path.last_mut() {
            if !visit.has_begun {
                let needs_order = shown.needs_order(visit.folder);
                if needs_order && !tree.sort(listing, visit.folder, allowance) {
                    return false;
                }
                (visit.next, visit.has_begun) = (tree.first_child(visit.folder), true);
                let has_order = |first| {
                    visit.wanted == Wanted::First && shown.is_first(tree, listing, first).is_none()
                };
                if visit.next.is_some_and(has_order) {
                    visit.next = None;
                } else if let Some(costs) = shown.costs {
                    visit.costly = costs.first_last(tree.children(visit.folder));
                }
            }
            let mut opened = None;
            while let Some(child) = visit.costly.last().copied().or(visit.next) {
                if self.credit == 0 {
                    self.credit = allowance.take(NODES_IN_A_UNIT, NODES_IN_A_UNIT);
                    if self.credit == 0 {
                        return false;
                    }
                }
                self.credit -= 1;
                if visit.costly.pop().is_none() {
                    visit.next = tree.next_child(child);
                    if shown.costs.is_some_and(|costs| costs.is_ranked(child)) {
                        continue;
                    }
                }
                let is_wanted = match visit.wanted {
                    Wanted::All => true,
                    wanted => {
                        let is_first = shown.is_first(tree, listing, child).unwrap_or(false);
                        is_first == (wanted == Wanted::First)
                    }
                };
                if is_wanted && shown.has_row(child) {
                    if self.rows.len() == self.rows.capacity() && self.rows.len() >= LONG {
                        // Moving a long list when it grows takes milliseconds.
                        let left = tree.node_count().saturating_sub(self.rows.len());
                        self.rows.reserve_exact(left.max(1));
                    }
                    self.rows.push(Row::Node(child));
                    if shown.is_open(tree, listing, child) {
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

    /// Begins the list with a heading.
    pub(super) fn begin_with(&mut self, heading: Row) {
        if self.rows.is_empty() {
            self.rows.push(heading);
        }
    }

    /// Returns the rows listed so far.
    pub(super) fn into_rows(mut self) -> Vec<Row> {
        self.rows.shrink_to_fit();
        self.rows
    }
}
