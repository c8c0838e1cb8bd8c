//! Short names for series that are shown together: the last two segments of a path, or more where
//! another one ends with them.

/// For each path the shortest tail of two or more segments that tells it from the others; equal
/// paths keep all of theirs.
///
/// Two, since a last segment by itself (`total`, `count`, `step`) seldom says what it is of.
pub(crate) fn short_names(paths: &[&str]) -> Vec<String> {
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
    fn names_are_as_short_as_they_can_be() {
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
