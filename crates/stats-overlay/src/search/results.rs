//! The search for text: several terms, all of which a path must contain.
//!
//! Terms are separated by spaces and compared without regard to case. A term with `/` in it also
//! matches when its parts are found in consecutive segments: `rend/draw` finds
//! `renderer/draw-calls`. Where little is found, paths that are alike follow behind.
//!
//! All paths are kept in lower case in one string, so that 100,000 of them are searched in about a
//! millisecond. With another letter typed behind a term, only what was found before is searched.

use memchr::memmem::Finder;

use crate::data::listing::Listing;
use crate::search::needles::Needles;
use crate::search::query::Query;
use stats_ui::text::push_lower;

/// Alike paths are looked for when fewer than this were found, and at most so many are shown.
pub(crate) const FEW: usize = 12;

/// Paths in lower case, one after the other.
#[derive(Debug, Default)]
pub(crate) struct SearchIndex {
    lower: String,
    lower_ends: Vec<u32>,
}

/// What was found: entries of the listing, in the order of the tree.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) matching: Vec<u32>,
    /// Those that are merely alike, best first.
    pub(crate) similar: Vec<u32>,
}

impl SearchIndex {
    /// Takes in more entries of the listing, up to so many in all: about a tenth of a microsecond
    /// each.
    pub(crate) fn extend(&mut self, listing: &Listing, up_to: usize) {
        for at in self.lower_ends.len()..up_to.min(listing.len()) {
            let path = listing.path(at as u32);
            push_lower(path, &mut self.lower);
            self.lower_ends.push(self.lower.len() as u32);
        }
    }

    /// How many entries it holds.
    pub(crate) fn len(&self) -> usize {
        self.lower_ends.len()
    }

    /// The entries that the text of a query finds, in the `order` of the tree.
    pub(crate) fn find(&self, query: &Query, order: &[u32]) -> Vec<u32> {
        let needles = Needles::new(query);
        let mut is_found = vec![false; self.len()];
        let count = match needles.anchor() {
            Some(anchor) => self.find_by(anchor, &needles, &mut is_found),
            None => self.find_all(&needles, &mut is_found),
        };
        let mut matching = Vec::with_capacity(count);
        if count > 0 {
            matching.extend(order.iter().copied().filter(|&at| is_found[at as usize]));
        }
        matching
    }

    /// Marks the paths that match, looking through all of the text at once for what all of them
    /// contain.
    fn find_by(&self, anchor: &Finder<'_>, needles: &Needles<'_>, is_found: &mut [bool]) -> usize {
        let (text, length) = (self.lower.as_bytes(), anchor.needle().len());
        let (mut from, mut at, mut count) = (0, 0, 0);
        while let Some(hit) = anchor.find(&text[from..]) {
            let start = from + hit;
            while self.lower_ends[at] as usize <= start {
                at += 1;
            }
            let end = self.lower_ends[at] as usize;
            if start + length > end {
                // Across the end of a path.
                from = start + 1;
                continue;
            }
            let is_match = needles.is_anchor_enough()
                || needles.match_path(self.lower_path(at as u32).as_bytes());
            is_found[at] = is_match;
            count += usize::from(is_match);
            from = end;
        }
        count
    }

    /// Marks the paths that match one by one.
    fn find_all(&self, needles: &Needles<'_>, is_found: &mut [bool]) -> usize {
        let mut count = 0;
        for (at, found) in is_found.iter_mut().enumerate() {
            *found = needles.match_path(self.lower_path(at as u32).as_bytes());
            count += usize::from(*found);
        }
        count
    }

    /// The same among the entries that a wider query found.
    pub(crate) fn find_among(&self, query: &Query, wider: &[u32]) -> Vec<u32> {
        let needles = Needles::new(query);
        wider
            .iter()
            .copied()
            .filter(|&at| needles.match_path(self.lower_path(at).as_bytes()))
            .collect()
    }

    /// A path in lower case.
    pub(crate) fn lower_path(&self, at: u32) -> &str {
        let at = at as usize;
        let start = if at == 0 { 0 } else { self.lower_ends[at - 1] };
        &self.lower[start as usize..self.lower_ends[at] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::listing::tests::listing_of;
    use crate::search::text::matches_segments;
    use stats_testing::Random;

    fn index_of(listing: &Listing) -> SearchIndex {
        let mut index = SearchIndex::default();
        index.extend(listing, usize::MAX);
        index
    }

    fn search(paths: &[&str], typed: &str) -> Vec<String> {
        let listing = listing_of(paths);
        let found = index_of(&listing).find(&Query::new(typed), listing.order());
        found
            .iter()
            .map(|&at| listing.path(at).to_owned())
            .collect()
    }

    const PATHS: [&str; 5] = [
        "renderer/draw-calls",
        "renderer/Primitives",
        "ai/pathfinding",
        "Ärger/ÜBEL",
        "audio/voices",
    ];

    #[test]
    fn all_terms_must_be_contained_whatever_their_case() {
        assert_eq!(search(&PATHS, "REND prim"), ["renderer/Primitives"]);
        assert_eq!(search(&PATHS, "übel ärg"), ["Ärger/ÜBEL"]);
        assert!(search(&PATHS, "rend voices").is_empty());
        assert_eq!(search(&PATHS, "  ").len(), 5);
    }

    #[test]
    fn a_term_with_a_slash_matches_across_segments() {
        assert_eq!(search(&PATHS, "rend/draw"), ["renderer/draw-calls"]);
        assert_eq!(search(&PATHS, "/path"), ["ai/pathfinding"]);
        assert!(search(&PATHS, "draw/rend").is_empty());
    }

    #[test]
    fn the_index_finds_what_a_plain_search_finds() {
        let mut random = Random::new(9);
        for _ in 0..100 {
            let owned: Vec<String> = (0..60).map(|_| random.path()).collect();
            let listing = listing_of(&owned.iter().map(String::as_str).collect::<Vec<_>>());
            let index = index_of(&listing);
            let typed = format!(
                "{} {}",
                &random.path(),
                ["a", "x1", "be", ""][random.below(4) as usize]
            );
            let query = Query::new(&typed);
            let wanted: Vec<u32> = listing
                .order()
                .iter()
                .copied()
                .filter(|&at| {
                    let path = listing.path(at).to_lowercase();
                    typed
                        .to_lowercase()
                        .split_whitespace()
                        .all(|term| path.contains(term) || matches_segments(&path, term))
                })
                .collect();
            assert_eq!(index.find(&query, listing.order()), wanted, "{typed}");
            assert_eq!(index.find_among(&query, listing.order()), wanted, "{typed}");
        }
    }

    #[test]
    #[ignore = "a measurement"]
    fn cost() {
        let owned: Vec<String> = (0..100_000)
            .map(|n| {
                format!(
                    "{}/level-{}/enemy-{n}/updates",
                    ["renderer", "physics", "game", "audio", "ai"][n % 5],
                    n % 300
                )
            })
            .collect();
        let listing = listing_of(&owned.iter().map(String::as_str).collect::<Vec<_>>());
        let index = index_of(&listing);
        for typed in [
            "e",
            "en",
            "enemy",
            "enemy-12",
            "enemy-12 rend",
            "xyz",
            "rend/level-7",
            "updates",
        ] {
            let query = Query::new(typed);
            let mut times: Vec<_> = (0..20)
                .map(|_| {
                    let start = std::time::Instant::now();
                    std::hint::black_box(index.find(&query, listing.order()));
                    start.elapsed()
                })
                .collect();
            times.sort();
            println!("{typed:?}: {:?}", times[10]);
        }
    }
}
