//! The rows of one swap chain.

use super::clock::Clock;
use super::columns::Columns;
use super::{BadRows, Fields, consecutive, number, text};

/// The columns, in lower case, whose first row tells a fact about the run.
pub(super) const FACTS: [&str; 18] = [
    "processor",
    "cpu",
    "gpu",
    "gpu name",
    "os",
    "operating system",
    "gpudriverversion",
    "driverpackage",
    "driver version",
    "basedriverversion",
    "runtime",
    "presentruntime",
    "allowstearing",
    "comment",
    "user note",
    "systemram",
    "system ram",
    "resolution",
];

/// The maximum number of changes of the present mode that are kept.
const MAX_MODES: usize = 1024;

/// The rows of one swap chain.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) application: String,
    pub(super) process: String,
    /// The frame times in milliseconds.
    pub(super) durations: Vec<f64>,
    /// The times of the clock, in its unit; empty without one.
    times: Vec<f64>,
    /// By column of [`Columns::values`].
    pub(super) values: Vec<Vec<f64>>,
    /// By column of [`Columns::telemetry`].
    pub(super) telemetry: Vec<Steps>,
    /// The present mode from a frame on.
    pub(super) modes: Vec<(u64, String)>,
    /// The texts of the first row by the names of their columns.
    pub(super) facts: Vec<(String, String)>,
    /// The rows without a frame time.
    pub(super) bad: BadRows,
    /// The number of frames that the game did not make.
    pub(super) generated: u64,
    /// The bytes of the newest present mode.
    newest_mode: Vec<u8>,
}

impl Stream {
    pub(super) fn new(columns: &Columns, fields: &Fields, line: &[u8]) -> Self {
        let of = |at: Option<usize>| at.map_or(String::new(), |at| text(fields.get(line, at)));
        let facts = columns.names.iter().enumerate();
        let facts = facts.filter(|(_, name)| FACTS.contains(&name.as_str()));
        let facts = facts.map(|(at, name)| (name.clone(), text(fields.get(line, at))));
        Self {
            application: of(columns.application),
            process: of(columns.process),
            durations: Vec::new(),
            times: Vec::new(),
            values: vec![Vec::new(); columns.values.len()],
            telemetry: vec![Steps::default(); columns.telemetry.len()],
            modes: Vec::new(),
            facts: facts.collect(),
            bad: BadRows::default(),
            generated: 0,
            newest_mode: Vec::new(),
        }
    }

    /// Returns the number of frames of the game.
    pub(super) fn frames(&self) -> usize {
        self.durations.len()
    }

    pub(super) fn rows(&self) -> u64 {
        self.frames() as u64 + self.bad.count + self.generated
    }

    /// Takes a row. `line_number` counts from 1.
    pub(super) fn take(
        &mut self,
        columns: &Columns,
        fields: &Fields,
        line: &[u8],
        line_number: u64,
    ) {
        if let Some(at) = columns.frame_type {
            let kind = fields.get(line, at);
            if !matches!(kind, b"Application" | b"NotSet" | b"NA" | b"") {
                self.generated += 1;
                return;
            }
        }
        let field = fields.get(line, columns.frame_time);
        let rest_ms = columns
            .rest_of_frame
            .map(|at| number(fields.get(line, at)).unwrap_or(f64::NAN));
        let duration_ms = number(field).map(|ms| ms + rest_ms.unwrap_or(0.0));
        let Some(duration_ms) = duration_ms.filter(|ms| *ms >= 0.0) else {
            self.bad.note(line_number, field);
            return;
        };
        if let Some(at) = columns.present_mode {
            let mode = fields.get(line, at);
            if mode != self.newest_mode && self.modes.len() < MAX_MODES {
                self.newest_mode = mode.to_vec();
                self.modes.push((self.durations.len() as u64, text(mode)));
            }
        }
        self.durations.push(duration_ms);
        if let Some(clock) = columns.clock {
            self.times.push(clock.time(fields.get(line, clock.at)));
        }
        for (column, values) in columns.values.iter().zip(&mut self.values) {
            let value = number(fields.get(line, column.at));
            let known = value.filter(|value| !(column.series.is_zero_unknown && *value == 0.0));
            values.push(known.unwrap_or(f64::NAN));
        }
        let frame = self.durations.len() - 1;
        for ((at, _), steps) in columns.telemetry.iter().zip(&mut self.telemetry) {
            steps.take(frame, fields.get(line, *at));
        }
    }

    /// Returns when each frame began, in seconds.
    pub(super) fn starts(&self, columns: &Columns) -> Vec<f64> {
        let secs = |row: usize| self.durations[row] / 1e3;
        let clock: Option<Clock> = columns
            .clock
            .filter(|_| self.times.iter().any(|time| !time.is_nan()));
        let Some(clock) = clock else {
            return consecutive(&self.durations);
        };
        let per_second = clock.per_second(&self.times, &self.durations, columns.looks_forward);
        // Subtracted before the division, because a counter has more digits than a float.
        let origin = self
            .times
            .iter()
            .copied()
            .find(|time| !time.is_nan())
            .unwrap_or(0.0);
        let mut starts: Vec<f64> = Vec::with_capacity(self.times.len());
        for (row, time) in self.times.iter().enumerate() {
            let before = if clock.is_start || columns.looks_forward {
                0.0
            } else {
                secs(row)
            };
            let start = (time - origin) / per_second - before;
            let last = starts.last().copied();
            // A row without a time follows the one before it.
            starts.push(match last {
                _ if !start.is_nan() => start,
                Some(last) => last + secs(row - 1),
                None => -before,
            });
        }
        starts
    }
}

/// The values of a column that rarely changes, each with the first frame that has it.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    steps: Vec<(u32, f64)>,
    newest: Vec<u8>,
    /// The number of frames with a value.
    known: u32,
}

impl Steps {
    fn take(&mut self, frame: usize, field: &[u8]) {
        if self.steps.is_empty() || field != self.newest {
            self.newest.clear();
            self.newest.extend_from_slice(field);
            let value = number(field).unwrap_or(f64::NAN);
            self.steps.push((frame as u32, value));
        }
        self.known += u32::from(self.steps.last().is_some_and(|(_, value)| !value.is_nan()));
    }

    /// Returns the value of each frame. `None` if no frame has a value, or if only one of several has: then
    /// the value is a fact of the first row.
    pub(super) fn values(&self, frames: usize) -> Option<Vec<f64>> {
        if self.known < 2 && frames > 1 || self.known == 0 {
            return None;
        }
        let mut values = Vec::with_capacity(frames);
        for (at, (_, value)) in self.steps.iter().enumerate() {
            let end = self
                .steps
                .get(at + 1)
                .map_or(frames, |(next, _)| *next as usize);
            values.resize(end, *value);
        }
        Some(values)
    }
}
