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

/// Returns a short form of a name that tells it apart from names with the same last segment: with the
/// last segment in which it differs from each of them, such as `…/ai/…/total`. A name of which another
/// one is the end stays whole.
pub(crate) fn told_apart(name: &str, others: &[&str]) -> String {
    let segment = |name: &str, at: usize| name.rsplit('/').nth(at).map(str::to_owned);
    let differs = |other: &&str| {
        let count = name.split('/').count().max(other.split('/').count());
        (0..=count).find(|&at| segment(name, at) != segment(other, at))
    };
    let at = others.iter().filter_map(differs).max().unwrap_or(0);
    let last = name.rsplit('/').next().unwrap_or(name);
    match segment(name, at) {
        Some(other) if at == 1 => format!("…/{other}/{last}"),
        Some(other) if at > 1 => format!("…/{other}/…/{last}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_one_end_are_told_apart_by_the_segment_in_which_they_differ() {
        let names = ["memory/ai/x/total", "memory/ui/x/total", "level/x/total"];
        let of = |at: usize| {
            let others: Vec<&str> = (0..3).filter(|&of| of != at).map(|of| names[of]).collect();
            told_apart(names[at], &others)
        };
        assert_eq!(
            [of(0), of(1), of(2)],
            ["…/ai/…/total", "…/ui/…/total", "…/level/…/total"]
        );
        assert_eq!(told_apart("a/total", &["b/total"]), "…/a/total");
        assert_eq!(
            told_apart("memory/total", &["level/memory/total"]),
            "memory/total"
        );
        assert_eq!(
            told_apart("level/memory/total", &["memory/total"]),
            "…/level/…/total"
        );
    }

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
