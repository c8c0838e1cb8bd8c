//! Teams as people type them: `team:ai`.

use stats_analysis::teams::Team;
use stats_ui::text::lower;

/// The begin of the word.
pub(crate) const TEAM: &str = "team:";

/// Returns the name of a team as it is typed: in lower case, with `-` in place of spaces.
pub(crate) fn typed_name(team: &Team) -> String {
    let name = lower(team.name());
    name.split_whitespace().collect::<Vec<_>>().join("-")
}

/// A typed team, in lower case.
#[derive(Clone, Debug)]
pub(super) struct TeamName {
    typed: String,
    /// The team with this name, or else the teams whose names begin with it.
    named: Vec<Team>,
}

impl TeamName {
    /// Parses the name of one of these teams; `None` if it is empty.
    pub(super) fn new(typed: &str, teams: &[Team]) -> Option<Self> {
        let whole = |team: &&Team| typed_name(team) == typed;
        let begun = |team: &&Team| typed_name(team).starts_with(typed);
        let named = match teams.iter().find(whole) {
            Some(team) => vec![team.clone()],
            None => teams.iter().filter(begun).cloned().collect(),
        };
        (!typed.is_empty()).then(|| Self {
            typed: typed.to_owned(),
            named,
        })
    }

    /// Returns what was typed.
    pub(super) fn typed(&self) -> &str {
        &self.typed
    }

    /// Returns whether no team has this name.
    pub(super) fn is_unknown(&self) -> bool {
        self.named.is_empty()
    }

    /// Returns whether it names a team that owns a series.
    pub(super) fn owns(&self, path: &str) -> bool {
        self.named.iter().any(|team| team.owns(path))
    }
}

/// The same text among the same teams.
impl PartialEq for TeamName {
    fn eq(&self, other: &Self) -> bool {
        let others = other.named.iter().map(Team::name);
        self.typed == other.typed && self.named.iter().map(Team::name).eq(others)
    }
}

impl Eq for TeamName {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_is_named_by_its_name_or_by_its_begin() {
        let teams = ["AI", "AI tools", "Net"].map(|name| {
            let owned = format!("{name}/x");
            Team::new(name, move |path| path == owned)
        });
        let owned = |typed: &str| {
            let name = TeamName::new(typed, &teams).expect("not empty");
            let paths = ["AI/x", "AI tools/x", "Net/x"];
            assert_eq!(name.is_unknown(), !paths.iter().any(|path| name.owns(path)));
            paths.map(|path| name.owns(path))
        };
        assert_eq!(owned("ai"), [true, false, false]);
        assert_eq!(owned("a"), [true, true, false]);
        assert_eq!(owned("ai-tools"), [false, true, false]);
        assert_eq!(owned("ai-t"), [false, true, false]);
        assert_eq!(owned("net"), [false, false, true]);
        assert_eq!(owned("x"), [false; 3]);
        assert!(TeamName::new("", &teams).is_none());
    }
}
