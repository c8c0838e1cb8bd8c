//! A budget, as a number or as a text with a unit.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use stats_core::Unit;

/// The units that are converted into each other: symbol, kind, and size in the smallest of its
/// kind.
const SIZES: [(&str, char, f64); 16] = [
    ("ns", 't', 1.0),
    ("µs", 't', 1e3),
    ("us", 't', 1e3),
    ("ms", 't', 1e6),
    ("s", 't', 1e9),
    ("min", 't', 60e9),
    ("h", 't', 3600e9),
    ("B", 'b', 1.0),
    ("kB", 'b', 1e3),
    ("MB", 'b', 1e6),
    ("GB", 'b', 1e9),
    ("TB", 'b', 1e12),
    ("KiB", 'b', 1024.0),
    ("MiB", 'b', 1_048_576.0),
    ("GiB", 'b', 1_073_741_824.0),
    ("TiB", 'b', 1_099_511_627_776.0),
];

/// The symbols of all other units but those of a program's own.
const OTHERS: [&str; 7] = ["%", "Hz", "m", "m/s", "°", "rad", "px"];

/// Words that are no units, and what to write.
const NO_UNITS: [(&[&str], &str); 17] = [
    (
        &["msec", "msecs", "millis", "millisecond", "milliseconds"],
        "ms",
    ),
    (
        &["usec", "usecs", "micros", "microsecond", "microseconds"],
        "µs",
    ),
    (
        &["nsec", "nsecs", "nanos", "nanosecond", "nanoseconds"],
        "ns",
    ),
    (&["sec", "secs", "second", "seconds"], "s"),
    (&["mins", "minute", "minutes"], "min"),
    (&["hr", "hrs", "hour", "hours"], "h"),
    (&["byte", "bytes"], "B"),
    (&["kilobyte", "kilobytes"], "kB"),
    (&["megabyte", "megabytes", "meg", "megs"], "MB"),
    (&["gigabyte", "gigabytes", "gig", "gigs"], "GB"),
    (&["terabyte", "terabytes"], "TB"),
    (&["percent", "pct"], "%"),
    (&["hertz", "fps"], "Hz"),
    (&["meter", "meters", "metre", "metres"], "m"),
    (&["degree", "degrees", "deg"], "°"),
    (&["radian", "radians", "rads"], "rad"),
    (&["pixel", "pixels"], "px"),
];

/// What a count may be of. Any other word is a unit of the program's own: a unit that is missing
/// here must not be taken for a count.
const COUNTED: [&str; 10] = [
    "calls",
    "draw calls",
    "draws",
    "allocations",
    "entities",
    "events",
    "items",
    "objects",
    "samples",
    "triangles",
];

/// The value above which a frame is over the budget of a series.
///
/// In `stats.toml`, a number such as `2.0` is in the unit of the series. A text names its unit and
/// judges only series of that unit: `"2 ms"`, `"8 MiB"`, `"90 %"`. Times are converted from `ns`,
/// `µs` or `us`, `ms`, `s`, `min` and `h`, and bytes from `B`, `kB`, `MB`, `GB`, `TB`, `KiB`,
/// `MiB`, `GiB` and `TiB`.
///
/// A text without a unit is a count: `"200"`. It may say of what: `calls`, `draw calls`, `draws`,
/// `allocations`, `entities`, `events`, `items`, `objects`, `samples` or `triangles`. Any other
/// word is a unit of the program's own, and judges only series of exactly that unit: `"30 balls"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    amount: f64,
    /// `None` for a number; empty for a count.
    unit: Option<String>,
}

impl Budget {
    /// Returns the budget in the unit of a series; `None` if it does not judge series of that unit.
    #[must_use]
    pub fn in_unit(&self, unit: Unit) -> Option<f64> {
        let Some(written) = self.unit.as_deref() else {
            return Some(self.amount);
        };
        let symbol = unit.symbol();
        if written == symbol {
            return Some(self.amount);
        }
        let size = |symbol: &str| SIZES.iter().find(|(known, ..)| *known == symbol);
        match (size(written), size(symbol)) {
            (Some((_, kind, from)), Some((_, other, to))) if kind == other => {
                Some(self.amount * from / to)
            }
            _ if unit == Unit::Count && COUNTED.contains(&written) => Some(self.amount),
            _ => None,
        }
    }

    /// Returns whether the budget is a number, which is in the unit of any series.
    #[must_use]
    pub fn is_in_any_unit(&self) -> bool {
        self.unit.is_none()
    }
}

impl TryFrom<f64> for Budget {
    type Error = &'static str;

    /// Returns a budget in the unit of the series. Fails if it is not finite.
    fn try_from(amount: f64) -> Result<Self, Self::Error> {
        let cure = "a budget must be a finite number, such as 16.7, or a text with a unit, such as \"2 ms\"";
        (amount.is_finite())
            .then_some(Self { amount, unit: None })
            .ok_or(cure)
    }
}

impl FromStr for Budget {
    type Err = String;

    /// Reads a number and its unit, such as `2 ms`.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (amount, word) = split(text).ok_or_else(|| {
            format!(
                "{text:?} is not a budget; write a number and its unit, such as \"2 ms\", \"8 MiB\" or \
                 \"200\""
            )
        })?;
        match right_symbol(word) {
            None => Ok(Self {
                amount,
                unit: Some(word.to_owned()),
            }),
            Some(symbol) => Err(format!(
                "{word:?} in {text:?} is not a unit; write \"{amount} {symbol}\""
            )),
        }
    }
}

impl<'de> Deserialize<'de> for Budget {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BudgetVisitor)
    }
}

struct BudgetVisitor;

impl Visitor<'_> for BudgetVisitor {
    type Value = Budget;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a budget")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Budget, E> {
        Budget::try_from(value).map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Budget, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Budget, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Budget, E> {
        text.parse().map_err(E::custom)
    }
}

impl fmt::Display for Budget {
    /// Writes the budget as in `stats.toml`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let amount = self.amount;
        match self.unit.as_deref() {
            None => write!(f, "{amount}"),
            Some("") => write!(f, "\"{amount}\""),
            Some(unit) => write!(f, "\"{amount} {unit}\""),
        }
    }
}

/// Letters that stand for a thousand and more, which are no words either.
const MULTIPLES: [&str; 5] = ["k", "K", "M", "G", "T"];

/// Splits a text into a finite number and a word, which may be empty. The word begins with no
/// character of a number, so that `1,000` and `1_000` are not taken for 1.
fn split(text: &str) -> Option<(f64, &str)> {
    let begins_number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let ends = (1..=text.len())
        .rev()
        .filter(|at| text.is_char_boundary(*at));
    let mut splits = ends.filter_map(|at| Some((text[..at].parse::<f64>().ok()?, &text[at..])));
    let (amount, rest) = splits.next().filter(|_| begins_number)?;
    let word = rest.trim_start();
    let is_word = word.starts_with(|c: char| c.is_alphabetic() || "%°".contains(c));
    let is_hexadecimal = rest == word && word.contains(|c: char| c.is_ascii_digit());
    let is_word = word.is_empty() || is_word && !is_hexadecimal && !MULTIPLES.contains(&word);
    (amount.is_finite() && is_word).then_some((amount, word))
}

/// Returns the symbol of the unit that a word means but does not spell; `None` if it is the right
/// one, or no unit at all.
fn right_symbol(word: &str) -> Option<&'static str> {
    let known = || SIZES.iter().map(|(symbol, ..)| *symbol).chain(OTHERS);
    if known().any(|symbol| symbol == word) {
        return None;
    }
    let lower = word.to_lowercase();
    let spelled = NO_UNITS.iter().find(|(words, _)| words.contains(&&*lower));
    let spelled = spelled.map(|(_, symbol)| *symbol);
    spelled.or_else(|| known().find(|symbol| symbol.to_lowercase() == lower))
}
