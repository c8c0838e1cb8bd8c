//! The CSV of Unreal Engine's profiler, and of `stats export --to unreal-csv`.
//!
//! A row of names, a row for each frame, the row of names again, and a row of metadata that
//! alternates `[key]` and value. Rows grow when a statistic first appears, and only the names at the
//! end are complete. The file of a program that was killed has neither. Times are in milliseconds,
//! and a missing value is 0.

mod metadata;
#[cfg(test)]
mod tests;

use std::path::Path;

use stats_analysis::format::count_text;
use stats_capture::RecordedKind::{Gauge, Timer, TimerSelf};
use stats_capture::{Ended, MarkRecord};

use super::log::{Log, consecutive};
use super::text::{Fields, Lines, number, text};
use super::{BadRows, Format, Head, Options, Refusal, listed};
use metadata::Metadata;

pub(super) const FORMAT: Format = Format {
    name: "unreal-csv",
    program: "Unreal Engine",
    is,
    read,
    is_refused: false,
    is_strict: false,
};

/// The column with the events of a frame.
const EVENTS: &str = "EVENTS";

/// The column with the frame time.
const FRAME_TIME: &str = "FrameTime";

/// The maximum number of events that become marks.
const MAX_EVENTS: usize = 1 << 16;

fn is(head: &Head) -> bool {
    let Some(header) = head.lines.first() else {
        return false;
    };
    let has = |wanted: &str| header.split(',').any(|name| name.trim() == wanted);
    let is_with = || header.contains('/') || has("GameThreadTime") || has("RenderThreadTime");
    has(EVENTS) || (has(FRAME_TIME) && is_with())
}

fn read(file: &Path, _: &Options) -> Result<Vec<Log>, Refusal> {
    let mut lines = Lines::open(file).map_err(Refusal::Io)?;
    let mut fields = Fields::default();
    let mut names = match lines.next()? {
        Some(line) => {
            fields.split(line, b',');
            fields.texts(line)
        }
        None => return Err(Refusal::new("it is empty; record the run again")),
    };
    let mut rows = Rows::new(&names)?;
    let mut metadata = None;
    while lines.next()?.is_some() {
        let (line, line_number, is_complete) = lines.newest();
        if line.trim_ascii().is_empty() {
            continue;
        }
        if line.starts_with(b"[") {
            metadata = Some(Metadata::of(&text(line)));
            continue;
        }
        fields.split(line, b',');
        // The names at the end: the events and the frame time are where they were.
        if fields.get(line, rows.frame_time) == FRAME_TIME.as_bytes() {
            names = fields.texts(line);
            continue;
        }
        lines.check_size(rows.columns.len().max(fields.len()), rows.durations.len())?;
        let is_cut = !is_complete && fields.len() < rows.columns.len();
        if !is_cut {
            rows.take(&fields, line, line_number);
        }
    }
    rows.into_log(&names, metadata, file).map(|log| vec![log])
}

/// The rows of a file.
struct Rows {
    events: Option<usize>,
    frame_time: usize,
    /// By position: the first frame with a value, and the values from there on.
    columns: Vec<(usize, Vec<f64>)>,
    durations: Vec<f64>,
    marks: Vec<(u64, String)>,
    bad: BadRows,
    has_more_events: bool,
}

impl Rows {
    fn new(names: &[String]) -> Result<Self, Refusal> {
        let position = |name: &str| names.iter().position(|other| other == name);
        let frame_time = position(FRAME_TIME).ok_or_else(|| {
            Refusal::new(format!(
                "no column has the frame time (looked for {FRAME_TIME}; the file has {}); record again with the \
                 statistics of the frame",
                listed(names)
            ))
        })?;
        Ok(Self {
            events: position(EVENTS),
            frame_time,
            columns: vec![(0, Vec::new()); names.len()],
            durations: Vec::new(),
            marks: Vec::new(),
            bad: BadRows::default(),
            has_more_events: false,
        })
    }

    fn take(&mut self, fields: &Fields, line: &[u8], line_number: u64) {
        let frame = self.durations.len();
        let field = fields.get(line, self.frame_time);
        let Some(duration_ms) = number(field).filter(|ms| (0.0..1e9).contains(ms)) else {
            self.bad.note(line_number, field);
            return;
        };
        while self.columns.len() < fields.len() {
            self.columns.push((frame, Vec::new()));
        }
        for (at, (first, values)) in self.columns.iter_mut().enumerate() {
            if Some(at) != self.events && at != self.frame_time {
                // A shorter row has no value of the last columns.
                values.resize(frame - *first, f64::NAN);
                values.push(number(fields.get(line, at)).unwrap_or(f64::NAN));
            }
        }
        self.durations.push(duration_ms);
        let Some(at) = self.events else { return };
        let events = text(fields.get(line, at));
        for event in events
            .split(';')
            .map(str::trim)
            .filter(|event| !event.is_empty())
        {
            if self.marks.len() == MAX_EVENTS {
                self.has_more_events = true;
                return;
            }
            // Newer engines append the time: `Name##seconds`.
            let name = event.split_once("##").map_or(event, |(name, _)| name);
            self.marks.push((frame as u64, name.to_owned()));
        }
    }

    fn into_log(
        self,
        names: &[String],
        metadata: Option<Metadata>,
        file: &Path,
    ) -> Result<Log, Refusal> {
        let frames = self.durations.len();
        if frames == 0 {
            return Err(Refusal::new("it has no frames; record the run again"));
        }
        let mut log = Log::new("unreal csv");
        log.said.push(format!(
            "unreal csv: {}",
            count_text(frames as u64, "frame", "frames")
        ));
        log.said.extend(self.bad.said(frames)?);
        log.set_frames(&consecutive(&self.durations), &self.durations)?;
        if metadata.is_none() {
            log.run.ended = Ended::Recovered;
            log.said.push(
                "the names and the metadata at the end are missing, as if the program was killed"
                    .to_owned(),
            );
        }
        let unnamed = self.columns.len().saturating_sub(names.len());
        if unnamed > 0 {
            let (one, many) = (
                "column that appears later has no name and was left out",
                "columns that appear later have no name and were left out",
            );
            log.said.push(count_text(unnamed as u64, one, many));
        }
        if self.has_more_events {
            log.said
                .push(format!("events after the first {MAX_EVENTS} were left out"));
        }
        let target_fps = metadata.as_ref().and_then(Metadata::target_fps);
        let budget_ms = target_fps.map(|fps| 1e3 / fps);
        for ((at, (first, values)), name) in self.columns.into_iter().enumerate().zip(names) {
            if Some(at) == self.events || at == self.frame_time || name.is_empty() {
                continue;
            }
            let mut all = vec![f64::NAN; first];
            all.extend(values);
            all.resize(frames, f64::NAN);
            if all.iter().any(|value| !value.is_nan()) {
                add(&mut log, name, all, budget_ms);
            }
        }
        add_marks(&mut log, self.marks);
        log.set_started_at(file);
        if let Some(metadata) = metadata {
            metadata.describe(&mut log);
        }
        Ok(log)
    }
}

/// Adds a column.
fn add(log: &mut Log, name: &str, values: Vec<f64>, budget_ms: Option<f64>) {
    match name {
        "GameThreadTime" => log.add("frame/cpu", Timer, "ms", values).budget = budget_ms,
        "GPUTime" => log.add("gpu/frame", Timer, "ms", values).budget = budget_ms,
        "MemoryFreeMB" => {
            let mib = (1 << 20) as f64;
            let bytes = values.into_iter().map(|value| value * mib).collect();
            log.add("machine/memory free", Gauge, "B", bytes);
        }
        _ => {
            let mut parts = name.splitn(3, '/');
            match (parts.next(), parts.next(), parts.next()) {
                (Some("Exclusive"), Some(thread), Some(scope)) => {
                    let record = log.add(scope, TimerSelf, "ms", values);
                    record.thread = Some(thread.to_owned());
                    record.wait = scope.ends_with("Wait");
                }
                (Some("GPU"), Some(scope), None) => {
                    _ = log.add(&format!("gpu/{scope}"), Timer, "ms", values)
                }
                _ => {
                    let unit = if name.ends_with("Time") && !name.contains('/') {
                        "ms"
                    } else {
                        ""
                    };
                    log.add(name, Gauge, unit, values);
                }
            }
        }
    }
}

/// Adds the events as points, or as a span from `NAME` to `NAME ends`, as our own export writes it.
fn add_marks(log: &mut Log, events: Vec<(u64, String)>) {
    let ends: std::collections::HashSet<&str> = events
        .iter()
        .filter_map(|(_, name)| name.strip_suffix(" ends"))
        .collect();
    let mut open: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    for (frame, name) in &events {
        if let Some(at) = name
            .strip_suffix(" ends")
            .and_then(|name| open.remove(name))
        {
            log.marks[at].end = Some(*frame);
        } else if ends.contains(name.as_str()) && !open.contains_key(name.as_str()) {
            open.insert(name, log.marks.len());
            let mut mark = MarkRecord::default();
            (mark.name, mark.begin) = (name.clone(), *frame);
            log.marks.push(mark);
        } else {
            log.point(name, *frame);
        }
    }
}
