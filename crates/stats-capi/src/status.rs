//! What a function returns.

/// Whether a call had its effect, or what was wrong. A call that returns an error has no effect.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a call that failed had no effect"]
pub enum StatsStatus {
    /// The call had its effect.
    Ok = 0,
    /// A pointer is null.
    NullPointer = 1,
    /// A text is not UTF-8.
    InvalidUtf8 = 2,
    /// The number names no series.
    UnknownSeries = 3,
    /// The series is of a kind that has no such operation.
    WrongKind = 4,
    /// A value is not finite.
    InvalidValue = 5,
    /// A limit is reached: of series, open scopes, waiting marks or units.
    LimitReached = 6,
    /// No scope of this timer is open on this thread.
    NoScope = 7,
    /// The value is not known yet: end another frame.
    NoValue = 8,
}

impl StatsStatus {
    /// Returns the status of a result.
    pub(crate) fn of(result: Result<(), Self>) -> Self {
        result.err().unwrap_or(Self::Ok)
    }
}
