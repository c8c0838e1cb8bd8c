//! The choices of the user about the costs, which persist.

use serde::{Deserialize, Serialize};

use crate::input::saved_field::{self, Named};

/// How costs are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct CostsChoices {
    /// The column that the rows are sorted by, the largest value first. Default:
    /// [`CostColumn::Itself`].
    #[serde(with = "saved_field::name")]
    pub sort: CostColumn,
    /// Whether the calls on different threads have rows of their own. Default: false.
    pub by_thread: bool,
    /// Whether each call path has a row of its own, below that of the caller. Default: false.
    pub tree: bool,
}

/// A column of the costs. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CostColumn {
    /// The path. Rows are then in alphabetical order.
    Name,
    /// The time in the timer's scopes outside the scopes inside them, per frame.
    #[default]
    Itself,
    /// The time in the timer's scopes, per frame.
    Total,
    /// The total minus that of baseline A, per frame: the largest increase first. There is a column
    /// only with a baseline.
    Change,
    /// The total as a part of the frame time. Several threads may add up to more than 100 %.
    Share,
    /// The number of calls per frame.
    Calls,
    /// The mean time of a call.
    Mean,
    /// The time of the longest call.
    Longest,
}

impl Named for CostColumn {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("name", Self::Name),
        ("itself", Self::Itself),
        ("total", Self::Total),
        ("change", Self::Change),
        ("share", Self::Share),
        ("calls", Self::Calls),
        ("mean", Self::Mean),
        ("longest", Self::Longest),
    ];
}

#[cfg(test)]
impl CostsChoices {
    /// Returns any choices.
    pub(crate) fn random(random: &mut stats_testing::Random) -> Self {
        Self {
            sort: CostColumn::NAMES[random.index(CostColumn::NAMES.len())].1,
            by_thread: random.below(2) == 0,
            tree: random.below(2) == 0,
        }
    }
}
