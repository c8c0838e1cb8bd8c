//! The paths of a scope's series, and the searches for its callees and callers.
//!
//! A scope is a timer whose self time is a series beside its children:
//! `…/<caller>/<scope>/<callee>` and `…/<scope>/self`. A folder named `scopes` contains each
//! scope's values over all callers.

use crate::search::teams::TEAM;

/// The segment below a scope that names its self time.
const SELF: &str = "/self";

/// The folder of scopes over all callers.
const OVER_ALL: &str = "scopes";

/// Returns the path of a scope's self time.
pub(crate) fn self_path(path: &str) -> String {
    format!("{path}{SELF}")
}

/// Returns the query that finds all callees of a scope: below its path, or below every caller if
/// the scope stands for all of its callers.
pub(crate) fn callees_search(path: &str) -> String {
    search_text(&format!(
        "{}/",
        if is_over_all(path) { name(path) } else { path }
    ))
}

/// Returns the query that finds a scope in the folders of all its callers.
pub(crate) fn callers_search(path: &str) -> String {
    search_text(name(path))
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_over_all(path: &str) -> bool {
    path.rsplit('/').nth(1) == Some(OVER_ALL)
}

/// Quotes the words of a text so that the search matches each one literally.
fn search_text(text: &str) -> String {
    let words = text
        .split_whitespace()
        .map(|word| match needs_quotes(word) {
            true => format!("\"{word}\""),
            false => word.to_owned(),
        });
    words.collect::<Vec<_>>().join(" ")
}

fn needs_quotes(word: &str) -> bool {
    let has_meaning = crate::search::query::Word::ALL
        .iter()
        .any(|known| known.name().eq_ignore_ascii_case(word));
    let begin = word.get(..5);
    let is_condition = ["unit:", TEAM]
        .iter()
        .any(|known| begin.is_some_and(|begin| begin.eq_ignore_ascii_case(known)));
    has_meaning || is_condition || word.starts_with(['-', '"'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::Query;

    #[test]
    fn callees_are_found_below_the_path_or_below_the_name() {
        assert_eq!(callees_search("puffin/main/update"), "puffin/main/update/");
        assert_eq!(callees_search("puffin/scopes/update"), "update/");
    }

    #[test]
    fn every_query_finds_its_path_and_contains_only_text() {
        for name in [
            "update",
            "changed",
            "-x",
            "\"q",
            "unit:ms",
            "UNIT:s",
            "Team:ai",
            "load the mesh",
            "Zero -é spiking",
            "%2F",
        ] {
            let path = format!("puffin/main/{name}");
            for text in [
                callers_search(&path),
                callees_search(&path),
                callees_search(&format!("puffin/scopes/{name}")),
            ] {
                let query = Query::new(&text);
                assert!(
                    !query.is_empty() && !query.has_conditions() && query.without().is_empty(),
                    "{text}"
                );
                assert!(
                    query.matches(&stats_ui::text::lower(&self_path(&path))),
                    "{text}"
                );
            }
        }
    }
}
