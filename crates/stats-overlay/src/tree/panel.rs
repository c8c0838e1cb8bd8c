//! The tree panel: its parts, and the order in which they are updated.
//!
//! In every pass, each part is updated if its inputs changed:
//!
//! ```text
//! source ──▶ Outline ──▶ TreeSearch ──▶ Walk ──▶ RowList ──▶ Cursor
//!            listing     results        rows     rows        row under the keys
//!               ▲           ▲                       ▲
//!             folds     SearchBox           selection, Favorites
//! ```
//!
//! With many series, a part takes several passes. Its previous state is shown until the new one is
//! complete. The tree does not grow while results are marked in it or rows are listed from it, so
//! the visible parts are always consistent.

use stats_analysis::teams::Team;
use stats_core::{SeriesId, Source, Unit};

use crate::baseline::moved::Change;
use crate::data::allowance::Allowance;
use crate::data::listing::Listing;
use crate::data::selection::{MAX_SELECTED, Selection};
use crate::insight::watcher::Hitches;
use crate::search::query::{Query, Word};
use crate::search::spiking::Spiking;
use crate::search::together::Together;
use crate::tree::costs::Costs;
use crate::tree::cursor::{Cursor, Listed};
use crate::tree::favorites::Favorites;
use crate::tree::model::Tree;
use crate::tree::outline::{Outline, Reading};
use crate::tree::painted::PaintedRows;
use crate::tree::ranking::{Columns, moved, spiked, together};
use crate::tree::row_values::{RowTexts, RowValues, Subject};
use crate::tree::rows::{Row, RowList};
use crate::tree::search::{TreeSearch, TreeTiming};
use crate::tree::search_box::SearchBox;
use crate::tree::walk::{Shown, Walk};

/// The first step that is still to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// Search the paths for the words.
    #[default]
    Find,
    /// Mark the matches that satisfy the other words.
    Mark,
    /// List the rows.
    List,
    /// Nothing: the visible rows are complete.
    None,
}

/// Everything about the tree that outlives a frame.
#[derive(Debug, Default)]
pub(crate) struct TreePanel {
    pub(crate) search_box: SearchBox,
    pub(super) outline: Outline,
    pub(super) search: TreeSearch,
    pub(crate) favorites: Favorites,
    pub(super) rows: RowList,
    /// What the timers in each folder cost.
    pub(super) costs: Costs,
    /// What is known of the series that moved together.
    pub(super) together_note: String,
    /// The series with which those in the rows moved.
    pub(super) together_with: String,
    /// Whether the teams of the program changed since the last search.
    has_new_teams: bool,
    /// Whether the rows lack series that moved together, because they were held.
    has_new_together: bool,
    /// Whether rows are sorted by cost, and not by name.
    pub(super) is_by_cost: bool,
    step: Step,
    /// Whether the rows must be listed again even if the results are unchanged.
    are_rows_stale: bool,
    walk: Walk,
    pub(super) cursor: Cursor,
    /// Whether the pointer was over the rows in the previous pass.
    pub(super) is_pointed: bool,
    /// Whether rows stay in their places, because the pointer or the cursor is among them.
    is_held: bool,
    /// Whether the results changed while the rows were held.
    has_missed: bool,
    /// The texts of the rows on screen.
    pub(super) texts: RowTexts,
    /// What the rows on screen show, from top to bottom.
    pub(super) values: Vec<RowValues>,
    /// The shapes of the rows on screen, from top to bottom.
    pub(super) painted: PaintedRows,
    /// Reused memory for a path.
    pub(super) path: String,
}

impl TreePanel {
    pub(super) fn listing(&self) -> &Listing {
        self.outline.listing()
    }

    pub(super) fn tree(&self) -> &Tree {
        self.outline.tree()
    }

    /// Returns the number of searched paths; `None` if no search is running.
    pub(super) fn searching(&self) -> Option<usize> {
        let goes_on = self.search.is_active() && self.are_rows_stale;
        goes_on.then(|| self.search.searched())
    }

    /// Sets the teams of the program.
    pub(crate) fn set_teams(&mut self, teams: Vec<Team>) {
        self.search.set_teams(teams);
        self.has_new_teams = true;
    }

    /// Returns whether the rows are those that the search found.
    pub(super) fn is_searching(&self) -> bool {
        self.search.filters()
    }

    /// Returns what is searched for.
    pub(crate) fn query(&self) -> &Query {
        self.search.query()
    }

    /// Returns whether the search may still find something.
    pub(super) fn is_finding(&self) -> bool {
        self.are_rows_stale || self.search.is_finding_similar()
    }

    /// Returns the series that spiked, if the rows show them.
    pub(super) fn ranking(&self) -> Option<&Spiking> {
        let is_ranking = self.search.query().ranked_by() == Some(Word::Spiking);
        is_ranking.then(|| self.search.spiking())
    }

    /// Returns the number of series that the search found.
    pub(super) fn found_count(&self) -> usize {
        if self.search.is_ranked() {
            let is_ranked = |row: &Row| matches!(row, Row::Ranked(_));
            return self.rows.iter().filter(is_ranked).count();
        }
        self.search.shown().count()
    }

    /// Forgets the values on screen, so that the next pass reads them again.
    pub(crate) fn forget_values(&mut self) {
        self.texts.forget();
    }

    /// Forgets everything about one source, before another one is drawn.
    pub(crate) fn detach(&mut self) {
        self.outline.detach();
        self.costs.forget();
        self.favorites.find_in(&self.outline);
        self.texts = RowTexts::default();
        self.release();
    }

    /// Frees the memory that only a panel on screen needs: rows, results, and the state of the
    /// search. The listing and its folders stay until [`free`](Self::free), so that the panel opens
    /// again without delay.
    pub(crate) fn release(&mut self) {
        self.search.detach();
        self.together_with.clear();
        self.has_new_together = true;
        self.forget_rows();
    }

    /// Frees the memory of the listing as well, in this pass and the next ones: call
    /// [`continue_freeing`](Self::continue_freeing) in each. The panel reads the listing again when
    /// it opens.
    pub(crate) fn free(&mut self) {
        if self.outline.is_read() {
            self.detach();
            (self.texts, self.values, self.painted) = Default::default();
        }
    }

    /// Continues to free the memory of listings that were forgotten.
    pub(crate) fn continue_freeing(&mut self, allowance: &mut Allowance) {
        self.outline.continue_freeing(allowance);
    }

    /// Forgets the rows of the tree.
    fn forget_rows(&mut self) {
        self.rows.set_body(Vec::new());
        self.rows.set_head_stale();
        self.restart(Step::Find);
        self.are_rows_stale = true;
    }

    /// Updates listing, search and rows until the allowance runs out, each only if its inputs
    /// changed. `hitches` is `None` if the settings turn off the search for them.
    pub(crate) fn update(
        &mut self,
        source: &mut dyn Source,
        hitches: Option<&Hitches>,
        selection: &Selection,
        timing: TreeTiming,
        allowance: &mut Allowance,
    ) {
        let has_new_teams = std::mem::take(&mut self.has_new_teams);
        if has_new_teams || self.search.text() != self.search_box.text {
            self.search.search(&self.search_box.text, &self.outline);
            self.restart(Step::Find);
            self.are_rows_stale = true;
            self.search.release();
            (self.cursor.is_in_list, self.has_missed) = (false, false);
        }
        self.cursor.is_in_list &= !self.search_box.has_focus;
        self.is_held = self.is_pointed || self.cursor.is_in_list;
        if !self.is_held && std::mem::take(&mut self.has_missed) {
            self.search.release();
            self.are_rows_stale = true;
            self.restart(Step::Mark);
        }
        let may_cost = !timing.is_paused && self.step == Step::None;
        if let Some(hitches) = hitches.filter(|_| may_cost)
            && self.update_costs(hitches, timing.now_secs, allowance)
            && self.is_by_cost
            && !self.is_held
        {
            self.list_again();
        }
        let is_idle = self.step == Step::None;
        let (timing, is_held) = ((timing, &mut *allowance), self.is_held);
        if self
            .search
            .survey(source, hitches, &self.outline, timing, (is_idle, is_held))
        {
            self.are_rows_stale |= self.search.is_ranked();
            self.restart(Step::Mark);
        }
        self.step(source, allowance);
        // The rows above the tree are listed together with its rows, or when the selection changes.
        if self.rows.is_head_stale(selection) {
            let (search, favorites) = (&self.search, &self.favorites);
            self.rows
                .update_head(&self.outline, search, favorites, selection);
            if self.step == Step::None {
                self.with_cursor(Cursor::keep);
            }
        }
        if self.step == Step::None && std::mem::take(&mut self.cursor.to_first_series) {
            self.put_cursor_at_first_series();
        }
    }

    /// Computes again what the timers in each folder cost. Returns whether that is complete.
    fn update_costs(&mut self, of: &Hitches, now_secs: f64, allowance: &mut Allowance) -> bool {
        let insight = of.insight().filter(|_| self.outline.progress().is_none());
        let Some(insight) = insight else { return false };
        let frame_ms = insight.usual_frame().map_or(0.0, |usual| usual.value);
        (self.costs).update((frame_ms, insight), &self.outline, now_secs, allowance)
    }

    /// Sorts rows by cost, the largest first, or by name.
    pub(super) fn set_by_cost(&mut self, is_by_cost: bool) {
        self.is_by_cost = is_by_cost;
        self.costs.set_has_sizes(is_by_cost);
        self.list_again();
    }

    /// Lists the rows again from the same results.
    fn list_again(&mut self) {
        // Listing the results consumed their marks, so a search must make them again.
        let is_searching = self.is_searching();
        self.restart(if is_searching { Step::Mark } else { Step::List });
        self.are_rows_stale = true;
    }

    /// Calls `act` with the cursor and the rows.
    pub(super) fn with_cursor(&mut self, act: impl FnOnce(&mut Cursor, Listed<'_>)) {
        let listed = Listed {
            rows: &self.rows,
            outline: &self.outline,
            favorites: &self.favorites,
        };
        act(&mut self.cursor, listed);
    }

    pub(super) fn put_cursor_at_first_series(&mut self) {
        self.with_cursor(Cursor::put_at_first_series);
    }

    /// Receives the series that moved away from the baseline, largest change first.
    pub(crate) fn set_moved(&mut self, moved: &[(SeriesId, Change)]) {
        // Rows under the pointer keep their places.
        if !self.is_held && self.search.set_moved(moved) {
            self.are_rows_stale = true;
            self.restart(Step::Mark);
        }
    }

    /// Receives the series that moved together with another one; if they are not `is_new`, only what
    /// else is known.
    pub(crate) fn set_together(&mut self, together: &Together, is_new: bool) {
        together.note().clone_into(&mut self.together_note);
        self.has_new_together |= is_new;
        let subject = together.subject().unwrap_or_default();
        // Rows under the pointer keep their places, unless the user asked for those of another series.
        let is_held = self.is_held && subject == self.together_with;
        if !is_held && std::mem::take(&mut self.has_new_together) {
            subject.clone_into(&mut self.together_with);
            self.search.set_together(together.found());
            self.are_rows_stale = true;
            self.restart(Step::Mark);
        }
    }

    /// Returns whether the search asks for the series that moved together with another one.
    pub(crate) fn asks_together(&self) -> bool {
        self.search.query().asks(Word::Together)
    }

    /// Returns whether the search asks for the series that moved.
    pub(crate) fn asks_moved(&self) -> bool {
        self.search.query().asks(Word::Moved)
    }

    /// Returns whether everything has been read and the resulting rows are shown.
    #[cfg(test)]
    pub(super) fn is_up_to_date(&self, source: &dyn Source) -> bool {
        self.outline.is_up_to_date(source)
            && self.step == Step::None
            && self.search.text() == self.search_box.text
            && !self.search.is_finding_similar()
    }

    /// Goes back to a step if it is done already.
    fn restart(&mut self, step: Step) {
        self.step = self.step.min(step);
        self.walk = Walk::default();
        if step < Step::List {
            self.search.restart_marks();
        }
    }

    /// Performs the remaining steps until the allowance is used up.
    fn step(&mut self, source: &dyn Source, allowance: &mut Allowance) {
        // The tree must not change while marks or rows are made from it.
        if matches!(self.step, Step::Find | Step::None) {
            match self.outline.read(source, allowance) {
                Reading::Unfinished => return,
                Reading::Same => {}
                Reading::Added => self.take_in_listing(),
                Reading::Replaced => {
                    self.search.forget_listing();
                    self.costs.forget();
                    self.forget_rows();
                    self.take_in_listing();
                }
            }
        }
        if self.step == Step::Find {
            if !self.search.find(&self.outline, allowance) {
                return;
            }
            self.step = Step::Mark;
        }
        if self.step == Step::None && self.search.find_similar(allowance) {
            self.restart(Step::Mark);
        }
        if self.step == Step::Mark {
            if !self.search.mark(&self.outline, allowance) {
                return;
            }
            let is_same = self.search.marked() == self.search.shown();
            if !is_same && !self.are_rows_stale && self.keeps_rows() {
                // The rows stay in their places; those that no longer match are dimmed.
                self.search.show_in_place();
                self.rows.set_head_stale();
                (self.has_missed, self.step) = (true, Step::None);
                return;
            }
            self.step = if is_same && !self.are_rows_stale {
                Step::None
            } else {
                Step::List
            };
        }
        if self.step == Step::List && self.list_rows(allowance) {
            self.step = Step::None;
            self.are_rows_stale = false;
            if self.search.find_similar(allowance) {
                self.restart(Step::Mark);
                self.step(source, allowance);
            }
        }
    }

    /// Returns whether rows stay in their places although the results change.
    fn keeps_rows(&self) -> bool {
        let query = self.search.query();
        self.is_held && query.asks_behavior() && !query.is_ranked()
    }

    fn take_in_listing(&mut self) {
        self.favorites.find_in(&self.outline);
        self.search.learn_budgets(&self.outline);
        self.restart(Step::Find);
        // A new series must not move the rows under the pointer.
        self.are_rows_stale |= !self.keeps_rows();
        self.rows.set_head_stale();
    }

    /// Lists the rows of the tree or of the results, and shows them once all are listed. Returns
    /// whether all are listed.
    fn list_rows(&mut self, allowance: &mut Allowance) -> bool {
        let ranked = match self.search.is_ranked() {
            true => self.search.ranked(&self.outline).map(Row::Ranked).collect(),
            false => Vec::new(),
        };
        let has_results = match self.search.is_ranked() {
            true => !ranked.is_empty(),
            false => self.search.marked().count() > 0,
        };
        let shows_all = !has_results && self.search.query().asks_behavior();
        if self.search.is_ranked() && !shows_all {
            let mut rows = ranked;
            rows.insert(0, Row::RankedHeading);
            self.show_rows(rows, false);
            return true;
        }
        if shows_all {
            self.walk.begin_with(Row::NoneFoundHeading);
        }
        let costs = self.is_by_cost.then_some(&self.costs);
        let search = Some(&self.search).filter(|search| search.is_active() && !shows_all);
        let (tree, listing) = self.outline.tree_mut();
        let shown = Shown { search, costs };
        if !self.walk.step(tree, listing, &shown, allowance) {
            return false;
        }
        let mut rows = std::mem::take(&mut self.walk).into_rows();
        let similar = &self.search.marked().similar;
        if !similar.is_empty() {
            rows.push(Row::SimilarHeading);
            rows.extend(similar.iter().map(|&entry| Row::Similar(entry)));
        }
        self.show_rows(rows, shows_all);
        true
    }

    /// Shows the rows that were listed and the results that they were listed from.
    fn show_rows(&mut self, rows: Vec<Row>, shows_all: bool) {
        self.rows.set_body(rows);
        self.search.set_shows_all(shows_all);
        self.search.show_marked();
        self.rows.set_head_stale();
    }

    /// Returns whether a folder is open: in the tree, or among the results of the search.
    pub(super) fn is_open(&self, node: u32) -> bool {
        match self.is_searching() {
            true => !self.search.is_closed(|| self.outline.path(node)),
            false => self.tree().is_open(node),
        }
    }

    /// Opens a closed folder, or closes an open one. Among search results, this does not affect the
    /// folders of the whole tree.
    pub(super) fn fold(&mut self, node: u32) {
        let open = !self.is_open(node);
        if self.is_searching() {
            self.search.set_open(self.outline.path(node), open);
        } else {
            self.outline.set_open(node, open);
        }
        if self.is_searching() && self.is_held && self.step == Step::None {
            // Its row must not vanish because its value changed since.
            self.restart(Step::List);
            self.search.mark_again();
            self.are_rows_stale = true;
        } else {
            self.list_again();
        }
    }

    /// Returns whether all (`Some(true)`), none (`Some(false)`) or some (`None`) of the series that
    /// the check box of a folder covers are selected.
    pub(super) fn folder_selected(&self, node: u32) -> Option<bool> {
        let selected = self.rows.selected_below(node);
        let all = match self.is_searching() {
            true => self.search.shown().found_below(node),
            false => self.tree().node(node).series_below(),
        };
        match selected {
            0 => Some(false),
            selected if selected >= all => Some(true),
            _ => None,
        }
    }

    /// Returns the paths that the check box of a folder covers: everything below it or, in a
    /// search, everything that was found below it. Calls, samples and self times are left out.
    ///
    /// Returns at most the first [`MAX_SELECTED`] paths in the order of the tree, so it sorts the
    /// folders that it visits.
    pub(super) fn paths_below(&mut self, node: u32) -> Vec<String> {
        let (mut paths, mut next) = (Vec::new(), vec![node]);
        let mut allowance = Allowance::of_units(usize::MAX);
        while let Some(at) = next.pop()
            && paths.len() < MAX_SELECTED
        {
            if self.counts(at) {
                paths.push(self.outline.path(at).to_owned());
            }
            if !self.is_searching() || self.search.shown().is_above_found(at) {
                let (tree, listing) = self.outline.tree_mut();
                tree.sort(listing, at, &mut allowance);
                let children: Vec<u32> = tree.children(at).collect();
                next.extend(children.iter().rev());
            }
        }
        paths
    }

    /// Returns whether the check box of a folder covers a path.
    pub(super) fn covers(&self, folder: u32, path: &str) -> bool {
        let node = self.tree().find(self.listing(), path);
        node.is_some_and(|node| {
            self.counts(node) && (node == folder || self.tree().above(node).any(|at| at == folder))
        })
    }

    /// Returns whether the check boxes of the folders above a node cover its series.
    fn counts(&self, node: u32) -> bool {
        let is_series = |entry| !self.listing().entry(entry).kind.is_companion();
        self.tree().node(node).entry().is_some_and(is_series)
            && (!self.is_searching() || self.search.shown().is_found(node))
    }

    /// Returns whether a row was found before, and is only kept in its place.
    pub(super) fn is_dimmed(&self, row: Row) -> bool {
        let shown = self.search.shown();
        let is_gone = |node| !shown.is_found(node) && !shown.is_above_found(node);
        self.has_missed && matches!(row, Row::Node(node) if self.is_searching() && is_gone(node))
    }

    /// Returns what the row at an index is about.
    pub(super) fn subject(&self, at: usize) -> Subject<'_> {
        let Some(row) = self.rows.get(at) else {
            return Subject::Nothing;
        };
        let entry = match row {
            Row::Node(node) => self.tree().node(node).entry(),
            Row::Similar(entry) => Some(entry),
            Row::Favorite(at) => self.favorites.entry(at),
            Row::Ranked(id) => self.listing().entry_of(id),
            _ => None,
        };
        let Some(entry) = entry else {
            return match row {
                Row::Missing(_) | Row::Favorite(_) if self.outline.progress().is_some() => {
                    Subject::Unknown("…")
                }
                Row::Missing(_) | Row::Favorite(_) => Subject::Missing,
                _ => Subject::Nothing,
            };
        };
        let (listed, why) = (
            self.listing().entry(entry),
            self.listing().unavailable(entry),
        );
        match self.ranked(listed.id, listed.unit) {
            _ if !why.is_empty() => Subject::Unknown(why),
            Some((columns, text)) => Subject::Ranked(columns, text),
            None => Subject::Series(listed.id, listed.kind, listed.unit),
        }
    }

    /// Returns the columns of a series in a ranked list, and what they say as a sentence.
    fn ranked(&self, id: SeriesId, unit: Unit) -> Option<(Columns, String)> {
        let search = &self.search;
        match search.query().ranked_by()? {
            Word::Moved => Some(moved(search.change_of(id)?, unit)),
            Word::Together => Some(together(&search.correlation_of(id)?)),
            _ => Some(spiked(search.spiking(), search.spiking().get(id)?)),
        }
    }

    /// Returns the path of the series or folder in a row; `None` for a heading.
    pub(super) fn row_path(&self, row: Row) -> Option<&str> {
        self.rows.path(row, &self.outline, &self.favorites)
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
        self.favorites.find_in(&self.outline);
        self.rows.set_head_stale();
    }
}
