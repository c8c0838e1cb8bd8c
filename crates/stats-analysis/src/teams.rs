//! The teams of a program, and the series that belong to them.

use std::fmt;
use std::sync::Arc;

/// A team, which owns some of the series. stats-config makes them from the patterns of `stats.toml`.
///
/// ```
/// use stats_analysis::teams::Team;
///
/// let ai = Team::new("ai", |path| path.starts_with("ai/"));
/// assert!(ai.owns("ai/pathfinding") && !ai.owns("renderer/draw-calls"));
/// ```
#[derive(Clone)]
pub struct Team {
    name: Arc<str>,
    owns: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

impl Team {
    /// Creates a team. `owns` returns whether a path is that of one of its series. A series may belong
    /// to several teams.
    pub fn new(name: &str, owns: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self {
            name: name.into(),
            owns: Arc::new(owns),
        }
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the series at a path is one of the team's.
    #[must_use]
    pub fn owns(&self, path: &str) -> bool {
        (self.owns)(path)
    }
}

impl fmt::Debug for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Team").field(&self.name).finish()
    }
}
