//! The index of all paths, and the results of a query's terms.
//!
//! A path must contain every term; case is ignored. A term that contains `/` also matches
//! consecutive segments: `rend/draw` finds `renderer/draw-calls`. If few paths match, fuzzy matches
//! follow.
//!
//! All paths are stored in lower case in one string, so that searching 100,000 paths takes about a
//! millisecond. Typing another letter after a term searches only the previous results.

use memchr::memmem::Finder;

use crate::data::listing::Listing;
use crate::search::needles::Needles;
use crate::search::query::Query;
use stats_ui::text::push_lower;

/// Fuzzy matching starts if fewer paths than this match, and shows at most this many.
pub(crate) const FEW: usize = 12;

/// All paths in lower case, concatenated.
#[derive(Debug, Default)]
pub(crate) struct SearchIndex {
    lower: String,
    lower_ends: Vec<u32>,
}

/// The matching entries of the listing, in tree order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) matching: Vec<u32>,
    /// Fuzzy matches, best first.
    pub(crate) similar: Vec<u32>,
}

impl SearchIndex {
    /// Adds entries of the listing until `up_to` of them are indexed. Takes about 0.1 µs per entry.
    pub(crate) fn extend(&mut self, listing: &Listing, up_to: usize) {
        for at in self.lower_ends.len()..up_to.min(listing.len()) {
            let path = listing.path(at as u32);
            push_lower(path, &mut self.lower);
            self.lower_ends.push(self.lower.len() as u32);
        }
    }

    /// The number of indexed entries.
    pub(crate) fn len(&self) -> usize {
        self.lower_ends.len()
    }

    /// The entries that the terms of a query match, in tree `order`.
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

    /// Marks the matching paths by searching the whole text for the anchor that all of them
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
                // The hit spans the end of a path.
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

    /// Marks the matching paths by testing each one.
    fn find_all(&self, needles: &Needles<'_>, is_found: &mut [bool]) -> usize {
        let mut count = 0;
        for (at, found) in is_found.iter_mut().enumerate() {
            *found = needles.match_path(self.lower_path(at as u32).as_bytes());
            count += usize::from(*found);
        }
        count
    }

    /// Like `find`, but searches only the results of a broader query.
    pub(crate) fn find_among(&self, query: &Query, wider: &[u32]) -> Vec<u32> {
        let needles = Needles::new(query);
        wider
            .iter()
            .copied()
            .filter(|&at| needles.match_path(self.lower_path(at).as_bytes()))
            .collect()
    }

    /// The path of an entry, in lower case.
    pub(super) fn lower_path(&self, at: u32) -> &str {
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
    fn a_path_must_contain_every_term_in_any_case() {
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
    fn the_index_and_a_linear_search_find_the_same_paths() {
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
}
