//! The choices of the user about a distribution, which persist.

use serde::{Deserialize, Serialize};
use stats_analysis::distribution::ValueScale;

use crate::input::saved_field;

/// How a distribution shows its series.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
#[non_exhaustive]
pub struct DistributionChoices {
    /// The scale of the axis of values. Default: [`ValueScale::Auto`].
    #[serde(with = "saved_field::name")]
    pub scale: ValueScale,
    /// Whether the height of a bar is the logarithm of its count. Default: false.
    pub log_counts: bool,
    /// Whether a histogram shows its values per frame instead of its samples. Default: false.
    pub per_frame: bool,
}

#[cfg(test)]
impl DistributionChoices {
    /// Returns any choices.
    pub(crate) fn random(random: &mut stats_testing::Random) -> Self {
        use saved_field::Named;
        Self {
            scale: ValueScale::NAMES[random.below(3) as usize].1,
            log_counts: random.below(2) == 0,
            per_frame: random.below(2) == 0,
        }
    }
}
