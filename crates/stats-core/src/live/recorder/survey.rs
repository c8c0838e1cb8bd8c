//! One pass over the totals of all series at the end of each frame, which shows which series are
//! active and which changed.
//!
//! It runs only while a caller asks for it. It sums block by block instead of slot by slot, so that
//! it reads memory in order.
//!
//! A survey first treats every slot as a counter, and then corrects the others. It compares totals a
//! line of the cache at a time: where none changed, it writes nothing. The loop over the slots of a
//! line has no branch, so that the compiler can vectorize it. A block that was still in the frame before
//! is compared in place if one thread at most ever counted there.
//!
//! A reader learns in which groups of slots no value changed, so that it can skip them.

use std::ops::Range;

use super::frame_clock::FrameClock;
use super::frame_value::FrameValue;
use crate::SeriesId;
use crate::limits::{PEEK_FRAMES, SURVEY_GROUP, SURVEY_GROWTH};
use crate::live::computed::{self, Computed};
use crate::live::counter::{self, BLOCK_CELLS, Spot, is_exact};
use crate::live::late::{LateReader, Purpose};
use crate::live::reentrancy::OWNER;
use crate::live::refusals::report_inexact;
use crate::live::registry::{Registry, generation, with_registry};
use crate::own_memory;
use crate::source::{self, NEVER, SurveyValue};

/// The totals of all series at the end of the newest frame, and the values computed from them. Each
/// list is by slot, so that the end of a frame reads and writes memory in order.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Meaningless for a slot whose total is not in cells.
    previous: Vec<f64>,
    /// NaN for a slot without a value.
    values: Vec<f64>,
    /// The frame of the last change, or [`NEVER`]: the low bits of its number. A change that is
    /// 2³² frames old seems new.
    changed: Vec<u32>,
    /// For each line of [`LINE`] slots, whether no total changed in the newest frame. The values are
    /// then those of the frame before: 0, except for slots that are corrected afterward.
    is_still: Vec<bool>,
    /// For each group of [`SURVEY_GROUP`] slots, whether each value is that of the frame before.
    still_groups: Vec<bool>,
    /// The slots whose value is the total itself.
    levels: Vec<u32>,
    /// The slots whose total is not in cells, in order.
    others: Vec<Other>,
    /// The slots without a series, whose values are unknown. Deferred and computed values are not here:
    /// they are set at the end of each frame, so that they can be compared with the frame before.
    unknown: Vec<u32>,
    /// The series whose values are deferred.
    late: Vec<SeriesId>,
    /// The series that are computed from others.
    computed: Vec<SeriesId>,
    /// The deferred values of earlier frames that became known at the end of the newest one.
    earlier: Vec<(SeriesId, SurveyValue)>,
    /// The sums of the cells of a block. Reused memory.
    sums: Vec<f64>,
    /// How to read new series, while they are added.
    new: Vec<Option<FrameValue>>,
    /// The generation of the listing whose series all have a row.
    generation: u64,
    /// The number of slots when rows were last added, at the end of a frame or on arming.
    slots: usize,
    asked: u64,
    is_armed: bool,
}

/// The number of slots that are compared at once. Their totals fill a line of the cache.
const LINE: usize = 8;

const _: () =
    assert!(BLOCK_CELLS.is_multiple_of(SURVEY_GROUP) && SURVEY_GROUP.is_multiple_of(LINE));

/// A slot whose total is not in cells.
#[derive(Clone, Copy, Debug)]
struct Other {
    slot: u32,
    frame_value: FrameValue,
    previous: f64,
    changed: u32,
}

impl Survey {
    /// Arms the survey, or keeps it armed, and returns what it knows.
    pub(super) fn ask(&mut self, clock: &FrameClock, late: &mut LateReader) -> source::Survey<'_> {
        self.asked = clock.next_frame();
        if !self.is_armed {
            self.is_armed = true;
            let _memory = own_memory(OWNER);
            self.learn_new_series(clock, late, None);
        }
        source::Survey::new(&self.values, &self.changed, self.asked)
            .with_earlier(&self.earlier)
            .with_still_groups(&self.still_groups)
    }

    /// Returns whether the survey takes values, and may therefore allocate at the end of a frame.
    pub(super) fn is_armed(&self) -> bool {
        self.is_armed
    }

    /// Returns the total of a slot at the end of the newest frame; `None` if it is not surveyed.
    pub(super) fn total_before_frame(&self, slot: u32) -> Option<f64> {
        if let Ok(at) = self.others.binary_search_by_key(&slot, |other| other.slot) {
            return Some(self.others[at].previous);
        }
        let is_known = self.values.get(slot as usize).is_some_and(|v| !v.is_nan());
        is_known.then(|| self.previous[slot as usize])
    }

    /// Takes the values of the frame that ended. Disarms itself if no caller has requested it
    /// lately.
    pub(super) fn end_frame(&mut self, frame: u64, clock: &FrameClock, late: &mut LateReader) {
        if !self.is_armed {
            return;
        }
        if frame.saturating_sub(self.asked) > PEEK_FRAMES {
            *self = Self::default();
            return;
        }
        let slots = self.values.len();
        for begin in (0..slots).step_by(BLOCK_CELLS) {
            self.end_frame_of(begin..slots.min(begin + BLOCK_CELLS), frame);
        }
        for &slot in &self.levels {
            let at = slot as usize;
            // Only a level that changes can be read between two changes.
            if self.changed[at] == frame as u32 {
                let before = self.previous[at] - self.values[at];
                self.previous[at] = counter::level(Spot::of(slot), before);
            }
            self.values[at] = self.previous[at];
        }
        for other in &mut self.others {
            let now = other.frame_value.total(clock);
            let value = other.frame_value.between(other.previous, now);
            if other.frame_value.has_changed(other.previous, now, value) {
                other.changed = frame as u32;
            }
            let slot = other.slot as usize;
            put(&mut self.values, &mut self.still_groups, slot, value);
            self.changed[slot] = other.changed;
            other.previous = now;
        }
        for &slot in &self.unknown {
            self.values[slot as usize] = f64::NAN;
        }
        for id in &self.late {
            late.ask(*id, Purpose::Survey, frame);
        }
    }

    /// Takes the cells of the slots of one block.
    fn end_frame_of(&mut self, slots: Range<usize>, frame: u64) {
        // The slices have the same length, so the loops check no index.
        let (first, len) = (slots.start, slots.len());
        let lines = first / LINE..(first + len).div_ceil(LINE);
        let groups = first / SURVEY_GROUP..(first + len).div_ceil(SURVEY_GROUP);
        let index = slots.start / BLOCK_CELLS;
        let still_groups = &mut self.still_groups[groups];
        let previous = &mut self.previous[slots.clone()][..len];
        if still_groups.iter().all(|is_still| *is_still) && is_unmoved(index, previous) {
            return;
        }
        self.sums.resize(BLOCK_CELLS, 0.0);
        let sums = &mut self.sums[..len];
        sum_up(index, sums);
        let values = &mut self.values[slots.clone()][..len];
        let changed = &mut self.changed[slots][..len];
        let mut are_same = [true; BLOCK_CELLS / LINE];
        let are_same = &mut are_same[..lines.len()];
        // Arrays, so that one instruction handles several slots.
        let (sum_lines, last_sums) = sums.as_chunks_mut::<LINE>();
        let (previous_lines, last_previous) = previous.as_chunks_mut::<LINE>();
        let (value_lines, last_values) = values.as_chunks_mut::<LINE>();
        let (changed_lines, last_changed) = changed.as_chunks_mut::<LINE>();
        let totals = sum_lines.iter_mut().zip(previous_lines);
        let rows = totals.zip(value_lines.iter_mut().zip(changed_lines));
        let mut at = first;
        let mut states = self.is_still[lines].iter_mut().zip(&mut *are_same);
        for (((sums, previous), (values, changed)), (is_still, are_same)) in rows.zip(&mut states) {
            *are_same = take_line(at, (sums, previous), (values, changed), is_still, frame);
            at += LINE;
        }
        if let Some((is_still, are_same)) = states.next() {
            let (totals, rows) = ((last_sums, last_previous), (last_values, last_changed));
            *are_same = take_line(at, totals, rows, is_still, frame);
        }
        let of_groups = are_same.chunks(SURVEY_GROUP / LINE);
        for (is_still, are_same) in still_groups.iter_mut().zip(of_groups) {
            *is_still = are_same.iter().fold(true, |all, is_same| all & is_same);
        }
    }

    /// Takes the deferred values that are known now, and adds rows for the series registered during
    /// the frame that ended.
    pub(super) fn take_late(&mut self, frame: u64, clock: &FrameClock, late: &mut LateReader) {
        self.earlier.clear();
        for id in &self.late {
            let passed = late.passed(*id).iter();
            self.earlier
                .extend(passed.map(|&(frame, value)| (*id, SurveyValue::new(value, Some(frame)))));
            let slot = id.number() as usize;
            let (value, changed) = late.surveyed(*id);
            let value = value.unwrap_or(f64::NAN);
            put(&mut self.values, &mut self.still_groups, slot, value);
            self.changed[slot] = changed.map_or(NEVER, |frame| frame as u32);
        }
        if self.is_armed && self.generation != generation() {
            self.learn_new_series(clock, late, Some(frame));
        }
    }

    /// Returns the series that are computed from others.
    pub(super) fn computed(&self) -> &[SeriesId] {
        &self.computed
    }

    /// Sets the values of a computed series that are known now; `None` if it is not read.
    pub(super) fn put_computed(&mut self, id: SeriesId, computed: Option<&Computed>) {
        let slot = id.number() as usize;
        let value = computed.and_then(|of| of.value).unwrap_or(f64::NAN);
        put(&mut self.values, &mut self.still_groups, slot, value);
        let changed = computed.and_then(|of| of.changed);
        self.changed[slot] = changed.map_or(NEVER, |frame| frame as u32);
        let passed = computed.map_or(&[][..], |of| &of.passed).iter();
        self.earlier
            .extend(passed.map(|&(frame, value)| (id, SurveyValue::new(value, Some(frame)))));
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
            if frame_value.is_none() {
                if late.hold(id, Purpose::Survey, clock.next_frame(), || None) {
                    self.late.push(id);
                } else if computed::find(id).is_some() {
                    self.computed.push(id);
                } else {
                    self.unknown.push(slot as u32);
                }
            }
            let first = ended.filter(|_| slot >= before);
            let total = frame_value.map_or(0.0, |value| value.total(clock));
            let value = frame_value.and_then(|value| first.map(|_| value.between(0.0, total)));
            let changed = first.filter(|_| total != 0.0);
            let changed = changed.map_or(NEVER, |frame| frame as u32);
            let slot = slot as u32;
            match *frame_value {
                Some(value) if !value.is_in_cells() => self.others.push(Other {
                    slot,
                    frame_value: value,
                    previous: total,
                    changed,
                }),
                Some(value) if !value.is_per_frame => {
                    reserve(&mut self.levels, 1);
                    self.levels.push(slot);
                }
                Some(_) | None => {}
            }
            self.previous.push(total);
            self.values.push(value.unwrap_or(f64::NAN));
            self.changed.push(changed);
        }
        // The line of the first new slot may have others.
        self.is_still.truncate(known / LINE);
        let lines = self.values.len().div_ceil(LINE);
        self.is_still.resize(lines, false);
        self.still_groups.truncate(known / SURVEY_GROUP);
        let groups = self.values.len().div_ceil(SURVEY_GROUP);
        self.still_groups.resize(groups, false);
        if self.values.len() >= slots {
            self.generation = generation;
            self.new = Vec::new();
        }
    }

    fn reserve(&mut self, rows: usize) {
        reserve(&mut self.previous, rows);
        reserve(&mut self.values, rows);
        reserve(&mut self.changed, rows);
    }
}

/// Makes room for more rows, with less spare capacity than `Vec` would add.
fn reserve<T>(list: &mut Vec<T>, rows: usize) {
    if list.capacity() - list.len() < rows {
        let spare = if list.is_empty() {
            0
        } else {
            (list.len() + rows) / 16
        };
        list.reserve_exact(rows + spare);
    }
}

/// Sets the value of a slot. If it is another one, its group is not still.
fn put(values: &mut [f64], still_groups: &mut [bool], slot: usize, value: f64) {
    // Unknown values have the same bits.
    if values[slot].to_bits() != value.to_bits() {
        values[slot] = value;
        still_groups[slot / SURVEY_GROUP] = false;
    }
}

/// Returns whether the first cells of a directory entry have the previous totals, if that can be told
/// without their sums: it has one block at most.
#[inline]
fn is_unmoved(index: usize, previous: &[f64]) -> bool {
    let (mut first, mut blocks) = (None, 0);
    counter::for_each_block(index, |block| {
        first = Some(block);
        blocks += 1;
    });
    match first {
        None => true,
        Some(block) if blocks == 1 => {
            // By their bits, because cells are atomic, so that floats could not be compared several
            // at once. 0 and -0 count as different, which only takes longer.
            let moved = block.cells().iter().zip(previous).map(|(cell, previous)| {
                let (now, before) = (cell.get().to_bits(), previous.to_bits());
                now ^ before
            });
            moved.fold(0, |any, moved| any | moved) == 0
        }
        Some(_) => false,
    }
}

/// Replaces `sums` with those of the first cells of all blocks of a directory entry.
#[inline]
fn sum_up(index: usize, sums: &mut [f64]) {
    let mut is_first = true;
    counter::for_each_block(index, |block| {
        let cells = sums.iter_mut().zip(block.cells());
        if std::mem::take(&mut is_first) {
            cells.for_each(|(sum, cell)| *sum = cell.get());
        } else {
            cells.for_each(|(sum, cell)| *sum += cell.get());
        }
    });
    if is_first {
        sums.fill(0.0);
    }
}

/// Takes the sums of consecutive slots from `first` on. Most totals do not change in a frame, and a
/// line without a change writes no memory. Returns whether the values are those of the frame before.
#[inline(always)]
fn take_line(
    first: usize,
    (sums, previous): (&mut [f64], &mut [f64]),
    (values, changed): (&mut [f64], &mut [u32]),
    is_still: &mut bool,
    frame: u64,
) -> bool {
    let len = sums.len();
    let (previous, values, changed) = (
        &mut previous[..len],
        &mut values[..len],
        &mut changed[..len],
    );
    let moved = sums.iter().zip(&*previous);
    if !moved.fold(false, |any, (sum, previous)| any | (sum != previous)) {
        let are_same = std::mem::replace(is_still, true);
        if !are_same {
            values.fill(0.0);
        }
        return are_same;
    }
    *is_still = false;
    let are_exact = sums.iter().fold(true, |all, sum| all & is_exact(*sum));
    if !are_exact {
        report_and_clamp(first, sums);
    }
    for at in 0..sums.len() {
        // The previous total is finite, so the difference from an exact sum is finite as well.
        values[at] = sums[at] - previous[at];
        let is_same = sums[at] == previous[at];
        changed[at] = if is_same { changed[at] } else { frame as u32 };
        previous[at] = sums[at];
    }
    if !are_exact {
        (values.iter_mut()).for_each(|value| *value = counter::clamp(*value));
    }
    false
}

/// Reports the sums of consecutive slots that are not exact, and clamps them.
#[cold]
fn report_and_clamp(first: usize, sums: &mut [f64]) {
    for (slot, sum) in (first..).zip(sums) {
        if !is_exact(*sum) {
            report_inexact(Spot::of(slot as u32), None);
        }
        *sum = counter::clamp(*sum);
    }
}
