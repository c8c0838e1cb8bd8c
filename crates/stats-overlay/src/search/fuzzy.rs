//! Fuzzy matching of paths: abbreviations (`drwcal`), initials (`rdc`) and typos (`pahtfinding`).
//!
//! The matcher is frizbee, chosen by measurement on 100,000 paths. For terms that match few paths,
//! frizbee took 1 to 1.5 times as long as calling `contains` on each path, and nucleo-matcher 5
//! times. nucleo also finds nothing if a letter is wrong or two letters are swapped. frizbee has no
//! dependencies and is MIT licensed; nucleo's license is not on this project's list. Scoring is
//! expensive if nearly all paths match (40 times as long for `updtes`), so a search continues over
//! several passes.

use frizbee::{Config, Matcher, Pattern};

use crate::data::allowance::Allowance;
use crate::search::needles::Needles;
use crate::search::query::Query;
use crate::search::results::{FEW, SearchIndex};

/// Paths matched per call to the matcher.
const SLICE: usize = 1024;
/// The number of paths matched in a unit of allowance, and the units that scoring a path takes.
const IN_A_UNIT: usize = 40;
const SCORED: usize = 1;
/// Terms of at least this many letters may contain one typo.
const TYPO_FROM: usize = 5;
/// Longer terms, in bytes, are not matched: nobody types them.
const LONGEST: usize = 64;

/// A fuzzy search, which takes several passes if there are many paths.
#[derive(Debug, Default)]
pub(crate) struct Fuzzy {
    /// The next entry to match; `None` at the end.
    next: Option<usize>,
    typos: u16,
    /// The best matches so far, best first, with their scores.
    best: Vec<(u16, u32)>,
}

impl Fuzzy {
    /// Restarts the search, or stops it if the query has no terms.
    pub(crate) fn start(&mut self, query: &Query, wanted: bool) {
        let can =
            !query.terms().is_empty() && query.terms().iter().all(|term| term.len() <= LONGEST);
        *self = Self {
            next: (wanted && can).then_some(0),
            ..Self::default()
        };
    }

    /// Returns whether entries remain to be matched.
    pub(crate) fn is_running(&self) -> bool {
        self.next.is_some()
    }

    /// Returns the best matches so far, best first.
    pub(crate) fn best(&self) -> impl Iterator<Item = u32> {
        self.best.iter().map(|&(_, entry)| entry)
    }

    /// Matches entries as far as the allowance lasts. Entries in `matching` have been found by the
    /// exact search and are skipped.
    pub(crate) fn step(
        &mut self,
        index: &SearchIndex,
        query: &Query,
        matching: &[u32],
        allowance: &mut Allowance,
    ) {
        let Some(mut next) = self.next else { return };
        let patterns: Vec<Pattern> = query
            .terms()
            .iter()
            .map(|term| Pattern::from(term.as_str()))
            .collect();
        let config = Config {
            max_typos: Some(self.typos),
            ..Config::default()
        };
        let needles = Needles::new(query);
        let mut matcher = Matcher::from_patterns(&patterns, &config);
        while next < index.len() {
            let count = allowance.take(SLICE.min(index.len() - next), IN_A_UNIT);
            if count == 0 {
                break;
            }
            let end = next + count;
            let paths: Vec<&str> = (next..end).map(|at| index.lower_path(at as u32)).collect();
            let alike = matcher.match_list(&paths);
            allowance.spend(alike.len() * SCORED);
            // Best first: entries after the last kept match cannot be among the best.
            for found in &alike {
                if !self.is_better(found.score) {
                    break;
                }
                let path = paths[found.index as usize];
                let entry = (next + found.index as usize) as u32;
                if !matching.contains(&entry) && !needles.exclude(path.as_bytes()) {
                    self.keep(found.score, entry);
                }
            }
            next = end;
        }
        self.next = (next < index.len()).then_some(next);
        let may_be_typos = self.typos == 0
            && query
                .terms()
                .iter()
                .all(|term| term.chars().count() >= TYPO_FROM);
        if self.next.is_none() && self.best.is_empty() && may_be_typos {
            self.typos = 1;
            self.next = Some(0);
        }
    }

    fn is_better(&self, score: u16) -> bool {
        self.best.len() < FEW || self.best.last().is_some_and(|&(worst, _)| score > worst)
    }

    fn keep(&mut self, score: u16, entry: u32) {
        let place = self.best.partition_point(|&(other, _)| other >= score);
        self.best.insert(place, (score, entry));
        self.best.truncate(FEW);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::listing::tests::listing_of;

    /// Returns the matches, best first, and the number of steps the search took.
    fn alike(paths: &[&str], typed: &str) -> (Vec<String>, usize) {
        let listing = listing_of(paths);
        let mut index = SearchIndex::default();
        index.extend(
            &listing,
            listing.len(),
            &mut Allowance::of_units(usize::MAX),
        );
        let (query, mut fuzzy, mut steps) = (Query::new(typed), Fuzzy::default(), 0);
        fuzzy.start(&query, true);
        while fuzzy.is_running() {
            fuzzy.step(&index, &query, &[], &mut Allowance::of_units(6_000));
            steps += 1;
        }
        (
            fuzzy
                .best()
                .map(|entry| listing.path(entry).to_owned())
                .collect(),
            steps,
        )
    }

    const PATHS: [&str; 6] = [
        "renderer/draw-calls",
        "renderer/Primitives",
        "ai/pathfinding",
        "physics/broad-phase/pairs",
        "game/draws/racal",
        "net/packet-size",
    ];

    #[test]
    fn abbreviations_and_typos_rank_the_intended_path_first() {
        for (typed, wanted) in [
            ("drwcal", PATHS[0]),
            ("rdc", PATHS[0]),
            ("pathfnd", PATHS[2]),
            ("pahtfinding", PATHS[2]),
            ("drawcals", PATHS[0]),
            ("phbp", PATHS[3]),
            ("rend prmtvs", PATHS[1]),
            ("PRMTVS", PATHS[1]),
            ("netsize", PATHS[5]),
        ] {
            assert_eq!(
                alike(&PATHS, typed).0.first().map(String::as_str),
                Some(wanted),
                "{typed}"
            );
        }
        for typed in ["xyzzy", "", "-draw", "changed", "qq", &"draw".repeat(1000)] {
            assert!(alike(&PATHS, typed).0.is_empty(), "{typed}");
        }
        assert_eq!(alike(&PATHS, "drwcal -rend").0, ["game/draws/racal"]);
    }

    #[test]
    fn the_best_match_is_found_when_many_paths_take_several_frames() {
        let mut owned: Vec<String> = (0..40_000)
            .map(|number| format!("physics/d{number}/rigid-wheel/calls"))
            .collect();
        owned[39_000] = "renderer/draw-calls".to_owned();
        let (found, steps) = alike(
            &owned.iter().map(String::as_str).collect::<Vec<_>>(),
            "drwcal",
        );
        assert!(steps > 3, "{steps}");
        assert_eq!(found.len(), FEW);
        assert_eq!(found[0], "renderer/draw-calls");
    }
}
