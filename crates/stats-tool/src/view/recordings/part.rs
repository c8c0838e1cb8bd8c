//! Frames on their way to a file.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use stats_capture::{MarkKind, MarkRecord, SeriesRecord, unused_path};
use stats_core::{Frame, Mark, SeriesId};

use super::rows::Rows;
use crate::failure::Failure;
use crate::foreign::{Log, write};

/// The rows of a file, with everything that describes them.
#[derive(Debug)]
pub(super) struct RecordingPart {
    program: String,
    started_at: DateTime<Utc>,
    frames: Vec<Frame>,
    series: Vec<Described>,
    marks: Vec<MarkRecord>,
    /// The number of series without values, because the game sends no more.
    left_out: usize,
}

#[derive(Debug)]
struct Described {
    id: SeriesId,
    record: SeriesRecord,
    parent: Option<SeriesId>,
    of: Option<SeriesId>,
    values: Vec<f64>,
}

impl RecordingPart {
    /// Removes the first `rows` rows, and says when they began. `None` if there are none.
    pub(super) fn cut(rows: &mut Rows, count: usize, program: &str) -> Option<Self> {
        let newest = *rows.frames.last()?;
        let (frames, columns) = rows.cut(count);
        let first = frames.first()?;
        let age_ms = (newest.start_secs - first.start_secs) * 1e3 + newest.duration_ms;
        let age = chrono::TimeDelta::milliseconds(age_ms as i64);
        let now = Utc::now();
        let series = rows.columns.iter().zip(columns);
        let series = series.map(|(column, values)| Described {
            id: column.series.id,
            record: column.series.record.clone(),
            parent: column.series.parent,
            of: column.series.of,
            values,
        });
        Some(Self {
            program: program.to_owned(),
            started_at: now.checked_sub_signed(age).unwrap_or(now),
            series: series.collect(),
            frames,
            marks: Vec::new(),
            left_out: 0,
        })
    }

    /// Takes note of series that are not recorded, or that the game did not send.
    pub(super) fn leave_out(&mut self, series: usize) {
        self.left_out = series;
    }

    /// Adds the marks of its frames.
    pub(super) fn mark<'a>(&mut self, marks: impl Iterator<Item = &'a Mark>) {
        let (Some(first), Some(last)) = (self.frames.first(), self.frames.last()) else {
            return;
        };
        let (first, last) = (first.index, last.index);
        for mark in marks {
            let is_in = mark.frames.start <= last && mark.frames.end > first;
            if !is_in || mark.is_point && mark.frames.start < first {
                continue;
            }
            let mut record = MarkRecord::default();
            record.name.clone_from(&mark.name);
            record.kind = if mark.is_point {
                MarkKind::Point
            } else {
                MarkKind::Span
            };
            record.begin = mark.frames.start.saturating_sub(first);
            // A span that goes on after the last frame is open.
            let ends = mark.is_point || mark.frames.end <= last + 1;
            record.end = ends.then(|| mark.frames.end - first);
            self.marks.push(record);
        }
        self.marks.sort_by_key(|mark| mark.begin);
    }

    /// Writes the file, and returns its path.
    pub(super) fn write(self, folder: &Path) -> Result<PathBuf, Failure> {
        fs::create_dir_all(folder).map_err(Failure::writing(folder))?;
        let path = unused_path(folder, "run", self.started_at.into());
        write(&self.log(), &path)?;
        Ok(path)
    }

    fn log(self) -> Log {
        let first = self.frames.first().copied();
        let (index, start_secs) = first.map_or((0, 0.0), |first| (first.index, first.start_secs));
        let mut log = Log::new(&self.program);
        log.run.labels.clear();
        log.label("program", self.program);
        log.run.started_at = self.started_at.to_rfc3339_opts(SecondsFormat::Millis, true);
        log.frames = self.frames;
        for frame in &mut log.frames {
            frame.index -= index;
            frame.start_secs -= start_secs;
        }
        log.marks = self.marks;
        let mut names = HashMap::new();
        let mut others = Vec::new();
        for series in self.series {
            let mut record = series.record;
            let added = log.add(&record.path, record.kind, &record.unit, series.values);
            record.path = std::mem::take(&mut added.path);
            names.insert(series.id, record.path.clone());
            *added = record;
            others.push((series.parent, series.of));
        }
        let name = |id: Option<SeriesId>| id.and_then(|id| names.get(&id).cloned());
        for ((record, _), (parent, of)) in log.series.iter_mut().zip(others) {
            (record.parent, record.of) = (name(parent), name(of));
        }
        if self.left_out > 0 {
            log.label("series left out", self.left_out.to_string());
        }
        log
    }
}
