//! The rows of the tree: favorites first, then the visible nodes or the results of the search.

use std::collections::HashMap;

use stats_core::SeriesId;

use crate::data::selection::{SelectedSeries, Selection};
use crate::tree::favorites::Favorites;
use crate::tree::outline::Outline;
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
    /// A selected path that is not registered yet, by its index among such paths.
    Missing(u32),
    /// A node.
    Node(u32),
    /// The heading above fuzzy matches.
    SimilarHeading,
    /// A fuzzy match with its whole path.
    Similar(u32),
    /// The heading above the whole tree, if nothing behaves as the words of the search say.
    NoneFoundHeading,
    /// The heading above the series that spiked or moved.
    RankedHeading,
    /// A series that spiked or moved, with its whole path.
    Ranked(SeriesId),
}

impl Row {
    pub(super) fn is_heading(self) -> bool {
        matches!(
            self,
            Self::FavoritesHeading
                | Self::AllHeading
                | Self::SimilarHeading
                | Self::NoneFoundHeading
                | Self::RankedHeading
        )
    }
}

/// The listed rows, and the numbers in their check boxes.
#[derive(Debug, Default)]
pub(super) struct RowList {
    /// Favorites and series outside the listing, above the tree.
    head: Vec<Row>,
    /// The rows of the tree or of the results.
    body: Vec<Row>,
    /// Whether the favorites changed since the head was listed.
    is_head_stale: bool,
    /// The revision of the selection that the head was listed for.
    revision: Option<u64>,
    /// Selected paths that no series has yet, if the search finds them.
    missing: Vec<String>,
    /// For each node, the number of selected series below it. In a search, only found series count.
    /// Calls, samples and self times do not count.
    selected_below: HashMap<u32, u32>,
}

impl RowList {
    pub(super) fn len(&self) -> usize {
        self.head.len() + self.body.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<Row> {
        let body = || self.body.get(at.checked_sub(self.head.len())?);
        self.head.get(at).or_else(body).copied()
    }

    /// Returns all rows, in order.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Row> {
        self.head.iter().chain(&self.body).copied()
    }

    /// Returns the index of a row.
    pub(super) fn position(&self, row: Row) -> Option<usize> {
        let in_body = || {
            let at = self.body.iter().position(|&other| other == row)?;
            Some(self.head.len() + at)
        };
        let in_head = self.head.iter().position(|&other| other == row);
        in_head.or_else(in_body)
    }

    pub(super) fn selected_below(&self, node: u32) -> u32 {
        self.selected_below.get(&node).copied().unwrap_or(0)
    }

    /// Lists the head again in the next pass.
    pub(super) fn set_head_stale(&mut self) {
        self.is_head_stale = true;
    }

    /// Returns whether the head has to be listed again: the favorites or the selection changed.
    pub(super) fn is_head_stale(&self, selection: &Selection) -> bool {
        self.is_head_stale || self.revision != Some(selection.revision())
    }

    /// Replaces the rows of the tree.
    pub(super) fn set_body(&mut self, body: Vec<Row>) {
        self.body = body;
    }

    /// Lists the rows above the tree, and counts the selected series in the tree.
    pub(super) fn update_head(
        &mut self,
        outline: &Outline,
        search: &TreeSearch,
        favorites: &Favorites,
        selection: &Selection,
    ) {
        self.is_head_stale = false;
        self.revision = Some(selection.revision());
        self.count_selected(outline, search, selection);
        self.head.clear();
        self.list_favorites(search, favorites);
        self.list_missing(search, selection);
    }

    fn list_favorites(&mut self, search: &TreeSearch, favorites: &Favorites) {
        let count = favorites.paths().len() as u32;
        if count > 0 && !search.is_active() {
            self.head.push(Row::FavoritesHeading);
            self.head.extend((0..count).map(Row::Favorite));
            self.head.push(Row::AllHeading);
        }
    }

    fn list_missing(&mut self, search: &TreeSearch, selection: &Selection) {
        self.missing.clear();
        let missing = selection.selected().iter();
        let found = missing
            .filter(|selected| selected.is_missing())
            .filter(|selected| search.query().finds(&selected.path, None))
            .map(|selected: &SelectedSeries| selected.path.clone());
        self.missing.extend(found);
        let count = self.missing.len() as u32;
        self.head.extend((0..count).map(Row::Missing));
    }

    /// Counts the selected series in every folder.
    fn count_selected(&mut self, outline: &Outline, search: &TreeSearch, selection: &Selection) {
        self.selected_below.clear();
        let (listing, tree) = (outline.listing(), outline.tree());
        let entries = selection
            .selected()
            .iter()
            .filter_map(|selected| listing.entry_of(selected.id?))
            .filter(|&entry| (entry as usize) < tree.entry_count())
            .filter(|&entry| !listing.entry(entry).kind.is_companion());
        for entry in entries {
            let node = tree.node_of_entry(entry);
            if !search.filters() || search.shown().is_found(node) {
                for folder in tree.above(node) {
                    *self.selected_below.entry(folder).or_default() += 1;
                }
            }
        }
    }

    /// Returns the path of the series or folder in a row; `None` for a heading.
    pub(super) fn path<'a>(
        &'a self,
        row: Row,
        outline: &'a Outline,
        favorites: &'a Favorites,
    ) -> Option<&'a str> {
        match row {
            Row::Ranked(id) => {
                let entry = outline.listing().entry_of(id)?;
                Some(outline.listing().path(entry))
            }
            Row::Favorite(at) => favorites.paths().get(at as usize).map(String::as_str),
            Row::Missing(at) => self.missing.get(at as usize).map(String::as_str),
            Row::Node(node) => Some(outline.path(node)),
            Row::Similar(entry) => Some(outline.listing().path(entry)),
            Row::FavoritesHeading
            | Row::AllHeading
            | Row::SimilarHeading
            | Row::NoneFoundHeading
            | Row::RankedHeading => None,
        }
    }
}
