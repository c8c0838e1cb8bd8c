//! The history of one series.

use std::ops::Range;

use crate::FrameSlice;

/// Doubles in a cache line.
const LINE: usize = 8;

/// The number of different offsets, in cache lines, at which rings start. If their size is a
/// multiple of a page, rings would otherwise all start in the same set of the cache, and writing
/// one value to each would evict the others.
const SHIFTS: usize = 64;

/// The values of the last frames in one contiguous ring. The position of a frame depends only on
/// its index, so all rings of a recorder share the arithmetic.
#[derive(Debug)]
pub(crate) struct Ring {
    values: Box<[f64]>,
    /// The start of the ring within `values`.
    start: usize,
    first_frame: u64,
}

impl Ring {
    /// Returns a ring for `capacity` frames (1 or more) whose history begins with `first_frame`.
    /// The `ordinal` chooses its offset.
    pub(crate) fn new(capacity: usize, first_frame: u64, ordinal: usize) -> Self {
        let start = ordinal % SHIFTS * LINE;
        Self {
            values: vec![0.0; capacity + start].into(),
            start,
            first_frame,
        }
    }

    /// Returns the ring with the newest values of `past`, which ends before the first frame of the
    /// ring; unchanged if it ends elsewhere.
    pub(crate) fn with_past(mut self, past: FrameSlice<'_>) -> Self {
        let (capacity, end) = (self.capacity(), past.frames().end);
        if end != self.first_frame {
            return self;
        }
        self.first_frame = past.first_frame().max(end.saturating_sub(capacity as u64));
        for (frame, value) in past.frames().zip(past.iter()) {
            if frame >= self.first_frame {
                let value = if value.is_finite() { value } else { f64::NAN };
                self.put(position(frame, capacity), value);
            }
        }
        self
    }

    fn capacity(&self) -> usize {
        self.values.len() - self.start
    }

    /// Stores the value of a frame. Frames come in order, without gaps.
    #[inline]
    pub(crate) fn put(&mut self, position: usize, value: f64) {
        self.values[self.start + position] = value;
    }

    /// Returns the frames before `end` that the ring has.
    #[inline]
    pub(crate) fn frames(&self, end: u64) -> Range<u64> {
        let first = end.saturating_sub(self.capacity() as u64);
        first.max(self.first_frame).min(end)..end
    }

    /// Returns the newest `frames` of the frames before `end`, as far as the ring has them.
    pub(crate) fn window(&self, end: u64, frames: usize) -> FrameSlice<'_> {
        let first = end
            .saturating_sub(frames as u64)
            .max(self.frames(end).start);
        let values = &self.values[self.start..];
        if first == end {
            return FrameSlice::new(end, &[], &[]);
        }
        let (from, to) = (
            position(first, self.capacity()),
            position(end, self.capacity()),
        );
        if from < to {
            FrameSlice::new(first, &values[from..to], &[])
        } else {
            FrameSlice::new(first, &values[from..], &values[..to])
        }
    }

    /// Returns the history up to frame `end` in a ring of another capacity, which drops the oldest
    /// frames if it is smaller.
    pub(crate) fn resized(&self, capacity: usize, end: u64) -> Self {
        let mut ring = Self {
            values: vec![0.0; capacity + self.start].into(),
            ..*self
        };
        let window = self.window(end, capacity);
        for (frame, value) in window.frames().zip(window.iter()) {
            ring.put(position(frame, capacity), value);
        }
        ring.first_frame = window.first_frame();
        ring
    }
}

/// Returns the position of a frame in every ring of a capacity.
pub(crate) fn position(frame: u64, capacity: usize) -> usize {
    (frame % capacity as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::{Ring, position};
    use crate::FrameSlice;

    /// Returns a ring with frames `begin..end`, each with its own index as its value.
    fn filled(capacity: usize, begin: u64, end: u64) -> Ring {
        let mut ring = Ring::new(capacity, begin, 5);
        for frame in begin..end {
            ring.put(position(frame, capacity), frame as f64);
        }
        ring
    }

    #[test]
    fn a_window_has_the_newest_kept_frames_at_every_length_and_position() {
        for capacity in [1, 2, 3, 7, 8] {
            for begin in 0..10 {
                for end in begin..begin + 20 {
                    let ring = filled(capacity, begin, end);
                    for frames in 0..12 {
                        let window = ring.window(end, frames);
                        let held = (end - begin).min(capacity as u64).min(frames as u64);
                        let expected: Vec<f64> =
                            (end - held..end).map(|frame| frame as f64).collect();
                        assert_eq!(window.iter().collect::<Vec<_>>(), expected);
                        assert_eq!(window.frames(), end - held..end);
                    }
                }
            }
        }
    }

    #[test]
    fn a_past_before_the_first_frame_becomes_part_of_the_history() {
        for capacity in [1, 3, 8] {
            for (begin, first) in [(0, 0), (5, 0), (5, 3), (20, 0), (20, 19)] {
                let values: Vec<f64> = (first..begin).map(|frame| frame as f64).collect();
                let (older, newer) = values.split_at(values.len() / 3);
                let past = FrameSlice::new(first, older, newer);
                let mut ring = Ring::new(capacity, begin, 5).with_past(past);
                for frame in begin..begin + 4 {
                    let window = ring.window(frame, usize::MAX);
                    let from = first.max(frame.saturating_sub(capacity as u64));
                    let expected: Vec<f64> = (from..frame).map(|frame| frame as f64).collect();
                    assert_eq!(window.iter().collect::<Vec<_>>(), expected);
                    assert_eq!(window.first_frame(), from);
                    ring.put(position(frame, capacity), frame as f64);
                }
            }
        }
        let late = FrameSlice::new(2, &[1.0], &[]);
        let ring = Ring::new(8, 5, 0).with_past(late);
        assert!(
            ring.window(5, usize::MAX).is_empty(),
            "frames 3 and 4 are missing"
        );
    }

    #[test]
    fn resizing_keeps_the_newest_frames_and_never_restores_dropped_ones() {
        for (from, to) in [(8, 3), (3, 8), (1, 5), (5, 1), (4, 4)] {
            for end in 0..20 {
                let old = filled(from, 0, end);
                let new = old.resized(to, end);
                let kept = old.window(end, to);
                assert_eq!(new.window(end, usize::MAX).frames(), kept.frames());
                assert!(new.window(end, usize::MAX).iter().eq(kept.iter()));
            }
        }
    }
}
