//! Number formats: a fixed number of decimals, grouped thousands, and a unit.
//!
//! A [`NumberStyle`] is chosen once per column, axis or label, so that all its numbers share their
//! decimals and prefix. [`value_text`] and [`exact_text`] format a single value.
//!
//! No number is printed in scientific notation. From 10¹⁵ on, values take an SI prefix; bytes take
//! binary prefixes (KiB, MiB, …) from 1024 on. Values are finite; a NaN is printed as `NaN`.

use std::fmt::Write as _;

use stats_core::Unit;

/// The text shown in place of a missing value.
pub const NO_VALUE: &str = "–";

const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const SI_FROM_PETA: [&str; 6] = ["P", "E", "Z", "Y", "R", "Q"];

/// The maximum number of decimals on an axis. The narrowest range of an axis has steps of 10⁻¹² or
/// more.
const STEP_DECIMALS: usize = 12;

/// The format of the values of one column, axis or label: a divisor with its prefix, the number of
/// decimals, and the unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberStyle {
    divisor: f64,
    decimals: usize,
    prefix: &'static str,
    unit: Unit,
}

impl NumberStyle {
    /// Returns the style for values up to `magnitude`, whose sign is ignored. If `whole` is set,
    /// all values are whole numbers, which are printed without decimals unless their unit has some.
    pub fn new(unit: Unit, magnitude: f64, whole: bool) -> Self {
        let magnitude = magnitude.abs();
        let (divisor, prefix) = match unit {
            Unit::Bytes => binary_prefix(magnitude),
            _ => si_prefix(magnitude),
        };
        let scaled = magnitude / divisor;
        let decimals = if divisor > 1.0 {
            1 + usize::from(scaled < 10.0)
        } else {
            plain_decimals(unit, magnitude, whole)
        };
        Self {
            divisor,
            decimals,
            prefix,
            unit,
        }
    }

    /// Returns the style for values within `lo..=hi`, or `previous` while that still fits, so that
    /// decimals and prefix do not flicker.
    pub fn steady(previous: Option<Self>, unit: Unit, (lo, hi): (f64, f64), whole: bool) -> Self {
        let magnitude = lo.abs().max(hi.abs());
        let wanted = Self::new(unit, magnitude, whole);
        match previous {
            // The previous style stays while it is also the style of values 1.5 times larger or
            // smaller.
            Some(kept)
                if kept.unit == unit
                    && (kept == Self::new(unit, magnitude * 1.5, whole)
                        || kept == Self::new(unit, magnitude / 1.5, whole)) =>
            {
                kept
            }
            _ => wanted,
        }
    }

    /// Returns the style with just enough decimals to print multiples of `step` exactly, at most
    /// 12.
    pub fn for_step(self, step: f64) -> Self {
        let step = (step / self.divisor).abs();
        let is_whole = |&decimals: &usize| {
            let shifted = step * 10f64.powi(decimals as i32);
            shifted.round() >= 1.0 && (shifted - shifted.round()).abs() <= shifted * 1e-9
        };
        let decimals = if step > 0.0 {
            (0..STEP_DECIMALS).find(is_whole).unwrap_or(STEP_DECIMALS)
        } else {
            0
        };
        Self { decimals, ..self }
    }

    /// Returns the base of the grid steps of an axis: 10, or 4 for bytes, whose prefixes are powers
    /// of 1024 = 4⁵. Powers of ten would be odd numbers of KiB.
    pub fn grid_base(self) -> i64 {
        if self.unit == Unit::Bytes { 4 } else { 10 }
    }

    /// Formats a value without its unit.
    pub fn number(&self, value: f64) -> String {
        let mut text = String::with_capacity(16);
        self.write_number(value, &mut text);
        text
    }

    /// Appends a value without its unit to `text`.
    pub fn write_number(&self, value: f64, text: &mut String) {
        let scaled = value / self.divisor;
        if scaled.abs() >= 1e15 {
            text.push_str(if scaled < 0.0 { "< -999" } else { "> 999" });
            return;
        }
        write_grouped(scaled, self.decimals, text);
    }

    /// Formats a value with its unit.
    pub fn text(&self, value: f64) -> String {
        let mut text = self.number(value);
        let symbol = self.unit.symbol();
        if !(self.prefix.is_empty() && symbol.is_empty()) {
            if !matches!(self.unit, Unit::Degrees) {
                text.push(' ');
            }
            text.push_str(self.prefix);
            text.push_str(symbol);
        }
        text
    }

    /// Returns the unit, without a prefix.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Returns the unit with its prefix, as the heading of a column shows it.
    pub fn symbol(&self) -> String {
        format!("{}{}", self.prefix, self.unit.symbol())
    }
}

/// Formats one value with its unit in few digits, as the tree and the HUD show it.
pub fn value_text(value: f64, unit: Unit) -> String {
    NumberStyle::new(unit, value, value.fract() == 0.0).text(value)
}

/// Formats one value with its unit in full, for tooltips.
///
/// There are at most six decimals. A magnitude below 10⁻⁶ has enough decimals to distinguish it
/// from every other value, and one below 10⁻³⁰ is printed as `> 0` or `< 0`. From 10¹⁵ on, the text
/// is that of [`value_text`].
pub fn exact_text(value: f64, unit: Unit) -> String {
    if value.abs() >= 1e15 || (unit == Unit::Bytes && value.abs() >= 1024.0) {
        let short = value_text(value, unit);
        if value.abs() >= 1e15 {
            return short;
        }
        return format!("{} B ({short})", whole_text(value));
    }
    let number = exact_number(value);
    match unit.symbol() {
        "" => number,
        symbol => format!("{number} {symbol}"),
    }
}

fn exact_number(value: f64) -> String {
    match value.abs() {
        tiny if tiny > 0.0 && tiny < 1e-30 => (if value > 0.0 { "> 0" } else { "< 0" }).to_owned(),
        small if small > 0.0 && small < 1e-6 => format!("{value}"),
        _ => {
            let mut text = String::with_capacity(24);
            write_grouped(value, 6, &mut text);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

/// Formats a value rounded to a whole number, with grouped thousands.
pub fn whole_text(value: f64) -> String {
    let mut text = String::with_capacity(16);
    write_grouped(value.round(), 0, &mut text);
    text
}

fn plain_decimals(unit: Unit, magnitude: f64, whole: bool) -> usize {
    match unit {
        Unit::Milliseconds if magnitude > 0.0 && magnitude < 0.1 => 4,
        Unit::Milliseconds => 2,
        Unit::Seconds | Unit::Radians => 3,
        Unit::Microseconds | Unit::Percent | Unit::Hertz | Unit::Degrees => 1,
        Unit::Meters | Unit::MetersPerSecond => 2,
        _ if whole => 0,
        _ if magnitude >= 1000.0 => 1,
        _ if magnitude >= 1.0 => 2,
        _ if magnitude >= 0.01 => 3,
        _ => 6,
    }
}

fn binary_prefix(magnitude: f64) -> (f64, &'static str) {
    let mut divisor = 1.0;
    for prefix in BINARY {
        // 1023.95 would round to 1024.0 with one decimal.
        if magnitude / divisor < 1023.95 {
            return (divisor, prefix);
        }
        divisor *= 1024.0;
    }
    (divisor / 1024.0, BINARY[BINARY.len() - 1])
}

fn si_prefix(magnitude: f64) -> (f64, &'static str) {
    if magnitude < 1e15 {
        return (1.0, "");
    }
    let mut divisor = 1e15;
    for prefix in SI_FROM_PETA {
        if magnitude / divisor < 999.95 {
            return (divisor, prefix);
        }
        divisor *= 1000.0;
    }
    (divisor / 1000.0, SI_FROM_PETA[SI_FROM_PETA.len() - 1])
}

/// Appends `value` with `decimals` decimals and commas between thousands. −0 is printed as 0.
fn write_grouped(value: f64, decimals: usize, text: &mut String) {
    let start = text.len();
    // Writing to a string cannot fail.
    let _ = write!(text, "{value:.decimals$}");
    if text[start..]
        .bytes()
        .all(|byte| matches!(byte, b'-' | b'0' | b'.'))
        && text[start..].starts_with('-')
    {
        text.remove(start);
    }
    let digits_start = start + usize::from(text[start..].starts_with('-'));
    let digits_end = text[start..]
        .find('.')
        .map_or(text.len(), |point| start + point);
    let mut at = digits_end;
    while at > digits_start + 3 {
        at -= 3;
        text.insert(at, ',');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_easy_to_read() {
        let cases = [
            (0.0, Unit::Count, "0"),
            (-0.0, Unit::Milliseconds, "0.00 ms"),
            (1234567.0, Unit::Count, "1,234,567"),
            (-1234.0, Unit::Count, "-1,234"),
            (-123.0, Unit::Count, "-123"),
            (0.5, Unit::Count, "0.500"),
            (16.666, Unit::Milliseconds, "16.67 ms"),
            (0.0123, Unit::Milliseconds, "0.0123 ms"),
            (782.0, Unit::Bytes, "782 B"),
            (1024.0, Unit::Bytes, "1.00 KiB"),
            (1023.99 * 1024.0, Unit::Bytes, "1.00 MiB"),
            (3.25 * 1024.0 * 1024.0, Unit::Bytes, "3.25 MiB"),
            (300.0 * 1024.0, Unit::Bytes, "300.0 KiB"),
            (-2048.0, Unit::Bytes, "-2.00 KiB"),
            (90.0, Unit::Degrees, "90.0°"),
            (99.95, Unit::Percent, "100.0 %"),
            (1e15, Unit::Count, "1.00 P"),
            (1e300, Unit::Count, "> 999 Q"),
            (-1e300, Unit::Count, "< -999 Q"),
            (f64::MAX, Unit::Bytes, "> 999 EiB"),
            (1e-9, Unit::Count, "0.000000"),
            (f64::MIN_POSITIVE, Unit::Milliseconds, "0.0000 ms"),
        ];
        for (value, unit, text) in cases {
            assert_eq!(value_text(value, unit), text, "{value} {unit:?}");
        }
    }

    #[test]
    fn no_value_is_printed_in_scientific_notation() {
        for exponent in -320..=308 {
            for sign in [1.0, -1.0] {
                let value = sign * 10f64.powi(exponent);
                for unit in [
                    Unit::Count,
                    Unit::Bytes,
                    Unit::Milliseconds,
                    Unit::Custom("gold"),
                ] {
                    let text = value_text(value, unit);
                    assert!(
                        text.len() < 40 && !text.contains("e-") && !text.contains("inf"),
                        "{text}"
                    );
                    let text = exact_text(value, unit);
                    assert!(
                        text.len() < 60 && !text.contains("e-") && !text.contains("inf"),
                        "{text}"
                    );
                }
            }
        }
    }

    #[test]
    fn exact_values_keep_their_digits() {
        assert_eq!(exact_text(16.666_5, Unit::Milliseconds), "16.6665 ms");
        assert_eq!(exact_text(3.0, Unit::Count), "3");
        assert_eq!(exact_text(4e-7, Unit::Seconds), "0.0000004 s");
        assert_eq!(exact_text(-1.25e-9, Unit::Count), "-0.00000000125");
        assert_eq!(exact_text(f64::MIN_POSITIVE, Unit::Count), "> 0");
        assert_eq!(exact_text(100.0, Unit::Count), "100");
        assert_eq!(exact_text(2048.0, Unit::Bytes), "2,048 B (2.00 KiB)");
    }

    #[test]
    fn a_column_keeps_its_style_while_its_range_varies_a_little() {
        let first = NumberStyle::steady(None, Unit::Bytes, (0.0, 1100.0), true);
        let second = NumberStyle::steady(Some(first), Unit::Bytes, (0.0, 1000.0), true);
        assert_eq!(first, second, "1000 B is near enough to stay in KiB");
        let third = NumberStyle::steady(Some(second), Unit::Bytes, (0.0, 10.0), true);
        assert_eq!(third.symbol(), "B");
    }

    #[test]
    fn the_label_of_a_grid_line_is_its_exact_value() {
        let mut marks = 0;
        for exponent in 0..60 {
            let top = 2f64.powi(exponent);
            for finer in 0..6 {
                let step = top / 2f64.powi(finer);
                let style = NumberStyle::new(Unit::Bytes, top, false).for_step(step);
                let read: f64 = style.number(step * 3.0).replace(',', "").parse().unwrap();
                assert_eq!(read * style.divisor, step * 3.0, "{top} {step}");
                marks += 1;
            }
        }
        assert_eq!(marks, 360);
        assert_eq!(
            1024 % NumberStyle::new(Unit::Bytes, 1e6, false).grid_base(),
            0
        );
        assert_eq!(
            NumberStyle::new(Unit::Milliseconds, 20.0, false).grid_base(),
            10
        );
    }

    #[test]
    fn an_axis_has_as_many_decimals_as_its_step_needs() {
        let style = NumberStyle::new(Unit::Milliseconds, 20.0, true);
        assert_eq!(style.for_step(5.0).text(15.0), "15 ms");
        assert_eq!(style.for_step(0.5).text(1.5), "1.5 ms");
        assert_eq!(style.for_step(0.25).text(1.25), "1.25 ms");
        assert_eq!(style.for_step(1e-7).text(3e-7), "0.0000003 ms");
        assert_eq!(style.for_step(1000.0).text(2000.0), "2,000 ms");
    }
}
