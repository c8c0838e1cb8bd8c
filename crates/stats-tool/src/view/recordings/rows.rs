//! The frames of a recording that are not written yet.

use std::collections::HashSet;

use stats_core::{Frame, SeriesId, Source, Watch};

use super::columns::Recorded;

/// A column grows by this many values at a time, so that it takes no more memory than it says.
const STEP: usize = 1024;

/// The latest start of a frame in seconds, and the longest duration in milliseconds.
const MAX_TIME: f64 = 1e9;

/// The frames and the values that arrived.
///
/// A value may arrive after its frame. Each column ends where its history ends, and takes in the rest
/// when that arrives.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) frames: Vec<Frame>,
    pub(super) columns: Vec<RecordedColumn>,
    /// The series of the columns.
    pub(super) known: HashSet<SeriesId>,
    /// The frame after the last one that was looked at.
    pub(super) next_frame: u64,
}

/// The values of a series in the first of the frames.
#[derive(Debug)]
pub(super) struct RecordedColumn {
    pub(super) series: Recorded,
    watch: Watch,
    pub(super) values: Vec<f64>,
}

impl Rows {
    /// Begins after the frames that the source has now.
    pub(super) fn begin(source: &dyn Source) -> Self {
        Self {
            next_frame: source.frames().end,
            ..Self::default()
        }
    }

    /// Adds a series. Its value is unknown in the frames until now.
    pub(super) fn add(&mut self, series: Recorded, source: &mut dyn Source) {
        self.known.insert(series.id);
        self.columns.push(RecordedColumn {
            watch: source.watch(series.id),
            series,
            values: vec![f64::NAN; self.frames.len()],
        });
    }

    /// Takes in what arrived. A frame whose time is not known is left out.
    pub(super) fn take(&mut self, source: &dyn Source) {
        let kept = source.frames();
        for index in self.next_frame.max(kept.start)..kept.end {
            let is_time = |frame: &Frame| {
                frame.start_secs.abs() < MAX_TIME && (0.0..MAX_TIME).contains(&frame.duration_ms)
            };
            self.frames.extend(source.frame(index).filter(is_time));
        }
        self.next_frame = self.next_frame.max(kept.end);
        for column in &mut self.columns {
            column.take(source, &self.frames);
        }
    }

    /// Returns the bytes of all frames and values.
    pub(super) fn bytes(&self) -> usize {
        let row = size_of::<Frame>() + self.columns.len() * size_of::<f64>();
        self.frames.len() * row
    }

    /// Removes the first `rows` rows. Values that have not arrived are unknown.
    pub(super) fn cut(&mut self, rows: usize) -> (Vec<Frame>, Vec<Vec<f64>>) {
        let rest = self.frames.split_off(rows);
        let columns = self.columns.iter_mut().map(|column| {
            let rest = column.values.split_off(rows.min(column.values.len()));
            let mut values = std::mem::replace(&mut column.values, rest);
            values.resize(rows, f64::NAN);
            values
        });
        let columns = columns.collect();
        (std::mem::replace(&mut self.frames, rest), columns)
    }
}

impl RecordedColumn {
    fn take(&mut self, source: &dyn Source, frames: &[Frame]) {
        let known = source.history(&self.watch, usize::MAX);
        let end = known.frames().end;
        for frame in &frames[self.values.len()..] {
            if frame.index >= end {
                return;
            }
            if self.values.len() == self.values.capacity() {
                self.values.reserve_exact(STEP);
            }
            self.values.push(known.at(frame.index).unwrap_or(f64::NAN));
        }
    }
}
