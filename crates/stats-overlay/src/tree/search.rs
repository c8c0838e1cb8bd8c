//! The search in the tree: a text and its results.
//!
//! A search has steps. A step that exceeds the allowance of a pass continues in the next one:
//!
//! 1. The paths are indexed, and the index is searched for the words of the path.
//! 2. If few paths match, similar paths are searched. The matches so far are shown first.
//! 3. The other words (`changed`, `unit:ms`, `team:ai`) filter the matches. Words that depend on values filter
//!    them again a few times a second. The remaining matches are marked in the tree.
//!
//! The results of the previous search are shown until those of the next one are complete.

use std::collections::HashSet;

use stats_analysis::correlation::Correlation;
use stats_analysis::teams::Team;
use stats_core::{SeriesId, Source};

use crate::baseline::moved::Change;
use crate::data::allowance::Allowance;
use crate::data::throttle::Throttle;
use crate::insight::watcher::Hitches;
use crate::search::activity::Activity;
use crate::search::fuzzy::Fuzzy;
use crate::search::query::{Query, Word};
use crate::search::results::{FEW, Scan, SearchIndex};
use crate::search::spiking::Spiking;
use crate::search::teams::Teams;
use crate::tree::marks::Marks;
use crate::tree::outline::Outline;
use stats_ui::text::lower;

/// The number of entries that are tested and marked in a unit of allowance.
const MARKED_IN_A_UNIT: usize = 2;

/// The time of a pass, for the searches that depend on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeTiming {
    pub(crate) now_secs: f64,
    /// The interval between searches for results that depend on values.
    pub(crate) refresh_secs: f64,
    /// Whether the views are paused, and with them the results that depend on values.
    pub(crate) is_paused: bool,
}

/// The series that `moved` leaves out, unless the query has a part of a path.
const ALLOCATIONS: &str = "memory/";

/// The query and its results.
#[derive(Debug, Default)]
pub(super) struct TreeSearch {
    /// The text that `query` was parsed from.
    text: String,
    query: Query,
    /// The teams of the program.
    teams: Teams,
    index: SearchIndex,
    /// How many entries had been renamed when they were indexed.
    renamed: usize,
    scan: Scan,
    fuzzy: Fuzzy,
    /// The similar paths, and the number of indexed paths that were compared to find them.
    similar: (Vec<u32>, usize),
    activity: Activity,
    obstacle: Option<&'static str>,
    /// When the results were last filtered by values.
    filtered: Throttle,
    /// The results that are shown.
    shown: Marks,
    /// The results that the rows were listed from, while the rows stay in their places.
    held: Option<Marks>,
    /// The results that are being marked, and the number of matching entries that have been tested.
    next: (Marks, usize),
    /// Whether the whole tree is shown, because nothing behaves as the words say.
    shows_all: bool,
    /// Folders closed among the results, by path. The next search forgets them.
    closed: HashSet<String>,
}

impl TreeSearch {
    /// Returns the text that is searched for.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn query(&self) -> &Query {
        &self.query
    }

    /// Returns whether the query has any words. If it has none, the whole tree is shown.
    pub(super) fn is_active(&self) -> bool {
        !self.query.is_empty()
    }

    /// Returns whether the rows are those that the search found, and not the whole tree.
    pub(super) fn filters(&self) -> bool {
        self.is_active() && !self.shows_all
    }

    /// Sets whether the rows are those of the whole tree.
    pub(super) fn set_shows_all(&mut self, shows_all: bool) {
        self.shows_all = shows_all;
    }

    /// Returns the results that are shown: those of the previous search until this one is complete.
    pub(super) fn shown(&self) -> &Marks {
        &self.shown
    }

    /// Returns the number of paths searched so far.
    pub(super) fn searched(&self) -> usize {
        self.scan.searched()
    }

    /// Returns whether the search needs values that this source does not have.
    pub(super) fn lacks_values(&self) -> bool {
        self.query.is_live() && !self.activity.can_tell()
    }

    /// Returns why spikes are unknown, although the search asks for them.
    pub(super) fn obstacle(&self) -> Option<&'static str> {
        self.obstacle.filter(|_| !self.lacks_values())
    }

    /// Returns whether the search needs values, but no frame has ended yet.
    pub(super) fn waits_for_a_frame(&self) -> bool {
        self.query.is_live() && !self.has_begun()
    }

    /// Returns whether the values that the search needs are known.
    fn has_begun(&self) -> bool {
        let has_spikes = !self.query.asks(Word::Spiking) || self.activity.spiking.has_begun();
        has_spikes && (!self.query.needs_survey() || self.activity.has_begun())
    }

    /// Returns whether a folder was closed among the results.
    pub(super) fn is_closed<'a>(&self, path: impl FnOnce() -> &'a str) -> bool {
        !self.closed.is_empty() && self.closed.contains(path())
    }

    /// Opens or closes a folder among the results.
    pub(super) fn set_open(&mut self, path: &str, open: bool) {
        if open {
            self.closed.remove(path);
        } else {
            self.closed.insert(path.to_owned());
        }
    }

    /// Returns whether the results are the series that spiked, moved or moved together, in the order
    /// of their ranks.
    pub(super) fn is_ranked(&self) -> bool {
        self.query.is_ranked()
    }

    /// Returns the series that spiked.
    pub(super) fn spiking(&self) -> &Spiking {
        &self.activity.spiking
    }

    /// Receives the series that moved, in the order of their ranks. Returns whether the results
    /// change.
    pub(super) fn set_moved(&mut self, moved: &[(SeriesId, Change)]) -> bool {
        self.activity.set_moved(moved) && self.query.asks(Word::Moved)
    }

    /// Receives the series that moved together with another one, the most similar first.
    pub(super) fn set_together(&mut self, together: &[(SeriesId, Correlation)]) {
        self.activity.together.clear();
        self.activity.together.extend_from_slice(together);
    }

    /// Returns how a series moved with another one; `None` if the rows are not those series.
    pub(super) fn correlation_of(&self, id: SeriesId) -> Option<Correlation> {
        let mut found = self.activity.together.iter().filter(|_| self.filters());
        found.find(|(other, _)| *other == id).map(|(_, of)| *of)
    }

    /// Returns the change of a series; `None` if the rows are not the series that moved.
    pub(super) fn change_of(&self, id: SeriesId) -> Option<Change> {
        let mut moved = self.activity.moved().iter().filter(|_| self.filters());
        moved.find(|(other, _)| *other == id).map(|(_, of)| *of)
    }

    /// Returns the series that spiked, moved or moved together and that the other words match, in the
    /// order of their ranks.
    pub(super) fn ranked(&self, outline: &Outline) -> impl Iterator<Item = SeriesId> {
        let (listing, activity) = (outline.listing(), &self.activity);
        let ranked: Vec<SeriesId> = match self.query.ranked_by() {
            Some(Word::Moved) => activity.moved().iter().map(|(id, _)| *id).collect(),
            Some(Word::Together) => activity.together.iter().map(|(id, _)| *id).collect(),
            _ => activity.spiking.ranked().collect(),
        };
        let is_moved = self.query.ranked_by() == Some(Word::Moved);
        let leaves_out = is_moved && !self.query.has_text();
        ranked.into_iter().filter(move |&id| {
            listing.entry_of(id).is_some_and(|entry| {
                let path = listing.path(entry);
                // The allocations of a scope move when the scope does.
                !(leaves_out && path.starts_with(ALLOCATIONS))
                    && self.query.matches(&lower(path))
                    && self.query.keeps(listing.entry(entry), path, activity)
            })
        })
    }

    /// Searches for another text. A longer text narrows the previous results.
    pub(super) fn search(&mut self, text: &str, outline: &Outline) {
        text.clone_into(&mut self.text);
        let before = std::mem::replace(&mut self.query, Query::with_teams(text, &self.teams));
        self.filtered.reset();
        self.learn_budgets(outline);
        self.scan.begin(self.query.narrows(&before));
        self.forget_similar();
        self.closed.clear();
    }

    /// Returns the teams of the program.
    pub(super) fn teams(&self) -> &Teams {
        &self.teams
    }

    /// Sets the teams of the program, which the next search knows.
    pub(super) fn set_teams(&mut self, teams: Vec<Team>) {
        self.teams.set(teams);
    }

    /// Forgets everything about a listing that was replaced.
    pub(super) fn forget_listing(&mut self) {
        self.forget_index();
        (self.shown, self.held) = (Marks::default(), None);
        self.restart_marks();
    }

    fn forget_index(&mut self) {
        self.index = SearchIndex::default();
        self.scan = Scan::default();
        self.forget_similar();
    }

    fn forget_similar(&mut self) {
        self.fuzzy = Fuzzy::default();
        self.similar = (Vec::new(), 0);
    }

    /// Learns the budgets of a listing that changed.
    pub(super) fn learn_budgets(&mut self, outline: &Outline) {
        self.activity.learn_budgets(outline.listing(), &self.query);
    }

    /// Searches the paths of the outline for the words. Returns whether all are searched.
    pub(super) fn find(&mut self, outline: &Outline, allowance: &mut Allowance) -> bool {
        if !self.is_active() || self.is_ranked() {
            return true;
        }
        if self.renamed != outline.renamed() {
            self.renamed = outline.renamed();
            self.forget_index();
        }
        let count = outline.tree().entry_count();
        self.index.extend(outline.listing(), count, allowance)
            && self.scan.step(&self.index, &self.query, allowance)
    }

    /// Searches for similar paths if the words found few. Returns whether the similar paths
    /// changed.
    pub(super) fn find_similar(&mut self, allowance: &mut Allowance) -> bool {
        let matching = self.scan.matching();
        let is_wanted = self.is_active() && !self.is_ranked() && matching.len() < FEW;
        if !is_wanted {
            let had_some = !self.similar.0.is_empty();
            self.forget_similar();
            return had_some;
        }
        if !self.fuzzy.is_running() {
            if self.similar.1 == self.index.len() {
                return false;
            }
            self.fuzzy.start(&self.query);
        }
        self.fuzzy
            .step(&self.index, &self.query, matching, allowance);
        if self.fuzzy.is_running() {
            return false;
        }
        let best = self.fuzzy.best().filter(|entry| !matching.contains(entry));
        let similar = (best.collect(), self.index.len());
        std::mem::replace(&mut self.similar, similar).0 != self.similar.0
    }

    /// Returns whether similar paths are still to be searched.
    pub(super) fn is_finding_similar(&self) -> bool {
        self.fuzzy.is_running()
    }

    /// Forgets the results of rows that no longer have to stay in their places.
    pub(super) fn release(&mut self) {
        self.held = None;
    }

    /// Forgets the marks of the next results.
    pub(super) fn restart_marks(&mut self) {
        self.next = (Marks::default(), 0);
    }

    /// Marks the matches that satisfy the other words. Returns whether all are marked.
    pub(super) fn mark(&mut self, outline: &Outline, allowance: &mut Allowance) -> bool {
        let (tree, listing) = (outline.tree(), outline.listing());
        let (marks, tested) = &mut self.next;
        if !self.query.is_empty() && !self.query.is_ranked() && !marks.make_room(tree, allowance) {
            return false;
        }
        let has_conditions = self.query.has_conditions();
        let keeps = |entry: u32| {
            let (of, path) = (listing.entry(entry), listing.path(entry));
            !has_conditions || self.query.keeps(of, path, &self.activity)
        };
        let matching = self.scan.matching();
        let is_listed = self.query.is_empty() || self.query.is_ranked();
        let matching = if is_listed { &[] } else { matching };
        // The patterns of a team take longer than the other conditions.
        let in_a_unit = match self.query.asks_team() {
            true => 1,
            false => MARKED_IN_A_UNIT,
        };
        while let count @ 1.. = allowance.take(matching.len() - *tested, in_a_unit) {
            for &entry in &matching[*tested..*tested + count] {
                if keeps(entry) {
                    let is_companion = listing.entry(entry).kind.is_companion();
                    marks.mark(tree, entry, !is_companion);
                }
            }
            *tested += count;
        }
        if *tested < matching.len() {
            return false;
        }
        let similar = self.similar.0.iter().copied();
        marks.similar = similar.filter(|&entry| keeps(entry)).collect();
        true
    }

    /// Returns the marks of the next results, before they are shown.
    pub(super) fn marked(&self) -> &Marks {
        &self.next.0
    }

    /// Shows the results that were marked.
    pub(super) fn show_marked(&mut self) {
        self.shown = std::mem::take(&mut self.next.0);
        self.restart_marks();
    }

    /// Surveys all series while the search asks for values. Spikes come from the search for
    /// `hitches`, which is `None` if it is turned off. Returns whether to filter the results by
    /// these values again. That happens a few times a second, and only if the search `is_idle`.
    /// Ranked rows that are `held` stay in their places.
    pub(super) fn survey(
        &mut self,
        source: &mut dyn Source,
        hitches: Option<&Hitches>,
        outline: &Outline,
        (timing, allowance): (TreeTiming, &mut Allowance),
        (is_idle, held): (bool, bool),
    ) -> bool {
        if !self.query.is_live() {
            self.activity.stop();
            return false;
        }
        let asks_spikes = self.query.asks(Word::Spiking);
        let obstacle = obstacle_to_spikes(hitches).filter(|_| asks_spikes);
        let is_new = std::mem::replace(&mut self.obstacle, obstacle) != obstacle;
        if !asks_spikes || obstacle.is_some() {
            self.activity.spiking = Spiking::default();
        }
        let had_begun = self.has_begun();
        let was_behind = self.activity.is_behind(&self.query);
        if timing.is_paused && had_begun && !(was_behind && is_idle) {
            self.activity.keep(source);
            return is_new;
        }
        let query = (&self.query, timing.is_paused);
        self.activity
            .learn(source, outline.listing(), query, allowance);
        let is_rest = timing.is_paused && was_behind;
        let is_listed = outline.is_read() && outline.progress().is_none();
        let has_spikes = asks_spikes && obstacle.is_none() && !is_rest;
        let hitches = hitches.filter(|_| has_spikes && is_listed);
        // While frames are ranked on another thread, new ones wait.
        if let Some((hitches, insight)) = hitches.and_then(|all| Some((all, all.insight()?))) {
            let usual = (insight.usual_frame(), |number| insight.usual(number));
            let spiking = &mut self.activity.spiking;
            spiking.learn(hitches.recent(), usual, outline.listing(), allowance);
        }
        // While paused, there is no later pass.
        let is_ready = self.has_begun() && (is_idle || !had_begun);
        // The values of the frames before the pause are filtered once all of them are known.
        let is_due = |throttle: &mut Throttle| match is_rest {
            true => !self.activity.is_behind(&self.query),
            false => throttle.take(timing.now_secs, timing.refresh_secs),
        };
        if !is_ready || !is_due(&mut self.filtered) {
            return is_new;
        }
        self.activity.measure(source, &self.query);
        !self.query.is_ranked() || self.activity.spiking.rank(held)
    }

    /// Takes the results that were marked, but keeps those of the rows, which stay in their places.
    pub(super) fn show_in_place(&mut self) {
        let marked = std::mem::take(&mut self.next.0);
        let before = std::mem::replace(&mut self.shown, marked);
        self.held.get_or_insert(before);
        self.restart_marks();
    }

    /// Marks the results of the rows again, to list them with other folders open.
    pub(super) fn mark_again(&mut self) {
        self.next.0 = self.held.as_ref().unwrap_or(&self.shown).clone();
    }

    /// Forgets everything but the query.
    pub(super) fn detach(&mut self) {
        self.activity = Activity::default();
        self.forget_listing();
    }
}

/// Returns why spikes cannot be found, with the cure if there is one.
fn obstacle_to_spikes(hitches: Option<&Hitches>) -> Option<&'static str> {
    match hitches {
        None => Some("spiking needs the setting “find the causes of hitches”, which is off"),
        Some(hitches) if hitches.found().has_too_many => Some(
            "over 262,144 series are too many to search for spikes; \
                 a graph marks those of a selected series",
        ),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Paths;

    #[test]
    fn a_source_with_too_many_series_says_so() {
        let (most, mut hitches) = (131_072, Hitches::default());
        for (count, has_too_many) in [(most, false), (most + 1, true)] {
            // Each series has two numbers.
            let mut source = Paths::of(&vec!["x"; count]);
            source.frames = count as u64;
            hitches.update(&mut source, 0.0, true, &mut Allowance::of_pass());
            let obstacle = obstacle_to_spikes(Some(&hitches));
            assert_eq!(
                obstacle.is_some_and(|text| text.contains("262,144")),
                has_too_many
            );
        }
        assert!(obstacle_to_spikes(None).is_some_and(|text| text.contains("is off")));
    }
}
