//! Any table with a row for each frame: FRAPS, the frame times of Unity's Profile Analyzer, the
//! logs of engines, and `stats export --to csv`.
//!
//! The column with the times is known by its name, or named with `--time`. A name such as `frame
//! time` says that they are how long the frames took. With another name, numbers that only grow are
//! when the frames were, and *n* of them are *n* − 1 frames. The columns of a table without names are
//! `column 1` and so on.

mod columns;
#[cfg(test)]
mod tests;

use std::path::Path;

use stats_analysis::format::count_text;
use stats_capture::RecordedKind;

use super::log::{Log, consecutive};
use super::text::{Fields, Lines, delimiter_of, is_blank, number};
use super::{BadRows, Format, Head, Options, Refusal, sample_step};
use columns::Columns;

pub(super) const FORMAT: Format = Format {
    name: "csv",
    program: "a table of frame times",
    is,
    read,
    is_refused: false,
    is_strict: false,
};

/// The least number of times that only grow in a column of times of frames.
const MIN_GROWING: usize = 3;

/// The least number of times that grow for each one that falls, at which they are those of a clock.
const MIN_GROWN_PER_FALL: usize = 16;

fn is(head: &Head) -> bool {
    let Some(header) = head.lines.iter().find(|line| !line.is_empty()) else {
        return false;
    };
    let mut fields = Fields::default();
    fields.split(header.as_bytes(), delimiter_of(header.as_bytes()));
    columns::known_time(&fields.texts(header.as_bytes())).is_some()
}

fn read(file: &Path, options: &Options) -> Result<Vec<Log>, Refusal> {
    let mut lines = Lines::open(file).map_err(Refusal::Io)?;
    let mut fields = Fields::default();
    let (names, delimiter) = loop {
        match lines.next()? {
            Some(line) if line.trim_ascii().is_empty() => {}
            Some(line) => {
                let delimiter = delimiter_of(line);
                fields.split(line, delimiter);
                break (fields.texts(line), delimiter);
            }
            None => return Err(Refusal::new("it is empty; name another file")),
        }
    };
    let has_names = names
        .iter()
        .any(|name| number(name.as_bytes()).is_none() && !name.is_empty());
    let names = if has_names {
        names
    } else {
        (1..=names.len())
            .map(|number| format!("column {number}"))
            .collect()
    };
    let columns = Columns::of(&names, options)?;
    let mut rows = Rows {
        times: Vec::new(),
        lines: Vec::new(),
        of_day: Vec::new(),
        values: vec![Vec::new(); names.len()],
        bad: BadRows::default(),
    };
    // Without names, the first line is a row.
    let mut is_row = !has_names;
    loop {
        let (line, line_number, is_complete) = lines.newest();
        if is_row && !is_blank(line) {
            fields.split(line, delimiter);
            lines.check_size(names.len(), rows.times.len())?;
            if is_complete || fields.len() >= names.len() {
                rows.take(&columns, &fields, line, line_number);
            }
        }
        is_row = true;
        if lines.next()?.is_none() {
            break;
        }
    }
    rows.into_log(&columns, &names, file, options)
        .map(|log| vec![log])
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

/// Reads a text as a table.
#[cfg(test)]
fn read_text(text: &str, options: &Options) -> Result<Log, String> {
    let folder = stats_testing::Folder::new(&format!(
        "foreign-table-{}",
        options.time.as_deref().unwrap_or("none")
    ));
    let file = folder.0.join("run.csv");
    std::fs::write(&file, text).expect("a temporary file");
    let logs = read(&file, options).map_err(|refusal| refusal.to_string())?;
    logs.into_iter().next().ok_or_else(String::new)
}

/// The rows of a table.
struct Rows {
    /// In milliseconds.
    times: Vec<f64>,
    /// The numbers of the lines of the times.
    lines: Vec<u64>,
    /// The times of day, in seconds; empty if no row has one.
    of_day: Vec<f64>,
    /// By column; NaN for a field that is no number.
    values: Vec<Vec<f64>>,
    bad: BadRows,
}

impl Rows {
    fn take(&mut self, columns: &Columns, fields: &Fields, line: &[u8], line_number: u64) {
        let field = fields.get(line, columns.time);
        let Some(time) = number(field).filter(|time| *time >= 0.0) else {
            self.bad.note(line_number, field);
            return;
        };
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

    fn into_log(
        self,
        columns: &Columns,
        names: &[String],
        file: &Path,
        options: &Options,
    ) -> Result<Log, Refusal> {
        let mut log = Log::new("csv");
        let rows = self.times.len();
        if rows == 0 {
            return Err(Refusal::new(format!(
                "no row has a number in the column {:?}; --time names another column",
                names[columns.time]
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
        log.said.extend(left_out);
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
        if let Some((at, ms)) = columns.start
            && self.values[at].iter().all(|start| !start.is_nan())
        {
            return self.values[at]
                .iter()
                .map(|start| start * ms / 1e3)
                .collect();
        }
        consecutive(&self.times)
    }
}
