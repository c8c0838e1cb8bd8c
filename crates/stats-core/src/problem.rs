//! What was refused or repaired, for people to read.

use std::fmt;

use crate::{Precision, SeriesKind, Unit};

/// Something wrong with the way a series was registered. Its counter works all the same, as each
/// variant says.
///
/// Problems never surface on the frame path: they are kept, once each, for
/// [`problems`](crate::problems), and counted in the series `stats/problems`. The text of a problem
/// names the cure; paths are cut behind 200 characters.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// A path with an empty segment; the series is listed without it.
    BadPath {
        /// The path as it was given.
        given: String,
        /// The path that the series has instead.
        used: String,
    },
    /// A path that a source keeps for a series of its own was asked for by the program. What the
    /// program records is listed under another path. Reported by
    /// [`report_reserved_path`](crate::report_reserved_path).
    ReservedPath {
        /// The path that was asked for.
        given: String,
        /// The path that the series has instead.
        used: String,
    },
    /// A path was registered as two kinds; the first stands. Sums (a counter and an up-down
    /// counter) share the series; what other kinds record under the second kind is dropped.
    KindClash {
        /// The path.
        path: String,
        /// The kind that stands.
        first: SeriesKind,
        /// The kind that came second.
        second: SeriesKind,
    },
    /// A path was registered as a series whose values are known [later](crate::DeferredSource), and as one
    /// whose values are not; the first stands, the values of the second are dropped.
    LateClash {
        /// The path.
        path: String,
        /// Whether the values of the one that stands are late.
        is_first_late: bool,
    },
    /// A path was registered with two units; the first stands, values are not converted.
    UnitClash {
        /// The path.
        path: String,
        /// The unit that stands.
        first: Unit,
        /// The unit that came second.
        second: Unit,
    },
    /// A path was registered with two budgets; the first stands.
    BudgetClash {
        /// The path.
        path: String,
        /// The budget that stands.
        first: f64,
        /// The budget that came second.
        second: f64,
    },
    /// A budget that is not a finite number; the series has none.
    BadBudget {
        /// The path.
        path: String,
    },
    /// A histogram was registered with two precisions, or given one after its first sample; the
    /// first stands.
    PrecisionClash {
        /// The path.
        path: String,
        /// The precision that stands.
        first: Precision,
        /// The precision that came second.
        second: Precision,
    },
    /// There are [as many histograms](crate::limits::MAX_HISTOGRAMS) as there can be; what further ones
    /// record is dropped. Reported for the first alone.
    TooManyHistograms {
        /// The path.
        path: String,
    },
    /// No slot is left, of some [million](crate::limits::MAX_SERIES); what further series record is
    /// dropped. Reported for the first alone.
    Full {
        /// The path.
        path: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadPath { given, used } => write!(
                f,
                "the path {given:?} has an empty segment and is counted as {used:?}: \
                 write non-empty segments between single '/', with none at either end"
            ),
            Self::ReservedPath { given, used } => write!(
                f,
                "the path {given:?} is reserved; its values are recorded as {used:?}: \
                 choose another name"
            ),
            Self::KindClash {
                path,
                first,
                second,
            } => {
                write!(
                    f,
                    "{path:?} is a {first:?} and was registered again as a {second:?}: rename one of the two"
                )
            }
            Self::LateClash {
                path,
                is_first_late,
            } => {
                let [first, second] = if *is_first_late {
                    ["late", "immediate"]
                } else {
                    ["immediate", "late"]
                };
                write!(
                    f,
                    "{path:?} has {first} values and was registered again with {second} ones: rename one of the two"
                )
            }
            Self::UnitClash {
                path,
                first,
                second,
            } => {
                write!(
                    f,
                    "{path:?} has the unit {first:?} and was registered again with {second:?}: give both the same unit"
                )
            }
            Self::BudgetClash {
                path,
                first,
                second,
            } => {
                write!(
                    f,
                    "{path:?} has the budget {first} and was registered again with {second}: give it in one place"
                )
            }
            Self::BadBudget { path } => {
                write!(
                    f,
                    "the budget of {path:?} is not a finite number: leave it out, or give a number"
                )
            }
            Self::PrecisionClash {
                path,
                first,
                second,
            } => write!(
                f,
                "{path:?} has the precision {first:?} and was given {second:?}: give it in one place, before the first sample"
            ),
            Self::TooManyHistograms { path } => write!(
                f,
                "there is no room for the histogram {path:?}, its samples are dropped: \
                 register fewer, for instance without an id that is new for every object"
            ),
            Self::Full { path } => write!(
                f,
                "there is no slot left for {path:?}, its values are dropped: \
                 register fewer paths, for instance without an id that is new for every object"
            ),
        }
    }
}
