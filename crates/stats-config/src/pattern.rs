//! A pattern of paths or names.

use std::cmp::Ordering;
use std::fmt;

use serde::Deserialize;

/// A pattern of series paths, metric names or span names. `*` matches any characters, including
/// `/`; `?` matches one character, and `[abc]` one of the listed characters. `ai/*` and `ai/**`
/// both match everything below `ai`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Pattern(glob::Pattern);

impl Pattern {
    /// Returns whether a whole path or name matches.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        self.0.matches(path)
    }

    /// Returns the text of the pattern, in which `*` replaces `**`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns whether the pattern contains no wildcards, and so matches only one path.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        !self.as_str().contains(['*', '?', '['])
    }

    /// The precedence of the pattern if several match: no wildcards first, then the longest.
    fn precedence(&self) -> (bool, usize) {
        (self.is_exact(), self.as_str().len())
    }
}

impl Ord for Pattern {
    /// The pattern with the highest precedence is the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.precedence().cmp(&other.precedence());
        order.then_with(|| self.as_str().cmp(other.as_str()))
    }
}

impl PartialOrd for Pattern {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let cure = |error| format!("{text:?} is not a pattern ({error}); write `[[]` for a `[`");
        let mut simple = text.clone();
        // `*` also matches `/`, so `**` means the same; glob refuses it in most places.
        while simple.contains("**") {
            simple = simple.replace("**", "*");
        }
        glob::Pattern::new(&simple).map(Self).map_err(cure)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
