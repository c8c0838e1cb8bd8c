//! Number formats: a fixed number of decimals, grouped thousands, and a unit.
//!
//! A [`NumberStyle`] is chosen once per column, axis or label, so that all its numbers share their
//! decimals and prefix. [`value_text`] and [`exact_text`] format a single value.
//!
//! No number is printed in scientific notation. From 10¹⁵ on, values take an SI prefix; bytes take
//! binary prefixes (KiB, MiB, …) from 1024 on. Values are finite; a NaN is printed as `NaN`.
//!
//! A style for a column of fixed width ([`NumberStyle::steady_within`]) takes prefixes earlier, and
//! one for a single figure ([`NumberStyle::steady_figure`]) shows three significant digits.

use std::borrow::Cow;
use std::fmt::Write as _;

use stats_core::Unit;

/// The text shown in place of a missing value.
pub const NO_VALUE: &str = "–";

const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const SI_FROM_KILO: [&str; 10] = ["k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q"];
const SI_BELOW_ONE: [&str; 4] = ["m", "µ", "n", "p"];
/// The units of time up to a second. They take no prefixes, because each is the next smaller unit
/// after the one before it.
const TIMES: [&str; 4] = ["s", "ms", "µs", "ns"];

/// The number of decimals of the rows of a list whose values are not whole.
const ROW_DECIMALS: usize = 2;

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
    /// The symbol of the unit, or of a smaller unit of time.
    symbol: &'static str,
    unit: Unit,
    /// Whether all values are whole.
    whole: bool,
    /// Subtracted from each value. 0 except on an axis that is narrow and far from zero.
    offset: f64,
    /// The offset is a multiple of this number.
    offset_step: f64,
}

impl NumberStyle {
    /// Returns the style for values up to `magnitude`, whose sign is ignored. If `whole` is set,
    /// all values are whole numbers, which are printed without decimals unless the unit or a prefix
    /// requires decimals.
    pub fn new(unit: Unit, magnitude: f64, whole: bool) -> Self {
        let magnitude = magnitude.abs();
        let (divisor, prefix) = match unit {
            Unit::Bytes => binary_prefix(magnitude),
            _ if magnitude < 1e15 => (1.0, ""),
            _ => si_prefix(magnitude, &SI_FROM_KILO[4..], 1e15),
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
            symbol: unit.symbol(),
            unit,
            whole,
            offset: 0.0,
            offset_step: 1.0,
        }
    }

    /// Returns the style for the numbers of an axis from `lo` to `hi`, which take at most about
    /// `chars` characters, at least 7.
    ///
    /// If numbers that tell values on the axis apart would be longer, the style prints the
    /// differences from a round [offset](Self::offset_text) instead. So 1.7 × 10¹⁵ ± 10 has the
    /// numbers −10, 0 and 10, and the offset `+1,700,000,000,000,000`.
    pub fn for_axis(unit: Unit, (lo, hi): (f64, f64), chars: usize) -> Self {
        let style = Self::steady_within(None, unit, (lo, hi), false, chars);
        let span = hi - lo;
        let has_zero = lo <= 0.0 && hi >= 0.0;
        if has_zero || span <= 0.0 || !span.is_finite() {
            return style;
        }
        let base: f64 = if unit == Unit::Bytes { 2.0 } else { 10.0 };
        let power = |value: f64, round: fn(f64) -> f64| base.powf(round(value.log(base)));
        // The distance between the numbers of a tall axis.
        let step = power(span / 20.0, f64::floor);
        let far = if hi > 0.0 { hi } else { lo };
        if style.for_step(step).fits(far, chars) {
            return style;
        }
        let offset_step = power(span, f64::ceil);
        let offset = (far / offset_step).trunc() * offset_step;
        Self {
            offset,
            offset_step,
            ..Self::steady_within(None, unit, (lo - offset, hi - offset), false, chars)
        }
    }

    /// Returns the number to add to all numbers of an axis, with its sign and its unit; `None` if
    /// it is 0.
    pub fn offset_text(&self) -> Option<String> {
        if self.offset == 0.0 {
            return None;
        }
        let mut text = String::from(if self.offset > 0.0 { "+" } else { "" });
        let decimals = self.for_step(self.offset_step).decimals;
        write_fixed(self.offset / self.divisor, decimals, &mut text);
        if text.contains('.') {
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        }
        self.write_unit(&mut text);
        Some(text)
    }

    /// Returns the style for values within `lo..=hi`, or `previous` while that still fits, so that
    /// decimals and prefix do not flicker.
    ///
    /// The previous style is kept as long as it suits values 1.5 times greater or smaller. If it
    /// has decimals, it keeps them even when all values happen to be whole.
    pub fn steady(previous: Option<Self>, unit: Unit, range: (f64, f64), whole: bool) -> Self {
        steady(previous, magnitude(range), whole, |magnitude, whole| {
            Self::new(unit, magnitude, whole)
        })
    }

    /// Returns a [`steady`](Self::steady) style whose numbers take at most `chars` characters, at
    /// least 7. To fit, the style first drops decimals, and then takes an SI prefix below 10¹⁵.
    /// Values beyond 10³³ are printed as `> 999`.
    pub fn steady_within(
        previous: Option<Self>,
        unit: Unit,
        range: (f64, f64),
        whole: bool,
        chars: usize,
    ) -> Self {
        steady(previous, magnitude(range), whole, |magnitude, whole| {
            let widest = if range.0 < 0.0 { -magnitude } else { magnitude };
            Self::new(unit, magnitude, whole).within(widest, chars)
        })
    }

    /// Returns a [`steady`](Self::steady) style for one figure. It shows at least three significant
    /// digits of values as large as `value`, by using more decimals, or a smaller prefix or unit of
    /// time.
    ///
    /// Set `whole` if the figure is always a whole number. Values below 10⁻¹² have fewer digits.
    pub fn steady_figure(previous: Option<Self>, unit: Unit, value: f64, whole: bool) -> Self {
        steady(previous, value.abs(), whole, |magnitude, whole| {
            Self::new(unit, magnitude, whole || magnitude == 0.0).significant(magnitude)
        })
    }

    /// Returns a [`steady_within`](Self::steady_within) style for a row of a list, all of whose rows
    /// have two decimals, or none if their values are whole. A time below 0.01 ms takes a smaller
    /// unit. Other values below 0.01 have the decimals that they need.
    pub fn steady_row(
        previous: Option<Self>,
        unit: Unit,
        range: (f64, f64),
        whole: bool,
        chars: usize,
    ) -> Self {
        steady(previous, magnitude(range), whole, |magnitude, whole| {
            let widest = if range.0 < 0.0 { -magnitude } else { magnitude };
            let style = Self::new(unit, magnitude, whole).of_row(magnitude);
            style.within(widest, chars)
        })
    }

    fn of_row(self, magnitude: f64) -> Self {
        let is_time = TIMES.contains(&self.symbol);
        let is_small = magnitude > 0.0 && magnitude < 0.01;
        let style = if is_time && is_small {
            self.smaller_unit(magnitude)
        } else {
            self
        };
        let decimals = match style.decimals {
            0 => 0,
            decimals if is_small && !is_time => decimals,
            _ => ROW_DECIMALS,
        };
        Self { decimals, ..style }
    }

    /// Returns a style whose numbers up to `widest` take at most `chars` characters.
    fn within(self, widest: f64, chars: usize) -> Self {
        let magnitude = widest.abs();
        let fits = |style: &Self| style.fits(widest, chars);
        let coarser = (0..=self.decimals).rev();
        let mut coarser = coarser.map(|decimals| Self { decimals, ..self });
        coarser.find(fits).unwrap_or_else(|| {
            let (divisor, prefix) = match self.unit {
                Unit::Bytes => (self.divisor, self.prefix),
                _ => si_prefix(magnitude, &SI_FROM_KILO, 1e3),
            };
            Self {
                divisor,
                prefix,
                decimals: 1 + usize::from(magnitude / divisor < 10.0),
                ..self
            }
        })
    }

    /// Returns whether a number takes at most `chars` characters.
    fn fits(&self, value: f64, chars: usize) -> bool {
        // Most numbers are much shorter, so they need not be written. Rounding may add a digit.
        let digits = (value.abs() / self.divisor).clamp(1.0, 1e99).log10() as usize + 2;
        let (sign, point) = (1, 1);
        let most = sign + digits + (digits - 1) / 3 + point + self.decimals;
        most <= chars || self.number(value).len() <= chars
    }

    /// Returns a style that shows at least three significant digits of `magnitude`.
    fn significant(self, magnitude: f64) -> Self {
        if self.whole || self.divisor > 1.0 || magnitude == 0.0 {
            return self;
        }
        let style = self.smaller_unit(magnitude);
        let digits_before_point = (magnitude / style.divisor).log10().floor();
        let missing = (2.0 - digits_before_point).clamp(0.0, STEP_DECIMALS as f64) as usize;
        let decimals = if style.divisor == self.divisor {
            missing.max(self.decimals)
        } else {
            missing
        };
        Self { decimals, ..style }
    }

    /// Returns a style with a smaller prefix or unit of time, in which `magnitude` is at least 1 if
    /// possible. Keeps the style of a time with at most one zero after the point, and of any other
    /// value with at most three.
    fn smaller_unit(self, magnitude: f64) -> Self {
        let time = TIMES.iter().position(|symbol| *symbol == self.symbol);
        let (symbols, min_magnitude): (&[&'static str], f64) = match time {
            Some(at) => (&TIMES[at + 1..], 1e-2),
            None => (&SI_BELOW_ONE, 1e-4),
        };
        if magnitude >= min_magnitude {
            return self;
        }
        let (mut style, mut divisor) = (self, 1.0);
        for symbol in symbols {
            divisor /= 1e3;
            style = match time {
                Some(_) => Self { symbol, ..self },
                None => Self {
                    prefix: symbol,
                    ..self
                },
            };
            style.divisor = divisor;
            if magnitude >= divisor {
                break;
            }
        }
        style
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
    /// of 1024 = 4⁵. Powers of ten would not be round numbers of KiB.
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
        let scaled = (value - self.offset) / self.divisor;
        if scaled.abs() >= 1e15 {
            text.push_str(if scaled < 0.0 { "< -999" } else { "> 999" });
            return;
        }
        write_fixed(scaled, self.decimals, text);
    }

    /// Formats a value with its unit.
    pub fn text(&self, value: f64) -> String {
        let mut text = String::with_capacity(24);
        self.write_text(value, &mut text);
        text
    }

    /// Appends a value with its unit to `text`.
    pub fn write_text(&self, value: f64, text: &mut String) {
        self.write_number(value, text);
        self.write_unit(text);
    }

    /// Appends the unit with its prefix to `text`, after a space if it needs one.
    fn write_unit(&self, text: &mut String) {
        let symbol = self.symbol;
        if !(self.prefix.is_empty() && symbol.is_empty()) {
            if !matches!(self.unit, Unit::Degrees) {
                text.push(' ');
            }
            text.push_str(self.prefix);
            text.push_str(symbol);
        }
    }

    /// Returns the unit of the values, without a prefix.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Returns the unit with its prefix, as the heading of a column shows it.
    pub fn symbol(&self) -> String {
        let mut text = String::new();
        self.write_symbol(&mut text);
        text
    }

    /// Returns whether the numbers of another style have the same unit and prefix.
    pub fn has_unit_of(&self, other: &Self) -> bool {
        (self.prefix, self.symbol) == (other.prefix, other.symbol)
    }

    /// Appends the unit with its prefix to `text`.
    pub fn write_symbol(&self, text: &mut String) {
        text.push_str(self.prefix);
        text.push_str(self.symbol);
    }
}

/// Returns a text for a cell of a spreadsheet: with a `'` before it if a spreadsheet would run it
/// as a formula, which begins with `=`, `+`, `-` or `@`. A number stays as it is.
///
/// Names of series and marks can come from elsewhere, such as a player's name.
pub fn cell_text(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r']);
    let is_number = || text.parse::<f64>().is_ok_and(f64::is_finite);
    match is_formula && !is_number() {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// Formats one value with its unit in few digits, as the tree and the HUD show it.
///
/// A value that would be printed as zero takes a prefix, or a smaller unit of time, down to 10⁻¹².
pub fn value_text(value: f64, unit: Unit) -> String {
    let mut text = String::with_capacity(24);
    write_value(value, unit, &mut text);
    text
}

/// Appends what [`value_text`] returns to `text`.
pub fn write_value(value: f64, unit: Unit, text: &mut String) {
    let mut style = NumberStyle::new(unit, value, value.fract() == 0.0);
    let magnitude = value.abs();
    if magnitude >= 1e-12 && magnitude * 10f64.powi(style.decimals as i32) <= 0.5 {
        style = style.significant(magnitude);
    }
    style.write_text(value, text);
}

/// Formats one value with its unit in full, for tooltips.
///
/// There are at most six decimals. A magnitude below 10⁻⁶ has enough decimals to distinguish it
/// from every other value, and one below 10⁻³⁰ is printed as `> 0` or `< 0`. From 10¹⁵ on, and for
/// bytes from 1024 on, the text of [`value_text`] follows in parentheses. From 10¹⁸ on, the
/// function returns only that text.
pub fn exact_text(value: f64, unit: Unit) -> String {
    let short = || value_text(value, unit);
    if value.abs() >= 1e18 {
        return short();
    }
    let number = match unit {
        Unit::Bytes if value.abs() >= 1024.0 => whole_text(value),
        _ => exact_number(value),
    };
    let text = match unit.symbol() {
        "" => number,
        symbol => format!("{number} {symbol}"),
    };
    if value.abs() >= 1e15 || (unit == Unit::Bytes && value.abs() >= 1024.0) {
        return format!("{text} ({})", short());
    }
    text
}

fn exact_number(value: f64) -> String {
    match value.abs() {
        tiny if tiny > 0.0 && tiny < 1e-30 => (if value > 0.0 { "> 0" } else { "< 0" }).to_owned(),
        small if small > 0.0 && small < 1e-6 => format!("{value}"),
        _ => {
            let mut text = String::with_capacity(24);
            write_fixed(value, 6, &mut text);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

/// Returns an estimate for display beside a value of its series: whole if the value is a whole
/// number of things or bytes.
pub fn whole_like(value: f64, estimate: f64, unit: Unit) -> f64 {
    let is_counted = matches!(unit, Unit::Count | Unit::Bytes);
    if is_counted && value.fract() == 0.0 {
        // Adding 0 makes a rounded −0 positive.
        estimate.round() + 0.0
    } else {
        estimate
    }
}

/// Formats a value rounded to a whole number, with grouped thousands.
pub fn whole_text(value: f64) -> String {
    let mut text = String::with_capacity(16);
    write_whole(value, &mut text);
    text
}

/// Formats the time of a frame in seconds with two decimals and grouped thousands, without a unit.
pub fn seconds_text(secs: f64) -> String {
    let mut text = String::with_capacity(12);
    write_fixed(secs, 2, &mut text);
    text
}

/// Formats a number of things with its noun, such as `1 run` or `2,000 runs`. The noun may have
/// words around it that depend on the number: `other series is`, `other series are`.
pub fn count_text(count: u64, one: &str, many: &str) -> String {
    let noun = if count == 1 { one } else { many };
    format!("{} {noun}", whole_text(count as f64))
}

/// Appends what [`whole_text`] returns to `text`.
pub fn write_whole(value: f64, text: &mut String) {
    write_fixed(value.round(), 0, text);
}

/// Appends `value` with `decimals` decimals and commas between thousands. −0 is printed as 0.
pub fn write_fixed(value: f64, decimals: usize, text: &mut String) {
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

/// Formats what [`write_fixed`] appends.
pub fn fixed_text(value: f64, decimals: usize) -> String {
    let mut text = String::with_capacity(16);
    write_fixed(value, decimals, &mut text);
    text
}

fn plain_decimals(unit: Unit, magnitude: f64, whole: bool) -> usize {
    match unit {
        Unit::Milliseconds if magnitude > 0.0 && magnitude < 0.1 => 4,
        Unit::Milliseconds => 2,
        Unit::Seconds if magnitude > 0.0 && magnitude < 0.01 => 6,
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

/// Returns the first prefix whose multiple is above a thousandth of `magnitude`, and its multiple.
/// The first of `prefixes` stands for `divisor`.
fn si_prefix(magnitude: f64, prefixes: &[&'static str], mut divisor: f64) -> (f64, &'static str) {
    let (last, others) = prefixes.split_last().unwrap_or((&"", &[]));
    for prefix in others {
        if magnitude / divisor < 999.95 {
            return (divisor, prefix);
        }
        divisor *= 1000.0;
    }
    (divisor, last)
}

/// Returns the style that `make` returns for a magnitude, or `previous` if `make` returns that for
/// a magnitude 1.5 times greater or smaller.
fn steady(
    previous: Option<NumberStyle>,
    magnitude: f64,
    whole: bool,
    make: impl Fn(f64, bool) -> NumberStyle,
) -> NumberStyle {
    let keeps = |kept: &NumberStyle| {
        let whole = whole && kept.whole;
        [magnitude * 1.5, magnitude / 1.5]
            .iter()
            .any(|&magnitude| make(magnitude, whole) == *kept)
    };
    previous
        .filter(keeps)
        .unwrap_or_else(|| make(magnitude, whole))
}

fn magnitude((lo, hi): (f64, f64)) -> f64 {
    lo.abs().max(hi.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn the_rows_of_a_list_have_two_decimals_and_small_times_a_smaller_unit() {
        let text = |unit, value: f64| {
            let whole = value.fract() == 0.0;
            NumberStyle::steady_row(None, unit, (0.0, value), whole, 11).text(value)
        };
        for (value, expected) in [
            (412.3, "412.30 ms"),
            (16.0, "16.00 ms"),
            (0.0312, "0.03 ms"),
            (0.01, "0.01 ms"),
            (0.0099, "9.90 µs"),
            (0.000_012, "12.00 ns"),
            (0.0, "0.00 ms"),
        ] {
            assert_eq!(text(Unit::Milliseconds, value), expected);
        }
        assert_eq!(text(Unit::Count, 1030.75), "1,030.75");
        assert_eq!(text(Unit::Count, 23.0), "23");
        assert_eq!(text(Unit::Bytes, 55.7 * 1024.0), "55.70 KiB");
        assert_eq!(text(Unit::Degrees, 12.5), "12.50°");
        assert_eq!(text(Unit::Count, 0.003), "0.003000");
    }

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
            (0.000_000_51, Unit::Count, "0.000001"),
            (0.000_000_5, Unit::Count, "500 n"),
            (1e-9, Unit::Count, "1.00 n"),
            (-1e-12, Unit::Count, "-1.00 p"),
            (9e-13, Unit::Count, "0.000000"),
            (2e-6, Unit::Milliseconds, "2.00 ns"),
            (f64::MIN_POSITIVE, Unit::Milliseconds, "0.0000 ms"),
        ];
        for (value, unit, text) in cases {
            assert_eq!(value_text(value, unit), text, "{value} {unit:?}");
        }
    }

    #[test]
    fn a_number_of_things_has_its_noun() {
        let runs = |count| count_text(count, "run", "runs");
        assert_eq!(
            [0, 1, 2, 1000].map(runs),
            ["0 runs", "1 run", "2 runs", "1,000 runs"]
        );
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
        let far = exact_text(1.7e15 + 1.0, Unit::Count);
        assert_eq!(far, "1,700,000,000,000,001 (1.70 P)");
        assert_eq!(exact_text(2e18, Unit::Count), "2.00 E");
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
    fn a_column_with_fractions_keeps_its_decimals_when_all_values_are_whole() {
        let style =
            |previous, whole| NumberStyle::steady(previous, Unit::Count, (0.0, 12.0), whole);
        let first = style(None, false);
        assert_eq!(style(Some(first), true).number(12.0), "12.00");
        assert_eq!(style(None, true).number(12.0), "12");
        assert_eq!(style(Some(style(None, true)), false), first);
    }

    #[test]
    fn numbers_take_no_more_than_the_width_of_their_column() {
        let mut random = Random::new(61);
        for round in 0..20_000 {
            let unit = [Unit::Count, Unit::Bytes, Unit::Milliseconds, Unit::Percent][round % 4];
            // Below a thousand of the greatest prefix: 10³³, and 10³ EiB.
            let max_exponent = if unit == Unit::Bytes { 20 } else { 33 };
            let hi = 10f64.powf(random.below(100 * max_exponent) as f64 / 100.0);
            let whole = round % 3 == 0;
            let style = NumberStyle::steady_within(None, unit, (-hi, hi), whole, 11);
            for value in [-hi, hi * 0.7, 0.0] {
                let text = style.number(value);
                assert!(text.len() <= 11, "{text} of {hi} {unit:?}");
            }
            let larger = NumberStyle::steady_within(Some(style), unit, (0.0, hi * 1.4), whole, 11);
            if larger == style {
                let text = style.number(-hi * 1.4);
                assert!(text.len() <= 13, "{text} of {hi} {unit:?}");
            }
        }
        let style = |hi| NumberStyle::steady_within(None, Unit::Count, (0.0, hi), true, 11);
        assert_eq!(style(9e8).number(9e8), "900,000,000");
        assert_eq!(
            (style(1.2e10).number(1.2e10), style(1.2e10).symbol()),
            ("12.0".to_owned(), "G".to_owned())
        );
    }

    #[test]
    fn a_figure_shows_three_significant_digits() {
        for (value, unit, text) in [
            (3.2, Unit::Milliseconds, "3.20 ms"),
            (0.0123, Unit::Milliseconds, "0.0123 ms"),
            (0.001_234, Unit::Milliseconds, "1.23 µs"),
            (0.000_45, Unit::Milliseconds, "450 ns"),
            (0.002, Unit::Seconds, "2.00 ms"),
            (0.000_012, Unit::Count, "12.0 µ"),
            (0.000_12, Unit::Count, "0.000120"),
            (1.234, Unit::Percent, "1.23 %"),
            (1e30, Unit::Count, "1.00 Q"),
            (0.0, Unit::Count, "0"),
            (1.5 * 1024.0, Unit::Bytes, "1.50 KiB"),
            (-16.666, Unit::Milliseconds, "-16.67 ms"),
        ] {
            let style = NumberStyle::steady_figure(None, unit, value, false);
            assert_eq!(style.text(value), text);
        }
        for exponent in -120..=330 {
            for part in [1.0, 2.34567, 9.9949] {
                let value = part * 10f64.powf(f64::from(exponent) / 10.0);
                for unit in [
                    Unit::Count,
                    Unit::Bytes,
                    Unit::Milliseconds,
                    Unit::Seconds,
                    Unit::Hertz,
                ] {
                    let text = NumberStyle::steady_figure(None, unit, value, false).number(value);
                    let digits = text.trim_start_matches(['0', '.']);
                    let digits = digits.chars().filter(char::is_ascii_digit).count();
                    assert!(digits >= 3, "{value} {unit:?}: {text}");
                }
            }
        }
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
    fn the_numbers_of_a_narrow_axis_far_from_zero_differ_and_add_up_with_the_offset() {
        let style = |unit, lo, hi| NumberStyle::for_axis(unit, (lo, hi), 9);
        let far = style(Unit::Count, 1.7e15 - 10.0, 1.7e15 + 10.0).for_step(10.0);
        let numbers = [-10.0, 0.0, 10.0].map(|near| far.text(1.7e15 + near));
        assert_eq!(numbers, ["-10", "0", "10"]);
        assert_eq!(far.offset_text().unwrap(), "+1,700,000,000,000,000");
        const MIB: f64 = 1024.0 * 1024.0;
        let memory = style(Unit::Bytes, 24e9, 24e9 + 8.0 * MIB).for_step(MIB);
        assert_eq!(memory.offset_text().unwrap(), "+22,896 MiB");
        assert_eq!(memory.text(22_890.0 * MIB), "-6 MiB");
        let below = style(Unit::Milliseconds, -1e6 - 9e-4, -1e6).for_step(5e-4);
        assert_eq!(below.offset_text().unwrap(), "-1,000,000 ms");
        assert_eq!(below.text(-1e6 - 5e-4), "-0.0005 ms");
        for (lo, hi) in [(0.0, 1.7e15), (-5.0, 1e12), (900.0, 1000.0), (1.0, 1.01)] {
            assert_eq!(style(Unit::Count, lo, hi).offset_text(), None, "{lo} {hi}");
        }
        // Whatever the axis, numbers a step apart differ, and the sum with the offset is the value.
        let mut random = Random::new(12);
        for round in 0..20_000 {
            let unit = [Unit::Count, Unit::Bytes, Unit::Milliseconds][round % 3];
            let sign = if round % 2 == 0 { 1.0 } else { -1.0 };
            let lo = 10f64.powf(random.below(2000) as f64 / 100.0 - 3.0) * sign;
            let span = lo.abs() * 10f64.powf(-(random.below(1400) as f64) / 100.0);
            let base: f64 = if unit == Unit::Bytes { 2.0 } else { 10.0 };
            let step = base.powf((span / 10.0).log(base).floor());
            // Steps below that of the floats themselves have no numbers.
            if unit == Unit::Bytes && step < 1.0 || step < 1e-9 || step < lo.abs() * 1e-14 {
                continue;
            }
            let style = style(unit, lo, lo + span).for_step(step);
            let first = (lo / step).ceil();
            let values = [first * step, (first + 1.0) * step];
            let numbers = values.map(|value| style.number(value));
            assert!(numbers[0] != numbers[1], "{lo} {span}: {numbers:?}");
            assert!(numbers[0].len() <= 14, "{lo} {span}: {numbers:?}");
            let number = |text: &str| -> f64 {
                let digits = text.replace([',', '+'], "");
                digits.split(' ').next().unwrap().parse().unwrap()
            };
            let offset = style.offset_text().map_or(0.0, |text| number(&text));
            let sum = (number(&numbers[1]) + offset) * style.divisor;
            let error = step * 1e-3 + lo.abs() * 1e-15;
            assert!((sum - values[1]).abs() <= error, "{lo} {span}: {sum}");
        }
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
