//! The columns that say when a row was.

use super::super::text::{number, text};

/// The unit of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds,
    Milliseconds,
    /// Of the performance counter, whose frequency is not in the file.
    Ticks,
    /// A date and a time.
    Date,
}

/// A clock column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    /// The position of the column.
    pub(super) at: usize,
    pub(super) unit: Unit,
    /// Whether it is the start of the frame, rather than its present.
    pub(super) is_start: bool,
}

/// The names of clocks of presents, in lower case.
const PRESENTS: [(&str, Unit); 6] = [
    ("timeinseconds", Unit::Seconds),
    ("timeinms", Unit::Milliseconds),
    ("timeinqpc", Unit::Ticks),
    ("qpctime", Unit::Ticks),
    ("timeindatetime", Unit::Date),
    ("timeinqpctime", Unit::Milliseconds),
];

/// The names of clocks of starts, in lower case.
const STARTS: [(&str, Unit); 8] = [
    ("cpustarttime", Unit::Milliseconds),
    ("cpustarttimeinms", Unit::Milliseconds),
    ("cpustarttimeinseconds", Unit::Seconds),
    ("cpustartqpc", Unit::Ticks),
    ("cpuframeqpc", Unit::Ticks),
    ("cpustartqpctime", Unit::Milliseconds),
    ("cpustartqpctimeinms", Unit::Milliseconds),
    ("cpustartdatetime", Unit::Date),
];

/// The frequency of the performance counter of nearly all computers, in hertz.
const USUAL_HZ: f64 = 1e7;

impl Clock {
    /// Finds the clock that suits the frame times.
    pub(super) fn find(
        position: impl Fn(&str) -> Option<usize>,
        looks_forward: bool,
    ) -> Option<Self> {
        let find = |names: &[(&str, Unit)], is_start| {
            names.iter().find_map(|(name, unit)| {
                let at = position(name)?;
                Some(Self {
                    at,
                    unit: *unit,
                    is_start,
                })
            })
        };
        if looks_forward {
            find(&STARTS, true).or_else(|| find(&PRESENTS, false))
        } else {
            find(&PRESENTS, false).or_else(|| find(&STARTS, true))
        }
    }

    /// Returns the time in a field, in its unit; seconds for a date. NaN if there is none.
    pub(super) fn time(&self, field: &[u8]) -> f64 {
        let time = match self.unit {
            Unit::Date => seconds_of_date(&text(field)),
            _ => number(field),
        };
        time.unwrap_or(f64::NAN)
    }

    /// Returns the number of units in a second.
    pub(super) fn per_second(
        &self,
        times: &[f64],
        durations_ms: &[f64],
        looks_forward: bool,
    ) -> f64 {
        match self.unit {
            Unit::Seconds | Unit::Date => 1.0,
            Unit::Milliseconds => 1e3,
            Unit::Ticks => ticks_per_second(times, durations_ms, looks_forward),
        }
    }
}

/// Returns the frequency of a counter from its steps. A frame time that looks forward is that of the
/// step to the next row.
fn ticks_per_second(times: &[f64], durations_ms: &[f64], looks_forward: bool) -> f64 {
    let of = |row: usize| durations_ms[row - usize::from(looks_forward)];
    let mut ratios: Vec<f64> = (1..times.len())
        .map(|row| (times[row] - times[row - 1]) / of(row) * 1e3)
        .filter(|ratio| ratio.is_finite() && *ratio > 0.0)
        .collect();
    if ratios.is_empty() {
        return USUAL_HZ;
    }
    let middle = ratios.len() / 2;
    let median = *ratios.select_nth_unstable_by(middle, f64::total_cmp).1;
    // The present is not where every version counts from, so the median is near only.
    if (median / USUAL_HZ - 1.0).abs() < 0.3 {
        USUAL_HZ
    } else {
        median.round()
    }
}

/// Returns the seconds of a date such as `2024-1-31 12:34:56.123456789`, since a year ago or more.
fn seconds_of_date(date: &str) -> Option<f64> {
    let (day, time) = date.trim_end_matches('Z').split_once([' ', 'T'])?;
    let mut numbers = day.split(['-', '/']).map(|part| part.parse::<i32>().ok());
    let mut next = || numbers.next().flatten();
    let (year, month, day) = (next()?, next()?, next()?);
    let day = chrono::NaiveDate::from_ymd_opt(year, month.try_into().ok()?, day.try_into().ok()?)?;
    let base = chrono::NaiveDate::from_ymd_opt(year - 1, 1, 1)?;
    let days = day.signed_duration_since(base).num_days() as f64;
    let mut parts = time.split(':').map(|part| part.parse::<f64>().ok());
    let mut next = || parts.next().flatten();
    let (hours, minutes, seconds) = (next()?, next()?, next()?);
    Some(days * 86_400.0 + hours * 3_600.0 + minutes * 60.0 + seconds)
}
