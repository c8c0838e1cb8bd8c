//! One pass over the totals of all series, for questions about all of them.

use super::cells;
use super::frame_clock::FrameClock;
use super::late::{LateReader, Use};
use super::layout::BLOCK_CELLS;
use super::place::with_registry;
use super::registry::Registry;
use super::total::Total;
use crate::limits::PEEK_FRAMES;
use crate::source::SurveyValue;
use crate::{SeriesId, generation};

/// The totals of all series at the last frame, and what came of them.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// By slot. Empty while nobody asks.
    rows: Vec<Row>,
    /// Those of the rows whose values are late.
    late: Vec<SeriesId>,
    generation: u64,
    asked: u64,
    is_armed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// `None` for slots that hold no series, and those registered since the last frame.
    total: Option<Total>,
    previous: f64,
    value: Option<f64>,
    changed: Option<u64>,
}

const NOTHING: Row = Row {
    total: None,
    previous: 0.0,
    value: None,
    changed: None,
};

/// What a survey of all series knows; made by [`Recorder::survey`](crate::Recorder::survey).
#[derive(Clone, Copy, Debug)]
pub struct Survey<'a> {
    totals: &'a Totals,
}

impl Survey<'_> {
    /// The value of a series in the newest frame; `None` until a frame ends after the survey began
    /// or the series was registered. The first value is counted from there on.
    #[must_use]
    pub fn value(&self, id: SeriesId) -> Option<f64> {
        self.row(id)?.value
    }

    /// The newest frame since the survey began at whose end the series' total, level or value was
    /// another than at its start. Adds that cancel out, or a timer's call of no time, are no
    /// change.
    #[must_use]
    pub fn last_change(&self, id: SeriesId) -> Option<u64> {
        self.row(id)?.changed
    }

    /// Calls `visit` with every series that has a value, in the order of their ids. Linear in the
    /// number of all series.
    pub fn for_each(&self, mut visit: impl FnMut(SeriesId, SurveyValue)) {
        for (slot, row) in self.totals.rows.iter().enumerate() {
            if let Some(value) = row.value {
                visit(
                    SeriesId::new(slot as u32),
                    SurveyValue {
                        value,
                        last_change: row.changed,
                    },
                );
            }
        }
    }

    fn row(&self, id: SeriesId) -> Option<&Row> {
        self.totals.rows.get(id.number() as usize)
    }
}

impl Totals {
    /// Arms the survey, or keeps it armed.
    pub(crate) fn ask(&mut self, clock: &FrameClock, late: &mut LateReader) -> Survey<'_> {
        self.asked = clock.next_frame();
        if !self.is_armed {
            self.is_armed = true;
            self.learn_new_series(clock, late);
        }
        Survey { totals: self }
    }

    /// Takes the values of the frame that ended; stops when nobody has asked for a while.
    pub(crate) fn end_frame(&mut self, frame: u64, clock: &FrameClock, late: &mut LateReader) {
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

    /// Takes what is known of late values now, and learns what was registered since.
    pub(crate) fn take_late(&mut self, clock: &FrameClock, late: &mut LateReader) {
        for id in &self.late {
            let row = &mut self.rows[id.number() as usize];
            (row.value, row.changed) = late.surveyed(*id);
        }
        if self.is_armed && self.generation != generation() {
            self.learn_new_series(clock, late);
        }
    }

    /// Adds rows for what was registered since; their first frame begins now.
    fn learn_new_series(&mut self, clock: &FrameClock, late: &mut LateReader) {
        self.generation = generation();
        let new = self.rows.len() as u32..with_registry(Registry::slots);
        self.rows.extend(new.map(|slot| {
            let id = SeriesId::new(slot);
            let total = Total::of(id);
            if total.is_none() && late.hold(id, Use::Survey, clock.next_frame(), || None) {
                self.late.push(id);
            }
            Row {
                total,
                previous: total.map_or(0.0, |total| total.now(clock)),
                ..NOTHING
            }
        }));
    }
}

/// Calls `visit` with every row and its total, summing block by block rather than slot by slot.
fn for_each_total(rows: &mut [Row], clock: &FrameClock, mut visit: impl FnMut(&mut Row, f64)) {
    for (index, rows) in rows.chunks_mut(BLOCK_CELLS).enumerate() {
        let mut sums = [0.0; BLOCK_CELLS];
        cells::for_each_block(index, |block| {
            for (offset, sum) in sums.iter_mut().enumerate().take(rows.len()) {
                *sum += block.cell(offset).get();
            }
        });
        for (row, sum) in rows.iter_mut().zip(sums) {
            let now = row.total.map_or(0.0, |total| {
                if total.is_in_cells() {
                    cells::clamp(sum)
                } else {
                    total.now(clock)
                }
            });
            visit(row, now);
        }
    }
}
