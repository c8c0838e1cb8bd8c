//! The text search: an index of all paths, and the entries that a query matches.

use std::ops::Range;

use memchr::memmem::Finder;

use crate::data::allowance::Allowance;
use crate::data::listing::Listing;
use crate::search::needles::Needles;
use crate::search::query::Query;
use stats_ui::text::push_lower;

/// Fuzzy matching starts if fewer paths than this match, and adds at most this number.
pub(crate) const FEW: usize = 12;

/// The number of paths that one unit of allowance pays for: indexed, searched as one text, or
/// searched one by one.
const INDEXED: usize = 4;
const SEARCHED: usize = 8;
const TESTED: usize = 4;

/// A list of matches that is longer gets room for all paths that are left.
const LONG: usize = 1 << 15;

/// All paths in lower case, concatenated. An entry takes the bytes of its path and four more.
#[derive(Debug, Default)]
pub(crate) struct SearchIndex {
    lower: String,
    lower_ends: Vec<u32>,
}

impl SearchIndex {
    /// Indexes the first `count` entries of the listing until the allowance is used up. An entry
    /// takes about 0.1 µs. Returns whether all of them are indexed.
    pub(crate) fn extend(
        &mut self,
        listing: &Listing,
        count: usize,
        allowance: &mut Allowance,
    ) -> bool {
        self.lower_ends.reserve(count.saturating_sub(self.len()));
        // Moving a long text when it grows takes milliseconds.
        let missing = listing.text_len().saturating_sub(self.lower.len());
        self.lower.reserve(missing);
        while let more @ 1.. = allowance.take(count.saturating_sub(self.len()), INDEXED) {
            for at in self.len()..self.len() + more {
                push_lower(listing.path(at as u32), &mut self.lower);
                self.lower_ends.push(self.lower.len() as u32);
            }
        }
        self.len() >= count
    }

    /// Returns the number of indexed entries.
    pub(crate) fn len(&self) -> usize {
        self.lower_ends.len()
    }

    /// Appends the entries in a range that a query matches.
    fn find(&self, needles: &Needles<'_>, entries: Range<usize>, matching: &mut Vec<u32>) {
        match needles.anchor() {
            Some(anchor) => self.find_by(anchor, needles, entries, matching),
            None => matching.extend(
                (entries.start as u32..entries.end as u32).filter(|&at| self.is_match(needles, at)),
            ),
        }
    }

    /// Searches the text of the entries for the anchor that all matching paths contain.
    fn find_by(
        &self,
        anchor: &Finder<'_>,
        needles: &Needles<'_>,
        entries: Range<usize>,
        matching: &mut Vec<u32>,
    ) {
        let text = &self.lower.as_bytes()[..self.start(entries.end)];
        let length = anchor.needle().len();
        let (mut from, mut at) = (self.start(entries.start), entries.start);
        while let Some(hit) = anchor.find(&text[from..]) {
            let start = from + hit;
            while self.lower_ends[at] as usize <= start {
                at += 1;
            }
            let end = self.lower_ends[at] as usize;
            if start + length > end {
                // The hit extends past the end of a path.
                from = start + 1;
                continue;
            }
            if needles.is_anchor_enough() || self.is_match(needles, at as u32) {
                matching.push(at as u32);
            }
            from = end;
        }
    }

    fn is_match(&self, needles: &Needles<'_>, at: u32) -> bool {
        needles.match_path(self.lower_path(at).as_bytes())
    }

    /// Returns the path of an entry, in lower case.
    pub(super) fn lower_path(&self, at: u32) -> &str {
        let at = at as usize;
        &self.lower[self.start(at)..self.start(at + 1)]
    }

    /// Returns the start of an entry's path in the text.
    fn start(&self, at: usize) -> usize {
        at.checked_sub(1)
            .map_or(0, |before| self.lower_ends[before] as usize)
    }
}

/// A search of the index that continues in each pass.
///
/// A query that narrows the previous one tests only the matches of that query, and continues where
/// it stopped. Entries that are added to the index later are searched too.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The matching entries among those searched so far, in ascending order.
    matching: Vec<u32>,
    /// The matches of a broader query, and the number of them that were tested.
    wider: Vec<u32>,
    tested: usize,
    /// The number of entries that were searched, by this query or a broader one.
    searched: usize,
}

impl Scan {
    /// Starts the search of another query. `narrows` says whether all its matches also match the
    /// previous query.
    pub(crate) fn begin(&mut self, narrows: bool) {
        let left = self.matching.len() + self.wider.len() - self.tested;
        // Searching paths one by one costs more per path than searching all of them as one text.
        if narrows && left <= self.searched / 4 {
            self.matching.extend(self.wider.drain(self.tested..));
            self.wider = std::mem::take(&mut self.matching);
        } else {
            self.wider.clear();
            self.matching.clear();
            self.searched = 0;
        }
        self.tested = 0;
    }

    /// Continues the search. Returns whether all indexed entries were searched.
    pub(crate) fn step(
        &mut self,
        index: &SearchIndex,
        query: &Query,
        allowance: &mut Allowance,
    ) -> bool {
        let needles = Needles::new(query);
        while let count @ 1.. = allowance.take(self.wider.len() - self.tested, TESTED) {
            let tested = &self.wider[self.tested..self.tested + count];
            let found = tested.iter().filter(|&&at| index.is_match(&needles, at));
            self.matching.extend(found);
            self.tested += count;
        }
        if self.tested < self.wider.len() {
            return false;
        }
        while let count @ 1.. = allowance.take(index.len() - self.searched, SEARCHED) {
            // Moving a long list when it grows takes milliseconds.
            if self.matching.len() + count > self.matching.capacity().max(LONG) {
                self.matching.reserve_exact(index.len() - self.searched);
            }
            let entries = self.searched..self.searched + count;
            index.find(&needles, entries, &mut self.matching);
            self.searched += count;
        }
        self.searched == index.len()
    }

    /// Returns the entries that match, in ascending order.
    pub(crate) fn matching(&self) -> &[u32] {
        &self.matching
    }

    /// Returns the number of entries that were searched.
    pub(crate) fn searched(&self) -> usize {
        self.searched
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::listing::tests::listing_of;
    use crate::search::needles::tests::contains;
    use stats_testing::Random;

    /// Returns the index of the first entries of a listing.
    fn index_of(listing: &Listing, count: usize) -> SearchIndex {
        let mut index = SearchIndex::default();
        assert!(index.extend(listing, count, &mut Allowance::of_units(usize::MAX)));
        index
    }

    fn search(paths: &[&str], typed: &str) -> Vec<String> {
        let (listing, mut scan) = (listing_of(paths), Scan::default());
        let index = index_of(&listing, paths.len());
        let mut allowance = Allowance::of_units(usize::MAX);
        assert!(scan.step(&index, &Query::new(typed), &mut allowance));
        let path = |&at: &u32| listing.path(at).to_owned();
        scan.matching().iter().map(path).collect()
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

    /// Returns the entries that a query matches, found path by path.
    fn linear(listing: &Listing, typed: &str) -> Vec<u32> {
        let matches = |&at: &u32| {
            let path = listing.path(at).to_lowercase();
            let typed = typed.to_lowercase();
            let mut terms = typed.split_whitespace();
            terms.all(|term| contains(&path, term))
        };
        (0..listing.len() as u32).filter(matches).collect()
    }

    #[test]
    fn a_search_in_steps_finds_the_same_as_a_linear_search() {
        let mut random = Random::new(9);
        for round in 0..300 {
            let paths: Vec<String> = (0..60).map(|_| random.path()).collect();
            let listing = listing_of(&paths);
            let (mut index, mut scan) = (SearchIndex::default(), Scan::default());
            let (mut typed, mut indexed) = (String::new(), 20);
            for step in 0..random.below(30) {
                // Letters come and go, and the index grows, while the search is under way.
                let before = Query::new(&typed);
                match random.below(4) {
                    0 => {
                        typed.push_str(["a", "x1", " be", "/", "r", " "][random.below(6) as usize])
                    }
                    1 => _ = typed.pop(),
                    2 => indexed = (indexed + 7).min(listing.len()),
                    _ => {}
                }
                index.extend(
                    &listing,
                    indexed,
                    &mut Allowance::of_units(random.below(5) as usize),
                );
                let query = Query::new(&typed);
                if query != before {
                    scan.begin(query.narrows(&before));
                }
                let units = random.below(6) as usize;
                let is_done = scan.step(&index, &query, &mut Allowance::of_units(units));
                if is_done {
                    let mut wanted = linear(&listing, &typed);
                    wanted.retain(|&at| (at as usize) < index.len());
                    assert_eq!(
                        scan.matching(),
                        wanted,
                        "{typed:?}, round {round}, step {step}"
                    );
                }
            }
            index.extend(
                &listing,
                listing.len(),
                &mut Allowance::of_units(usize::MAX),
            );
            let mut allowance = Allowance::of_units(usize::MAX);
            assert!(scan.step(&index, &Query::new(&typed), &mut allowance));
            assert_eq!(scan.matching(), linear(&listing, &typed), "{typed:?}");
        }
    }

    #[test]
    fn a_long_list_of_matches_is_not_moved_when_it_grows() {
        let paths: Vec<String> = (0..3 * LONG).map(|number| format!("a/{number}")).collect();
        let listing = listing_of(&paths);
        let (index, mut scan) = (index_of(&listing, listing.len()), Scan::default());
        let mut room = None;
        while !scan.step(&index, &Query::new("a"), &mut Allowance::of_units(64)) {
            if scan.matching.len() > LONG {
                let room = *room.get_or_insert(scan.matching.capacity());
                assert_eq!(scan.matching.capacity(), room);
            }
        }
        assert_eq!(scan.matching.len(), paths.len());
        assert_eq!(scan.matching.capacity(), paths.len());
    }

    #[test]
    fn another_letter_tests_only_the_previous_matches() {
        let paths: Vec<String> = (0..4000).map(|number| format!("a/{number}")).collect();
        let listing = listing_of(&paths);
        let index = index_of(&listing, listing.len());
        let mut scan = Scan::default();
        let mut step = |before: &str, typed: &str, units: usize| {
            let query = Query::new(typed);
            scan.begin(query.narrows(&Query::new(before)));
            let is_done = scan.step(&index, &query, &mut Allowance::of_units(units));
            (is_done, scan.matching().len())
        };
        assert_eq!(step("", "77", 4000), (true, 76));
        assert_eq!(step("77", "777", 76_usize.div_ceil(TESTED)), (true, 4));
        assert_eq!(step("777", "7777", 1), (true, 0));
        assert_eq!(
            step("7777", "777", 1),
            (false, 0),
            "a shorter word is another search"
        );
    }
}
