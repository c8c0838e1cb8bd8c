//! One pass over the totals of all series at each frame's end, to find out which series are active
//! and which changed.
//!
//! It runs only while a caller asks for it. It sums block by block instead of slot by slot, so that
//! it reads memory in order.

use std::ops::Range;

use super::frame_clock::FrameClock;
use super::frame_value::FrameValue;
use crate::SeriesId;
use crate::limits::{PEEK_FRAMES, SURVEY_GROWTH};
use crate::live::counter::{self, BLOCK_CELLS};
use crate::live::late::{LateReader, Purpose};
use crate::live::registry::{Registry, generation, with_registry};
use crate::source::SurveyValue;

/// The totals of all series at the end of the newest frame, and the values computed from them. Each
/// list is by slot, so that the end of a frame reads and writes memory in order.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// `None` for slots without a series and for deferred values. Empty while there is no survey.
    frame_values: Vec<Option<FrameValue>>,
    kinds: Vec<Kind>,
    previous: Vec<f64>,
    /// NaN for those without a value.
    values: Vec<f64>,
    /// The frame of the last change, or [`NEVER`].
    changed: Vec<u64>,
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

/// The frame of a change that never happened.
const NEVER: u64 = u64::MAX;

/// How the value of a slot is computed at the end of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Not from a total.
    None,
    /// The difference of two sums of cells.
    Difference,
    /// The sum of cells.
    Level,
    /// As described by its [`FrameValue`].
    Other,
}

impl Kind {
    fn of(frame_value: Option<FrameValue>) -> Self {
        match frame_value {
            None => Self::None,
            Some(value) if !value.is_in_cells() => Self::Other,
            Some(value) if value.is_per_frame => Self::Difference,
            Some(_) => Self::Level,
        }
    }
}

impl Survey {
    /// Arms the survey, or keeps it armed, and returns the values by the number of their series; NaN
    /// for those without one.
    pub(super) fn values(&mut self, clock: &FrameClock, late: &mut LateReader) -> &[f64] {
        self.asked = clock.next_frame();
        if !self.is_armed {
            self.is_armed = true;
            self.learn_new_series(clock, late, None);
        }
        &self.values
    }

    /// Like [`values`](Self::values), but visits the series that have a value, in the order of their
    /// ids.
    pub(super) fn ask(
        &mut self,
        clock: &FrameClock,
        late: &mut LateReader,
        visit: &mut dyn FnMut(SeriesId, SurveyValue),
    ) {
        self.values(clock, late);
        for (slot, (&value, &changed)) in (0..).zip(self.values.iter().zip(&self.changed)) {
            if !value.is_nan() {
                let last_change = (changed != NEVER).then_some(changed);
                visit(SeriesId::new(slot), SurveyValue { value, last_change });
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
        let mut sums = [0.0; BLOCK_CELLS];
        for begin in (0..self.values.len()).step_by(BLOCK_CELLS) {
            let end = self.values.len().min(begin + BLOCK_CELLS);
            let sums = &mut sums[..end - begin];
            sum_up(begin / BLOCK_CELLS, sums);
            self.end_frame_of(begin..end, sums, frame, clock);
        }
        for id in &self.late {
            late.ask(*id, Purpose::Survey, frame);
        }
    }

    /// Takes the values of some slots, whose cells have these sums.
    fn end_frame_of(&mut self, slots: Range<usize>, sums: &[f64], frame: u64, clock: &FrameClock) {
        // Slices of one length: no index is checked in the loop.
        let len = sums.len();
        let frame_values = &self.frame_values[slots.clone()][..len];
        let kinds = &self.kinds[slots.clone()][..len];
        let previous = &mut self.previous[slots.clone()][..len];
        let values = &mut self.values[slots.clone()][..len];
        let changed = &mut self.changed[slots][..len];
        for at in 0..len {
            let now = match kinds[at] {
                Kind::None => continue,
                Kind::Difference => {
                    let (mut now, mut value) = (sums[at], sums[at] - previous[at]);
                    // One check for both: the previous total is finite.
                    if !value.is_finite() {
                        now = counter::clamp(now);
                        value = counter::clamp(now - previous[at]);
                    }
                    values[at] = value;
                    now
                }
                Kind::Level => {
                    values[at] = counter::clamp(sums[at]);
                    values[at]
                }
                Kind::Other => {
                    let Some(frame_value) = frame_values[at] else {
                        continue;
                    };
                    let now = frame_value.total(clock);
                    values[at] = frame_value.between(previous[at], now);
                    now
                }
            };
            if now != previous[at] {
                changed[at] = frame;
                previous[at] = now;
            }
        }
    }

    /// Takes the deferred values that are known now, and adds rows for the series registered during
    /// the frame that ended.
    pub(super) fn take_late(&mut self, frame: u64, clock: &FrameClock, late: &mut LateReader) {
        for id in &self.late {
            let slot = id.number() as usize;
            let (value, changed) = late.surveyed(*id);
            self.values[slot] = value.unwrap_or(f64::NAN);
            self.changed[slot] = changed.unwrap_or(NEVER);
        }
        if self.is_armed && self.generation != generation() {
            self.learn_new_series(clock, late, Some(frame));
        }
    }

    /// Adds rows for series without one, at most [`SURVEY_GROWTH`]. For a series that was
    /// registered during the frame `ended`, everything counted so far belongs to that frame. For
    /// the others, the first frame begins now.
    fn learn_new_series(&mut self, clock: &FrameClock, late: &mut LateReader, ended: Option<u64>) {
        let known = self.values.len();
        // Before the slots are read, so that none is missed.
        let generation = generation();
        let slots = with_registry(Registry::slots) as usize;
        let before = std::mem::replace(&mut self.slots, slots);
        self.reserve(slots.saturating_sub(known));
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
            let value = frame_value.and_then(|value| first.map(|_| value.between(0.0, total)));
            self.frame_values.push(*frame_value);
            self.kinds.push(Kind::of(*frame_value));
            self.previous.push(total);
            self.values.push(value.unwrap_or(f64::NAN));
            self.changed
                .push(first.filter(|_| total != 0.0).unwrap_or(NEVER));
        }
        if self.values.len() >= slots {
            self.generation = generation;
        }
    }

    fn reserve(&mut self, rows: usize) {
        self.frame_values.reserve(rows);
        self.kinds.reserve(rows);
        self.previous.reserve(rows);
        self.values.reserve(rows);
        self.changed.reserve(rows);
    }
}

/// Replaces `sums` with those of the first cells of all blocks of a directory entry.
#[inline]
fn sum_up(index: usize, sums: &mut [f64]) {
    sums.fill(0.0);
    counter::for_each_block(index, |block| {
        for (offset, sum) in sums.iter_mut().enumerate() {
            *sum += block.cell(offset).get();
        }
    });
}
