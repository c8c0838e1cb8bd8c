//! Matches terms against paths, both in lower case.

/// Returns whether a path contains a term, or consecutive segments contain the term's parts,
/// separated by `/`. Both must be in lower case.
pub(super) fn matches_term(path: &str, term: &str) -> bool {
    path.contains(term) || matches_segments(path, term)
}

/// Returns whether consecutive segments of `path` contain the parts of `term`, separated by `/`.
pub(super) fn matches_segments(path: &str, term: &str) -> bool {
    let Some((first, rest)) = term.split_once('/') else {
        return false;
    };
    // Only segments that contain the first part are candidates.
    let mut from = 0;
    while let Some(at) = path[from..].find(first) {
        let Some(end) = path[from + at..].find('/') else {
            return false;
        };
        let next = from + at + end + 1;
        if begins_with_parts(&path[next..], rest) {
            return true;
        }
        from = next;
    }
    false
}

/// Returns whether the first segments of `path` each contain the corresponding part of `term`.
fn begins_with_parts(path: &str, term: &str) -> bool {
    let mut segments = path.split('/');
    term.split('/').all(|part| {
        segments
            .next()
            .is_some_and(|segment| segment.contains(part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn parts_match_consecutive_segments() {
        let mut random = Random::new(31);
        for _ in 0..20_000 {
            let (path, parts) = (random.path(), random.below(3) + 1);
            let part =
                |random: &mut Random| ["", "a", "b", "x1", "raw", "er"][random.below(6) as usize];
            let term = (0..parts)
                .map(|_| part(&mut random))
                .collect::<Vec<_>>()
                .join("/");
            let segments: Vec<&str> = path.split('/').collect();
            let wanted: Vec<&str> = term.split('/').collect();
            let holds = |run: &[&str]| {
                run.iter()
                    .zip(&wanted)
                    .all(|(segment, part)| segment.contains(part))
            };
            let expected = wanted.len() > 1 && segments.windows(wanted.len()).any(holds);
            assert_eq!(matches_segments(&path, &term), expected, "{term} in {path}");
        }
    }
}
