//! The rows of one table.

use std::path::Path;

use stats_analysis::format::count_text;
use stats_capture::RecordedKind;

use super::super::log::{Log, consecutive, without_gaps};
use super::super::text::{Fields, names_in, number};
use super::super::{BadRows, Options, Refusal, sample_step};
use super::columns::{self, Columns};

/// The least number of times that only grow in a column of times of frames.
const MIN_GROWING: usize = 3;

/// Times are those of a clock if, for each time that falls, at least this many grow.
const MIN_GROWN_PER_FALL: usize = 16;

/// The rows of a table.
pub(super) struct Rows {
    pub(super) names: Vec<String>,
    columns: Columns,
    pub(super) delimiter: u8,
    /// In milliseconds.
    times: Vec<f64>,
    /// The numbers of the lines of the times.
    lines: Vec<u64>,
    /// The times of day, in seconds; empty if no row has one.
    of_day: Vec<f64>,
    /// By column; NaN for a field that is no number.
    values: Vec<Vec<f64>>,
    bad: BadRows,
    /// The rows in which a comma seems to split the time.
    split: SplitRows,
}

/// Rows in which a comma separates the fields and is the decimal point of the times, too.
#[derive(Debug, Default)]
struct SplitRows {
    count: usize,
    first_line: u64,
    /// Whether what follows the time begins with a zero, as decimals do and counts do not.
    has_zero: bool,
}

impl SplitRows {
    /// Returns whether most of `rows` are such rows. If all are, a further column without a name may
    /// have whole numbers, and the times may be whole if their unit is shorter than a millisecond.
    fn are_certain(&self, rows: usize, time_ms: f64) -> bool {
        2 * self.count > rows && (self.count < rows || self.has_zero || time_ms >= 1.0)
    }
}

impl Rows {
    pub(super) fn new(
        names: Vec<String>,
        delimiter: u8,
        options: &Options,
    ) -> Result<Self, Refusal> {
        Ok(Self {
            columns: Columns::of(&names, options)?,
            values: vec![Vec::new(); names.len()],
            names,
            delimiter,
            times: Vec::new(),
            lines: Vec::new(),
            of_day: Vec::new(),
            bad: BadRows::default(),
            split: SplitRows::default(),
        })
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// Returns the number of frames; 0 for figures of many frames.
    pub(super) fn frames(&self) -> usize {
        if self.columns.are_figures {
            0
        } else {
            self.times.len()
        }
    }

    /// Returns the table that a line begins: the line has other names than this table, and a known one.
    pub(super) fn next_table(
        &self,
        fields: &Fields,
        line: &[u8],
        options: &Options,
    ) -> Option<Self> {
        if number(fields.get(line, self.columns.time)).is_some() {
            return None;
        }
        let (names, delimiter) = names_in(line);
        let is_other = names != self.names && columns::position(&names, options).is_some();
        is_other.then(|| Self::new(names, delimiter, options).ok())?
    }

    pub(super) fn take(&mut self, fields: &Fields, line: &[u8], line_number: u64) {
        let columns = &self.columns;
        let field = fields.get(line, columns.time);
        let Some(time) = number(field).filter(|time| *time >= 0.0) else {
            self.bad.note(line_number, field);
            return;
        };
        if self.delimiter == b','
            && fields.len() > self.names.len()
            && is_split(fields, line, columns.time)
        {
            if self.split.count == 0 {
                self.split.first_line = line_number;
            }
            self.split.count += 1;
            let after = fields.get(line, columns.time + 1).trim_ascii();
            self.split.has_zero |= after.len() > 1 && after.starts_with(b"0");
        }
        self.times.push(time * columns.time_ms);
        self.lines.push(line_number);
        let mut of_day = columns.times_of_day.iter();
        self.of_day
            .extend(of_day.find_map(|at| time_of_day(fields.get(line, *at))));
        for (at, values) in self.values.iter_mut().enumerate() {
            if at != columns.time {
                values.push(number(fields.get(line, at)).unwrap_or(f64::NAN));
            }
        }
    }

    pub(super) fn into_log(mut self, file: &Path, options: &Options) -> Result<Log, Refusal> {
        let torn = self.leave_out_torn();
        let (columns, names) = (&self.columns, &self.names);
        if columns.are_figures {
            return Err(Refusal::new(
                "it contains figures, not frames; name the log with the frames",
            ));
        }
        let mut log = Log::new("csv");
        let rows = self.times.len();
        if rows == 0 {
            return Err(Refusal::new(format!(
                "no row has a number in the column {:?}; --time names another column",
                names[columns.time]
            )));
        }
        if self.split.are_certain(rows, columns.time_ms) {
            return Err(Refusal::new(format!(
                "line {} has more fields than names, as if a comma were also the decimal point; write numbers with a \
                 point, separate the fields with semicolons, or name all columns",
                self.split.first_line
            )));
        }
        let left_out = self.bad.said(rows)?;
        let only_grow = rows >= MIN_GROWING
            && self.times.windows(2).all(|pair| pair[0] <= pair[1])
            && self.times[0] < self.times[rows - 1];
        let are_moments = only_grow && !columns.are_durations;
        let name = &names[columns.time];
        let (mut starts, durations): (Vec<f64>, Vec<f64>) = if are_moments {
            log.said.push(format!(
                "csv: {} frames between the {rows} times in {name:?}",
                rows - 1
            ));
            let durations = self.times.windows(2).map(|pair| pair[1] - pair[0]);
            (
                self.times[..rows - 1].iter().map(|ms| ms / 1e3).collect(),
                durations.collect(),
            )
        } else {
            log.said.push(format!(
                "csv: {}, with the times in {name:?}",
                count_text(rows as u64, "frame", "frames")
            ));
            if only_grow {
                log.said.push(format!(
                    "the times in {name:?} only grow; if they are when the frames were, name the column \"time\""
                ));
            }
            log.said.extend(self.said_of_resets(name));
            (self.starts(columns), self.times.clone())
        };
        log.said.extend(left_out.into_iter().chain(torn));
        let cure = "record every frame";
        // A monitor of the hardware writes a row from time to time.
        if self.of_day.len() == rows && !are_moments && columns.start.is_none() {
            let of_day = &self.of_day;
            if sample_step("CSV", of_day, &durations, cure, options)?.is_some() {
                starts.clone_from(of_day);
            }
        }
        let step_ms = sample_step("CSV", &starts, &durations, cure, options)?;
        log.set_rows(&starts, &durations, step_ms)?;
        let frames = log.frames.len();
        for (at, mut values) in self.values.into_iter().enumerate() {
            values.truncate(frames);
            if columns.is_clock(at) || values.iter().all(|value| value.is_nan()) {
                continue;
            }
            let (path, unit) = columns::path_and_unit(&names[at]);
            log.add(path, RecordedKind::Gauge, unit, values);
        }
        log.set_started_at(file);
        Ok(log)
    }

    /// Leaves out the rows of a clock whose time is before those around it, such as a last row that was cut
    /// off: `18` of `18099.12`. Returns a sentence about them. Does nothing if the times fall for good, or if
    /// they do not grow in nearly all other rows, as those of a clock do.
    fn leave_out_torn(&mut self) -> Option<String> {
        if self.columns.are_durations || self.columns.are_figures {
            return None;
        }
        let (mut latest, mut grown) = (f64::NEG_INFINITY, 0);
        let mut torn = Vec::new();
        for (at, time) in self.times.iter().enumerate() {
            let next = self.times.get(at + 1);
            if *time >= latest {
                grown += usize::from(*time > latest);
                latest = *time;
            } else if next.is_none_or(|next| *next >= latest) {
                torn.push(at);
            } else {
                return None;
            }
        }
        let first = self.lines.get(*torn.first()?)?;
        if grown < MIN_GROWN_PER_FALL * torn.len() || 10 * grown < 9 * self.times.len() {
            return None;
        }
        let text = format!(
            "{} left out because the time falls there, as in a row that was cut off (first: line {first})",
            count_text(torn.len() as u64, "row was", "rows were"),
        );
        let mut columns = vec![&mut self.times, &mut self.of_day];
        columns.extend(&mut self.values);
        for values in columns {
            remove(values, &torn);
        }
        remove(&mut self.lines, &torn);
        Some(text)
    }

    /// Returns a sentence about times that grow but for a few falls, as those of a clock that began
    /// again.
    fn said_of_resets(&self, name: &str) -> Option<String> {
        let steps = self.times.windows(2);
        let lines = self.lines.iter().skip(1);
        let fallen: Vec<u64> = lines
            .zip(steps)
            .filter_map(|(line, pair)| (pair[1] < pair[0]).then_some(*line))
            .collect();
        let first = fallen.first()?;
        let grown = self.times.windows(2).filter(|pair| pair[0] < pair[1]);
        let is_clock = grown.count() >= MIN_GROWN_PER_FALL * fallen.len();
        is_clock.then(|| {
            let times = count_text(fallen.len() as u64, "time", "times");
            format!(
                "the times in {name:?} grow, but fall {times}, first in line {first}, as if a clock had begun again; they \
                 were read as how long the frames took. If they are when the frames were, split the file there"
            )
        })
    }

    /// Returns when the frames began, in seconds: from the column with the starts, or else one after
    /// the other.
    fn starts(&self, columns: &Columns) -> Vec<f64> {
        let known = columns.start.and_then(|(at, ms)| {
            let starts = self.values[at].iter();
            without_gaps(starts.map(|start| start * ms / 1e3).collect(), &self.times)
        });
        known.unwrap_or_else(|| consecutive(&self.times))
    }
}

/// Removes the values at some positions, which are sorted, from a column that has one for each row.
fn remove<T>(values: &mut Vec<T>, positions: &[usize]) {
    let mut at = 0;
    values.retain(|_| {
        at += 1;
        positions.binary_search(&(at - 1)).is_err()
    });
}

/// Returns whether a time is followed by what may be its decimals.
fn is_split(fields: &Fields, line: &[u8], time: usize) -> bool {
    [time, time + 1].into_iter().all(|at| {
        let field = fields.get(line, at).trim_ascii();
        !field.is_empty() && field.iter().all(u8::is_ascii_digit)
    })
}

/// Returns the time of day at the end of a field, such as `31.1.2024 12:34:56.789`, in seconds.
fn time_of_day(field: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(field).ok()?.trim();
    let time = text.rsplit([' ', 'T']).next()?;
    let mut parts = time.split(':').map(|part| number(part.as_bytes()));
    let mut next = || parts.next().flatten();
    let (hours, minutes, seconds) = (next()?, next()?, next()?);
    Some(hours * 3_600.0 + minutes * 60.0 + seconds)
}
