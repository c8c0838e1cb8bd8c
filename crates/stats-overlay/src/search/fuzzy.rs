//! Paths that are like what was typed: letters left out (`drwcal`), initials (`rdc`), a slip of a
//! finger (`pahtfinding`).
//!
//! The matching is frizbee's, chosen by measurement on 100,000 paths. With the time of asking each
//! of them `contains` as 1, frizbee took 1 to 1.5 for terms that few paths are like, nucleo-matcher
//! 5, and nucleo finds nothing once a letter is wrong or two are swapped. frizbee has no
//! dependencies and is under the MIT licence; nucleo's is not among those allowed. Scoring is dear
//! where nearly all paths are alike (40 for `updtes`), so only so many are scored in a frame.

use frizbee::{Config, Matcher, Pattern};

use crate::search::query::Query;
use crate::search::results::{FEW, SearchIndex};

/// Paths looked at in one go.
const SLICE: usize = 1024;
/// What a frame may cost: a path that is not alike costs one, one that is scored so many.
const BUDGET: usize = 110_000;
const SCORED: usize = 40;
/// A letter may be wrong in terms of so many.
const TYPO_FROM: usize = 5;
/// Longer terms than this are not typed by people, in bytes.
const LONGEST: usize = 64;

/// A search for paths that are alike; goes on over several frames where there are many.
#[derive(Debug, Default)]
pub(crate) struct Fuzzy {
    /// The next entry to look at; `None` when all were.
    next: Option<usize>,
    typos: u16,
    /// The best so far, best first, with their scores.
    best: Vec<(u16, u32)>,
}

impl Fuzzy {
    /// Begins anew, or stops where there is nothing to look for.
    pub(crate) fn start(&mut self, query: &Query, wanted: bool) {
        let can =
            !query.terms().is_empty() && query.terms().iter().all(|term| term.len() <= LONGEST);
        *self = Self {
            next: (wanted && can).then_some(0),
            ..Self::default()
        };
    }

    /// Whether there is more to look at.
    pub(crate) fn is_running(&self) -> bool {
        self.next.is_some()
    }

    /// The best so far, best first.
    pub(crate) fn best(&self) -> impl Iterator<Item = u32> {
        self.best.iter().map(|&(_, entry)| entry)
    }

    /// Looks at as many more as fit into a frame. What is in `matching` is found already.
    pub(crate) fn step(&mut self, index: &SearchIndex, query: &Query, matching: &[u32]) {
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
        let mut matcher = Matcher::from_patterns(&patterns, &config);
        let mut spent = 0;
        while spent < BUDGET && next < index.len() {
            let end = index.len().min(next + SLICE);
            let paths: Vec<&str> = (next..end).map(|at| index.lower_path(at as u32)).collect();
            let alike = matcher.match_list(&paths);
            spent += paths.len() + alike.len() * SCORED;
            // Best first: what is behind the last of the best cannot be among them.
            for found in &alike {
                if !self.is_better(found.score) {
                    break;
                }
                let path = paths[found.index as usize];
                let entry = (next + found.index as usize) as u32;
                if !matching.contains(&entry) && !query.excludes(path) {
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

    /// What is alike, best first, and in how many steps that was found.
    fn alike(paths: &[&str], typed: &str) -> (Vec<String>, usize) {
        let listing = listing_of(paths);
        let mut index = SearchIndex::default();
        index.extend(&listing, usize::MAX);
        let (query, mut fuzzy, mut steps) = (Query::new(typed), Fuzzy::default(), 0);
        fuzzy.start(&query, true);
        while fuzzy.is_running() {
            fuzzy.step(&index, &query, &[]);
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
    fn abbreviations_and_slips_find_what_is_meant_first() {
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
    fn many_paths_take_several_frames_and_the_best_is_still_found() {
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
