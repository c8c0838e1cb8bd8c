//! Finds the parts of a path that the terms of a query match, so that they can be highlighted.

use std::ops::Range;

use stats_analysis::sort::sort_by;

use crate::search::query::Query;

impl Query {
    /// Returns the byte ranges of a path that the terms match, ascending and without overlap. For a
    /// `folder`, a term may extend past the end of the path.
    pub(crate) fn marks(&self, path: &str, folder: bool) -> Vec<Range<usize>> {
        // Lower case can be longer or shorter than the original; `origin` maps each byte back.
        let mut folded = String::with_capacity(path.len());
        let mut origin = Vec::with_capacity(path.len() + 1);
        for (at, character) in path.char_indices() {
            for lower in character.to_lowercase() {
                folded.push(lower);
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
        sort_by(&mut marks, |a, b| (a.start, a.end).cmp(&(b.start, b.end)));
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

/// Calls `mark` with the start, the segment and the part for each segment of `path` that contains
/// its part of `term`.
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
    fn highlights_cover_the_matched_bytes_of_the_original() {
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
    fn a_term_with_a_slash_highlights_each_of_its_segments() {
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
