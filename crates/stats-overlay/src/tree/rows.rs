//! The rows of the tree: favourites above, then what browsing or the search shows.

use stats_core::Unit;

use crate::data::selection::{FRAME_TIME, MAX_SELECTED, SelectedSeries, Selection};
use crate::tree::panel::TreePanel;

/// One visible line of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// The line over the favourites.
    FavouritesHeading,
    /// A favourite with its whole path, by its place among the favourites.
    Favourite(u32),
    /// The line between the favourites and everything.
    AllHeading,
    /// The frame time, before everything else.
    FrameTime,
    /// A selected path that no series has yet, by its place among those.
    Missing(u32),
    /// A node.
    Node(u32),
    /// A line over search results that are only like what was asked for.
    SimilarHeading,
    /// A series with its whole path.
    Similar(u32),
}

impl Row {
    /// Whether it is a line of text that stands for no series or folder.
    pub(crate) fn is_heading(self) -> bool {
        matches!(
            self,
            Self::FavouritesHeading | Self::AllHeading | Self::SimilarHeading
        )
    }
}

impl TreePanel {
    /// Lists all rows anew.
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

    /// The path of what a row shows; `None` of headings.
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

    /// Ticks what the check box of a folder stands for, or unticks it where all of it is selected.
    pub(crate) fn select_folder(&self, node: u32, selection: &mut Selection) {
        let state = self.folder_selected(node);
        // Where only some are selected and no more fit, all that a click can do is to untick.
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
