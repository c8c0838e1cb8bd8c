//! Mistakes in the use of series, as messages for people.

use std::fmt;
use std::panic::Location;

use crate::limits::MAX_TICK_SERIES;
use crate::{Precision, SeriesKind, Unit};

/// A mistake in the way a series was registered, or a value that it refused. Its counter works
/// nevertheless, as each variant describes.
///
/// Problems never surface on the frame path. They are kept, each once, for
/// [`problems`](crate::problems), and counted in the series `stats/problems`. The text of a problem
/// says how to fix it; paths are cut after 200 characters.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// A path has an empty segment. The series is listed without it.
    BadPath {
        /// The path as it was given.
        given: String,
        /// The path that the series has instead.
        used: String,
    },
    /// The program requested [`FRAME_TIME`](crate::FRAME_TIME), or a path that a source reserves
    /// for one of its own series. The program's values are listed under another path. Sources
    /// report it by [`report_reserved_path`](crate::report_reserved_path).
    ReservedPath {
        /// The requested path.
        given: String,
        /// The path that the series has instead.
        used: String,
    },
    /// A source that turns the program's names into paths has reached its limit. Further names
    /// share one series. Reported by [`report_over_limit`](crate::report_over_limit).
    OverLimit {
        /// The path of the series that counts all further names.
        path: String,
        /// The number of names that have series of their own.
        limit: usize,
    },
    /// A path was registered as two kinds. The first is kept. A counter and an up-down counter
    /// share the series, since both are sums; values recorded under any other second kind are
    /// dropped.
    KindClash {
        /// The path.
        path: String,
        /// The kind that is kept.
        first: SeriesKind,
        /// The kind that was registered second.
        second: SeriesKind,
    },
    /// A path was registered as a series with [deferred](crate::DeferredSource) values and as one
    /// with immediate values. The first is kept; the values of the second are dropped.
    LateClash {
        /// The path.
        path: String,
        /// Whether the values of the first are deferred.
        is_first_late: bool,
    },
    /// A path was registered with two units. The first is kept; values are not converted.
    UnitClash {
        /// The path.
        path: String,
        /// The unit that is kept.
        first: Unit,
        /// The unit that was given second.
        second: Unit,
    },
    /// A path was registered with two budgets. The first is kept.
    BudgetClash {
        /// The path.
        path: String,
        /// The budget that is kept.
        first: f64,
        /// The budget that was given second.
        second: f64,
    },
    /// A budget is not a finite number. The series has none.
    BadBudget {
        /// The path.
        path: String,
    },
    /// A budget without a unit matches series of several units. It judges none of them. Reported by
    /// the function that [`set_budgets`](crate::set_budgets) got, for instance that of
    /// [stats-config](https://crates.io/crates/stats-config).
    BudgetOfSeveralUnits {
        /// The pattern of paths that has the budget.
        pattern: String,
        /// The budget.
        budget: f64,
        /// Two of the series that match, with their units.
        series: Box<[(String, Unit); 2]>,
    },
    /// A histogram was registered with two precisions, or given one after its first sample. The
    /// first is kept.
    PrecisionClash {
        /// The path.
        path: String,
        /// The precision that is kept.
        first: Precision,
        /// The precision that was given second.
        second: Precision,
    },
    /// A value was refused by [`Counter::add`](crate::Counter::add) or a method like it. It is not
    /// finite, would overflow the sum of its series, or is so large an integer that it must come from
    /// a subtraction that wrapped around. The series keeps its other values, and
    /// `stats/refused-samples` counts every refused one. Reported for the first 64 series, each
    /// once.
    RefusedValue {
        /// The path.
        path: String,
        /// The line of the program that recorded the first refused value of the series.
        location: &'static Location<'static>,
    },
    /// The total of a series reached ±2⁵³, beyond which not every integer is an `f64`. Smaller
    /// values that are added from then on are rounded, or change nothing. A total is never reset,
    /// so this lasts until the program ends. Reported for the first 64 series, each once: at the
    /// add that reached it if a float was added, and otherwise when a recorder next reads the
    /// total.
    InexactTotal {
        /// The path.
        path: String,
        /// The line of the program that made that add, if it is known.
        location: Option<&'static Location<'static>>,
    },
    /// A thread ended a frame with at least 32 open scopes of timers, and then began more than it
    /// can keep track of, which are 63. A scope of this timer gave up its place among them, so that
    /// the others have [self times](crate::Timer#self-time), and has none itself. Reported for the
    /// first 64 timers, each once.
    OpenScope {
        /// The path.
        path: String,
    },
    /// The [maximum number of histograms](crate::limits::MAX_HISTOGRAMS) is reached. The samples of
    /// further ones are dropped. Reported only once.
    TooManyHistograms {
        /// The path.
        path: String,
    },
    /// A clock of [`Ticks`](crate::Ticks) shows the
    /// [maximum number of series](crate::limits::MAX_TICK_SERIES), and no further ones.
    TooManyTickSeries {
        /// The name of the clock.
        clock: String,
    },
    /// All [slots](crate::limits::MAX_SERIES) are taken. The values of further series are dropped.
    /// Reported only once.
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
                "the path {given:?} has an empty segment and is registered as {used:?}: \
                 write non-empty segments between single '/', with none at either end"
            ),
            Self::ReservedPath { given, used } => write!(
                f,
                "the path {given:?} is reserved; its values are recorded as {used:?}: \
                 choose another name"
            ),
            Self::OverLimit { path, limit } => write!(
                f,
                "{limit} names have series of their own, and {path:?} counts all further ones: \
                 use fewer names, for instance without an id for every single object"
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
                    ["deferred", "immediate"]
                } else {
                    ["immediate", "deferred"]
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
                    "the budget of {path:?} is not a finite number: leave it out, or give a finite number"
                )
            }
            Self::BudgetOfSeveralUnits {
                pattern,
                budget,
                series,
            } => {
                let [(first, first_unit), (second, second_unit)] = &**series;
                let [of_first, of_second] = [first_unit, second_unit].map(|unit| match unit {
                    Unit::Count => "a count".to_owned(),
                    unit => format!("in {}", unit.symbol()),
                });
                let [for_first, for_second] = [first_unit, second_unit].map(|unit| {
                    let symbol = unit.symbol();
                    let space = if symbol.is_empty() { "" } else { " " };
                    format!("\"{budget}{space}{symbol}\"")
                });
                write!(
                    f,
                    "the budget {budget} of {pattern:?} has no unit, but matches {first} ({of_first}) and \
                     {second} ({of_second}): write {for_first} or {for_second}"
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
            Self::RefusedValue { path, location } => write!(
                f,
                "{path:?} refused a value at {location}: it is not finite, too large to be summed \
                 up, or an integer of 2⁵³ or more, as the difference of unsigned integers is if it \
                 wraps around. Check it before it is recorded"
            ),
            Self::InexactTotal { path, location } => {
                write!(f, "the total of {path:?} ")?;
                match location {
                    Some(location) => write!(f, "reached ±2⁵³ at {location}")?,
                    None => f.write_str("has reached ±2⁵³")?,
                }
                f.write_str(
                    ", so small values are rounded from now on, or lost: \
                     check the values that are added, or add them in a larger unit",
                )
            }
            Self::OpenScope { path } => write!(
                f,
                "a scope of {path:?} was one of at least 32 that were open when their thread ended a \
                 frame, and lost its self time: end each scope on the thread that began it, and do \
                 not forget it"
            ),
            Self::TooManyHistograms { path } => write!(
                f,
                "all histograms are taken, so the samples of {path:?} are dropped: \
                 register fewer histograms, for instance without an id for every single object"
            ),
            Self::TooManyTickSeries { clock } => write!(
                f,
                "the clock {clock:?} shows {MAX_TICK_SERIES} series, and no further ones: \
                 give `with_series` paths of fewer series"
            ),
            Self::Full { path } => write!(
                f,
                "all slots are taken, so the values of {path:?} are dropped: \
                 register fewer paths, for instance without an id for every single object"
            ),
        }
    }
}
