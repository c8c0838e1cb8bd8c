//! Deferred values, which become known a few frames after theirs.

use stats_core::{Recorder, SeriesId, Watch};

use crate::blocks::LateValue;

/// The series with deferred values. Each has a history, from which its values are taken as they
/// become known.
#[derive(Debug, Default)]
pub(super) struct Deferred {
    series: Vec<DeferredColumn>,
}

#[derive(Debug)]
struct DeferredColumn {
    watch: Watch,
    /// The frame whose value is taken next.
    next: u64,
}

impl Deferred {
    /// Adds a series, whose first value is that of the current frame.
    pub(super) fn add(&mut self, recorder: &mut Recorder, id: SeriesId) {
        if self.series.iter().all(|series| series.watch.id() != id) {
            self.series.push(DeferredColumn {
                watch: recorder.watch(id),
                next: recorder.frames().end,
            });
        }
    }

    pub(super) fn len(&self) -> usize {
        self.series.len()
    }

    /// Removes the values of these series from a row, because they belong to earlier frames.
    pub(super) fn blank(&self, row: &mut [f64]) {
        for series in &self.series {
            if let Some(cell) = row.get_mut(series.watch.id().number() as usize) {
                *cell = f64::NAN;
            }
        }
    }

    /// Takes the values of frames before `end` that have become known. Returns the frame before
    /// which all are known.
    pub(super) fn take(&mut self, recorder: &Recorder, end: u64, late: &mut Vec<LateValue>) -> u64 {
        let mut known_end = end;
        for series in &mut self.series {
            let history = recorder.history(&series.watch, usize::MAX);
            let new = history.within(series.next..end);
            let slot = series.watch.id().number();
            late.extend(
                new.frames()
                    .zip(new.iter())
                    .map(|(frame, value)| LateValue { slot, frame, value }),
            );
            series.next = series.next.max(history.frames().end.min(end));
            known_end = known_end.min(series.next);
        }
        known_end
    }
}
