//! The rows of the tree: favorites, then the results of browsing or of the search.

use stats_core::Unit;

use crate::data::selection::{FRAME_TIME, MAX_SELECTED, SelectedSeries, Selection};
use crate::tree::panel::TreePanel;

/// One visible row of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// The heading above the favorites.
    FavouritesHeading,
    /// A favorite with its whole path, by its index among the favorites.
    Favourite(u32),
    /// The heading between the favorites and all series.
    AllHeading,
    /// The frame time, above all other series.
    FrameTime,
    /// A selected path that is not registered yet, by its index among such paths.
    Missing(u32),
    /// A node.
    Node(u32),
    /// The heading above fuzzy matches.
    SimilarHeading,
    /// A fuzzy match with its whole path.
    Similar(u32),
}

impl Row {
    /// Whether it is a heading.
    pub(crate) fn is_heading(self) -> bool {
        matches!(
            self,
            Self::FavouritesHeading | Self::AllHeading | Self::SimilarHeading
        )
    }
}

impl TreePanel {
    /// Rebuilds all rows.
    pub(crate) fn list_rows(&mut self, selection: &Selection) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        self.list_favourites(&mut rows);
        if self.query().finds(FRAME_TIME, Some(Unit::Milliseconds)) {
            rows.push(Row::FrameTime);
        }
        self.missing.clear();
        self.any_missing = selection.selected().iter().any(SelectedSeries::is_missing);
        let missing = selection
            .selected()
            .iter()
            .filter(|selected| selected.is_missing());
        let found = missing
            .filter(|selected| self.query.finds(&selected.path, None))
            .map(|selected| selected.path.clone());
        self.missing.extend(found);
        rows.extend((0..self.missing.len() as u32).map(Row::Missing));
        if self.is_searching() {
            self.list_found(&mut rows);
        } else {
            self.tree().browse_rows(&mut rows);
        }
        self.rows = rows;
        self.keep_cursor();
    }

    fn list_favourites(&self, rows: &mut Vec<Row>) {
        let count = self.favourites().len() as u32;
        if count > 0 && !self.is_searching() {
            rows.push(Row::FavouritesHeading);
            rows.extend((0..count).map(Row::Favourite));
            rows.push(Row::AllHeading);
        }
    }

    fn list_found(&self, rows: &mut Vec<Row>) {
        self.tree().search_rows(
            &self.found.matching,
            &|node| self.is_closed_in_results(node),
            rows,
        );
        if !self.found.similar.is_empty() {
            rows.push(Row::SimilarHeading);
            rows.extend(self.found.similar.iter().map(|&entry| Row::Similar(entry)));
        }
    }

    /// The path of a row; `None` for headings.
    pub(crate) fn row_path(&self, row: Row) -> Option<&str> {
        match row {
            Row::FavouritesHeading | Row::AllHeading | Row::SimilarHeading => None,
            Row::Favourite(at) => self.favourites().get(at as usize).map(String::as_str),
            Row::FrameTime => Some(FRAME_TIME),
            Row::Missing(at) => self.missing.get(at as usize).map(String::as_str),
            Row::Node(node) => Some(self.tree().path(self.listing(), node)),
            Row::Similar(entry) => Some(self.listing().path(entry)),
        }
    }

    /// Selects all series that a folder's checkbox covers, or deselects them if all are selected.
    pub(crate) fn select_folder(&self, node: u32, selection: &mut Selection) {
        let state = self.folder_selected(node);
        // If some are selected and no more fit, a click can only deselect.
        let full = state.is_none() && selection.selected().len() >= MAX_SELECTED;
        let on = state != Some(true) && !full;
        for path in self.paths_below(node) {
            if on && selection.selected().len() >= MAX_SELECTED {
                break;
            }
            selection.set(path, on);
        }
    }
}
