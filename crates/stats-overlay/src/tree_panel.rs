//! The state of the tree: the listing, what is open, what is searched for, and the rows that follow from that.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use stats_core::{Kind, SeriesId, Source};

use crate::listing::Listing;
use crate::search::{Found, Query, SearchIndex};
use crate::selection::{FRAME_TIME, Selection};
use crate::tree::{Row, Tree};

/// A listing of more series than this is not read anew more often than every [`READ_PAUSE_SECS`].
const READ_AT_ONCE: usize = 4_000;
const READ_PAUSE_SECS: f64 = 0.5;

/// Everything about the tree that outlives a frame.
#[derive(Debug, Default)]
pub(crate) struct TreePanel {
    /// What stands in the search box.
    pub(crate) typed: String,
    /// Whether the search box is to get the keyboard.
    pub(crate) focus_search: bool,
    listing: Listing,
    tree: Tree,
    generation: Option<u64>,
    read_at_secs: f64,
    /// Folders that the user opened or closed, by path.
    folds: HashMap<String, bool>,
    open: Vec<bool>,
    index: Option<SearchIndex>,
    searched: String,
    query: Query,
    found: Found,
    /// What was found and is in the tree, ascending; calls of timers not among it.
    found_series: Vec<u32>,
    /// Folders closed among the results, by path; forgotten with the next search.
    closed_in_results: HashSet<String>,
    rows: Vec<Row>,
    rows_stale: bool,
    selection_revision: Option<u64>,
    /// Ticked entries of the listing, ascending; calls of timers not among them.
    ticked_entries: Vec<u32>,
    /// Values as they are shown, until the numbers are refreshed.
    pub(crate) texts: HashMap<SeriesId, String>,
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

    /// How many series the search found.
    pub(crate) fn found_count(&self) -> usize {
        self.found.matching.len() + self.found.similar.len()
    }

    /// Forgets the listing of one source, before another one is drawn.
    pub(crate) fn detach(&mut self) {
        self.generation = None;
        self.read_at_secs = f64::NEG_INFINITY;
        self.texts.clear();
    }

    /// Brings listing, search and rows up to date; each only when what it depends on changed.
    pub(crate) fn update(&mut self, source: &dyn Source, selection: &Selection, now_secs: f64) {
        self.read_listing(source, now_secs);
        self.search();
        if self.selection_revision != Some(selection.revision()) {
            self.selection_revision = Some(selection.revision());
            self.note_ticked(selection);
            self.rows_stale = true;
        }
        if self.rows_stale {
            self.rows_stale = false;
            self.list_rows(selection);
        }
    }

    pub(crate) fn is_open(&self, node: u32) -> bool {
        match self.is_searching() {
            true => !self.is_closed_in_results(node),
            false => self.open.get(node as usize).copied().unwrap_or(false),
        }
    }

    /// Opens a closed folder, closes an open one. Among search results that does not touch what browsing shows.
    pub(crate) fn fold(&mut self, node: u32) {
        let open = !self.is_open(node);
        let path = self.tree.path(&self.listing, node);
        if !self.is_searching() {
            self.folds.insert(path.to_owned(), open);
            self.open[node as usize] = open;
        } else if open {
            self.closed_in_results.remove(path);
        } else {
            self.closed_in_results.insert(path.to_owned());
        }
        self.rows_stale = true;
    }

    /// Whether all (`Some(true)`), none or some (`None`) of what the check box of a folder stands for are ticked.
    pub(crate) fn folder_ticked(&self, node: u32) -> Option<bool> {
        let ticked = within(&self.ticked_entries, self.tree.node(node).entries());
        let (ticked, all) = if self.is_searching() {
            let all = within(&self.found_series, self.tree.node(node).entries());
            (ticked.iter().filter(|entry| all.binary_search(entry).is_ok()).count(), all.len())
        } else {
            (ticked.len(), self.tree.node(node).series_below() as usize)
        };
        match ticked {
            0 => Some(false),
            ticked if ticked >= all => Some(true),
            _ => None,
        }
    }

    /// The paths that the check box of a folder stands for: what is below it and, in a search, was found. Calls of timers
    /// are ticked by themselves only.
    pub(crate) fn paths_below(&self, node: u32) -> impl Iterator<Item = &str> {
        let shown = |entry: &u32| !self.is_searching() || self.found_series.binary_search(entry).is_ok();
        let counts = |entry: &u32| self.listing.entry(*entry as usize).kind != Kind::TimerCalls;
        self.tree.node(node).entries().filter(shown).filter(counts).map(|entry| self.listing.path(entry as usize))
    }

    fn is_closed_in_results(&self, node: u32) -> bool {
        !self.closed_in_results.is_empty() && self.closed_in_results.contains(self.tree.path(&self.listing, node))
    }

    fn read_listing(&mut self, source: &dyn Source, now_secs: f64) {
        let generation = source.generation();
        if self.generation == Some(generation) {
            return;
        }
        let recent = now_secs - self.read_at_secs < READ_PAUSE_SECS && now_secs >= self.read_at_secs;
        if self.generation.is_some() && self.listing.len() > READ_AT_ONCE && recent {
            return;
        }
        self.generation = Some(generation);
        self.read_at_secs = now_secs;
        self.listing = Listing::read(source);
        self.tree = Tree::build(&self.listing);
        self.open = self.tree.open_folders(&self.listing, &self.folds);
        self.index = None;
        self.selection_revision = None;
        self.find();
    }

    fn search(&mut self) {
        if self.searched != self.typed {
            self.searched.clone_from(&self.typed);
            self.query = Query::new(&self.typed);
            self.closed_in_results.clear();
            self.find();
        }
    }

    fn find(&mut self) {
        self.rows_stale = true;
        self.found = if self.query.is_empty() {
            Found::default()
        } else {
            self.index.get_or_insert_with(|| SearchIndex::build(&self.listing)).find(&self.query)
        };
        let counts = |entry: &u32| self.listing.entry(*entry as usize).kind != Kind::TimerCalls;
        self.found_series = self.found.matching.iter().copied().filter(counts).collect();
    }

    fn list_rows(&mut self, selection: &Selection) {
        self.rows.clear();
        if self.query.finds(FRAME_TIME) {
            self.rows.push(Row::FrameTime);
        }
        for (at, ticked) in selection.ticked().iter().enumerate() {
            if ticked.is_missing() && self.query.finds(&ticked.path) {
                self.rows.push(Row::Missing(at as u32));
            }
        }
        if !self.is_searching() {
            self.tree.browse_rows(&self.open, &mut self.rows);
            return;
        }
        let mut rows = std::mem::take(&mut self.rows);
        self.tree.search_rows(&self.found.matching, &|node| self.is_closed_in_results(node), &mut rows);
        self.rows = rows;
        if !self.found.similar.is_empty() {
            self.rows.push(Row::SimilarHeading);
            self.rows.extend(self.found.similar.iter().map(|&entry| Row::Similar(entry)));
        }
    }

    fn note_ticked(&mut self, selection: &Selection) {
        let mut ids: Vec<SeriesId> = selection.ticked().iter().filter_map(|ticked| ticked.id).collect();
        ids.sort_unstable();
        self.ticked_entries.clear();
        if ids.is_empty() {
            return;
        }
        for (at, entry) in self.listing.entries().iter().enumerate() {
            if entry.kind != Kind::TimerCalls && ids.binary_search(&entry.id).is_ok() {
                self.ticked_entries.push(at as u32);
            }
        }
    }
}

/// The part of ascending `entries` that lies in `range`.
fn within(entries: &[u32], range: Range<u32>) -> &[u32] {
    let from = entries.partition_point(|&entry| entry < range.start);
    let to = entries.partition_point(|&entry| entry < range.end);
    &entries[from..to]
}
