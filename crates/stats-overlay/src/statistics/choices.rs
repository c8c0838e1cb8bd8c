//! The choice of the user about the statistics, which persists.

use serde::{Deserialize, Serialize};

/// What the statistics are about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct StatisticsChoices {
    /// The path of the series: the frame time, or a series of the pane in milliseconds; `None` for
    /// the first such series. Default: `None`.
    pub of: Option<String>,
}

#[cfg(test)]
impl StatisticsChoices {
    /// Returns any choices.
    pub(crate) fn random(random: &mut stats_testing::Random) -> Self {
        Self {
            of: (random.below(3) == 0).then(|| random.path()),
        }
    }
}
