//! The format that the numbers of a column, an axis or a label share.

use stats_core::Unit;

use super::write_fixed;

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
    pub(super) divisor: f64,
    pub(super) decimals: usize,
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
    pub(super) fn significant(self, magnitude: f64) -> Self {
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

    /// Formats a value without its unit in at most `chars` characters, at least 9. To fit, the number
    /// first drops decimals, and then is printed as `1.2e15`. It never takes another prefix, so it suits a
    /// row whose unit is printed once.
    pub fn number_within(&self, value: f64, chars: usize) -> String {
        let fewer = (0..=self.decimals).rev();
        let numbers = fewer.map(|decimals| Self { decimals, ..*self }.number(value));
        let is_whole = |text: &String| !text.starts_with(['<', '>']);
        let mut fitting = numbers.filter(|text| is_whole(text) && text.chars().count() <= chars);
        let scaled = (value - self.offset) / self.divisor;
        fitting.next().unwrap_or_else(|| format!("{scaled:.1e}"))
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
