//! Frames that wait for deferred values, or for the next batch.

use std::collections::{BTreeSet, VecDeque};

use arrow_buffer::NullBuffer;

use super::columns::Columns;
use crate::blocks::{Block, FrameRow};
use crate::journal::{Event, StreamColumn};
use crate::metadata::RecordedKind;

const NANOSECONDS_PER_MS: f64 = 1e6;

/// Frames that are not in the journal yet, as columns.
#[derive(Debug, Default)]
pub(super) struct Pending {
    frames: Vec<FrameRow>,
    /// By column, then by frame; NaN for a missing value.
    values: Vec<Vec<f64>>,
    /// In the order of frames.
    events: VecDeque<(u64, Event)>,
    /// The spans that are open after the frames released so far.
    open: BTreeSet<String>,
}

/// Frames for the journal.
#[derive(Debug)]
pub(super) struct Released {
    pub(super) clock: [Vec<i64>; 3],
    pub(super) events: Vec<Option<String>>,
    pub(super) columns: Vec<StreamColumn>,
}

impl Pending {
    /// Adds the rows of a block, and fills in late values of earlier rows.
    pub(super) fn take(&mut self, block: &Block, columns: &Columns) {
        self.values.resize_with(columns.len(), Vec::new);
        let known = self.frames.len();
        for values in &mut self.values {
            values.resize(known + block.frames.len(), f64::NAN);
        }
        let mut begin = 0;
        for (row, frame) in (known..).zip(&block.frames) {
            let values = block
                .values
                .get(begin..frame.values_end)
                .unwrap_or_default();
            begin = frame.values_end;
            for (slot, value) in (0..).zip(values) {
                if let Some(at) = columns.position(slot) {
                    self.values[at][row] = *value;
                }
            }
        }
        self.frames.extend_from_slice(&block.frames);
        for late in &block.late {
            let row = self
                .frames
                .binary_search_by_key(&late.frame, |row| row.frame);
            if let (Ok(row), Some(at)) = (row, columns.position(late.slot)) {
                self.values[at][row] = late.value;
            }
        }
    }

    /// Adds an event of a frame, after the earlier events of that frame.
    pub(super) fn add_event(&mut self, frame: u64, event: Event) {
        let at = self.events.partition_point(|(before, _)| *before <= frame);
        self.events.insert(at, (frame, event));
    }

    /// Begins the open spans again in the next frame, for a journal that begins with it.
    pub(super) fn begin_open_spans(&mut self) {
        for name in &self.open {
            self.events.push_front((0, Event::Begin(name.clone())));
        }
    }

    /// Removes all events, and returns those that end a span: they belong to the unfinished last
    /// frame.
    pub(super) fn last_events(&mut self) -> Vec<Event> {
        let events = std::mem::take(&mut self.events).into_iter();
        events
            .map(|(_, event)| event)
            .filter(|event| matches!(event, Event::End(_)))
            .collect()
    }

    /// Returns the newest frame that would be released now.
    pub(super) fn newest_known(&self, known_end: u64) -> Option<u64> {
        let known = self.known(known_end).checked_sub(1)?;
        Some(self.frames[known].frame)
    }

    /// Returns the number of frames before `known_end`.
    fn known(&self, known_end: u64) -> usize {
        self.frames.partition_point(|row| row.frame < known_end)
    }

    /// Removes and returns the frames before `known_end`, at most `max_rows` of them; `None` if
    /// there are none. Updates `are_double`: for each column, whether it has had a number that is
    /// not whole.
    pub(super) fn release(
        &mut self,
        known_end: u64,
        max_rows: usize,
        columns: &Columns,
        are_double: &mut Vec<bool>,
    ) -> Option<Released> {
        let rows = self.known(known_end).min(max_rows);
        if rows == 0 {
            return None;
        }
        let events = self.release_events(rows);
        let clock = |of: fn(&FrameRow) -> i64| self.frames[..rows].iter().map(of).collect();
        let clock = [
            clock(|row| row.frame as i64),
            clock(|row| row.start_ns),
            clock(|row| row.duration_ns),
        ];
        self.frames.drain(..rows);
        are_double.resize(columns.len(), false);
        let released = self.values.iter_mut().enumerate().map(|(at, values)| {
            let column = stream_column(&values[..rows], columns.kind(at), are_double[at]);
            are_double[at] = !column.is_whole();
            values.drain(..rows);
            column
        });
        Some(Released {
            clock,
            events,
            columns: released.collect(),
        })
    }

    /// Removes and returns the events of the first `rows` rows. An event of a dropped frame moves
    /// to the next row.
    fn release_events(&mut self, rows: usize) -> Vec<Option<String>> {
        let mut released = vec![None; rows];
        let mut events = Vec::new();
        for (row, released) in self.frames[..rows].iter().zip(&mut released) {
            while let Some((_, event)) = self.events.pop_front_if(|(frame, _)| *frame <= row.frame)
            {
                note_open(&mut self.open, &event);
                events.push(event);
            }
            if !events.is_empty() {
                // Cannot fail: all map keys are strings, and no `Serialize` here is fallible.
                *released = serde_json::to_string(&events).ok();
                events.clear();
            }
        }
        released
    }
}

/// Tracks which spans are open. Beginning an open span again changes nothing.
fn note_open(open: &mut BTreeSet<String>, event: &Event) {
    match event {
        Event::Begin(name) if !open.contains(name) => _ = open.insert(name.clone()),
        Event::End(name) => _ = open.remove(name),
        _ => {}
    }
}

/// Returns values as whole numbers if all of them are whole and `is_double` is not set.
fn stream_column(values: &[f64], kind: RecordedKind, is_double: bool) -> StreamColumn {
    let has_nulls = values.iter().any(|value| value.is_nan());
    let nulls =
        has_nulls.then(|| NullBuffer::from_iter(values.iter().map(|value| !value.is_nan())));
    let whole = if is_double {
        None
    } else {
        values.iter().map(|value| whole(*value, kind)).collect()
    };
    match whole {
        Some(whole) => StreamColumn::Whole(whole, nulls),
        None => StreamColumn::Double(values.to_vec(), nulls),
    }
}

/// Returns the whole number that is stored for a value: a time is rounded to nanoseconds, and NaN
/// becomes 0. `None` if the value is not whole, or does not fit.
fn whole(value: f64, kind: RecordedKind) -> Option<i64> {
    /// 2⁶³, the first number that is too large.
    const END: f64 = 9_223_372_036_854_775_808.0;
    if value.is_nan() {
        return Some(0);
    }
    let number = if kind.is_time() {
        (value * NANOSECONDS_PER_MS).round()
    } else {
        value
    };
    let is_whole = number.trunc() == number && (-END..END).contains(&number);
    is_whole.then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::whole;
    use crate::metadata::RecordedKind::{Counter, Timer};

    #[test]
    fn a_number_is_whole_if_it_is_stored_without_loss() {
        let end = 2_f64.powi(63);
        for (value, stored) in [
            (0.0, Some(0)),
            (-0.0, Some(0)),
            (1.5, None),
            (-3.0, Some(-3)),
            (f64::NAN, Some(0)),
            (-end, Some(i64::MIN)),
            (end, None),
            (end - 1024.0, Some(i64::MAX - 1023)),
            (f64::MAX, None),
            (f64::MIN_POSITIVE, None),
        ] {
            assert_eq!(whole(value, Counter), stored, "{value}");
        }
    }

    #[test]
    fn a_time_is_rounded_to_nanoseconds() {
        assert_eq!(whole(1.5, Timer), Some(1_500_000));
        assert_eq!(whole(0.000_000_6, Timer), Some(1));
        assert_eq!(whole(1e13, Timer), None);
    }
}
