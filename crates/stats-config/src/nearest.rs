//! Suggestions for misspelled names.

/// The minimum similarity of a suggestion, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.7;

/// Returns the known name that is most similar to a misspelled one; `None` if no name is similar.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|known| (strsim::jaro_winkler(name, known), known))
        .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_most_similar_name_is_suggested_unless_no_name_is_similar() {
        let known = ["budgets", "exclude", "gate", "scenarios", "teams"];
        assert_eq!(nearest("budget", known), Some("budgets"));
        assert_eq!(nearest("exlcude", known), Some("exclude"));
        assert_eq!(nearest("team", known), Some("teams"));
        assert_eq!(nearest("qqq", known), None);
        assert_eq!(nearest("gate", []), None);
    }
}
