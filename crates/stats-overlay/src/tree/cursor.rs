//! The cursor of the tree: the row that keys and game pads act on.
//!
//! The cursor stays on its path when rows are added or removed. If its path is removed, the cursor
//! stays at its index.

use crate::tree::favorites::Favorites;
use crate::tree::outline::Outline;
use crate::tree::rows::{Row, RowList};
use stats_ui::list::List;

/// The row that keys act on.
#[derive(Clone, Debug, Default)]
pub(super) struct Cursor {
    /// The index of the row, and the rows on screen.
    pub(super) list: List,
    /// The path of its row.
    path: String,
    is_favorite: bool,
    /// Whether a key or a click put it there after the last change of the search.
    pub(super) is_in_list: bool,
    /// Whether to move to the first series once the rows are listed.
    pub(super) to_first_series: bool,
}

/// The rows of the tree, and what they stand for.
#[derive(Clone, Copy)]
pub(super) struct Listed<'a> {
    pub(super) rows: &'a RowList,
    pub(super) outline: &'a Outline,
    pub(super) favorites: &'a Favorites,
}

impl Listed<'_> {
    /// Returns the path of the series or folder in a row; `None` for a heading.
    pub(super) fn path(&self, row: Row) -> Option<&str> {
        self.rows.path(row, self.outline, self.favorites)
    }
}

impl Cursor {
    /// Returns the index of the cursor's row.
    pub(super) fn at(&self, rows: &RowList) -> Option<usize> {
        self.list.cursor.filter(|&at| at < rows.len())
    }

    /// Puts the cursor at a row. If the row is a heading, puts it at the next row up or down.
    pub(super) fn put(&mut self, listed: Listed<'_>, at: usize, up: bool) {
        let rows = listed.rows;
        let can_hold_cursor = |at: &usize| rows.get(*at).is_some_and(|row| !row.is_heading());
        let below = || (at..rows.len()).find(can_hold_cursor);
        let above = || {
            let last = at.min(rows.len().saturating_sub(1));
            (0..=last).rev().find(can_hold_cursor)
        };
        let found = if up {
            above().or_else(below)
        } else {
            below().or_else(above)
        };
        if let Some(row) = found.and_then(|at| rows.get(at)) {
            self.list.put_cursor(found.unwrap_or_default());
            self.path.clear();
            self.path.push_str(listed.path(row).unwrap_or_default());
            self.is_favorite = matches!(row, Row::Favorite(_));
        }
    }

    /// Moves to the first row that can be selected, as from the search box.
    pub(super) fn put_at_first_series(&mut self, listed: Listed<'_>) {
        let is_series = |row: Row| match row {
            Row::Node(node) => listed.outline.tree().node(node).entry().is_some(),
            row => !row.is_heading(),
        };
        let first = listed.rows.iter().position(is_series).unwrap_or(0);
        self.put(listed, first, false);
    }

    /// Finds the cursor's row after the rows were listed again.
    pub(super) fn keep(&mut self, listed: Listed<'_>) {
        let Some(at) = self.list.cursor else { return };
        match self.find(listed) {
            Some(found) => self.list.cursor = Some(found),
            None if listed.rows.len() == 0 => self.list.cursor = None,
            None => {
                let has_moved = self.list.has_moved;
                self.put(listed, at.min(listed.rows.len() - 1), true);
                self.list.has_moved = has_moved;
            }
        }
    }

    /// Returns the index of the row with the cursor's path.
    fn find(&self, listed: Listed<'_>) -> Option<usize> {
        let (path, rows) = (self.path.as_str(), listed.rows);
        // Comparing nodes is faster than comparing the paths of a million rows.
        let node = (listed.outline.tree()).find(listed.outline.listing(), path);
        let in_tree = || rows.position(Row::Node(node?));
        let is_cursor_row = |row: Row| {
            !matches!(row, Row::Node(_))
                && matches!(row, Row::Favorite(_)) == self.is_favorite
                && listed.path(row) == Some(path)
        };
        if self.is_favorite {
            rows.iter().position(is_cursor_row)
        } else {
            in_tree().or_else(|| rows.iter().position(is_cursor_row))
        }
    }
}
