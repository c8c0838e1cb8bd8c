//! Where in a path the terms of a search were found, for marking it.

use std::ops::Range;

use crate::search::query::Query;

impl Query {
    /// The bytes of a path that a term matches, ascending and not overlapping, for marking them.
    /// That of a `folder` may go on: what a term has behind its end counts as matched.
    pub(crate) fn marks(&self, path: &str, folder: bool) -> Vec<Range<usize>> {
        // Lower case can be longer or shorter than the original: `origin` maps each byte of it
        // back.
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
            let found = text
                .match_indices(part)
                .filter(|_| !part.is_empty())
                .map(|(at, _)| start + at);
            marks.extend(found.map(|at| origin[at].0..origin[at + part.len() - 1].1));
        };
        for term in self.terms() {
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
}

/// Calls `mark` for each segment of `path` in which a part of `term` was found: where it starts,
/// the segment, the part.
fn mark_segments(path: &str, term: &str, folder: bool, mark: &mut impl FnMut(usize, &str, &str)) {
    let starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
    for start in starts {
        let mut segments = path[start..].split('/');
        let found = |part: &str| {
            segments
                .next()
                .map_or(folder, |segment| segment.contains(part))
        };
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

#[cfg(test)]
mod tests {
    use super::*;

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
            marks
                .into_iter()
                .map(|mark| (mark.start, mark.end))
                .collect::<Vec<_>>()
        };
        assert_eq!(marks("jobs/", "jobs/worker-0/jobs", false), [(0, 4)]);
        assert_eq!(marks("jobs/", "jobs", true), [(0, 4)]);
        assert_eq!(
            marks("REND/draw", "renderer/draw-calls/rend", false),
            [(0, 4), (9, 13)]
        );
        assert_eq!(marks("rend/draw", "renderer", true), [(0, 4)]);
        assert_eq!(marks("/jobs", "jobs/jobs", false), [(5, 9)]);
    }
}
