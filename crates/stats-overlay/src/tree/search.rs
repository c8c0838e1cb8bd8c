//! The search in the tree: what was typed, and what it found.
//!
//! A search has two parts. The words of the path are searched in an index, which a further letter
//! only narrows. If they find little, similar paths are searched over several frames. Then the
//! other words (`changed`, `unit:ms`) filter what was found, and those that depend on values filter
//! it again a few times a second.

use std::collections::HashSet;

use stats_core::{Source, Unit};

use crate::data::selection::FRAME_TIME;
use crate::search::activity::Activity;
use crate::search::fuzzy::Fuzzy;
use crate::search::query::Query;
use crate::search::results::{FEW, Found, SearchIndex};
use crate::tree::outline::{Outline, Reading};
use crate::tree::panel::TreeTiming;

/// The number of entries indexed in a frame, so that the first typed letter does not wait for the
/// whole listing.
const INDEXED_PER_FRAME: usize = 4096;

/// The query and its results.
#[derive(Debug)]
pub(super) struct TreeSearch {
    /// The text that `query` was parsed from.
    text: String,
    query: Query,
    index: SearchIndex,
    fuzzy: Fuzzy,
    activity: Activity,
    /// What the words of the path found.
    by_text: Found,
    /// The query that found `by_text`.
    by_text_of: Option<Query>,
    /// The part of `by_text` that the other words keep.
    found: Found,
    /// When `found` was last filtered by values.
    filtered_secs: f64,
    /// For each entry, whether it was found and is in the tree. Calls of timers are not.
    is_found: Vec<bool>,
    /// For each node, the number of found entries below it.
    found_below: Vec<u32>,
    /// Folders closed among the results, by path. The next search forgets them.
    closed: HashSet<String>,
}

impl Default for TreeSearch {
    fn default() -> Self {
        Self {
            text: String::new(),
            query: Query::default(),
            index: SearchIndex::default(),
            fuzzy: Fuzzy::default(),
            activity: Activity::default(),
            by_text: Found::default(),
            by_text_of: None,
            found: Found::default(),
            filtered_secs: f64::NEG_INFINITY,
            is_found: Vec::new(),
            found_below: Vec::new(),
            closed: HashSet::new(),
        }
    }
}

impl TreeSearch {
    /// Returns the text that is searched for.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn query(&self) -> &Query {
        &self.query
    }

    /// Returns whether anything is searched for. Otherwise the whole tree is shown.
    pub(super) fn is_active(&self) -> bool {
        !self.query.is_empty()
    }

    /// Returns what was found, in the order of the tree.
    pub(super) fn found(&self) -> &Found {
        &self.found
    }

    /// Returns whether an entry was found. Calls of timers never are.
    pub(super) fn is_found(&self, entry: u32) -> bool {
        self.is_found.get(entry as usize).copied().unwrap_or(false)
    }

    /// Returns the number of found series below a node.
    pub(super) fn found_below(&self, node: u32) -> u32 {
        self.found_below.get(node as usize).copied().unwrap_or(0)
    }

    /// Returns whether the search finds the row of the frame time.
    pub(super) fn finds_frame_time(&self) -> bool {
        self.query.finds(FRAME_TIME, Some(Unit::Milliseconds))
    }

    /// Returns whether the search needs values that this source does not have.
    pub(super) fn lacks_values(&self) -> bool {
        self.query.is_live() && !self.activity.can_tell()
    }

    /// Returns whether the search needs values that are known once a frame has ended.
    pub(super) fn waits_for_a_frame(&self) -> bool {
        self.query.is_live() && !self.activity.has_begun()
    }

    /// Returns whether a folder was closed among the results.
    pub(super) fn is_closed(&self, path: &str) -> bool {
        !self.closed.is_empty() && self.closed.contains(path)
    }

    /// Opens or closes a folder among the results.
    pub(super) fn set_open(&mut self, path: &str, open: bool) {
        if open {
            self.closed.remove(path);
        } else {
            self.closed.insert(path.to_owned());
        }
    }

    /// Indexes what was read, and searches it if it is new. `is_stale` is whether the rows are
    /// listed again anyway. Returns whether they have to be.
    pub(super) fn take_in(&mut self, outline: &Outline, reading: Reading) -> bool {
        match reading {
            Reading::Same => {
                let indexed = self.index.len();
                self.index
                    .extend(outline.listing(), indexed + INDEXED_PER_FRAME);
                return false;
            }
            Reading::Added => {}
            Reading::Replaced => self.index = SearchIndex::default(),
        }
        self.by_text_of = None;
        self.activity.learn_budgets(outline.listing());
        self.find(outline, true);
        true
    }

    /// Searches for another text. Returns whether the rows have to be listed again.
    pub(super) fn search(&mut self, outline: &Outline, text: &str, is_stale: bool) -> bool {
        text.clone_into(&mut self.text);
        let (was_active, found_frame_time) = (self.is_active(), self.finds_frame_time());
        self.query = Query::new(text);
        // What finds the same as before, like the first letters of a word that all paths share,
        // has the same rows.
        let is_stale = is_stale
            || was_active != self.is_active()
            || found_frame_time != self.finds_frame_time()
            || !self.closed.is_empty();
        self.closed.clear();
        self.find(outline, is_stale)
    }

    /// Continues to search for similar paths. Returns whether the rows have to be listed again.
    pub(super) fn continue_fuzzy(&mut self, outline: &Outline, is_stale: bool) -> bool {
        if !self.fuzzy.is_running() {
            return is_stale;
        }
        self.find_similar();
        self.filter(outline, is_stale)
    }

    /// Surveys all series while the search asks for values, and filters the results by them a few
    /// times a second. Returns whether the rows have to be listed again.
    pub(super) fn survey(
        &mut self,
        source: &mut dyn Source,
        outline: &Outline,
        timing: TreeTiming,
        is_stale: bool,
    ) -> bool {
        if !self.query.is_live() {
            self.activity.stop();
            return is_stale;
        }
        if timing.is_paused && self.activity.has_begun() {
            self.activity.keep(source);
            return is_stale;
        }
        let had_begun = self.activity.has_begun();
        self.activity.learn(source, outline.listing());
        let since = timing.now_secs - self.filtered_secs;
        let is_due = !(0.0..timing.refresh_secs).contains(&since);
        if !self.activity.has_begun() || (had_begun && !is_due) {
            return is_stale;
        }
        self.filtered_secs = timing.now_secs;
        self.activity.measure(source);
        self.filter(outline, is_stale)
    }

    /// Forgets what was measured in one source, before another one is drawn.
    pub(crate) fn detach(&mut self) {
        self.activity.stop();
    }

    fn find(&mut self, outline: &Outline, is_stale: bool) -> bool {
        let before = self.by_text_of.replace(self.query.clone());
        if self.query.is_empty() {
            self.by_text = Found::default();
            self.by_text_of = None;
        } else {
            self.index.extend(outline.listing(), usize::MAX);
            let order = outline.listing().order();
            let matching = match before {
                // Searched one by one, each path costs more than in one go.
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
        self.filter(outline, is_stale)
    }

    fn find_similar(&mut self) {
        self.fuzzy
            .step(&self.index, &self.query, &self.by_text.matching);
        if !self.fuzzy.best().eq(self.by_text.similar.iter().copied()) {
            self.by_text.similar = self.fuzzy.best().collect();
        }
    }

    /// Keeps the part of `by_text` that the other words ask for. Returns whether the rows have to
    /// be listed again.
    fn filter(&mut self, outline: &Outline, is_stale: bool) -> bool {
        let listing = outline.listing();
        let keeps = |entry: &&u32| self.query.keeps(listing.entry(**entry), &self.activity);
        let keep = |entries: &[u32]| match self.query.has_conditions() {
            true => entries.iter().filter(keeps).copied().collect(),
            false => entries.to_vec(),
        };
        let found = Found {
            matching: keep(&self.by_text.matching),
            similar: keep(&self.by_text.similar),
        };
        if found == self.found && !is_stale {
            return false;
        }
        self.found = found;
        self.is_found.clear();
        if self.is_active() {
            let is_series = |entry: &u32| !listing.entry(*entry).kind.is_recording_count();
            let series: Vec<u32> = self
                .found
                .matching
                .iter()
                .copied()
                .filter(is_series)
                .collect();
            self.is_found.resize(listing.len(), false);
            for &entry in &series {
                self.is_found[entry as usize] = true;
            }
            outline.tree().count_below(&series, &mut self.found_below);
        }
        true
    }
}
