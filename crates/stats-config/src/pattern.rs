//! A pattern of paths or names.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::Deserialize;

/// A pattern of series paths, metric names or span names. `*` matches any characters, including
/// `/`; `?` matches one character, and `[abc]` one of the listed characters. `ai/*` and `ai/**`
/// both match everything below `ai`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Pattern {
    text: String,
    /// `*` replaces `**`. Patterns that differ only in this are equal.
    simple: glob::Pattern,
}

impl Pattern {
    /// Returns whether a whole path or name matches.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        self.simple.matches(path)
    }

    /// Returns the text of the pattern, as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether the pattern contains no wildcards, and so matches only one path.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        !self.as_str().contains(['*', '?', '['])
    }

    /// The precedence of the pattern if several match: no wildcards first, then the longest.
    fn precedence(&self) -> (bool, usize) {
        (self.is_exact(), self.simple.as_str().len())
    }
}

impl Ord for Pattern {
    /// The pattern with the highest precedence is the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.precedence().cmp(&other.precedence());
        order.then_with(|| self.simple.cmp(&other.simple))
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.simple == other.simple
    }
}

impl Eq for Pattern {}

impl Hash for Pattern {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.simple.hash(state);
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
        let mut simple = text.clone();
        // `*` also matches `/`, so `**` means the same; glob refuses it in most places.
        while simple.contains("**") {
            simple = simple.replace("**", "*");
        }
        match glob::Pattern::new(&simple) {
            Ok(simple) => Ok(Self { text, simple }),
            Err(error) => Err(format!(
                "{text:?} is not a pattern ({error}); write `[[]` for a `[`"
            )),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_reported_as_it_was_written_and_two_stars_mean_one() {
        for (text, one_star) in [
            ("**", "*"),
            ("ai/**", "ai/*"),
            ("a***b**", "a*b*"),
            ("x", "x"),
        ] {
            let [pattern, same] = [text, one_star].map(|text| Pattern::try_from(text.to_owned()));
            let (pattern, same) = (pattern.unwrap(), same.unwrap());
            assert_eq!((pattern.as_str(), &*pattern.to_string()), (text, text));
            assert_eq!(pattern, same);
            assert_eq!(pattern.cmp(&same), Ordering::Equal);
        }
        let error = Pattern::try_from("a**[".to_owned()).unwrap_err();
        assert!(error.starts_with("\"a**[\" is not a pattern"), "{error}");
    }
}
