//! The state of the tree: the listing, what is open, what is searched for, and the rows that follow
//! from that.

use std::collections::{HashMap, HashSet};

use stats_core::{SeriesId, SeriesKind, Source, Unit};

use crate::data::listing::{Change, Listing};
use crate::data::selection::{FRAME_TIME, Selection};
use crate::search::activity::Activity;
use crate::search::fuzzy::Fuzzy;
use crate::search::query::Query;
use crate::search::results::{FEW, Found, SearchIndex};
use crate::tree::cursor::Cursor;
use crate::tree::model::{Folds, Tree};
use crate::tree::rows::Row;

/// How much of the listing is prepared for the search in a frame, so that the first letter typed
/// does not wait for all of it.
const INDEXED_AT_ONCE: usize = 4096;

/// What is written in a row of a series.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowText {
    pub(crate) value: String,
    /// The least and the greatest value lately; empty of series without a history.
    pub(crate) range: String,
}

/// Everything about the tree that outlives a frame.
#[derive(Debug)]
pub(crate) struct TreePanel {
    /// What stands in the search box.
    pub(crate) typed: String,
    /// Whether the search box is to get the keyboard.
    pub(crate) focus_search: bool,
    /// Whether what is typed next is to stand behind what is in it.
    pub(crate) caret_to_end: bool,
    listing: Listing,
    tree: Tree,
    generation: Option<u64>,
    /// Folders that the user opened or closed, by path.
    folds: Folds,
    index: SearchIndex,
    searched: String,
    pub(crate) query: Query,
    /// What the text of the search found.
    by_text: Found,
    /// The query that this was.
    by_text_of: Option<Query>,
    /// What is left of that by its other words.
    pub(crate) found: Found,
    fuzzy: Fuzzy,
    activity: Activity,
    /// How often results by what counters do are found anew, in seconds. Default: 0.1.
    pub(crate) refresh_secs: f64,
    filtered_at_secs: f64,
    /// Whether the views stand still, results by what counters do with them.
    pub(crate) paused: bool,
    /// By entry: whether it was found and is in the tree. Calls of timers are not.
    is_found: Vec<bool>,
    /// By node: how many of those are below it.
    found_below: Vec<u32>,
    /// Folders closed among the results, by path; forgotten with the next search.
    closed_in_results: HashSet<String>,
    pub(crate) rows: Vec<Row>,
    rows_stale: bool,
    /// SelectedSeries paths that no series has yet and that the search finds.
    pub(crate) missing: Vec<String>,
    /// Whether any selected path has no series yet, found by the search or not.
    pub(crate) any_missing: bool,
    pub(crate) favourites: Vec<String>,
    /// The entries of the favourites, where there are any.
    favourite_entries: Vec<Option<u32>>,
    pub(crate) cursor: Cursor,
    /// Whether the cursor is to go to the first series found, once the rows are listed.
    pub(crate) to_rows: bool,
    /// Whether the rows have the keyboard: the cursor was moved by key or action, and nothing was
    /// clicked since.
    pub(crate) has_keyboard: bool,
    /// Whether the words that the search knows are listed, whatever is typed.
    pub(crate) shows_hint: bool,
    /// Whether they were drawn in the last frame.
    pub(crate) draws_hint: bool,
    /// Where the view was scrolled to when it was drawn last, and how high it was, in points.
    pub(crate) scrolled: (f32, f32),
    selection_revision: Option<u64>,
    /// By node: how many selected series are below it, in a search of those that were found. Calls of
    /// timers do not count.
    selected_below: HashMap<u32, u32>,
    /// Values as they are shown, until the numbers are refreshed.
    pub(crate) texts: HashMap<SeriesId, RowText>,
}

impl Default for TreePanel {
    fn default() -> Self {
        Self {
            typed: String::new(),
            focus_search: false,
            caret_to_end: false,
            listing: Listing::default(),
            tree: Tree::default(),
            generation: None,
            folds: Folds::new(),
            index: SearchIndex::default(),
            searched: String::new(),
            query: Query::default(),
            by_text: Found::default(),
            by_text_of: None,
            found: Found::default(),
            fuzzy: Fuzzy::default(),
            activity: Activity::default(),
            refresh_secs: 0.1,
            filtered_at_secs: f64::NEG_INFINITY,
            paused: false,
            is_found: Vec::new(),
            found_below: Vec::new(),
            closed_in_results: HashSet::new(),
            rows: Vec::new(),
            rows_stale: false,
            missing: Vec::new(),
            any_missing: false,
            favourites: Vec::new(),
            favourite_entries: Vec::new(),
            cursor: Cursor::default(),
            to_rows: false,
            has_keyboard: false,
            shows_hint: false,
            draws_hint: false,
            scrolled: (0.0, 0.0),
            selection_revision: None,
            selected_below: HashMap::new(),
            texts: HashMap::new(),
        }
    }
}

impl TreePanel {
    pub(crate) fn listing(&self) -> &Listing {
        &self.listing
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(crate) fn query(&self) -> &Query {
        &self.query
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) fn is_searching(&self) -> bool {
        !self.query.is_empty()
    }

    /// Whether the search asks for what this source cannot tell.
    pub(crate) fn cannot_tell(&self) -> bool {
        self.query.is_live() && !self.activity.can_tell()
    }

    /// Whether the search asks for what is known only when a frame has ended.
    pub(crate) fn waits_for_a_frame(&self) -> bool {
        self.query.is_live() && !self.activity.has_begun()
    }

    /// The entry of a favourite; `None` while no series has its path.
    pub(crate) fn favourite_entry(&self, at: u32) -> Option<u32> {
        self.favourite_entries.get(at as usize).copied().flatten()
    }

    /// Looks for the entries of the favourites after these or the listing changed.
    pub(crate) fn favourites_changed(&mut self) {
        self.favourite_entries.clear();
        self.favourite_entries
            .extend(self.favourites.iter().map(|path| self.listing.find(path)));
        self.rows_stale = true;
    }

    /// How many series the search found.
    pub(crate) fn found_count(&self) -> usize {
        self.found.matching.len() + self.found.similar.len()
    }

    /// Forgets the listing of one source, before another one is drawn.
    pub(crate) fn detach(&mut self) {
        self.generation = None;
        self.texts.clear();
        self.activity.stop();
    }

    /// Brings listing, search and rows up to date; each only when what it depends on changed.
    pub(crate) fn update(&mut self, source: &mut dyn Source, selection: &Selection, now_secs: f64) {
        self.read_listing(source);
        self.search();
        if self.fuzzy.is_running() {
            self.find_similar();
            self.filter();
        }
        self.watch_all(source, now_secs);
        if self.selection_revision != Some(selection.revision()) {
            self.selection_revision = Some(selection.revision());
            self.rows_stale = true;
        }
        if self.rows_stale {
            self.rows_stale = false;
            self.count_selected(selection);
            self.list_rows(selection);
        }
        if std::mem::take(&mut self.to_rows) {
            self.cursor_to_first_series();
        }
    }

    pub(crate) fn is_open(&self, node: u32) -> bool {
        match self.is_searching() {
            true => !self.is_closed_in_results(node),
            false => self.tree.is_open(node),
        }
    }

    /// Opens a closed folder, closes an open one. Among search results that does not touch what
    /// browsing shows.
    pub(crate) fn fold(&mut self, node: u32) {
        let open = !self.is_open(node);
        let path = self.tree.path(&self.listing, node);
        if !self.is_searching() {
            self.folds.insert(path.to_owned(), open);
            self.tree.set_open(node, open);
        } else if open {
            self.closed_in_results.remove(path);
        } else {
            self.closed_in_results.insert(path.to_owned());
        }
        self.rows_stale = true;
    }

    /// Whether all (`Some(true)`), none or some (`None`) of what the check box of a folder stands
    /// for are selected.
    pub(crate) fn folder_selected(&self, node: u32) -> Option<bool> {
        let selected = self.selected_below.get(&node).copied().unwrap_or(0);
        let all = match self.is_searching() {
            true => self.found_below.get(node as usize).copied().unwrap_or(0),
            false => self.tree.node(node).series_below(),
        };
        match selected {
            0 => Some(false),
            selected if selected >= all => Some(true),
            _ => None,
        }
    }

    /// The paths that the check box of a folder stands for: what is below it and, in a search, was
    /// found. Calls of timers are selected by themselves only.
    pub(crate) fn paths_below(&self, node: u32) -> impl Iterator<Item = &str> {
        let counts = |entry: &u32| match self.is_searching() {
            true => self.is_found.get(*entry as usize).copied().unwrap_or(false),
            false => self.listing.entry(*entry).kind != SeriesKind::TimerCalls,
        };
        let entries = self
            .tree
            .at_and_below(node)
            .filter_map(|node| self.tree.node(node).entry);
        entries.filter(counts).map(|entry| self.listing.path(entry))
    }

    pub(crate) fn is_closed_in_results(&self, node: u32) -> bool {
        !self.closed_in_results.is_empty()
            && self
                .closed_in_results
                .contains(self.tree.path(&self.listing, node))
    }

    fn read_listing(&mut self, source: &dyn Source) {
        let generation = source.generation();
        let since = self.generation.replace(generation);
        if since == Some(generation) {
            let indexed = self.index.len();
            self.index.extend(&self.listing, indexed + INDEXED_AT_ONCE);
            return;
        }
        match since.map_or(Change::ReadAll, |since| {
            self.listing.read_changes(source, since)
        }) {
            Change::Added(first) => {
                for entry in first..self.listing.len() as u32 {
                    self.tree.insert(&self.listing, &self.folds, entry);
                }
            }
            Change::ReadAll => {
                self.listing = Listing::read(source);
                self.tree = Tree::build(&self.listing, &self.folds);
                self.index = SearchIndex::default();
            }
        }
        self.by_text_of = None;
        self.rows_stale = true;
        self.activity.learn_budgets(&self.listing);
        self.favourites_changed();
        self.find();
    }

    fn search(&mut self) {
        if self.searched != self.typed {
            self.searched.clone_from(&self.typed);
            let was_searching = self.is_searching();
            self.query = Query::new(&self.typed);
            // What finds the same as before, as the first letters of a word common to all do, has
            // the same rows.
            self.rows_stale |=
                was_searching != self.is_searching() || !self.closed_in_results.is_empty();
            let finds_frame_time = self.query.finds(FRAME_TIME, Some(Unit::Milliseconds));
            self.rows_stale |= self.any_missing
                || finds_frame_time != (self.rows.first() == Some(&Row::FrameTime));
            self.closed_in_results.clear();
            self.find();
        }
    }

    fn find(&mut self) {
        let before = self.by_text_of.replace(self.query.clone());
        if self.query.is_empty() {
            self.by_text = Found::default();
            self.by_text_of = None;
        } else {
            self.index.extend(&self.listing, usize::MAX);
            let order = self.listing.order();
            let matching = match before {
                // One by one costs more each than all in one go.
                Some(before)
                    if self.by_text.matching.len() < order.len() / 4
                        && self.query.narrows(&before) =>
                {
                    self.index.find_among(&self.query, &self.by_text.matching)
                }
                _ => self.index.find(&self.query, order),
            };
            self.by_text = Found {
                matching,
                similar: Vec::new(),
            };
        }
        self.fuzzy
            .start(&self.query, self.by_text.matching.len() < FEW);
        self.find_similar();
        self.filter();
    }

    /// Goes on looking for what is alike.
    fn find_similar(&mut self) {
        self.fuzzy
            .step(&self.index, &self.query, &self.by_text.matching);
        if !self.fuzzy.best().eq(self.by_text.similar.iter().copied()) {
            self.by_text.similar = self.fuzzy.best().collect();
        }
    }

    /// Surveys all series while the search asks what they do, and now and then finds those of which
    /// it holds.
    fn watch_all(&mut self, source: &mut dyn Source, now_secs: f64) {
        if !self.query.is_live() {
            self.activity.stop();
            return;
        }
        if self.paused && self.activity.has_begun() {
            self.activity.keep(source);
            return;
        }
        let had_begun = self.activity.has_begun();
        self.activity.learn(source, &self.listing);
        let due = !(0.0..self.refresh_secs).contains(&(now_secs - self.filtered_at_secs));
        if self.activity.has_begun() && (!had_begun || due) {
            self.filtered_at_secs = now_secs;
            self.activity.measure(source);
            self.filter();
        }
    }

    /// Takes from what the text found what the other words ask for. The rows are listed anew only
    /// where that changes them.
    fn filter(&mut self) {
        let keeps = |entry: &&u32| {
            self.query
                .keeps(self.listing.entry(**entry), &self.activity)
        };
        let keep = |entries: &[u32]| match self.query.has_conditions() {
            true => entries.iter().filter(keeps).copied().collect(),
            false => entries.to_vec(),
        };
        let found = Found {
            matching: keep(&self.by_text.matching),
            similar: keep(&self.by_text.similar),
        };
        if found == self.found && !self.rows_stale {
            return;
        }
        self.rows_stale = true;
        self.found = found;
        let is_series = |entry: &u32| self.listing.entry(*entry).kind != SeriesKind::TimerCalls;
        self.is_found.clear();
        if self.is_searching() {
            let series: Vec<u32> = self
                .found
                .matching
                .iter()
                .copied()
                .filter(is_series)
                .collect();
            self.is_found.resize(self.listing.len(), false);
            series
                .iter()
                .for_each(|&entry| self.is_found[entry as usize] = true);
            self.tree.count_below(&series, &mut self.found_below);
        }
    }

    /// Counts for every folder how many selected series are in it.
    fn count_selected(&mut self, selection: &Selection) {
        self.selected_below.clear();
        let entries = selection
            .selected()
            .iter()
            .filter_map(|selected| self.listing.entry_of(selected.id?));
        for entry in
            entries.filter(|&entry| self.listing.entry(entry).kind != SeriesKind::TimerCalls)
        {
            if self.is_searching() && !self.is_found[entry as usize] {
                continue;
            }
            for folder in self.tree.folders_of(entry) {
                *self.selected_below.entry(folder).or_default() += 1;
            }
        }
    }
}
