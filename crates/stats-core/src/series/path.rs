//! Which paths are valid, and how invalid ones are repaired.

use std::borrow::Cow;

use crate::frames::UNNAMED;

/// Returns whether a path consists of non-empty segments separated by single `/`.
pub(crate) fn is_valid(path: &str) -> bool {
    path.split('/').all(|segment| !segment.is_empty())
}

/// Returns the path without its empty segments; borrowed if there are none.
pub(crate) fn repaired(path: &str) -> Cow<'_, str> {
    if is_valid(path) {
        return Cow::Borrowed(path);
    }
    let segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    if segments.is_empty() {
        Cow::Borrowed(UNNAMED)
    } else {
        Cow::Owned(segments.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::{UNNAMED, is_valid, repaired};

    #[test]
    fn only_empty_segments_are_invalid() {
        for path in ["a", "a/b", " ", "a b/ü/\n", "🦀/…", "a/./.."] {
            assert!(is_valid(path), "{path:?}");
            assert_eq!(repaired(path), path);
        }
        for path in ["", "/", "//", "/a", "a/", "a//b", "/a/b/"] {
            assert!(!is_valid(path), "{path:?}");
        }
    }

    #[test]
    fn a_repaired_path_is_valid_and_keeps_every_segment() {
        assert_eq!(repaired("/a//b/"), "a/b");
        assert_eq!(repaired("a/"), "a");
        assert_eq!(repaired(""), UNNAMED);
        assert_eq!(repaired("///"), UNNAMED);
        for path in ["", "/", "a//b", "///x/", "a/b"] {
            assert!(is_valid(&repaired(path)));
            assert_eq!(repaired(&repaired(path)), repaired(path));
        }
    }
}
