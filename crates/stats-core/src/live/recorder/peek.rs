//! Values of series that are merely visible: only the last total is kept, not a history.

use super::frame_clock::FrameClock;
use super::frame_value::FrameValue;
use crate::SeriesId;
use crate::limits::PEEK_FRAMES;

/// The series that are peeked at.
#[derive(Debug, Default)]
pub(crate) struct Peeks {
    entries: Vec<Peek>,
    /// For each slot, the position in `entries` plus one; 0 if there is none. Blocks of slots,
    /// because few of many series are peeked at, and new memory takes time.
    positions: Vec<Option<Box<[u32; BLOCK]>>>,
}

/// The number of slots in a block of positions.
const BLOCK: usize = 1024;

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
        let slot = id.number() as usize;
        let block = self.positions.get(slot / BLOCK)?.as_ref()?;
        let at = block[slot % BLOCK].checked_sub(1)?;
        let peek = &mut self.entries[at as usize];
        peek.asked = frame;
        Some(peek.value)
    }

    /// Starts a peek, and returns the value that is known at once. `None` if the id names no series
    /// with a total.
    pub(crate) fn begin(&mut self, id: SeriesId, clock: &FrameClock) -> Option<Option<f64>> {
        let frame_value = FrameValue::of(id)?;
        let now = frame_value.total(clock);
        let value = (!frame_value.is_per_frame && !now.is_nan()).then_some(now);
        self.entries.push(Peek {
            id,
            frame_value,
            previous: now,
            value,
            asked: clock.next_frame(),
        });
        *self.position(id) = self.entries.len() as u32;
        Some(value)
    }

    /// Returns the place of a series' position.
    fn position(&mut self, id: SeriesId) -> &mut u32 {
        let slot = id.number() as usize;
        let block = slot / BLOCK;
        if block >= self.positions.len() {
            self.positions.resize_with(block + 1, || None);
        }
        let positions = self.positions[block].get_or_insert_with(|| Box::new([0; BLOCK]));
        &mut positions[slot % BLOCK]
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
            let value = peek.frame_value.between(peek.previous, now);
            peek.value = Some(value).filter(|value| !value.is_nan());
            peek.previous = now;
            at += 1;
        }
        if self.entries.is_empty() && !self.positions.is_empty() {
            *self = Self::default();
        }
    }

    fn forget(&mut self, at: usize) {
        let gone = self.entries.swap_remove(at);
        *self.position(gone.id) = 0;
        if let Some(moved) = self.entries.get(at) {
            let id = moved.id;
            *self.position(id) = at as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recorder, Source, counter};

    #[test]
    fn a_peek_takes_memory_for_its_block_alone() {
        let (mut peeks, clock) = (Peeks::default(), FrameClock::new(1));
        let path = |number| format!("peek block/{number}");
        (0..3 * BLOCK).for_each(|number| _ = counter(&path(number)));
        let last = Recorder::with_history(1)
            .find(&path(3 * BLOCK - 1))
            .unwrap();
        assert_eq!(peeks.ask(last, 1), None);
        assert_eq!(peeks.begin(last, &clock), Some(None));
        assert_eq!(peeks.ask(last, 1), Some(None));
        assert_eq!(peeks.positions.iter().flatten().count(), 1);
        peeks.forget(0);
        assert_eq!(peeks.ask(last, 1), None);
    }
}
