//! The terms of a query, prepared for searching many paths.

use memchr::memchr;
use memchr::memmem::Finder;

use crate::search::query::Query;

/// All terms of a query. Paths must be in lower case.
pub(super) struct Needles<'a> {
    terms: Vec<Needle<'a>>,
    without: Vec<Needle<'a>>,
}

/// A term, split at `/`. If a path contains the whole term, consecutive segments contain its parts.
struct Needle<'a> {
    parts: Vec<Finder<'a>>,
}

impl<'a> Needles<'a> {
    pub(super) fn new(query: &'a Query) -> Self {
        let needles = |terms: &'a [String]| terms.iter().map(|term| Needle::new(term)).collect();
        Self {
            terms: needles(query.terms()),
            without: needles(query.without()),
        }
    }

    /// Returns whether a path contains every required term and no excluded term.
    pub(super) fn match_path(&self, path: &[u8]) -> bool {
        self.terms.iter().all(|term| term.is_in(path)) && !self.exclude(path)
    }

    /// Returns whether a path contains an excluded term.
    pub(super) fn exclude(&self, path: &[u8]) -> bool {
        self.without.iter().any(|term| term.is_in(path))
    }

    /// Returns the longest text that every matching path contains; `None` if there is none.
    pub(super) fn anchor(&self) -> Option<&Finder<'a>> {
        let parts = self.terms.iter().flat_map(|term| &term.parts);
        parts
            .max_by_key(|part| part.needle().len())
            .filter(|part| !part.needle().is_empty())
    }

    /// Returns whether every path that contains the anchor matches.
    pub(super) fn is_anchor_enough(&self) -> bool {
        self.without.is_empty()
            && self.terms.len() == 1
            && self.terms.iter().all(|term| term.parts.len() == 1)
    }
}

impl<'a> Needle<'a> {
    fn new(term: &'a str) -> Self {
        Self {
            parts: term.split('/').map(Finder::new).collect(),
        }
    }

    fn is_in(&self, path: &[u8]) -> bool {
        let Some((first, rest)) = self.parts.split_first() else {
            return true;
        };
        let mut path = path;
        while let Some(at) = first.find(path) {
            if rest.is_empty() {
                return true;
            }
            // Continue after the segment that contains the hit.
            let Some(end) = memchr(b'/', &path[at..]) else {
                return false;
            };
            path = &path[at + end + 1..];
            if begins_with(path, rest) {
                return true;
            }
        }
        false
    }
}

/// Returns whether the first segments of `path` each contain the corresponding part.
fn begins_with(mut path: &[u8], parts: &[Finder<'_>]) -> bool {
    for (number, part) in parts.iter().enumerate() {
        let end = memchr(b'/', path).unwrap_or(path.len());
        if part.find(&path[..end]).is_none() {
            return false;
        }
        if number + 1 < parts.len() {
            let Some(rest) = path.get(end + 1..) else {
                return false;
            };
            path = rest;
        }
    }
    true
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use stats_testing::Random;
    use stats_ui::text::lower;

    /// Returns whether a path contains a term, or consecutive segments contain the term's parts.
    pub(crate) fn contains(path: &str, term: &str) -> bool {
        let segments: Vec<&str> = path.split('/').collect();
        let parts: Vec<&str> = term.split('/').collect();
        let holds = |run: &[&str]| {
            let mut pairs = run.iter().zip(&parts);
            pairs.all(|(segment, part)| segment.contains(part))
        };
        path.contains(term) || segments.windows(parts.len()).any(holds)
    }

    #[test]
    fn parts_of_a_term_match_consecutive_segments() {
        let mut random = Random::new(41);
        for _ in 0..20_000 {
            let path = lower(&random.path());
            let part = |random: &mut Random| {
                ["", "a", "b", "x1", "raw", "/", "a/", "/b", "re/a", "a//b"]
                    [random.below(10) as usize]
            };
            let typed = format!(
                "{}/{} {} -{}",
                part(&mut random),
                part(&mut random),
                part(&mut random),
                part(&mut random)
            );
            let query = Query::new(&typed);
            let all = |terms: &[String]| terms.iter().all(|term| contains(&path, term));
            let any = |terms: &[String]| terms.iter().any(|term| contains(&path, term));
            assert_eq!(
                Needles::new(&query).match_path(path.as_bytes()),
                all(query.terms()) && !any(query.without()),
                "{typed} in {path}"
            );
        }
    }
}
