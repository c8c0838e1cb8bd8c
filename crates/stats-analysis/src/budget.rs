//! A budget as a person writes it: a number, or a text with a unit.

use std::fmt;
use std::str::FromStr;

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

/// The words that a count may have. Any other word is a unit of the program's own, so that a unit that is
/// missing here is not taken for a count.
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

impl Budget {
    /// Returns the budget of a series in its unit, so that [`Display`](fmt::Display) writes it as
    /// `stats.toml` reads it. With a unit of the program's own that a budget cannot name, it is a
    /// number in the unit of any series.
    #[must_use]
    pub fn of(amount: f64, unit: Unit) -> Self {
        let symbol = unit.symbol();
        let is_plain = !symbol.contains(|c: char| c == '"' || c == '\\' || c.is_control());
        let text = format!("{amount} {symbol}");
        let named = text.parse().ok().filter(|_| is_plain);
        let named = named.filter(|named: &Self| named.in_unit(unit) == Some(amount));
        named.unwrap_or(Self { amount, unit: None })
    }

    /// Reads what a person typed as the budget of a series of a unit: a number in this unit, or a
    /// number and a unit of the same kind, such as `2 ms`, `2000 µs` or `8 MiB`.
    ///
    /// # Errors
    ///
    /// If the text is no finite number, or is in another kind of unit. The error says what to write.
    pub fn typed(text: &str, unit: Unit) -> Result<f64, String> {
        let text = text.trim();
        let (symbol, typed) = (unit.symbol(), one_line(text));
        let example = match symbol {
            "" => "such as 200".to_owned(),
            _ => format!("such as 2 or \"2 {symbol}\""),
        };
        if text.is_empty() {
            return Err(format!("Write a number, {example}."));
        }
        if let Ok(amount) = text.parse::<f64>()
            && split(text).is_some()
        {
            return Ok(amount);
        }
        let Ok(budget) = text.parse::<Self>() else {
            return Err(match split(text).and_then(|(_, word)| right_symbol(word)) {
                Some(right) => format!("\"{typed}\" has no known unit; write \"{right}\"."),
                None => format!("\"{typed}\" is not a number; write one, {example}."),
            });
        };
        budget.in_unit(unit).ok_or_else(|| {
            let of = if symbol.is_empty() { "counts" } else { symbol };
            format!("\"{typed}\" is in another unit than the series, which is in {of}; write a number {example}.")
        })
    }

    /// Returns the line of `stats.toml`, below `[budgets]`, that sets this budget for exactly one
    /// path. [`FRAME_TIME`](stats_core::FRAME_TIME) is written as `frame`, and a series of the program
    /// that is named `frame` as `[f]rame`. If the budget of such a series is a time, it
    /// also judges the frame time, unless `frame` has a budget.
    #[must_use]
    pub fn toml_line(&self, path: &str) -> String {
        if path == stats_core::FRAME_TIME {
            return format!("frame = {self}");
        }
        if path == "frame" {
            return format!("\"[f]rame\" = {self}");
        }
        let mut key = String::with_capacity(path.len());
        for c in path.chars() {
            match c {
                // In a pattern, these stand for other characters.
                '*' | '?' | '[' | ']' => key.extend(['[', c, ']']),
                '"' | '\\' => key.extend(['\\', c]),
                c if c.is_control() => key.push_str(&format!("\\u{:04X}", u32::from(c))),
                c => key.push(c),
            }
        }
        format!("\"{key}\" = {self}")
    }
}

/// Returns the beginning of a text that a message quotes, without control characters.
fn one_line(text: &str) -> String {
    let shown = text.chars().filter(|c| !c.is_control());
    shown.take(40).collect()
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

impl fmt::Display for Budget {
    /// Writes the budget as in `stats.toml`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let amount = self.amount;
        match self.unit.as_deref() {
            // With an exponent, because a whole number of TOML has at most 64 bits.
            None if amount.abs() >= 1e15 => write!(f, "{amount:e}"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    const UNITS: [Unit; 5] = [
        Unit::Count,
        Unit::Milliseconds,
        Unit::Bytes,
        Unit::Percent,
        Unit::Custom("balls"),
    ];

    #[test]
    fn a_typed_budget_is_in_the_unit_of_the_series() {
        let ms = |text| Budget::typed(text, Unit::Milliseconds);
        for text in ["2", " 2.0 ", "2 ms", "2000 µs", "0.002 s", "2ms", "2e0"] {
            assert_eq!(ms(text), Ok(2.0), "{text}");
        }
        assert_eq!(Budget::typed("8 MiB", Unit::Bytes), Ok(8.0 * 1_048_576.0));
        assert_eq!(Budget::typed("200", Unit::Count), Ok(200.0));
        assert_eq!(Budget::typed("200 draws", Unit::Count), Ok(200.0));
        assert_eq!(Budget::typed("-3", Unit::Meters), Ok(-3.0));
        for (text, cure) in [
            ("", "Write a number, such as 2 or \"2 ms\"."),
            (
                "fast",
                "\"fast\" is not a number; write one, such as 2 or \"2 ms\".",
            ),
            (
                "inf",
                "\"inf\" is not a number; write one, such as 2 or \"2 ms\".",
            ),
            (
                "1_000",
                "\"1_000\" is not a number; write one, such as 2 or \"2 ms\".",
            ),
            ("2 msec", "\"2 msec\" has no known unit; write \"ms\"."),
            (
                "2 MiB",
                "\"2 MiB\" is in another unit than the series, which is in ms; write a number such as 2 or \"2 ms\".",
            ),
        ] {
            assert_eq!(ms(text), Err(cure.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_budget_that_is_written_is_read_again() {
        let mut random = Random::new(71);
        for _ in 0..2000 {
            let exponent = random.below(600) as i32 - 300;
            let amount = (random.below(2_000_000) as f64 - 1e6) * 10f64.powi(exponent);
            for unit in UNITS {
                let text = Budget::of(amount, unit).to_string();
                let text = text.trim_matches('"');
                assert_eq!(Budget::typed(text, unit), Ok(amount), "{text}");
            }
        }
        for symbol in ["k", "", "a\"b", "2x", "\n"] {
            let budget = Budget::of(7.0, Unit::Custom(symbol));
            assert_eq!(budget.in_unit(Unit::Custom(symbol)), Some(7.0));
            assert!(["7", "\"7\""].contains(&&*budget.to_string()), "{symbol:?}");
        }
    }

    #[test]
    fn no_typed_text_panics_and_no_budget_is_infinite() {
        let mut random = Random::new(72);
        let letters: Vec<char> = "0123456789.+-eE \"µ°%msMiBkinfa\u{2007}\0é"
            .chars()
            .collect();
        for _ in 0..20_000 {
            let length = random.index(12);
            let text: String = (0..length)
                .map(|_| letters[random.index(letters.len())])
                .collect();
            for unit in UNITS {
                match Budget::typed(&text, unit) {
                    Ok(amount) => assert!(amount.is_finite(), "{text:?}"),
                    Err(error) => assert!(error.contains("rite "), "{error}"),
                }
            }
        }
    }
}
