//! The results of functions.

use std::ffi::CStr;

/// The result of a call. A call that returns an error has no effect.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a call that failed had no effect"]
pub enum StatsStatus {
    /// The call succeeded.
    Ok = 0,
    /// A pointer is null.
    NullPointer = 1,
    /// A string is not UTF-8.
    InvalidUtf8 = 2,
    /// The number names no series.
    UnknownSeries = 3,
    /// The series is of a kind that does not support the operation.
    WrongKind = 4,
    /// A value is not finite, too large to be added to a total, or not a member of its enumeration.
    InvalidValue = 5,
    /// A limit is reached: of series, histograms, groups, open scopes, waiting marks or units.
    LimitReached = 6,
    /// No scope of this timer, or of memory, is open on this thread.
    NoScope = 7,
    /// The value is not known yet: end another frame.
    NoValue = 8,
    /// A file cannot be written.
    NotWritten = 9,
    /// The bytes do not fit into the budget of the group.
    OverBudget = 10,
}

impl StatsStatus {
    const ALL: [Self; 11] = [
        Self::Ok,
        Self::NullPointer,
        Self::InvalidUtf8,
        Self::UnknownSeries,
        Self::WrongKind,
        Self::InvalidValue,
        Self::LimitReached,
        Self::NoScope,
        Self::NoValue,
        Self::NotWritten,
        Self::OverBudget,
    ];

    /// Returns the meaning of the status with a number, and what to do.
    pub(crate) fn text(number: u32) -> &'static CStr {
        let status = Self::ALL.into_iter().find(|all| *all as u32 == number);
        match status {
            Some(Self::Ok) => c"the call succeeded",
            Some(Self::NullPointer) => {
                c"a pointer is null: pass a string, or the address of a variable for the result"
            }
            Some(Self::InvalidUtf8) => c"a string is not UTF-8: convert it",
            Some(Self::UnknownSeries) => {
                c"the number names no series: pass one that was registered, as stats_counter does"
            }
            Some(Self::WrongKind) => {
                c"the series is of a kind that does not support the operation: see stats.h for the kinds of each"
            }
            Some(Self::InvalidValue) => {
                c"a value is not finite, 2^53 or more, as a difference of unsigned integers that wraps \
                 around, or not a member of its enumeration: check it before the call"
            }
            Some(Self::LimitReached) => {
                c"a limit is reached: register fewer paths, units and histograms, for instance without \
                 an id for every single object, and end scopes and frames"
            }
            Some(Self::NoScope) => {
                c"no scope of this timer, or of memory, is open on this thread: begin it on the thread that ends it"
            }
            Some(Self::NoValue) => c"the value is not known yet: end another frame",
            Some(Self::NotWritten) => {
                c"a file cannot be written: make room, or name a file in an existing, writable folder"
            }
            Some(Self::OverBudget) => {
                c"the bytes do not fit into the budget of the group: do without them, or raise the budget"
            }
            None => c"no status has this number",
        }
    }

    /// Returns the status of a result.
    pub(crate) fn of(result: Result<(), Self>) -> Self {
        result.err().unwrap_or(Self::Ok)
    }
}
