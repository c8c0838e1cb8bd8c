//! Values of series that are merely visible: only the last total is kept, not a history.

use super::frame_clock::FrameClock;
use super::frame_value::FrameValue;
use crate::SeriesId;
use crate::limits::PEEK_FRAMES;

/// The series that are peeked at.
#[derive(Debug, Default)]
pub(crate) struct Peeks {
    entries: Vec<Peek>,
    /// For each slot, the position in `entries` plus one; 0 if there is none.
    positions: Vec<u32>,
}

#[derive(Debug)]
struct Peek {
    id: SeriesId,
    frame_value: FrameValue,
    previous: f64,
    value: Option<f64>,
    asked: u64,
}

impl Peeks {
    /// Continues a peek in the frame `frame`. Returns the value of the newest frame; `None` if the
    /// series is not peeked at.
    pub(crate) fn ask(&mut self, id: SeriesId, frame: u64) -> Option<Option<f64>> {
        let at = self.positions.get(id.number() as usize)?.checked_sub(1)?;
        let peek = &mut self.entries[at as usize];
        peek.asked = frame;
        Some(peek.value)
    }

    /// Starts a peek, and returns the value that is known at once. `None` if the id names no series
    /// with a total.
    pub(crate) fn begin(&mut self, id: SeriesId, clock: &FrameClock) -> Option<Option<f64>> {
        let slot = id.number() as usize;
        let frame_value = FrameValue::of(id)?;
        let now = frame_value.total(clock);
        let value = (!frame_value.is_per_frame).then_some(now);
        if slot >= self.positions.len() {
            self.positions.resize(slot + 1, 0);
        }
        self.entries.push(Peek {
            id,
            frame_value,
            previous: now,
            value,
            asked: clock.next_frame(),
        });
        self.positions[slot] = self.entries.len() as u32;
        Some(value)
    }

    /// Takes the values of the frame that ended, and forgets the peeks that were not repeated.
    pub(crate) fn end_frame(&mut self, frame: u64, clock: &FrameClock) {
        let mut at = 0;
        while at < self.entries.len() {
            if frame.saturating_sub(self.entries[at].asked) > PEEK_FRAMES {
                self.forget(at);
                continue;
            }
            let peek = &mut self.entries[at];
            let now = peek.frame_value.total_after(peek.previous, clock);
            peek.value = Some(peek.frame_value.between(peek.previous, now));
            peek.previous = now;
            at += 1;
        }
        if self.entries.is_empty() && !self.positions.is_empty() {
            *self = Self::default();
        }
    }

    fn forget(&mut self, at: usize) {
        let gone = self.entries.swap_remove(at);
        self.positions[gone.id.number() as usize] = 0;
        if let Some(moved) = self.entries.get(at) {
            self.positions[moved.id.number() as usize] = at as u32 + 1;
        }
    }
}
