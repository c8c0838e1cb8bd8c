//! Units of values.

/// The unit of a series' values.
///
/// A unit is only a label: values are stored as given and never converted. Tools use it to print a
/// value (`16.7 ms`, `3.2 MiB`) and to give series of different units different axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// A plain number of things. The default.
    #[default]
    Count,
    /// Bytes; shown in binary multiples (KiB, MiB, GiB).
    Bytes,
    /// Seconds.
    Seconds,
    /// Milliseconds: the unit of every [`Timer`](crate::Timer) and of frame times.
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Percent: 100.0 is the whole.
    Percent,
    /// Events per second.
    Hertz,
    /// Meters.
    Meters,
    /// Meters per second.
    MetersPerSecond,
    /// Degrees of angle.
    Degrees,
    /// Radians of angle.
    Radians,
    /// Pixels.
    Pixels,
    /// Any other unit, by the symbol that follows the value.
    Custom(&'static str),
}

impl Unit {
    /// Returns the symbol that follows a value of this unit; empty for [`Unit::Count`].
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Count => "",
            Self::Bytes => "B",
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "µs",
            Self::Percent => "%",
            Self::Hertz => "Hz",
            Self::Meters => "m",
            Self::MetersPerSecond => "m/s",
            Self::Degrees => "°",
            Self::Radians => "rad",
            Self::Pixels => "px",
            Self::Custom(symbol) => symbol,
        }
    }
}
