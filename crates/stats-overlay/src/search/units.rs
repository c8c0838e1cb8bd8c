//! Unit names as people type them: `unit:ms`, `unit:bytes`.

use stats_core::Unit;

/// The number of letters that identify a name.
const ENOUGH: usize = 3;

/// The names of each unit, in addition to its symbol.
const NAMES: [(Unit, &[&str]); 12] = [
    (Unit::Count, &["count", "number"]),
    (Unit::Bytes, &["bytes"]),
    (Unit::Seconds, &["seconds"]),
    (Unit::Milliseconds, &["milliseconds"]),
    (Unit::Microseconds, &["microseconds", "us"]),
    (Unit::Percent, &["percent"]),
    (Unit::Hertz, &["hertz"]),
    (Unit::Meters, &["meters", "metres"]),
    (
        Unit::MetersPerSecond,
        &["meters-per-second", "metres-per-second"],
    ),
    (Unit::Degrees, &["degrees"]),
    (Unit::Radians, &["radians"]),
    (Unit::Pixels, &["pixels"]),
];

/// A typed unit, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnitName {
    typed: String,
    /// The unit with this symbol or name, or else the unit whose name starts with it.
    unit: Option<Unit>,
}

impl UnitName {
    /// Parses a unit name; `None` if it is empty.
    pub(super) fn new(typed: &str) -> Option<Self> {
        let whole = |(unit, names): &&(Unit, &[&str])| {
            unit.symbol().to_lowercase() == typed || names.contains(&typed)
        };
        let begun = |(_, names): &&(Unit, &[&str])| {
            typed.len() >= ENOUGH && names.iter().any(|name| name.starts_with(typed))
        };
        let unit = NAMES
            .iter()
            .find(whole)
            .or_else(|| NAMES.iter().find(begun))
            .map(|&(unit, _)| unit);
        (!typed.is_empty()).then(|| Self {
            typed: typed.to_owned(),
            unit,
        })
    }

    /// Returns whether it names this unit. A custom unit is named by its symbol.
    pub(super) fn is(&self, unit: Unit) -> bool {
        match unit {
            Unit::Custom(symbol) => symbol.to_lowercase() == self.typed,
            unit => self.unit == Some(unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(typed: &str, unit: Unit) -> bool {
        UnitName::new(typed).unwrap().is(unit)
    }

    #[test]
    fn units_have_symbols_and_names() {
        for (typed, unit) in [
            ("ms", Unit::Milliseconds),
            ("b", Unit::Bytes),
            ("bytes", Unit::Bytes),
            ("byte", Unit::Bytes),
            ("count", Unit::Count),
            ("m", Unit::Meters),
            ("met", Unit::Meters),
            ("m/s", Unit::MetersPerSecond),
            ("µs", Unit::Microseconds),
            ("us", Unit::Microseconds),
            ("%", Unit::Percent),
            ("hz", Unit::Hertz),
            ("tris", Unit::Custom("Tris")),
        ] {
            assert!(names(typed, unit), "{typed}");
        }
        assert!(
            !names("m", Unit::Milliseconds)
                && !names("mi", Unit::Milliseconds)
                && !names("tri", Unit::Custom("Tris"))
        );
        assert!(!names("ms", Unit::Custom("tris")));
        assert!(UnitName::new("").is_none());
    }
}
