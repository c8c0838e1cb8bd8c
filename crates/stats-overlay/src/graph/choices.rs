//! The choices of the user about a graph, which persist.

use serde::{Deserialize, Serialize};

use crate::input::saved_field::{self, Named};

/// How a graph shows its series.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct GraphChoices {
    /// Which series share a range of values. Default: [`ValueRange::Auto`].
    #[serde(with = "saved_field::name")]
    pub range: ValueRange,
    /// Whether the axis of values is logarithmic. Default: false.
    pub log: bool,
    /// Whether the series are stacked as areas. A logarithmic axis comes first: if `log` is true as
    /// well, nothing is stacked. Default: false.
    pub stacked: bool,
    /// The path of the only series that is drawn; `None` for all. Default: `None`.
    pub solo: Option<String>,
}

/// Which series of a graph share a range of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueRange {
    /// Series of one unit share a range. The default.
    #[default]
    Auto,
    /// All series share one range, whatever their units.
    Shared,
    /// Each series has its own range, from its smallest to its largest value.
    Own,
}

impl Named for ValueRange {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("shared", Self::Shared),
        ("own", Self::Own),
    ];
}

#[cfg(test)]
impl GraphChoices {
    /// Returns any choices.
    pub(crate) fn random(random: &mut stats_testing::Random) -> Self {
        Self {
            range: ValueRange::NAMES[random.below(3) as usize].1,
            log: random.below(2) == 0,
            stacked: random.below(2) == 0,
            solo: (random.below(2) == 0).then(|| random.path()),
        }
    }
}
