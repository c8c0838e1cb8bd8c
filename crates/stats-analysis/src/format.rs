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

pub use number_style::NumberStyle;

mod number_style;

/// The text shown in place of a missing value.
pub const NO_VALUE: &str = "–";

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

/// Formats a share as a whole number of percent, such as `12 %` for 0.12. A negative share that rounds
/// to 0 has no sign.
pub fn percent_text(share: f64) -> String {
    let mut text = String::with_capacity(8);
    write_fixed(100.0 * share, 0, &mut text);
    text.push_str(" %");
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

#[cfg(test)]
mod tests;
