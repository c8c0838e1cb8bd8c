//! One pass over the totals of all series at each frame's end, for questions about all of them:
//! which series are active, which changed.
//!
//! It runs only while somebody asks. It sums block by block instead of slot by slot, so that it
//! reads memory in order.

use super::frame_clock::FrameClock;
use super::total::Total;
use crate::SeriesId;
use crate::limits::PEEK_FRAMES;
use crate::live::counter::{self, BLOCK_CELLS};
use crate::live::late::{LateReader, Use};
use crate::live::registry::{Registry, generation, with_registry};
use crate::source::SurveyValue;

/// The totals of all series at the end of the newest frame, and the values that followed.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// By slot. Empty while nobody asks.
    rows: Vec<Row>,
    /// The series whose values are deferred.
    late: Vec<SeriesId>,
    generation: u64,
    asked: u64,
    is_armed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// `None` for slots without a series and for deferred values.
    total: Option<Total>,
    previous: f64,
    value: Option<f64>,
    changed: Option<u64>,
}

impl Survey {
    /// Arms the survey, or keeps it armed, and visits the series that have a value, in the order
    /// of their ids.
    pub(super) fn ask(
        &mut self,
        clock: &FrameClock,
        late: &mut LateReader,
        visit: &mut dyn FnMut(SeriesId, SurveyValue),
    ) {
        self.asked = clock.next_frame();
        if !self.is_armed {
            self.is_armed = true;
            self.learn_new_series(clock, late, None);
        }
        for (slot, row) in self.rows.iter().enumerate() {
            if let Some(value) = row.value {
                let last_change = row.changed;
                visit(
                    SeriesId::new(slot as u32),
                    SurveyValue { value, last_change },
                );
            }
        }
    }

    /// Takes the values of the frame that ended. Disarms itself if nobody has asked for a while.
    pub(super) fn end_frame(&mut self, frame: u64, clock: &FrameClock, late: &mut LateReader) {
        if !self.is_armed {
            return;
        }
        if frame.saturating_sub(self.asked) > PEEK_FRAMES {
            *self = Self::default();
            return;
        }
        for_each_total(&mut self.rows, clock, |row, now| {
            let Some(total) = row.total else { return };
            if now != row.previous {
                row.changed = Some(frame);
            }
            row.value = Some(total.frame_value(now, row.previous));
            row.previous = now;
        });
        for id in &self.late {
            late.ask(*id, Use::Survey, frame);
        }
    }

    /// Takes the deferred values that are known now, and adds rows for the series registered during
    /// the frame that ended.
    pub(super) fn take_late(&mut self, frame: u64, clock: &FrameClock, late: &mut LateReader) {
        for id in &self.late {
            let row = &mut self.rows[id.number() as usize];
            (row.value, row.changed) = late.surveyed(*id);
        }
        if self.is_armed && self.generation != generation() {
            self.learn_new_series(clock, late, Some(frame));
        }
    }

    /// Adds rows for series registered since the last call. They were registered during the frame
    /// `first`, so all that was counted for them belongs to it; without one, their first frame
    /// begins now.
    fn learn_new_series(&mut self, clock: &FrameClock, late: &mut LateReader, first: Option<u64>) {
        self.generation = generation();
        let new = self.rows.len() as u32..with_registry(Registry::slots);
        self.rows.extend(new.map(|slot| {
            let id = SeriesId::new(slot);
            let total = Total::of(id);
            if total.is_none() && late.hold(id, Use::Survey, clock.next_frame(), || None) {
                self.late.push(id);
            }
            let previous = total.map_or(0.0, |total| total.now(clock));
            Row {
                total,
                previous,
                value: total.and_then(|total| first.map(|_| total.frame_value(previous, 0.0))),
                changed: first.filter(|_| previous != 0.0),
            }
        }));
    }
}

/// Calls `visit` with every row and its total.
fn for_each_total(rows: &mut [Row], clock: &FrameClock, mut visit: impl FnMut(&mut Row, f64)) {
    for (index, rows) in rows.chunks_mut(BLOCK_CELLS).enumerate() {
        let mut sums = [0.0; BLOCK_CELLS];
        counter::for_each_block(index, |block| {
            for (offset, sum) in sums.iter_mut().enumerate().take(rows.len()) {
                *sum += block.cell(offset).get();
            }
        });
        for (row, sum) in rows.iter_mut().zip(sums) {
            let now = row.total.map_or(0.0, |total| {
                if total.is_in_cells() {
                    counter::clamp(sum)
                } else {
                    total.now(clock)
                }
            });
            visit(row, now);
        }
    }
}
