//! Teams as people type them: `team:ai`.

use std::hash::{Hash, Hasher};

use stats_analysis::teams::Team;
use stats_ui::text::lower;

/// The begin of the word.
pub(crate) const TEAM: &str = "team:";

/// The teams of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Teams {
    /// Each team with its word.
    all: Vec<(String, Team)>,
    /// How often the teams were set.
    revision: u64,
}

impl Teams {
    pub(crate) fn set(&mut self, teams: Vec<Team>) {
        let word = |team: Team| (format!("{TEAM}{}", typed_name(&team)), team);
        self.all = teams.into_iter().map(word).collect();
        self.revision += 1;
    }

    /// Returns the words that search for the teams, such as `team:ai`.
    pub(crate) fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.all.iter().map(|(word, _)| word.as_str())
    }

    fn named(&self, is_named: impl Fn(&str) -> bool) -> Vec<Team> {
        let named = self
            .all
            .iter()
            .filter(|(word, _)| is_named(&word[TEAM.len()..]));
        named.map(|(_, team)| team.clone()).collect()
    }
}

/// Returns the name of a team as it is typed: in lower case, with `-` in place of spaces.
fn typed_name(team: &Team) -> String {
    let name = lower(team.name());
    name.split_whitespace().collect::<Vec<_>>().join("-")
}

/// A typed team, in lower case.
#[derive(Clone, Debug)]
pub(super) struct TeamName {
    typed: String,
    /// The teams with this name, or else those whose names begin with it.
    named: Vec<Team>,
    /// The revision of the teams.
    revision: u64,
}

impl TeamName {
    /// Parses the name of one of these teams; `None` if it is empty.
    pub(super) fn new(typed: &str, teams: &Teams) -> Option<Self> {
        let mut named = teams.named(|name| name == typed);
        if named.is_empty() {
            named = teams.named(|name| name.starts_with(typed));
        }
        (!typed.is_empty()).then(|| Self {
            typed: typed.to_owned(),
            named,
            revision: teams.revision,
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

impl TeamName {
    /// Returns what decides which series it finds: teams with the same names may own others after they
    /// were set again.
    fn key(&self) -> (&str, u64) {
        (&self.typed, self.revision)
    }
}

impl PartialEq for TeamName {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for TeamName {}

impl Hash for TeamName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_is_named_by_its_name_or_by_its_begin() {
        let mut teams = Teams::default();
        let names = ["AI", "AI tools", "Net", "AI-Tools"];
        let owned = names.map(|name| {
            let owned = format!("{name}/x");
            Team::new(name, move |path| path == owned)
        });
        teams.set(owned.to_vec());
        let owned = |typed: &str| {
            let name = TeamName::new(typed, &teams).expect("not empty");
            let paths = names.map(|name| format!("{name}/x"));
            assert_eq!(name.is_unknown(), !paths.iter().any(|path| name.owns(path)));
            paths.map(|path| name.owns(&path))
        };
        assert_eq!(owned("ai"), [true, false, false, false]);
        assert_eq!(owned("a"), [true, true, false, true]);
        assert_eq!(owned("ai-tools"), [false, true, false, true]);
        assert_eq!(owned("ai-t"), [false, true, false, true]);
        assert_eq!(owned("net"), [false, false, true, false]);
        assert_eq!(owned("x"), [false; 4]);
        assert!(TeamName::new("", &teams).is_none());
    }
}
