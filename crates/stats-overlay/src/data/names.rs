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

/// Returns a short form of a name that tells it apart from the short forms of other names. It has the
/// last segment, and for each other name the last segment in which the two names differ, such as
/// `…/ai/…/total`. A name that is the end of another one stays whole.
pub(crate) fn told_apart(name: &str, others: &[&str]) -> String {
    fn segment(name: &str, at: usize) -> Option<&str> {
        name.rsplit('/').nth(at)
    }
    let differs = |other: &&str| {
        let count = name.split('/').count().max(other.split('/').count());
        (0..=count).find(|&at| segment(name, at) != segment(other, at))
    };
    let mut kept: Vec<usize> = others.iter().filter_map(differs).chain([0]).collect();
    kept.sort_unstable();
    kept.dedup();
    if kept.len() == 1 || kept.iter().any(|&at| segment(name, at).is_none()) {
        return name.to_owned();
    }
    let mut text = String::new();
    let mut before = usize::MAX;
    for &at in kept.iter().rev() {
        text += if before == at + 1 { "/" } else { "…/" };
        text += segment(name, at).unwrap_or_default();
        text += if at > 0 && !kept.contains(&(at - 1)) {
            "/"
        } else {
            ""
        };
        before = at;
    }
    text
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
    fn no_two_names_are_told_apart_by_one_text() {
        let mut names = vec![String::new()];
        for of_level in [["cpu", "gpu"], ["main", "shadow"], ["draw", "cull"]] {
            let inner = names
                .iter()
                .flat_map(|name| of_level.map(|of| format!("{name}{of}/")));
            names = inner.collect();
        }
        let names: Vec<String> = names.iter().map(|name| format!("{name}time")).collect();
        // All subsets of the eight names.
        for subset in 0..1_u32 << names.len() {
            let of_subset = |&at: &usize| subset & (1 << at) != 0;
            let shown: Vec<&str> = (0..names.len())
                .filter(of_subset)
                .map(|at| names[at].as_str())
                .collect();
            let texts: std::collections::BTreeSet<String> = (0..shown.len())
                .map(|at| {
                    let mut others = shown.clone();
                    told_apart(others.remove(at), &others)
                })
                .collect();
            assert_eq!(texts.len(), shown.len(), "{texts:?}");
        }
        assert_eq!(
            told_apart("cpu/main/time", &["cpu/shadow/time", "gpu/main/time"]),
            "…/cpu/main/time"
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
