//! The search: several terms, all of which a path must contain, and a fallback to what is merely alike.
//!
//! Terms are separated by spaces and compared without regard to case. A term with `/` in it also matches when its parts
//! are found in consecutive segments: `rend/draw` finds `renderer/draw-calls`. Where little is found, paths whose word
//! initials contain the term in order follow behind: `rdc` finds `renderer/draw-calls`.
//!
//! All paths are kept in lower case in one string, so that 100,000 of them are searched in about a millisecond.

use std::ops::Range;

use crate::listing::Listing;

/// Alike paths are looked for when fewer than this were found, and at most so many are shown.
const FEW: usize = 12;

/// Paths in lower case and their initials, one after the other.
#[derive(Debug, Default)]
pub(crate) struct SearchIndex {
    lower: String,
    lower_ends: Vec<u32>,
    initials: String,
    initials_ends: Vec<u32>,
}

/// What was found: entries of the listing, ascending.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) matching: Vec<u32>,
    pub(crate) similar: Vec<u32>,
}

/// The terms of what was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query {
    terms: Vec<String>,
}

impl Query {
    pub(crate) fn new(typed: &str) -> Self {
        Self { terms: typed.split_whitespace().map(lower).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The bytes of a path that a term matches, ascending and not overlapping, for marking them. That of a `folder` may go on:
    /// what a term has behind its end counts as matched.
    pub(crate) fn marks(&self, path: &str, folder: bool) -> Vec<Range<usize>> {
        // Lower case can be longer or shorter than the original: `origin` maps each byte of it back.
        let mut folded = String::with_capacity(path.len());
        let mut origin = Vec::with_capacity(path.len() + 1);
        for (at, character) in path.char_indices() {
            for small in character.to_lowercase() {
                folded.push(small);
                origin.resize(folded.len(), (at, at + character.len_utf8()));
            }
        }
        let mut marks: Vec<Range<usize>> = Vec::new();
        let mut mark = |start: usize, text: &str, part: &str| {
            let found = text.match_indices(part).filter(|_| !part.is_empty()).map(|(at, _)| start + at);
            marks.extend(found.map(|at| origin[at].0..origin[at + part.len() - 1].1));
        };
        for term in &self.terms {
            if term.contains('/') {
                mark_segments(&folded, term, folder, &mut mark);
            } else {
                mark(0, &folded, term);
            }
        }
        marks.sort_by_key(|mark| (mark.start, mark.end));
        marks.dedup_by(|later, earlier| {
            let touching = later.start <= earlier.end;
            if touching {
                earlier.end = earlier.end.max(later.end);
            }
            touching
        });
        marks
    }

    /// Whether it finds this one path.
    pub(crate) fn finds(&self, path: &str) -> bool {
        self.is_empty() || self.matches(&lower(path))
    }

    fn matches(&self, path: &str) -> bool {
        self.terms.iter().all(|term| path.contains(term.as_str()) || matches_segments(path, term))
    }

    fn resembles(&self, initials: &str) -> bool {
        self.terms.iter().all(|term| is_subsequence(term, initials))
    }
}

impl SearchIndex {
    pub(crate) fn build(listing: &Listing) -> Self {
        let mut index = Self::default();
        for at in 0..listing.len() {
            let path = listing.path(at);
            push_lower(path, &mut index.lower);
            index.lower_ends.push(index.lower.len() as u32);
            push_initials(path, &mut index.initials);
            index.initials_ends.push(index.initials.len() as u32);
        }
        index
    }

    /// The entries that a query finds; all of them when it is empty.
    pub(crate) fn find(&self, query: &Query) -> Found {
        let mut found = Found::default();
        for (at, path) in slices(&self.lower, &self.lower_ends).enumerate() {
            if query.matches(path) {
                found.matching.push(at as u32);
            }
        }
        if found.matching.len() < FEW {
            let alike = slices(&self.initials, &self.initials_ends)
                .enumerate()
                .filter(|(_, initials)| query.resembles(initials))
                .map(|(at, _)| at as u32);
            found.similar.extend(alike.filter(|at| found.matching.binary_search(at).is_err()).take(FEW));
        }
        found
    }
}

fn slices<'a>(text: &'a str, ends: &'a [u32]) -> impl Iterator<Item = &'a str> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, &end)| &text[start as usize..end as usize])
}

/// Whether the parts of `term` between its `/` are contained in consecutive segments of `path`.
fn matches_segments(path: &str, term: &str) -> bool {
    // Taking a path apart is dear: only where each part is somewhere in it.
    if !term.contains('/') || !term.split('/').all(|part| path.contains(part)) {
        return false;
    }
    let mut rest = path;
    loop {
        let mut segments = rest.split('/');
        if term.split('/').all(|part| segments.next().is_some_and(|segment| segment.contains(part))) {
            return true;
        }
        match rest.split_once('/') {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
}

/// Calls `mark` for each segment of `path` in which a part of `term` was found: where it starts, the segment, the part.
fn mark_segments(path: &str, term: &str, folder: bool, mark: &mut impl FnMut(usize, &str, &str)) {
    let starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
    for start in starts {
        let mut segments = path[start..].split('/');
        let found = |part: &str| segments.next().map_or(folder, |segment| segment.contains(part));
        if !term.split('/').all(found) {
            continue;
        }
        let mut start = start;
        for (segment, part) in path[start..].split('/').zip(term.split('/')) {
            mark(start, segment, part);
            start += segment.len() + 1;
        }
    }
}

fn is_subsequence(term: &str, text: &str) -> bool {
    let mut text = text.chars();
    term.chars().filter(|&character| character != '/').all(|wanted| text.any(|character| character == wanted))
}

/// The first letter of every word of a path: after `/`, and after anything that is neither letter nor digit.
fn push_initials(path: &str, initials: &mut String) {
    let mut inside = false;
    for character in path.chars() {
        let word = character.is_alphanumeric();
        if word && !inside {
            initials.extend(character.to_lowercase());
        }
        inside = word;
    }
}

fn push_lower(text: &str, out: &mut String) {
    if text.is_ascii() {
        let start = out.len();
        out.push_str(text);
        out[start..].make_ascii_lowercase();
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}

fn lower(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_lower(text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::tests::listing_of;
    use crate::testing::Random;

    fn search(paths: &[&str], typed: &str) -> (Vec<String>, Vec<String>) {
        let listing = listing_of(paths);
        let found = SearchIndex::build(&listing).find(&Query::new(typed));
        let names = |entries: Vec<u32>| entries.iter().map(|&at| listing.path(at as usize).to_owned()).collect();
        (names(found.matching), names(found.similar))
    }

    const PATHS: [&str; 5] = ["renderer/draw-calls", "renderer/Primitives", "ai/pathfinding", "Ärger/ÜBEL", "audio/voices"];

    #[test]
    fn all_terms_must_be_contained_whatever_their_case() {
        assert_eq!(search(&PATHS, "REND prim").0, ["renderer/Primitives"]);
        assert_eq!(search(&PATHS, "übel ärg").0, ["Ärger/ÜBEL"]);
        assert!(search(&PATHS, "rend voices").0.is_empty());
        assert_eq!(search(&PATHS, "  ").0.len(), 5);
    }

    #[test]
    fn a_term_with_a_slash_matches_across_segments() {
        assert_eq!(search(&PATHS, "rend/draw").0, ["renderer/draw-calls"]);
        assert_eq!(search(&PATHS, "/path").0, ["ai/pathfinding"]);
        assert!(search(&PATHS, "draw/rend").0.is_empty());
    }

    #[test]
    fn alike_paths_follow_behind_the_matching_ones() {
        assert_eq!(search(&PATHS, "rdc"), (vec![], vec!["renderer/draw-calls".to_owned()]));
        let (matching, similar) = search(&["rp/x", "renderer/primitives"], "rp");
        assert_eq!((matching, similar), (vec!["rp/x".to_owned()], vec!["renderer/primitives".to_owned()]));
    }

    #[test]
    fn marks_cover_what_matched_in_the_original() {
        let marks = Query::new("draw RE").marks("renderer/Draw-calls", false);
        assert_eq!(marks, [0..2, 5..7, 9..13]);
        // "İ" becomes two characters in lower case.
        let text = "İx/Ü";
        for mark in Query::new("x/ü i").marks(text, false) {
            assert!(text.get(mark).is_some());
        }
        let whole = Query::new("aa").marks("AAAA", false);
        assert_eq!(whole.as_slice(), std::slice::from_ref(&(0..4)));
    }

    #[test]
    fn marks_of_a_term_with_a_slash_are_where_its_segments_are() {
        let marks = |typed: &str, path: &str, folder| {
            let marks = Query::new(typed).marks(path, folder);
            marks.into_iter().map(|mark| (mark.start, mark.end)).collect::<Vec<_>>()
        };
        assert_eq!(marks("jobs/", "jobs/worker-0/jobs", false), [(0, 4)]);
        assert_eq!(marks("jobs/", "jobs", true), [(0, 4)]);
        assert_eq!(marks("REND/draw", "renderer/draw-calls/rend", false), [(0, 4), (9, 13)]);
        assert_eq!(marks("rend/draw", "renderer", true), [(0, 4)]);
        assert_eq!(marks("/jobs", "jobs/jobs", false), [(5, 9)]);
    }

    #[test]
    fn the_index_finds_what_a_plain_search_finds() {
        let mut random = Random::new(9);
        for _ in 0..100 {
            let owned: Vec<String> = (0..60).map(|_| random.path()).collect();
            let listing = listing_of(&owned.iter().map(String::as_str).collect::<Vec<_>>());
            let index = SearchIndex::build(&listing);
            let typed = format!("{} {}", &random.path(), ["a", "x1", "be", ""][random.below(4) as usize]);
            let query = Query::new(&typed);
            let wanted: Vec<u32> = (0..listing.len() as u32)
                .filter(|&at| {
                    let path = listing.path(at as usize).to_lowercase();
                    typed.to_lowercase().split_whitespace().all(|term| path.contains(term) || matches_segments(&path, term))
                })
                .collect();
            assert_eq!(index.find(&query).matching, wanted, "{typed}");
        }
    }

    #[test]
    #[ignore = "a measurement"]
    fn cost() {
        let owned: Vec<String> = (0..100_000)
            .map(|n| format!("{}/level-{}/enemy-{n}/updates", ["renderer", "physics", "game", "audio", "ai"][n % 5], n % 300))
            .collect();
        let listing = listing_of(&owned.iter().map(String::as_str).collect::<Vec<_>>());
        let index = SearchIndex::build(&listing);
        for typed in ["e", "en", "enemy", "enemy-12", "enemy-12 rend", "xyz", "rend/level-7", "updates"] {
            let query = Query::new(typed);
            let mut times: Vec<_> = (0..20)
                .map(|_| {
                    let start = std::time::Instant::now();
                    std::hint::black_box(index.find(&query));
                    start.elapsed()
                })
                .collect();
            times.sort();
            println!("{typed:?}: {:?}", times[10]);
        }
    }
}
