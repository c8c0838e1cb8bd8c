//! One pass over the totals of all series at each frame's end, for questions about all of them:
//! which series are active, which changed.
//!
//! It runs only while it is asked for. It sums block by block instead of slot by slot, so that it
//! reads memory in order.

use super::frame_clock::FrameClock;
use super::frame_value::FrameValue;
use crate::SeriesId;
use crate::limits::{PEEK_FRAMES, SURVEY_GROWTH};
use crate::live::counter::{self, BLOCK_CELLS};
use crate::live::late::{LateReader, Purpose};
use crate::live::registry::{Registry, generation, with_registry};
use crate::source::SurveyValue;

/// The totals of all series at the end of the newest frame, and the values that followed.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The state of each slot. Empty while there is no survey.
    rows: Vec<Row>,
    /// The series whose values are deferred.
    late: Vec<SeriesId>,
    /// The totals of new series, while they are added.
    new: Vec<Option<FrameValue>>,
    /// The generation of the listing whose series all have a row.
    generation: u64,
    /// The number of slots when rows were last added, at the end of a frame or on arming.
    slots: usize,
    asked: u64,
    is_armed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// `None` for slots without a series and for deferred values.
    frame_value: Option<FrameValue>,
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

    /// Takes the values of the frame that ended. Disarms itself if it was not asked for in a while.
    pub(super) fn end_frame(&mut self, frame: u64, clock: &FrameClock, late: &mut LateReader) {
        if !self.is_armed {
            return;
        }
        if frame.saturating_sub(self.asked) > PEEK_FRAMES {
            *self = Self::default();
            return;
        }
        for_each_total(&mut self.rows, clock, |row, now| {
            let Some(frame_value) = row.frame_value else {
                return;
            };
            if now != row.previous {
                row.changed = Some(frame);
            }
            row.value = Some(frame_value.between(row.previous, now));
            row.previous = now;
        });
        for id in &self.late {
            late.ask(*id, Purpose::Survey, frame);
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

    /// Adds rows for series without one, at most [`SURVEY_GROWTH`]. All that was counted for a
    /// series that was registered during the frame `ended` belongs to that frame. The first frame
    /// of the others begins now.
    fn learn_new_series(&mut self, clock: &FrameClock, late: &mut LateReader, ended: Option<u64>) {
        let known = self.rows.len();
        // Before the slots are read, so that none is missed.
        let generation = generation();
        let slots = with_registry(Registry::slots) as usize;
        let before = std::mem::replace(&mut self.slots, slots);
        self.rows.reserve(slots.saturating_sub(known));
        self.new.clear();
        while self.new.len() < SURVEY_GROWTH
            && FrameValue::of_some_slots((known + self.new.len()) as u32, &mut self.new)
        {}
        for (slot, frame_value) in (known..).zip(&self.new) {
            let id = SeriesId::new(slot as u32);
            if frame_value.is_none() && late.hold(id, Purpose::Survey, clock.next_frame(), || None)
            {
                self.late.push(id);
            }
            let first = ended.filter(|_| slot >= before);
            let total = frame_value.map_or(0.0, |value| value.total(clock));
            self.rows.push(Row {
                frame_value: *frame_value,
                previous: total,
                value: frame_value.and_then(|value| first.map(|_| value.between(0.0, total))),
                changed: first.filter(|_| total != 0.0),
            });
        }
        if self.rows.len() >= slots {
            self.generation = generation;
        }
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
            let now = row.frame_value.map_or(0.0, |value| {
                if value.is_in_cells() {
                    counter::clamp(sum)
                } else {
                    value.total(clock)
                }
            });
            visit(row, now);
        }
    }
}
