//! The columns of a table, by their names.

use super::super::names::words;
use super::super::{Options, Refusal, listed};

/// The words of columns with how long frames took, without the unit, the best first.
const DURATIONS: [&str; 8] = [
    "frame time",
    "frametime",
    "frame duration",
    "duration",
    "delta time",
    "deltatime",
    "delta",
    "dt",
];

/// The words of columns with times: how long frames took, or when they began.
const TIMES: [&str; 2] = ["frame", "time"];

/// The words of columns with the starts of frames.
const STARTS: [&str; 8] = [
    "start",
    "time from first frame",
    "frame start",
    "start time",
    "time",
    "timestamp",
    "elapsed",
    "elapsed time",
];

/// The names of columns with the time of day.
const TIMES_OF_DAY: [&str; 4] = ["time", "timestamp", "date", "date/time"];

/// The columns of a table.
#[derive(Debug)]
pub(super) struct Columns {
    /// The position of the column with the times.
    pub(super) time: usize,
    /// The milliseconds of its unit.
    pub(super) time_ms: f64,
    /// Whether the name says that they are durations, even if they only grow.
    pub(super) are_durations: bool,
    /// The position of the column with the starts, and the milliseconds of its unit.
    pub(super) start: Option<(usize, f64)>,
    /// The columns that may have the time of day.
    pub(super) times_of_day: Vec<usize>,
    /// Whether a row has figures of many frames, such as percentiles, instead of one frame.
    pub(super) are_figures: bool,
    /// The position of the column with the index of the frame.
    index: Option<usize>,
}

impl Columns {
    pub(super) fn of(names: &[String], options: &Options) -> Result<Self, Refusal> {
        let found = position(names, options).or_else(|| {
            let at = duration_without_unit(names).filter(|_| options.time.is_none())?;
            Some((at, None))
        });
        let (time, unit) = found.ok_or_else(|| {
            Refusal::new(match &options.time {
                Some(wanted) => format!("no column is named {wanted:?}; the file has {}", listed(names)),
                None => format!(
                    "no column has the frame time (looked for frame time, duration, delta time and time with a unit; the file has \
                     {}); `stats import --time COLUMN --unit ms` names it",
                    listed(names)
                ),
            })
        })?;
        let time_ms = options.unit_ms.or(unit).ok_or_else(|| {
            Refusal::new(format!(
                "the column {:?} has no unit in its name; --unit ms, s, us or ns tells it",
                names[time]
            ))
        })?;
        let start = names.iter().enumerate().find_map(|(at, name)| {
            let (words, ms) = words_and_ms(name);
            let is_start = at != time && STARTS.contains(&words.as_str());
            Some((at, ms.filter(|_| is_start)?))
        });
        let is_of_day = |name: &str| {
            TIMES_OF_DAY
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known))
        };
        let times_of_day = (0..names.len()).filter(|at| *at != time && is_of_day(&names[*at]));
        let index = names.iter().position(|name| {
            ["frame", "frame index", "frame offset", "index"]
                .iter()
                .any(|index| name.eq_ignore_ascii_case(index))
        });
        let words = words_and_ms(&names[time]).0;
        Ok(Self {
            time,
            time_ms,
            are_durations: DURATIONS.contains(&words.as_str()),
            start,
            times_of_day: times_of_day.collect(),
            are_figures: names[0].eq_ignore_ascii_case("percentile"),
            index: index.filter(|at| *at != time),
        })
    }

    /// Returns whether a column is a part of the clock.
    pub(super) fn is_clock(&self, at: usize) -> bool {
        at == self.time
            || Some(at) == self.index
            || self.start.is_some_and(|(start, _)| start == at)
    }
}

/// Returns the position of the column with the times, and the milliseconds of its unit if the name
/// has one; `None` if no name is asked for or known.
pub(super) fn position(names: &[String], options: &Options) -> Option<(usize, Option<f64>)> {
    let Some(wanted) = &options.time else {
        return known_time(names).map(|(at, ms)| (at, Some(ms)));
    };
    let is_wanted = |name: &str| name.eq_ignore_ascii_case(wanted);
    let mut all = names.iter();
    let whole = all.position(|name| is_wanted(name));
    let at = whole.or_else(|| {
        names
            .iter()
            .position(|name| is_wanted(path_and_unit(name).0))
    })?;
    Some((at, words_and_ms(&names[at]).1))
}

/// Returns the position of the column with the times, and the milliseconds of its unit; `None` if
/// none has a known name with a unit.
pub(super) fn known_time(names: &[String]) -> Option<(usize, f64)> {
    // FRAPS. People add columns with figures of their own.
    if let [index, time, ..] = names
        && index.eq_ignore_ascii_case("frame")
        && time.eq_ignore_ascii_case("time (ms)")
    {
        return Some((1, 1.0));
    }
    let all: Vec<_> = names.iter().map(|name| words_and_ms(name)).collect();
    DURATIONS.iter().chain(&TIMES).find_map(|known| {
        let named = all
            .iter()
            .enumerate()
            .filter(|(_, (words, _))| words == known);
        named.filter_map(|(at, (_, ms))| Some((at, (*ms)?))).next()
    })
}

/// Returns the position of the column with how long frames took, whose name has no unit.
fn duration_without_unit(names: &[String]) -> Option<usize> {
    let mut known = DURATIONS.iter();
    known.find_map(|known| {
        let mut names = names.iter();
        names.position(|name| words_and_ms(name).0 == *known)
    })
}

/// Returns the words of a name without its unit of time, and the milliseconds of this unit. Other
/// brackets, as of `Frame Time (GPU) (ms)`, stay.
fn words_and_ms(name: &str) -> (String, Option<f64>) {
    let (path, unit) = path_and_unit(name);
    if path.contains(['(', '[']) {
        return (path.to_lowercase(), ms_of(unit));
    }
    let words = words(path);
    // `frameTimeMs`
    if unit.is_empty()
        && let Some((words, unit)) = words.rsplit_once(' ')
        && let Some(ms) = ms_of(unit)
    {
        return (words.to_owned(), Some(ms));
    }
    (words, ms_of(unit))
}

/// Splits a name from its unit: in brackets, or the last word.
pub(super) fn path_and_unit(name: &str) -> (&str, &str) {
    if let Some((path, rest)) = name.rsplit_once(['(', '['])
        && let Some(unit) = rest.trim_end().strip_suffix([')', ']'])
    {
        return (path.trim(), unit.trim());
    }
    if let Some((path, unit)) = name.rsplit_once([' ', '_'])
        && (ms_of(unit).is_some() || matches!(unit, "B" | "%" | "Hz" | "W" | "MHz" | "°C"))
    {
        return (path.trim(), unit);
    }
    (name, "")
}

/// Returns the milliseconds of a unit of time.
pub(crate) fn ms_of(unit: &str) -> Option<f64> {
    match unit.to_lowercase().as_str() {
        "s" | "sec" | "secs" | "seconds" => Some(1e3),
        "ms" | "msec" | "milliseconds" => Some(1.0),
        "us" | "µs" | "μs" | "usec" | "microseconds" => Some(1e-3),
        "ns" | "nsec" | "nanoseconds" => Some(1e-6),
        _ => None,
    }
}
