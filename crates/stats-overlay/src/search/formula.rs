//! A formula that is typed into the search box.

use stats_analysis::derived::Formula;

/// What is typed, if it is a formula: `= a / b`, or `name = a / b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypedFormula<'a> {
    name: &'a str,
    pub(crate) formula: &'a str,
}

impl<'a> TypedFormula<'a> {
    /// Reads the text of the search box; `None` if it is a search.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (name, formula) = match text.strip_prefix('=') {
            Some(formula) => ("", formula),
            None => text.split_once(" =").filter(|(_, rest)| {
                // Not a part of a path, such as `a =b`.
                rest.is_empty() || rest.starts_with(' ')
            })?,
        };
        let (name, formula) = (name.trim(), formula.trim());
        Some(Self { name, formula })
    }

    /// Returns the path of the series: the name, or else the formula with the last segments of its
    /// paths, below `derived`.
    pub(crate) fn path(&self) -> String {
        if !self.name.is_empty() {
            return self.name.to_owned();
        }
        let word = |word: &str| match word {
            "/" => "per".to_owned(),
            word => {
                let opening = word.rfind(['(', '\'', '"']).map_or(0, |at| at + 1);
                let last = word.rfind('/').map_or(0, |at| at + 1).max(opening);
                format!("{}{}", &word[..opening], &word[last..])
            }
        };
        let words: Vec<String> = self.formula.split_whitespace().map(word).collect();
        let text = words.join(" ").replace(['\'', '"', '\\'], "");
        format!("derived/{}", text.replace('/', " "))
    }

    /// Returns what is wrong with the formula, or what Enter does.
    pub(crate) fn note(&self) -> String {
        if self.formula.is_empty() {
            return "write a formula, such as = ai/cost / ai/agents".to_owned();
        }
        match self.formula.parse::<Formula>() {
            Ok(_) => format!("Enter adds {}", self.path()),
            Err(error) => error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_begins_with_an_equals_sign_or_a_name() {
        let of = |text| TypedFormula::of(text).map(|typed| (typed.name, typed.formula));
        assert_eq!(of("= a / b"), Some(("", "a / b")));
        assert_eq!(of(" =a"), Some(("", "a")));
        assert_eq!(of("="), Some(("", "")));
        assert_eq!(
            of("ai/cost per agent = a / b"),
            Some(("ai/cost per agent", "a / b"))
        );
        assert_eq!(of("x ="), Some(("x", "")));
        for search in ["", "a b", "requests/method=GET", "a =b", "unit:ms -zero"] {
            assert_eq!(of(search), None, "{search}");
        }
    }

    #[test]
    fn a_formula_without_a_name_has_one_of_its_words() {
        let path = |text| TypedFormula::of(text).unwrap().path();
        assert_eq!(path("= ai/cost / ai/agents"), "derived/cost per agents");
        assert_eq!(
            path("= mean(rate('net/bytes out' / x), 60)"),
            "derived/mean(rate(bytes out per x), 60)"
        );
        assert_eq!(path("=  a/b   +  1"), "derived/b + 1");
        assert_eq!(path("own/name = a/b"), "own/name");
        for text in ["= a/ / b", "= '/' / x", "= \\ / /", "= µ/é(a/b"] {
            let path = path(text);
            assert_eq!(path.matches('/').count(), 1, "{path}");
        }
    }

    #[test]
    fn the_note_names_the_place_of_a_mistake() {
        let note = |text| TypedFormula::of(text).unwrap().note();
        assert_eq!(note("= a / b"), "Enter adds derived/a per b");
        assert!(note("= a /").starts_with("a series is missing at byte 3;"));
        assert!(note("x =").starts_with("write a formula"));
    }
}
