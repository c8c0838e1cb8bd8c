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

/// `text` made fit for one line: control characters spelled out, cut behind `limit` characters.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::with_capacity(text.len().min(limit * 4));
    for (count, character) in text.chars().enumerate() {
        if count == limit {
            line.push('…');
            break;
        }
        match character {
            // The marks that turn the direction of writing could reorder what stands around them.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            control if control.is_control() => line.extend(control.escape_default()),
            other => line.push(other),
        }
    }
    line
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

    #[test]
    fn lines_hold_no_control_characters() {
        assert_eq!(one_line("a\nb\tc", 100), "a\\nb\\tc");
        assert_eq!(one_line("a\u{202e}b", 100), "ab");
        assert_eq!(one_line(&"x".repeat(10_000), 5), "xxxxx…");
    }
}
