//! What was typed into the search box, taken apart: terms that a path must contain, words about
//! what a counter does, units.
//!
//! Words are separated by spaces, and all of them must hold. A leading `-` turns a word into its
//! opposite. What stands in quotes is looked for in the path even where it is a word with a
//! meaning: `"changed"`.

use stats_core::Unit;

use crate::data::listing::Entry;
use crate::search::activity::Activity;
use crate::search::text::matches_term;
use crate::search::units::UnitName;
use stats_ui::text::lower;

/// A word about what a counter does, and what the hint says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Another value or level than before, lately.
    Changed,
    /// Lately a value above the budget.
    OverBudget,
    /// Lately a value far above what is usual.
    Spiking,
    /// Nothing in the newest frame.
    Zero,
}

impl Word {
    pub(crate) const ALL: [Self; 4] = [Self::Changed, Self::OverBudget, Self::Spiking, Self::Zero];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::OverBudget => "over-budget",
            Self::Spiking => "spiking",
            Self::Zero => "zero",
        }
    }

    pub(crate) const fn help(self) -> &'static str {
        match self {
            Self::Changed => "a new value in the last second (60 frames at least)",
            Self::OverBudget => "above its budget in the last second",
            Self::Spiking => "far above its usual value in the last second (an estimate)",
            Self::Zero => "0 in the newest frame",
        }
    }
}

/// Something that must hold, or must not.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition<T> {
    what: T,
    /// Whether it must not hold.
    not: bool,
}

/// What was typed, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query {
    /// In lower case: what a path must contain.
    terms: Vec<String>,
    /// What it must not.
    without: Vec<String>,
    words: Vec<Condition<Word>>,
    units: Vec<Condition<UnitName>>,
}

impl Query {
    pub(crate) fn new(typed: &str) -> Self {
        let mut query = Self::default();
        typed.split_whitespace().for_each(|word| query.add(word));
        query
    }

    /// Takes in one word; what is not finished yet (`-`, `unit:`) asks for nothing.
    fn add(&mut self, typed: &str) {
        let (not, rest) = typed
            .strip_prefix('-')
            .map_or((false, typed), |rest| (true, rest));
        let word = lower(rest);
        if let Some(&what) = Word::ALL.iter().find(|known| known.name() == word) {
            self.words.push(Condition { what, not });
        } else if let Some(name) = word.strip_prefix("unit:") {
            self.units
                .extend(UnitName::new(name).map(|what| Condition { what, not }));
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

    /// What a path must contain, in lower case.
    pub(crate) fn terms(&self) -> &[String] {
        &self.terms
    }

    /// What a path must not contain, in lower case.
    pub(crate) fn without(&self) -> &[String] {
        &self.without
    }

    /// Whether what it finds depends on what the counters do.
    pub(crate) fn is_live(&self) -> bool {
        !self.words.is_empty()
    }

    /// Whether all that it finds was found by `other`, as when a letter was typed behind that.
    pub(crate) fn narrows(&self, other: &Self) -> bool {
        other
            .terms
            .iter()
            .all(|old| self.terms.iter().any(|new| new.starts_with(old.as_str())))
            && other.without.iter().all(|old| self.without.contains(old))
    }

    /// Whether its text finds this path, in lower case.
    pub(crate) fn matches(&self, path: &str) -> bool {
        self.terms.iter().all(|term| matches_term(path, term)) && !self.excludes(path)
    }

    /// Whether a path, in lower case, has something in it that it must not.
    pub(crate) fn excludes(&self, path: &str) -> bool {
        self.without.iter().any(|term| matches_term(path, term))
    }

    /// Whether it finds something that is not a series of the listing: the frame time, or a path
    /// that nothing has yet.
    pub(crate) fn finds(&self, path: &str, unit: Option<Unit>) -> bool {
        let has_unit = |unit: Unit| {
            self.units
                .iter()
                .all(|wanted| wanted.what.is(unit) != wanted.not)
        };
        self.is_empty()
            || (!self.is_live()
                && unit.map_or(self.units.is_empty(), has_unit)
                && self.matches(&lower(path)))
    }

    /// Whether it asks for more than text.
    pub(crate) fn has_conditions(&self) -> bool {
        !self.words.is_empty() || !self.units.is_empty()
    }

    /// Whether a series that its text found is what its other words ask for. What is not known yet
    /// holds for nothing, nor does its opposite.
    pub(crate) fn keeps(&self, entry: &Entry, activity: &Activity) -> bool {
        let holds = |word: &Condition<Word>| {
            activity
                .holds(word.what, entry.id)
                .is_some_and(|holds| holds != word.not)
        };
        self.units
            .iter()
            .all(|wanted| wanted.what.is(entry.unit) != wanted.not)
            && self.words.iter().all(holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_terms_and_opposites_are_told_apart() {
        let query = Query::new("Draw changed -zero -calls unit:MS \"zero\" - unit: -unit:");
        assert_eq!(query.terms, ["draw", "zero"]);
        assert_eq!(query.without, ["calls"]);
        let word = |what, not| Condition { what, not };
        assert_eq!(
            query.words,
            [word(Word::Changed, false), word(Word::Zero, true)]
        );
        assert_eq!(query.units.len(), 1);
        assert!(query.is_live() && !Query::new("unit:ms x").is_live());
        assert!(Query::new(" - unit: -unit: \"").is_empty());
        assert_eq!(Query::new("changed-items").terms, ["changed-items"]);
    }

    #[test]
    fn what_is_typed_behind_a_term_narrows() {
        let narrows = |new: &str, old: &str| Query::new(new).narrows(&Query::new(old));
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
    fn what_is_not_listed_is_found_by_text_and_unit_alone() {
        let finds = |typed: &str, unit| Query::new(typed).finds("frame time", unit);
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
}
