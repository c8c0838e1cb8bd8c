//! The tree panel: its parts, and how one follows from the other.
//!
//! In every pass, each part is brought up to date if what it follows from changed:
//!
//! ```text
//! source ──▶ Outline ──▶ TreeSearch ──▶ RowList ──▶ Cursor
//!            listing     results        rows        row under the keys
//!               ▲           ▲             ▲
//!             folds     SearchBox     selection, Favorites
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use stats_core::{SeriesId, SeriesKind, Source};

use crate::data::listing::Listing;
use crate::data::selection::Selection;
use crate::search::query::Query;
use crate::tree::cursor::Cursor;
use crate::tree::favorites::Favorites;
use crate::tree::model::Tree;
use crate::tree::outline::{Outline, Reading};
use crate::tree::row_paint::PaintedRow;
use crate::tree::rows::{Row, RowList};
use crate::tree::search::TreeSearch;
use crate::tree::search_box::SearchBox;

/// What is written in the row of a series.
#[derive(Clone, Debug, Default)]
pub(super) struct RowText {
    pub(super) value: String,
    /// The least and the greatest recent value; empty for a series without a history.
    pub(super) range: String,
}

/// The time of a pass, for the searches that depend on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeTiming {
    pub(crate) now_secs: f64,
    /// The interval at which results that depend on values are found again.
    pub(crate) refresh_secs: f64,
    /// Whether the views are paused, and those results with them.
    pub(crate) is_paused: bool,
}

/// Everything about the tree that outlives a frame.
#[derive(Debug, Default)]
pub(crate) struct TreePanel {
    pub(crate) search_box: SearchBox,
    outline: Outline,
    search: TreeSearch,
    pub(crate) favorites: Favorites,
    pub(super) rows: RowList,
    pub(crate) cursor: Cursor,
    /// The scroll offset and the height of the view in the previous pass, in points.
    pub(super) scrolled: (f32, f32),
    /// The values on screen, until numbers are refreshed.
    pub(super) texts: HashMap<SeriesId, Arc<RowText>>,
    /// The shapes of the rows on screen, from top to bottom.
    pub(super) painted: Vec<PaintedRow>,
    /// Reused memory for a path.
    pub(super) path: String,
}

impl TreePanel {
    pub(super) fn listing(&self) -> &Listing {
        self.outline.listing()
    }

    pub(crate) fn tree(&self) -> &Tree {
        self.outline.tree()
    }

    pub(super) fn query(&self) -> &Query {
        self.search.query()
    }

    pub(super) fn rows(&self) -> &[Row] {
        self.rows.list()
    }

    pub(super) fn is_searching(&self) -> bool {
        self.search.is_active()
    }

    /// Returns whether the search needs values that this source does not have.
    pub(super) fn lacks_values(&self) -> bool {
        self.search.lacks_values()
    }

    /// Returns whether the search needs values that are known once a frame has ended.
    pub(super) fn waits_for_a_frame(&self) -> bool {
        self.search.waits_for_a_frame()
    }

    /// Returns the number of series that the search found.
    pub(super) fn found_count(&self) -> usize {
        let found = self.search.found();
        found.matching.len() + found.similar.len()
    }

    /// Returns whether the keys act on the rows: the cursor was moved by a key or an action, and
    /// nothing was clicked since.
    pub(crate) fn has_keyboard(&self) -> bool {
        self.cursor.has_keyboard
    }

    /// Takes the keyboard from the rows. Returns whether they had it.
    pub(crate) fn release_keyboard(&mut self) -> bool {
        std::mem::take(&mut self.cursor.has_keyboard)
    }

    /// Forgets the values on screen, so that the next pass reads them again.
    pub(crate) fn forget_values(&mut self) {
        self.texts.clear();
    }

    /// Forgets everything about one source, before another one is drawn.
    pub(crate) fn detach(&mut self) {
        self.outline.detach();
        self.search.detach();
        self.texts.clear();
    }

    /// Brings listing, search and rows up to date, each only if what it follows from changed.
    pub(crate) fn update(
        &mut self,
        source: &mut dyn Source,
        selection: &Selection,
        timing: TreeTiming,
    ) {
        let reading = self.outline.read(source);
        if reading != Reading::Same {
            self.favorites.find_in(self.outline.listing());
        }
        let outline = &self.outline;
        let mut is_stale = self.rows.take_stale();
        is_stale |= self.search.take_in(outline, reading);
        if self.search.text() != self.search_box.text {
            let is_stale_anyway = is_stale || self.rows.any_missing();
            is_stale = self
                .search
                .search(outline, &self.search_box.text, is_stale_anyway);
        }
        is_stale = self.search.continue_fuzzy(outline, is_stale);
        is_stale = self.search.survey(source, outline, timing, is_stale);
        if is_stale || self.rows.is_of_other(selection) {
            let (search, favorites) = (&self.search, &self.favorites);
            self.rows.update(outline, search, favorites, selection);
            self.keep_cursor();
        }
        if self.cursor.take_to_first_series() {
            self.cursor_to_first_series();
        }
    }

    /// Returns whether a folder is open: in the tree, or among the results of the search.
    pub(super) fn is_open(&self, node: u32) -> bool {
        match self.is_searching() {
            true => !self.search.is_closed(self.outline.path(node)),
            false => self.tree().is_open(node),
        }
    }

    /// Opens a closed folder, closes an open one. Among search results this does not change what
    /// browsing shows.
    pub(super) fn fold(&mut self, node: u32) {
        let open = !self.is_open(node);
        if self.is_searching() {
            self.search.set_open(self.outline.path(node), open);
        } else {
            self.outline.set_open(node, open);
        }
        self.rows.set_stale();
    }

    /// Returns whether all (`Some(true)`), none or some (`None`) of the series that the check box
    /// of a folder stands for are selected.
    pub(super) fn folder_selected(&self, node: u32) -> Option<bool> {
        let selected = self.rows.selected_below(node);
        let all = match self.is_searching() {
            true => self.search.found_below(node),
            false => self.tree().node(node).series_below(),
        };
        match selected {
            0 => Some(false),
            selected if selected >= all => Some(true),
            _ => None,
        }
    }

    /// Returns the paths that the check box of a folder stands for: everything below it or, in a
    /// search, everything that was found below it. Calls of timers are only selected one by one.
    pub(super) fn paths_below(&self, node: u32) -> impl Iterator<Item = &str> {
        let counts = |entry: &u32| match self.is_searching() {
            true => self.search.is_found(*entry),
            false => self.listing().entry(*entry).kind != SeriesKind::TimerCalls,
        };
        let entries = self
            .tree()
            .at_and_below(node)
            .filter_map(|node| self.tree().node(node).entry);
        entries
            .filter(counts)
            .map(|entry| self.listing().path(entry))
    }

    /// Returns the path of the series or folder in a row; `None` for a heading.
    pub(super) fn row_path(&self, row: Row) -> Option<&str> {
        self.rows.path(row, &self.outline, &self.favorites)
    }

    /// Returns the entry of a favorite, or `None` while no series has its path.
    pub(super) fn favorite_entry(&self, at: u32) -> Option<u32> {
        self.favorites.entry(at)
    }

    pub(super) fn is_favorite(&self, path: &str) -> bool {
        self.favorites.contains(path)
    }

    /// Adds a path to the favorites, or removes it.
    pub(super) fn set_favorite(&mut self, path: &str, on: bool) {
        if self.favorites.set(path, on) {
            self.favorites_changed();
        }
    }

    /// Replaces all favorites.
    pub(crate) fn set_favorites(&mut self, paths: impl IntoIterator<Item = String>) {
        self.favorites.replace(paths);
        self.favorites_changed();
    }

    fn favorites_changed(&mut self) {
        self.favorites.find_in(self.outline.listing());
        self.rows.set_stale();
    }
}
