//! Short names for series that are shown together: the last two segments of a path, or more if
//! another path ends with the same segments.

/// Returns, for each path, the shortest suffix of two or more segments that distinguishes it from
/// the others. Equal paths stay whole.
///
/// A name has at least two segments, because the last segment alone (`total`, `count`, `step`) is
/// rarely meaningful.
pub(super) fn short_names(paths: &[&str]) -> Vec<String> {
    paths
        .iter()
        .enumerate()
        .map(|(at, path)| short_name(paths, at, path))
        .collect()
}

fn short_name(paths: &[&str], at: usize, path: &str) -> String {
    for (start, _) in path.rmatch_indices('/').skip(1) {
        let tail = &path[start..];
        let clashes = |(other, candidate): (usize, &&str)| {
            other != at && (candidate.ends_with(tail) || **candidate == tail[1..])
        };
        if !paths.iter().enumerate().any(clashes) {
            return tail[1..].to_owned();
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_short_as_possible() {
        assert_eq!(
            short_names(&["a/count", "b/count", "c/draws"]),
            ["a/count", "b/count", "c/draws"]
        );
        assert_eq!(short_names(&["count", "b/count"]), ["count", "b/count"]);
        assert_eq!(
            short_names(&["x/b/count", "b/count"]),
            ["x/b/count", "b/count"]
        );
        assert_eq!(
            short_names(&["one", "game/enemies/orc/count"]),
            ["one", "orc/count"]
        );
        assert_eq!(short_names(&["a/b", "a/b"]), ["a/b", "a/b"]);
    }
}
