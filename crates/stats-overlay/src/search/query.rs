//! Parses the text of the search box: terms that a path must contain, words about a counter's
//! behavior, units, and teams.
//!
//! Spaces separate words, and all words must match. A leading `-` excludes a word. Quotes search
//! the path for a word that otherwise describes behavior: `"changed"`.

use std::hash::{DefaultHasher, Hash, Hasher};

use stats_core::Unit;

use crate::data::listing::Entry;
use crate::search::activity::Activity;
use crate::search::formula::TypedFormula;
use crate::search::needles::Needles;
use crate::search::teams::{TEAM, TeamName, Teams};
use crate::search::units::UnitName;
use stats_ui::text::lower;

/// A word about a counter's behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// The value or level changed recently.
    Changed,
    /// The mean is out of the band of the baseline.
    Moved,
    /// A recent value was over the budget.
    OverBudget,
    /// A value of the last minute was far above the usual value.
    Spiking,
    /// The values moved together with those of the selected series.
    Together,
    /// The newest frame's value is 0.
    Zero,
}

impl Word {
    pub(crate) const ALL: [Self; 6] = [
        Self::Changed,
        Self::Moved,
        Self::OverBudget,
        Self::Spiking,
        Self::Together,
        Self::Zero,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::OverBudget => "over-budget",
            Self::Spiking => "spiking",
            Self::Together => "together",
            Self::Zero => "zero",
        }
    }

    /// Returns the end of a sentence that begins with "No counter".
    const fn predicate(self) -> &'static str {
        match self {
            Self::Changed => "has changed in the last second",
            Self::Moved => "has moved out of the band of baseline A",
            Self::OverBudget => "was over its budget in the last second",
            Self::Spiking => "has spiked in the last minute",
            Self::Together => "moved together with the selected one",
            Self::Zero => "is 0 in the newest frame",
        }
    }

    pub(crate) const fn help(self) -> &'static str {
        match self {
            Self::Changed => "a new value in the last second (60 frames at least)",
            Self::Moved => "a mean out of the band of baseline A, ranked",
            Self::OverBudget => "above its budget in the last second",
            Self::Spiking => "the worst spikes of the last minute, ranked",
            Self::Together => "what moved with the selected series, ranked",
            Self::Zero => "0 in the newest frame",
        }
    }
}

/// A condition and whether it is negated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Condition<T> {
    what: T,
    /// Whether the condition must be false.
    not: bool,
}

/// A parsed query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query {
    /// Terms that a path must contain, in lower case.
    terms: Vec<String>,
    /// Terms that a path must not contain, in lower case.
    without: Vec<String>,
    words: Vec<Condition<Word>>,
    units: Vec<Condition<UnitName>>,
    teams: Vec<Condition<TeamName>>,
}

impl Query {
    #[cfg(test)]
    pub(crate) fn new(typed: &str) -> Self {
        Self::with_teams(typed, &Teams::default())
    }

    /// Parses a text in a program with these teams.
    pub(crate) fn with_teams(typed: &str, teams: &Teams) -> Self {
        let mut query = Self::default();
        // The whole tree has the paths of a formula.
        if TypedFormula::of(typed).is_some() {
            return query;
        }
        typed
            .split_whitespace()
            .for_each(|word| query.add(word, teams));
        query
    }

    /// Adds one word. Unfinished words (`-`, `unit:`, `team:`) are ignored.
    fn add(&mut self, typed: &str, teams: &Teams) {
        let (not, rest) = typed
            .strip_prefix('-')
            .map_or((false, typed), |rest| (true, rest));
        let word = lower(rest);
        if let Some(&what) = Word::ALL.iter().find(|known| known.name() == word) {
            self.words.push(Condition { what, not });
        } else if let Some(name) = word.strip_prefix("unit:") {
            self.units
                .extend(UnitName::new(name).map(|what| Condition { what, not }));
        } else if let Some(name) = word.strip_prefix(TEAM) {
            let name = TeamName::new(name, teams);
            self.teams.extend(name.map(|what| Condition { what, not }));
        } else {
            let text = word
                .strip_prefix('"')
                .map_or(word.as_str(), |text| text.strip_suffix('"').unwrap_or(text));
            if !text.is_empty() {
                if not {
                    &mut self.without
                } else {
                    &mut self.terms
                }
                .push(text.to_owned());
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the terms that a path must contain, in lower case.
    pub(super) fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Returns the terms that a path must not contain, in lower case.
    pub(super) fn without(&self) -> &[String] {
        &self.without
    }

    /// Returns whether its results depend on values, other than those of the baseline.
    pub(crate) fn is_live(&self) -> bool {
        self.needs_survey() || self.asks(Word::Spiking)
    }

    /// Returns whether its results depend on a survey of the counters' behavior.
    pub(crate) fn needs_survey(&self) -> bool {
        let needs = |word| !matches!(word, Word::Moved | Word::Spiking | Word::Together);
        self.words.iter().any(|asked| needs(asked.what))
    }

    /// Returns whether its results depend on the behavior of counters.
    pub(crate) fn asks_behavior(&self) -> bool {
        !self.words.is_empty()
    }

    /// Returns whether a part of a path contains the begin of a required term.
    pub(crate) fn begins_in(&self, segment: &str) -> bool {
        let segment = lower(segment);
        let mut begins = self.terms.iter().filter_map(|term| term.split('/').next());
        begins.any(|begin| segment.contains(begin))
    }

    /// Returns whether its results depend on a word, or on the word's negation.
    pub(crate) fn asks(&self, word: Word) -> bool {
        self.words.iter().any(|asked| asked.what == word)
    }

    /// Returns whether its results are ranked, and not in the order of the tree.
    pub(crate) fn is_ranked(&self) -> bool {
        self.ranked_by().is_some()
    }

    /// Returns the word that ranks its results. Of several such words, spikes rank them, or else what
    /// moved together.
    pub(crate) fn ranked_by(&self) -> Option<Word> {
        let ranking = [Word::Spiking, Word::Together, Word::Moved].into_iter();
        ranking
            .map(|what| Condition { what, not: false })
            .find(|asked| self.words.contains(asked))
            .map(|asked| asked.what)
    }

    /// Returns the end of a sentence that begins with "No counter"; `None` unless the query has
    /// exactly one word about behavior, without `-`.
    pub(crate) fn predicate(&self) -> Option<&'static str> {
        match self.words.as_slice() {
            [Condition { what, not: false }] => Some(what.predicate()),
            _ => None,
        }
    }

    /// Returns whether it has conditions other than the behavior of counters.
    pub(crate) fn has_text(&self) -> bool {
        self.has_terms() || !self.units.is_empty()
    }

    /// Returns whether it asks for the series that belong to a team, or for those that do not.
    pub(crate) fn asks_team(&self) -> bool {
        !self.teams.is_empty()
    }

    /// Returns the first name in it that no team has, so that nothing is found.
    pub(crate) fn unknown_team(&self) -> Option<&str> {
        let asked = self.teams.iter().filter(|asked| !asked.not);
        let mut teams = asked.map(|asked| &asked.what);
        teams.find(|team| team.is_unknown()).map(TeamName::typed)
    }

    /// Returns whether the series at a path belongs to the teams that it asks for. `path` is `None` if there
    /// is no series, as for a hitch without a single culprit.
    pub(crate) fn is_of_teams(&self, path: Option<&str>) -> bool {
        let owns = |team: &TeamName| path.is_some_and(|path| team.owns(path));
        self.teams
            .iter()
            .all(|asked| owns(&asked.what) != asked.not)
    }

    /// Returns whether its results are a subset of `other`'s, as after typing another letter.
    pub(crate) fn narrows(&self, other: &Self) -> bool {
        other
            .terms
            .iter()
            .all(|old| self.terms.iter().any(|new| new.starts_with(old.as_str())))
            && other.without.iter().all(|old| self.without.contains(old))
    }

    /// Returns whether a path decides whether it matches: its text, or the team that owns it.
    pub(crate) fn has_terms(&self) -> bool {
        self.has_words() || self.asks_team()
    }

    /// Returns whether the text of a path decides whether it matches.
    fn has_words(&self) -> bool {
        !self.terms.is_empty() || !self.without.is_empty()
    }

    /// Returns a number that differs if other paths match.
    pub(crate) fn terms_key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.terms, &self.without, &self.teams).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns whether a path matches. Words about behavior and units do not count.
    pub(crate) fn matches_path(&self, path: &str) -> bool {
        (!self.has_words() || self.matches(&lower(path))) && self.is_of_teams(Some(path))
    }

    /// Returns whether its terms match this lower-case path.
    pub(crate) fn matches(&self, path: &str) -> bool {
        Needles::new(self).match_path(path.as_bytes())
    }

    /// Returns whether it matches an entry outside the listing: the frame time, or a path that is
    /// not registered yet.
    pub(crate) fn finds(&self, path: &str, unit: Option<Unit>) -> bool {
        self.is_empty() || (self.words.is_empty() && self.finds_text(path, unit))
    }

    fn finds_text(&self, path: &str, unit: Option<Unit>) -> bool {
        let has_unit = |unit: Unit| {
            self.units
                .iter()
                .all(|wanted| wanted.what.is(unit) != wanted.not)
        };
        let has_unit = unit.map_or(self.units.is_empty(), has_unit);
        has_unit && self.matches(&lower(path)) && self.is_of_teams(Some(path))
    }

    /// Returns whether it contains more than text.
    pub(crate) fn has_conditions(&self) -> bool {
        !self.words.is_empty() || !self.units.is_empty() || self.asks_team()
    }

    /// Returns whether a series that its terms matched also satisfies its other words. While a
    /// behavior is unknown, neither the word nor its negation matches.
    pub(crate) fn keeps(&self, entry: Entry, path: &str, activity: &Activity) -> bool {
        let holds = |word: &Condition<Word>| {
            activity
                .applies(word.what, entry.id)
                .is_some_and(|holds| holds != word.not)
        };
        self.units
            .iter()
            .all(|wanted| wanted.what.is(entry.unit) != wanted.not)
            && self.words.iter().all(holds)
            && self.is_of_teams(Some(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_analysis::teams::Team;

    fn parsed(typed: &str) -> Query {
        let mut teams = Teams::default();
        let owned = ["ai", "net"].map(|name| {
            let folder = format!("{name}/");
            Team::new(name, move |path| path.starts_with(&folder))
        });
        teams.set(owned.to_vec());
        Query::with_teams(typed, &teams)
    }

    #[test]
    fn words_terms_and_exclusions_are_distinguished() {
        let query = parsed("Draw changed -zero -calls unit:MS \"zero\" - unit: -unit:");
        assert_eq!(query.terms, ["draw", "zero"]);
        assert_eq!(query.without, ["calls"]);
        let word = |what, not| Condition { what, not };
        assert_eq!(
            query.words,
            [word(Word::Changed, false), word(Word::Zero, true)]
        );
        assert_eq!(query.units.len(), 1);
        assert!(query.is_live() && !parsed("unit:ms x").is_live());
        assert!(parsed(" - unit: -unit: \"").is_empty());
        assert_eq!(parsed("changed-items").terms, ["changed-items"]);
    }

    #[test]
    fn typing_after_a_term_narrows_the_results() {
        let narrows = |new: &str, old: &str| parsed(new).narrows(&parsed(old));
        assert!(
            narrows("enemy", "ene")
                && narrows("enemy a", "ene")
                && narrows("a enemy changed", "ene")
        );
        assert!(narrows("x", "") && narrows("rend/dr", "rend/") && narrows("x -y", "x"));
        assert!(
            !narrows("ene", "enemy")
                && !narrows("nemy", "enemy")
                && !narrows("x -yz", "x -y")
                && !narrows("x", "x -y")
        );
    }

    #[test]
    fn entries_outside_the_listing_match_by_text_and_unit_only() {
        let finds = |typed: &str, unit| parsed(typed).finds("frame time", unit);
        assert!(
            finds("", None) && finds("frame", None) && finds("frame -x", Some(Unit::Milliseconds))
        );
        assert!(
            finds("unit:ms", Some(Unit::Milliseconds))
                && finds("-unit:bytes", Some(Unit::Milliseconds))
        );
        assert!(
            !finds("unit:ms", None)
                && !finds("unit:bytes", Some(Unit::Milliseconds))
                && !finds("-time", None)
        );
        assert!(!finds("changed", None) && !finds("-changed", None));
    }

    #[test]
    fn a_team_matches_the_paths_that_it_owns() {
        let found = |typed: &str| {
            let query = parsed(typed);
            assert_eq!(query.has_terms(), query.asks_team() || typed == "cost");
            let is_found = |path: &&str| {
                let found = query.matches_path(path);
                assert_eq!(query.finds(path, Some(Unit::Count)), found);
                found
            };
            let paths = ["ai/cost", "net/cost", "net/in", "x"];
            paths.into_iter().filter(is_found).collect::<Vec<_>>()
        };
        assert_eq!(found("team:net"), ["net/cost", "net/in"]);
        assert_eq!(found("Team:NET cost"), ["net/cost"]);
        assert_eq!(found("-team:n"), ["ai/cost", "x"]);
        assert_eq!(found("team:ai team:net"), [""; 0]);
        assert_eq!(found("team:x"), [""; 0]);
        assert_eq!(found("-team:x").len(), 4);
        assert_eq!(found("team: -team:").len(), 4, "unfinished");
        assert_eq!(found("cost"), ["ai/cost", "net/cost"]);
        assert_eq!(parsed("team:ai -team:y team:x").unknown_team(), Some("x"));
        assert_eq!(parsed("team:ai -team:y").unknown_team(), None);
        assert_eq!(parsed("\"team:ai\"").terms, ["team:ai"]);
        let key = |typed: &str| parsed(typed).terms_key();
        assert!(key("team:ai") != key("-team:ai") && key("team:ai") != key(""));
        let is_of = |typed: &str, path| parsed(typed).is_of_teams(path);
        assert!(is_of("", None) && is_of("-team:ai", None) && !is_of("team:ai", None));
    }
}
