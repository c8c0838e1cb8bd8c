//! The rows of the tree: favorites first, then what browsing or the search shows.

use std::collections::HashMap;

use crate::data::selection::{FRAME_TIME, MAX_SELECTED, SelectedSeries, Selection};
use crate::tree::favorites::Favorites;
use crate::tree::outline::Outline;
use crate::tree::panel::TreePanel;
use crate::tree::search::TreeSearch;

/// One visible row of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// The heading above the favorites.
    FavoritesHeading,
    /// A favorite with its whole path, by its index among the favorites.
    Favorite(u32),
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
    pub(super) fn is_heading(self) -> bool {
        matches!(
            self,
            Self::FavoritesHeading | Self::AllHeading | Self::SimilarHeading
        )
    }
}

/// The listed rows, and the numbers in their check boxes.
#[derive(Debug, Default)]
pub(super) struct RowList {
    rows: Vec<Row>,
    /// Whether something that the rows follow from changed.
    is_stale: bool,
    /// The revision of the selection that the rows were listed for.
    revision: Option<u64>,
    /// Selected paths that no series has yet and that the search finds.
    missing: Vec<String>,
    /// Whether any selected path has no series yet, found by the search or not.
    any_missing: bool,
    /// For each node, the number of selected series below it; in a search, of those that were
    /// found. Calls of timers do not count.
    selected_below: HashMap<u32, u32>,
}

impl RowList {
    pub(crate) fn list(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn any_missing(&self) -> bool {
        self.any_missing
    }

    pub(super) fn selected_below(&self, node: u32) -> u32 {
        self.selected_below.get(&node).copied().unwrap_or(0)
    }

    /// Lists the rows again with the next pass.
    pub(super) fn set_stale(&mut self) {
        self.is_stale = true;
    }

    /// Returns whether the rows have to be listed again, and clears that mark.
    pub(super) fn take_stale(&mut self) -> bool {
        std::mem::take(&mut self.is_stale)
    }

    /// Returns whether the selection changed since the rows were listed.
    pub(super) fn is_of_other(&self, selection: &Selection) -> bool {
        self.revision != Some(selection.revision())
    }

    /// Lists all rows again.
    pub(crate) fn update(
        &mut self,
        outline: &Outline,
        search: &TreeSearch,
        favorites: &Favorites,
        selection: &Selection,
    ) {
        self.revision = Some(selection.revision());
        self.count_selected(outline, search, selection);
        self.rows.clear();
        self.list_favorites(search, favorites);
        if search.finds_frame_time() {
            self.rows.push(Row::FrameTime);
        }
        self.list_missing(search, selection);
        if search.is_active() {
            self.list_found(outline, search);
        } else {
            outline.tree().browse_rows(&mut self.rows);
        }
    }

    fn list_favorites(&mut self, search: &TreeSearch, favorites: &Favorites) {
        let count = favorites.paths().len() as u32;
        if count > 0 && !search.is_active() {
            self.rows.push(Row::FavoritesHeading);
            self.rows.extend((0..count).map(Row::Favorite));
            self.rows.push(Row::AllHeading);
        }
    }

    fn list_missing(&mut self, search: &TreeSearch, selection: &Selection) {
        let missing = || {
            let selected = selection.selected().iter();
            selected.filter(|selected| selected.is_missing())
        };
        self.any_missing = missing().next().is_some();
        self.missing.clear();
        let found = missing()
            .filter(|selected| search.query().finds(&selected.path, None))
            .map(|selected: &SelectedSeries| selected.path.clone());
        self.missing.extend(found);
        let count = self.missing.len() as u32;
        self.rows.extend((0..count).map(Row::Missing));
    }

    fn list_found(&mut self, outline: &Outline, search: &TreeSearch) {
        let found = search.found();
        let is_closed = |node| search.is_closed(outline.path(node));
        outline
            .tree()
            .search_rows(&found.matching, &is_closed, &mut self.rows);
        if !found.similar.is_empty() {
            self.rows.push(Row::SimilarHeading);
            let similar = found.similar.iter().map(|&entry| Row::Similar(entry));
            self.rows.extend(similar);
        }
    }

    /// Counts for every folder how many selected series are in it.
    fn count_selected(&mut self, outline: &Outline, search: &TreeSearch, selection: &Selection) {
        self.selected_below.clear();
        let listing = outline.listing();
        let entries = selection
            .selected()
            .iter()
            .filter_map(|selected| listing.entry_of(selected.id?))
            .filter(|&entry| !listing.entry(entry).kind.is_recording_count())
            .filter(|&entry| !search.is_active() || search.is_found(entry));
        for entry in entries {
            for folder in outline.tree().folders_of(entry) {
                *self.selected_below.entry(folder).or_default() += 1;
            }
        }
    }

    /// Returns the path of the series or folder in a row; `None` for a heading.
    pub(crate) fn path<'a>(
        &'a self,
        row: Row,
        outline: &'a Outline,
        favorites: &'a Favorites,
    ) -> Option<&'a str> {
        match row {
            Row::FavoritesHeading | Row::AllHeading | Row::SimilarHeading => None,
            Row::Favorite(at) => favorites.paths().get(at as usize).map(String::as_str),
            Row::FrameTime => Some(FRAME_TIME),
            Row::Missing(at) => self.missing.get(at as usize).map(String::as_str),
            Row::Node(node) => Some(outline.path(node)),
            Row::Similar(entry) => Some(outline.listing().path(entry)),
        }
    }
}

impl TreePanel {
    /// Selects what the check box of a folder stands for, or deselects it if all of it is selected.
    pub(super) fn select_folder(&self, node: u32, selection: &mut Selection) {
        let state = self.folder_selected(node);
        // If only some are selected and no more fit, a click can only deselect.
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
