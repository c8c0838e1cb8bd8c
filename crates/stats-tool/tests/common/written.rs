//! Runs that tests write instead of recording them, so that each time is known. The test programs share
//! this file.
#![allow(dead_code, reason = "each program uses a part")]

use std::path::Path;

use stats_capture::{MarkKind, MarkRecord, RecordedKind, Run, SeriesRecord};
use stats_core::Frame;

/// A run under construction.
pub(crate) struct WrittenRun {
    pub(crate) run: Run,
    frames: Vec<Frame>,
    series: Vec<(SeriesRecord, Vec<f64>)>,
    marks: Vec<MarkRecord>,
}

impl WrittenRun {
    /// Begins a run of that number of frames, one after the other.
    pub(crate) fn new(frames: u64, duration_ms: impl Fn(u64) -> f64) -> Self {
        let mut now_secs = 0.0;
        let frame = |index| {
            let (start_secs, duration_ms) = (now_secs, duration_ms(index));
            now_secs += duration_ms / 1e3;
            Frame {
                index,
                start_secs,
                duration_ms,
            }
        };
        Self {
            run: Run::default(),
            frames: (0..frames).map(frame).collect(),
            series: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Adds a series. Returns its record, to complete it.
    pub(crate) fn series(
        &mut self,
        path: &str,
        kind: RecordedKind,
        unit: &str,
        value: impl Fn(u64) -> f64,
    ) -> &mut SeriesRecord {
        let mut record = SeriesRecord::default();
        (record.path, record.kind, record.unit) = (path.to_owned(), kind, unit.to_owned());
        let values = self.frames.iter().map(|frame| value(frame.index));
        self.series.push((record, values.collect()));
        let last = self.series.len() - 1;
        &mut self.series[last].0
    }

    /// Adds a timer. Returns its record, to complete it.
    pub(crate) fn timer(&mut self, path: &str, ms: impl Fn(u64) -> f64) -> &mut SeriesRecord {
        self.series(path, RecordedKind::Timer, "ms", ms)
    }

    /// Adds a timer without scopes in it, with its self time, on a thread.
    pub(crate) fn timer_on(&mut self, thread: &str, path: &str, ms: impl Fn(u64) -> f64) {
        self.timer(path, &ms).thread = Some(thread.to_owned());
        let own = self.series(&format!("{path}/self"), RecordedKind::TimerSelf, "ms", ms);
        (own.of, own.thread) = (Some(path.to_owned()), Some(thread.to_owned()));
    }

    /// Marks a frame.
    pub(crate) fn point(&mut self, name: &str, frame: u64) {
        let mut mark = MarkRecord::default();
        (mark.name, mark.kind) = (name.to_owned(), MarkKind::Point);
        (mark.begin, mark.end) = (frame, Some(frame + 1));
        self.marks.push(mark);
    }

    /// Writes the run as a capture.
    pub(crate) fn write(&self, file: impl AsRef<Path>) {
        stats_capture::write(file, &self.run, &self.frames, &self.series, &self.marks)
            .expect("it is writable");
    }
}
