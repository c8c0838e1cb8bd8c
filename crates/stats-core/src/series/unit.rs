//! Units of values.

use std::sync::{Mutex, PoisonError};

/// The maximum number of symbols that [`Unit::from_symbol`] keeps, and their maximum length in
/// bytes.
const MAX_SYMBOLS: usize = 1024;
const MAX_SYMBOL_BYTES: usize = 64;

/// The symbols of custom units that were read from text.
static SYMBOLS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());

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
    /// Returns the unit with a symbol, the inverse of [`symbol`](Self::symbol). For programs that
    /// read units as text.
    ///
    /// A symbol that no other unit has becomes a [`Unit::Custom`], which is kept until the process
    /// ends. Returns `None` for a new symbol if 1,024 symbols are already kept, or if the symbol
    /// has more than 64 bytes. Takes a lock and compares all symbols, so it is not for every frame.
    ///
    /// ```
    /// use stats_core::Unit;
    ///
    /// assert_eq!(Unit::from_symbol("ms"), Some(Unit::Milliseconds));
    /// assert_eq!(Unit::from_symbol("balls"), Some(Unit::Custom("balls")));
    /// ```
    #[must_use]
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        const KNOWN: [Unit; 12] = [
            Unit::Count,
            Unit::Bytes,
            Unit::Seconds,
            Unit::Milliseconds,
            Unit::Microseconds,
            Unit::Percent,
            Unit::Hertz,
            Unit::Meters,
            Unit::MetersPerSecond,
            Unit::Degrees,
            Unit::Radians,
            Unit::Pixels,
        ];
        if let Some(unit) = KNOWN.into_iter().find(|unit| unit.symbol() == symbol) {
            return Some(unit);
        }
        let mut symbols = SYMBOLS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = symbols.iter().find(|kept| **kept == symbol) {
            return Some(Self::Custom(kept));
        }
        if symbols.len() == MAX_SYMBOLS || symbol.len() > MAX_SYMBOL_BYTES {
            return None;
        }
        let kept: &'static str = Box::leak(symbol.into());
        symbols.push(kept);
        Some(Self::Custom(kept))
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_kept_once_and_up_to_the_limits() {
        let long = "x".repeat(MAX_SYMBOL_BYTES + 1);
        assert_eq!(Unit::from_symbol(&long), None);
        assert!(Unit::from_symbol(&long[1..]).is_some());
        for number in 0..2 * MAX_SYMBOLS {
            let symbol = format!("unit {number}");
            match Unit::from_symbol(&symbol) {
                Some(unit) => assert_eq!(unit.symbol(), symbol),
                None => assert!(number >= MAX_SYMBOLS - 2, "{number}"),
            }
        }
        assert_eq!(SYMBOLS.lock().unwrap().len(), MAX_SYMBOLS);
        assert_eq!(Unit::from_symbol("one more"), None);
        // The symbols that are kept already are still found.
        assert_eq!(Unit::from_symbol("unit 0"), Some(Unit::Custom("unit 0")));
        assert_eq!(Unit::from_symbol("°"), Some(Unit::Degrees));
        assert_eq!(Unit::from_symbol(""), Some(Unit::Count));
    }
}
