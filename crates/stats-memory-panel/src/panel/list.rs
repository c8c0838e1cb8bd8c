//! The list of visible rows: which rows are open, their order, and the cursor.
//!
//! The list is rebuilt only when the tree, the order or the open rows have changed. All other
//! frames read only the rows on screen.

use std::collections::HashSet;

use crate::tree::{MemoryTree, Order, Row, SortBy};
use stats_ui::list::List;
use stats_ui::theme::ROW_HEIGHT;
use stats_ui::tree::RowAction;

/// The maximum number of rows to open at once. A tree can have as many rows as the program has
/// allocations.
const MAX_OPENED: usize = 10_000;
/// The maximum number of rows that a filter opens. Nobody reads more than a few screens.
const MAX_MATCHES: usize = 200;

/// The visible rows, and what keys and clicks do to them.
#[derive(Debug, Default)]
pub(super) struct RowList {
    tree: MemoryTree,
    rows: Vec<u32>,
    open: HashSet<u64>,
    /// The rows that were open before the current filter was set; `None` without a filter.
    unfiltered: Option<HashSet<u64>>,
    order: Order,
    /// Whether `rows` must be rebuilt.
    is_stale: bool,
    /// Changes with the tree.
    revision: u64,
    /// The cursor, and the rows on screen.
    pub(super) base: List,
    /// The key of the cursor's row, to find it again.
    cursor_key: u64,
    /// How many rows above the cursor to show with it, if there is room.
    rows_above: usize,
}

impl RowList {
    /// Shows another tree. Open rows stay open.
    pub(super) fn set_tree(&mut self, tree: MemoryTree) {
        self.tree = tree;
        self.is_stale = true;
        self.revision += 1;
    }

    /// Returns a number that changes with the tree.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) fn tree(&self) -> &MemoryTree {
        &self.tree
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn order(&self) -> Order {
        self.order
    }

    /// Returns the row at an index; `None` beyond the last.
    pub(super) fn row(&self, at: usize) -> Option<Row<'_>> {
        self.rows.get(at).map(|&row| self.tree.row(row))
    }

    pub(super) fn is_open(&self, row: &Row<'_>) -> bool {
        self.open.contains(&row.key)
    }

    /// Rebuilds the list if something has changed.
    pub(super) fn update(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        self.tree.visible(&self.open, self.order, &mut self.rows);
        let cursor = self.base.cursor;
        let found = cursor.and_then(|at| self.find(self.cursor_key, at));
        // If its row is gone, the cursor keeps its index, or moves to the last row.
        self.base.cursor =
            cursor.and_then(|at| found.or(self.rows.len().checked_sub(1).map(|last| at.min(last))));
        self.note_cursor();
    }

    /// Returns the index of a row. Tries its old index first, because most changes are below the
    /// cursor.
    fn find(&self, key: u64, at: usize) -> Option<usize> {
        let is_it = |at: &usize| self.row(*at).is_some_and(|row| row.key == key);
        Some(at)
            .filter(is_it)
            .or_else(|| (0..self.rows.len()).find(is_it))
    }

    fn note_cursor(&mut self) {
        let cursor = self.base.cursor;
        self.cursor_key = cursor.and_then(|at| self.row(at)).map_or(0, |row| row.key);
    }

    /// Sorts by the column whose header was clicked: the largest first, or names from A to Z.
    /// Another click reverses the order.
    pub(super) fn click_head(&mut self, by: SortBy) {
        let descending = if self.order.by == by {
            !self.order.descending
        } else {
            by != SortBy::Label
        };
        self.set_order(Order { by, descending });
    }

    pub(super) fn set_order(&mut self, order: Order) {
        self.is_stale |= self.order != order;
        self.order = order;
    }

    /// Opens or closes the row at an index.
    pub(super) fn toggle(&mut self, at: usize) {
        let Some(row) = self.row(at).filter(|row| row.has_children) else {
            return;
        };
        let key = row.key;
        if !self.open.remove(&key) {
            self.open.insert(key);
        }
        self.is_stale = true;
    }

    /// Opens the row at an index and all rows below it, level by level, up to [`MAX_OPENED`] rows.
    pub(super) fn open_below(&mut self, at: usize) {
        let Some(top) = self.row(at) else { return };
        let (key, depth) = (top.key, top.depth);
        let mut left = MAX_OPENED;
        loop {
            // The row keeps its index, because rows are opened only below it.
            let below = (at + 1..self.rows.len())
                .map_while(|at| self.row(at).filter(|row| row.depth > depth));
            let closed = self
                .row(at)
                .into_iter()
                .chain(below)
                .filter(|row| row.has_children && !self.is_open(row));
            let keys: Vec<u64> = closed.map(|row| row.key).take(left).collect();
            if keys.is_empty() || self.row(at).is_none_or(|row| row.key != key) {
                return;
            }
            left -= keys.len();
            self.open.extend(keys);
            self.is_stale = true;
            self.update();
        }
    }

    /// Closes all rows.
    pub(super) fn close_all(&mut self) {
        self.is_stale |= !self.open.is_empty();
        self.open.clear();
    }

    /// Opens the first row of this many levels, and goes on as long as the next level has only one row.
    /// Puts the cursor on the first row of the last level.
    pub(super) fn reveal_first(&mut self, levels: usize) {
        self.reveal(levels, |_| 0);
    }

    /// Opens the path to the owner that grew most, and puts the cursor there. The growth of the
    /// panel and the tracker, and of memory that is not tracked, counts only if there is no other.
    pub(super) fn reveal_growth(&mut self) {
        self.reveal(usize::MAX, |row| match row.growth {
            Some(growth) if !row.is_untracked() => growth.rank(),
            _ => i128::MIN,
        });
    }

    /// Opens the paths to all rows that pass the filter, down to names. If there are more than
    /// [`MAX_MATCHES`], opens what was open without the filter, and the first row of each level.
    pub(super) fn reveal_matches(&mut self) {
        let before = self
            .unfiltered
            .get_or_insert_with(|| self.open.clone())
            .clone();
        if let Some(keys) = self.tree.keys_to_open(MAX_MATCHES) {
            self.open = keys;
            self.is_stale = true;
            self.update();
            if self.rows.len() <= MAX_MATCHES {
                self.put_cursor_at_first_match();
                return;
            }
        }
        self.open = before;
        self.reveal(usize::MAX, |_| 0);
    }

    /// Puts the cursor on the first row that is not open, which is the first match.
    fn put_cursor_at_first_match(&mut self) {
        let is_open = |at: &usize| self.row(*at).is_some_and(|row| self.is_open(&row));
        let at = (0..self.rows.len()).take_while(is_open).count();
        self.put_cursor(at);
        self.rows_above = at;
    }

    /// Restores what was open before the filter was set.
    pub(super) fn leave_matches(&mut self) {
        if let Some(open) = self.unfiltered.take() {
            self.open = open;
            self.is_stale = true;
        }
    }

    /// Opens the row with the highest rank in each level, for `levels` levels, and goes on as long
    /// as the next level has only one row. Puts the cursor at the end of the path.
    fn reveal(&mut self, levels: usize, rank: impl Fn(&Row<'_>) -> i128) {
        self.is_stale = true;
        self.update();
        let Some(top) = self.highest(0, &rank) else {
            return;
        };
        let mut at = top;
        for level in 0.. {
            let Some(row) = self.row(at).filter(|row| row.has_children) else {
                break;
            };
            let has_next = self.row(at + 1).is_some_and(|next| next.depth == row.depth);
            if level >= levels && has_next {
                break;
            }
            if !self.is_open(&row) {
                self.toggle(at);
                self.update();
            }
            let Some(next) = self.highest(at + 1, &rank) else {
                break;
            };
            at = next;
        }
        self.put_cursor(at);
        self.rows_above = at - top;
    }

    /// Moves the cursor's row into a view of this height if the cursor moved, and with it as many of
    /// the requested rows above it as fit.
    pub(super) fn reveal_cursor(&mut self, height: f32) {
        if let (Some(at), true) = (self.base.cursor, std::mem::take(&mut self.base.has_moved)) {
            let fitting = ((height / ROW_HEIGHT) as usize).saturating_sub(1);
            let first = at - self.rows_above.min(at).min(fitting);
            let top = |at: usize| at as f64 * f64::from(ROW_HEIGHT);
            self.base.reveal(top(first)..top(at + 1), height);
        }
    }

    /// Returns the index of the row with the highest rank among a row and its later siblings; the
    /// first one if several have it.
    fn highest(&self, first: usize, rank: impl Fn(&Row<'_>) -> i128) -> Option<usize> {
        let depth = self.row(first)?.depth;
        let following = (first..self.rows.len()).map_while(|at| {
            self.row(at)
                .filter(|row| row.depth >= depth)
                .map(|row| (at, row))
        });
        let ranked = following
            .filter(|(_, row)| row.depth == depth)
            .map(|(at, row)| (at, rank(&row)));
        ranked
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
            .map(|(at, _)| at)
    }

    /// Puts the cursor on the row at an index, or on the last row if the index is beyond it.
    pub(super) fn put_cursor(&mut self, at: usize) {
        match self.rows.len().checked_sub(1) {
            Some(last) => self.base.put_cursor(at.min(last)),
            None => self.base.cursor = None,
        }
        self.rows_above = 0;
        self.note_cursor();
    }

    /// Moves the cursor, or acts on its row.
    pub(super) fn perform(&mut self, action: RowAction) {
        // Several actions may come in one frame.
        self.update();
        match action {
            RowAction::Open => self.open_at_cursor(),
            RowAction::Close => self.close_at_cursor(),
            RowAction::Activate => _ = self.base.cursor.map(|at| self.toggle(at)),
            _ => {
                if let Some(at) = self.base.target(action, self.rows.len(), ROW_HEIGHT) {
                    self.put_cursor(at);
                }
            }
        }
    }

    /// Opens the row at the cursor, or moves to its first child if it is open.
    fn open_at_cursor(&mut self) {
        let Some((at, row)) = self.cursor_row().filter(|(_, row)| row.has_children) else {
            return;
        };
        if self.is_open(&row) {
            self.put_cursor(at + 1);
        } else {
            self.toggle(at);
        }
    }

    /// Closes the row at the cursor, or moves to its parent if it cannot be closed.
    fn close_at_cursor(&mut self) {
        let Some((at, row)) = self.cursor_row() else {
            return;
        };
        if row.has_children && self.is_open(&row) {
            self.toggle(at);
            return;
        }
        let depth = row.depth;
        let is_above = |at: &usize| self.row(*at).is_some_and(|above| above.depth < depth);
        if let Some(above) = (0..at).rev().find(is_above) {
            self.put_cursor(above);
        }
    }

    fn cursor_row(&self) -> Option<(usize, Row<'_>)> {
        let at = self.base.cursor?;
        Some((at, self.row(at)?))
    }
}

#[cfg(test)]
mod tests;
