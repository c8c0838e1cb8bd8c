//! The choice of the user about a table, which persists.

use serde::{Deserialize, Serialize};

/// How a table shows its series.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct TableChoices {
    /// The order of the rows; `None` for the newest frame on top. The order is kept if its series
    /// is deselected, and applies again when the series is selected again. Default: `None`.
    pub sort: Option<Sort>,
}

/// The column that sorts the rows of a table, and the direction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct Sort {
    /// The path of the series, which may be [`FRAME_TIME`](crate::FRAME_TIME); `None` for the
    /// frame's number. Default: `None`.
    pub path: Option<String>,
    /// Whether the largest value is on top. Default: false.
    pub descending: bool,
}

impl Sort {
    /// Creates the order by the column of a series.
    #[must_use]
    pub fn by(path: &str, descending: bool) -> Self {
        Self {
            path: Some(path.to_owned()),
            descending,
        }
    }

    /// Returns the order after a click on the head of a column: descending, ascending, then
    /// unsorted with the newest frame on top.
    pub(super) fn clicked(sort: Option<Self>, path: Option<&str>) -> Option<Self> {
        let descending = match sort {
            Some(sort) if sort.path.as_deref() == path => sort.descending.then_some(false),
            // Descending by frames is the same as unsorted.
            _ if path.is_some() => Some(true),
            None => Some(false),
            Some(_) => None,
        };
        descending.map(|descending| Self {
            path: path.map(str::to_owned),
            descending,
        })
    }
}

#[cfg(test)]
impl TableChoices {
    /// Returns any choices.
    pub(crate) fn random(random: &mut stats_testing::Random) -> Self {
        Self {
            sort: (random.below(2) == 0).then(|| Sort {
                path: (random.below(3) > 0).then(|| random.path()),
                descending: random.below(2) == 0,
            }),
        }
    }
}
