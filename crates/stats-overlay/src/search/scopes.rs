//! How scopes are named: the one place that knows which series belong to a timer that is a scope.
//!
//! A scope is a timer whose own time is a series beside its children: `…/<caller>/<scope>/<callee>`
//! and `…/<scope>/self`. What holds for a scope over all its callers stands in a folder `scopes`.

/// The segment below a scope that stands for its time without that of its callees.
const SELF: &str = "/self";

/// The folder with scopes over all callers.
const OVER_ALL: &str = "scopes";

/// The path of what a scope takes by itself.
pub(crate) fn self_path(path: &str) -> String {
    format!("{path}{SELF}")
}

/// What finds all that a scope calls: below its path, or wherever it is called where it stands for
/// all of those.
pub(crate) fn callees_search(path: &str) -> String {
    search_text(&format!(
        "{}/",
        if is_over_all(path) { name(path) } else { path }
    ))
}

/// What finds a scope wherever it is called, in the folders of its callers.
pub(crate) fn callers_search(path: &str) -> String {
    search_text(name(path))
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_over_all(path: &str) -> bool {
    path.rsplit('/').nth(1) == Some(OVER_ALL)
}

/// The words to be typed so that each is looked for as it is, even one with a meaning in the
/// search.
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
    let is_unit = word
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("unit:"));
    has_meaning || is_unit || word.starts_with(['-', '"'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::Query;

    #[test]
    fn callees_are_below_the_path_or_below_the_name() {
        assert_eq!(callees_search("puffin/main/update"), "puffin/main/update/");
        assert_eq!(callees_search("puffin/scopes/update"), "update/");
    }

    #[test]
    fn every_search_finds_its_path_and_asks_for_text_alone() {
        for name in [
            "update",
            "changed",
            "-x",
            "\"q",
            "unit:ms",
            "UNIT:s",
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
