//! Fuzzy matching of paths: abbreviations (`drwcal`), initials (`rdc`) and typos (`pahtfinding`).
//!
//! A path matches if it has the letters of the term in their order. Letters at the beginning of a
//! word and letters in a row score more, as in fzf. If nothing matches, one letter of the term may
//! be wrong, doubled, superfluous or swapped with its neighbor: the term without that letter then
//! matches.
//!
//! The code is our own because no library fits. frizbee searched 100,000 paths in a quarter of the
//! time, but compiling it took more than half of the compile time of the whole overlay.
//! nucleo-matcher does not tolerate typos, and its license is not on this project's list.
//! fuzzy-matcher was twice as slow as nucleo-matcher and has had no release since 2020.

use crate::data::allowance::Allowance;
use crate::search::needles::Needles;
use crate::search::query::Query;
use crate::search::results::{FEW, SearchIndex};

/// The work that one unit of allowance pays for: paths examined, or comparisons made while scoring.
const LOOKED_AT: usize = 8;
const COMPARED: usize = 256;
/// The number of paths between two checks of the allowance.
const SLICE: usize = 64;
/// Terms of at least this many letters may contain one typo.
const TYPO_FROM: usize = 5;
/// The maximum length of a term, in bytes. Longer terms are not matched, because nobody types them.
const LONGEST: usize = 64;

/// The score of a letter, and its bonuses: at the beginning of a word, and right after the previous
/// letter of the term.
const LETTER: i32 = 16;
const WORD_BEGIN: i32 = 8;
const IN_A_ROW: i32 = 6;
/// The penalty for a gap between two letters, and for each letter of the gap after the first.
const GAP: i32 = 5;
const GAP_LETTER: i32 = 1;
/// The score of a letter that does not match.
const NONE: i32 = i32::MIN / 2;

/// A fuzzy search, which takes several passes if there are many paths.
#[derive(Debug, Default)]
pub(crate) struct Fuzzy {
    /// The next entry to match; `None` at the end.
    next: Option<usize>,
    /// Whether one letter of each term is left out.
    allows_typos: bool,
    /// The best matches so far, best first, with their scores.
    best: Vec<(i32, u32)>,
    scorer: Scorer,
}

impl Fuzzy {
    /// Restarts the search, or stops it if the query has no terms.
    pub(crate) fn start(&mut self, query: &Query) {
        let can =
            !query.terms().is_empty() && query.terms().iter().all(|term| term.len() <= LONGEST);
        *self = Self {
            next: can.then_some(0),
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

    /// Matches entries until the allowance is used up. Skips the entries in `matching`, which the
    /// exact search has found.
    pub(crate) fn step(
        &mut self,
        index: &SearchIndex,
        query: &Query,
        matching: &[u32],
        allowance: &mut Allowance,
    ) {
        let Some(mut next) = self.next else { return };
        let needles = Needles::new(query);
        while next < index.len() {
            let count = allowance.take(SLICE.min(index.len() - next), LOOKED_AT);
            if count == 0 {
                break;
            }
            self.scorer.compared = 0;
            for entry in next..next + count {
                let path = index.lower_path(entry as u32);
                let score = self
                    .scorer
                    .score_all(path, query.terms(), self.allows_typos);
                let Some(score) = score.filter(|score| self.is_better(*score)) else {
                    continue;
                };
                if !matching.contains(&(entry as u32)) && !needles.exclude(path.as_bytes()) {
                    self.keep(score, entry as u32);
                }
            }
            allowance.spend(self.scorer.compared / COMPARED);
            next += count;
        }
        self.next = (next < index.len()).then_some(next);
        let mut terms = query.terms().iter();
        let may_be_typos = terms.all(|term| term.chars().count() >= TYPO_FROM);
        if self.next.is_none() && self.best.is_empty() && may_be_typos && !self.allows_typos {
            self.allows_typos = true;
            self.next = Some(0);
        }
    }

    fn is_better(&self, score: i32) -> bool {
        self.best.len() < FEW || self.best.last().is_some_and(|&(worst, _)| score > worst)
    }

    fn keep(&mut self, score: i32, entry: u32) {
        let place = self.best.partition_point(|&(other, _)| other >= score);
        self.best.insert(place, (score, entry));
        self.best.truncate(FEW);
    }
}

/// Computes scores. Keeps its memory between paths.
#[derive(Debug, Default)]
struct Scorer {
    term: Vec<char>,
    path: Vec<char>,
    /// `before` has the best scores of the first letters of the term, indexed by the number of
    /// letters of the path up to the last of them. `after` has the scores of one more letter of the
    /// term.
    before: Vec<i32>,
    after: Vec<i32>,
    /// The number of comparisons so far.
    compared: usize,
}

impl Scorer {
    /// Returns the sum of the scores of all terms; `None` if a term does not match.
    fn score_all(&mut self, path: &str, terms: &[String], allows_typos: bool) -> Option<i32> {
        let score = |term: &String| {
            if !allows_typos {
                return self.score(path, term, "");
            }
            let letters = term.char_indices();
            let left_out = letters.map(|(at, letter)| (at, at + letter.len_utf8()));
            left_out
                .filter_map(|(at, end)| self.score(path, &term[..at], &term[end..]))
                .max()
        };
        terms.iter().map(score).sum()
    }

    /// Returns the best score of a term in two parts; `None` if it does not match.
    fn score(&mut self, path: &str, begin: &str, end: &str) -> Option<i32> {
        if !has_in_order(path, begin, end) {
            return None;
        }
        let Self {
            term,
            path: letters,
            before,
            after,
            compared,
        } = self;
        term.clear();
        term.extend(begin.chars().chain(end.chars()));
        letters.clear();
        letters.extend(path.chars());
        *compared += term.len() * letters.len();
        // The first letter of the term may be anywhere.
        before.clear();
        before.resize(letters.len() + 1, 0);
        for (number, wanted) in term.iter().enumerate() {
            after.clear();
            after.push(NONE);
            // The best score of the letters before this one, if a gap follows them.
            let mut with_gap = NONE;
            for (at, letter) in letters.iter().enumerate() {
                let begins_word = at == 0 || !letters[at - 1].is_alphanumeric();
                let bonus = if begins_word { WORD_BEGIN } else { 0 };
                let in_a_row = before[at] + if number > 0 { IN_A_ROW } else { 0 };
                let score = in_a_row.max(with_gap) + LETTER + bonus;
                after.push(if letter == wanted { score } else { NONE });
                with_gap = (with_gap - GAP_LETTER).max(before[at] - GAP);
            }
            std::mem::swap(before, after);
        }
        let best = before.iter().copied().max();
        best.filter(|best| *best > NONE / 2)
    }
}

/// Returns whether a path has the bytes of a term in two parts, in their order.
fn has_in_order(path: &str, begin: &str, end: &str) -> bool {
    let mut wanted = begin.bytes().chain(end.bytes());
    let Some(mut next) = wanted.next() else {
        return false;
    };
    for byte in path.bytes() {
        if byte == next {
            match wanted.next() {
                Some(byte) => next = byte,
                None => return true,
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::listing::tests::listing_of;
    use stats_testing::Random;

    /// Returns the matches, best first, and the number of steps the search took.
    fn alike(paths: &[impl AsRef<str>], typed: &str) -> (Vec<String>, usize) {
        let listing = listing_of(paths);
        let mut index = SearchIndex::default();
        index.extend(
            &listing,
            listing.len(),
            &mut Allowance::of_units(usize::MAX),
        );
        let (query, mut fuzzy, mut steps) = (Query::new(typed), Fuzzy::default(), 0);
        fuzzy.start(&query);
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

    /// Returns the best score by trying all places of each letter of a term, the last one at
    /// `last`.
    fn best_of_all(path: &[char], term: &[char], last: usize) -> Option<i32> {
        let (letter, rest) = term.split_last()?;
        let begins_word = last == 0 || !path[last - 1].is_alphanumeric();
        let own = LETTER + if begins_word { WORD_BEGIN } else { 0 };
        if path[last] != *letter {
            None
        } else if rest.is_empty() {
            Some(own)
        } else {
            let of_rest = |at: usize| {
                let gap = (last - at - 1) as i32;
                let link = match gap {
                    0 => IN_A_ROW,
                    gap => -GAP - (gap - 1) * GAP_LETTER,
                };
                Some(best_of_all(path, rest, at)? + own + link)
            };
            (0..last).filter_map(of_rest).max()
        }
    }

    #[test]
    fn a_score_is_the_best_of_all_places_of_the_letters() {
        let mut random = Random::new(3);
        let mut scorer = Scorer::default();
        let mut text = |most: u64| {
            let letters = (0..=random.below(most)).map(|_| random.below(4) as usize);
            letters
                .map(|at| ['a', 'b', 'é', '/'][at])
                .collect::<String>()
        };
        let mut matching = 0;
        for _ in 0..5000 {
            let (path, term) = (text(9), text(3));
            let letters: Vec<char> = path.chars().collect();
            let wanted: Vec<char> = term.chars().collect();
            let all = (0..letters.len()).filter_map(|last| best_of_all(&letters, &wanted, last));
            let best = all.max();
            assert_eq!(scorer.score(&path, &term, ""), best, "{term} in {path}");
            matching += usize::from(best.is_some());
        }
        assert!((1000..4500).contains(&matching), "{matching}");
    }

    #[test]
    fn the_best_match_is_found_when_many_paths_take_several_frames() {
        let mut paths: Vec<String> = (0..40_000)
            .map(|number| format!("physics/d{number}/rigid-wheel/calls"))
            .collect();
        paths[39_000] = "renderer/draw-calls".to_owned();
        let (found, steps) = alike(&paths, "drwcal");
        assert!(steps > 3, "{steps}");
        assert_eq!(found.len(), FEW);
        assert_eq!(found[0], "renderer/draw-calls");
    }
}
