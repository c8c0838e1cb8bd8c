//! The values of all series in the last frames, whether they are on screen or not.
//!
//! They explain frames that were not noticed when they ended. They give a newly selected series a
//! history. Baseline A uses them for the series that are in no pane.

use std::collections::VecDeque;
use std::ops::Range;

use stats_analysis::insight::FrameValues;

/// The maximum memory of the values, in bytes.
const MAX_BYTES: usize = 16 << 20;
/// The maximum number of frames that are kept.
const MAX_FRAMES: usize = 4096;

/// A ring of frames: rows of values, all in one piece of memory.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    /// The frames with their durations, oldest first.
    frames: VecDeque<(u64, f64)>,
    values: Vec<f64>,
    /// The capacity of a row, in values.
    width: usize,
    /// The row of the oldest frame.
    first: usize,
}

impl Recent {
    /// Keeps a frame. Replaces the oldest frame if the ring is full.
    pub(crate) fn take(&mut self, frame: u64, ms: f64, values: &[f64]) {
        if values.len() > self.width {
            self.widen(values.len());
        }
        let capacity = self.capacity();
        let row = if self.frames.len() == capacity {
            self.frames.pop_front();
            let oldest = self.first;
            self.first = (self.first + 1) % capacity;
            oldest
        } else {
            self.frames.len()
        };
        let end = (row + 1) * self.width;
        if self.values.len() < end {
            // Reserve all memory at once, so that it does not grow for minutes. The system provides
            // the memory as it is filled.
            let all = capacity * self.width;
            self.values.reserve_exact(all - self.values.len());
            self.values.resize(end, f64::NAN);
        }
        self.frames.push_back((frame, ms));
        let row = &mut self.values[end - self.width..end];
        let (known, rest) = row.split_at_mut(values.len());
        known.copy_from_slice(values);
        rest.fill(f64::NAN);
    }

    /// Returns a copy of the kept frames in a range.
    pub(crate) fn part(&self, frames: Range<u64>) -> Self {
        let mut part = Self::default();
        for (at, (frame, ms)) in self.frames.iter().enumerate() {
            if frames.contains(frame) {
                part.take(*frame, *ms, self.row(at).values);
            }
        }
        part
    }

    /// Returns the kept frames in a range, oldest first.
    pub(crate) fn within(&self, frames: Range<u64>) -> impl Iterator<Item = FrameValues<'_>> {
        let from = self
            .frames
            .partition_point(|(frame, _)| *frame < frames.start);
        let to = self
            .frames
            .partition_point(|(frame, _)| *frame < frames.end);
        (from..to.max(from)).map(|at| self.row(at))
    }

    /// Returns the kept values of a series, given by its number, in a range, oldest first. Unknown
    /// values are NaN.
    pub(crate) fn column(&self, number: u32, frames: Range<u64>) -> impl Iterator<Item = f64> {
        self.within(frames).map(move |frame| {
            frame
                .values
                .get(number as usize)
                .copied()
                .unwrap_or(f64::NAN)
        })
    }

    /// Replaces the contents of `past` with the values of a series, given by its number, in the
    /// frames before `end`. Returns the first of these frames. Unknown values are NaN; the first
    /// value is always known.
    pub(crate) fn past(&self, number: u32, end: u64, past: &mut Vec<f64>) -> u64 {
        past.clear();
        let rows = self.frames.iter().map(|(frame, _)| *frame);
        let known = rows.zip(self.column(number, 0..u64::MAX));
        let mut known = known.filter(|(_, value)| !value.is_nan()).peekable();
        let first = known.peek().map_or(end, |(frame, _)| *frame);
        for (frame, value) in known {
            past.resize((frame - first) as usize, f64::NAN);
            past.push(value);
        }
        past.resize(end.saturating_sub(first) as usize, f64::NAN);
        first
    }

    fn row(&self, at: usize) -> FrameValues<'_> {
        let row = (self.first + at) % self.capacity();
        FrameValues {
            ms: self.frames[at].1,
            values: &self.values[row * self.width..(row + 1) * self.width],
        }
    }

    /// Returns the number of frames that fit.
    fn capacity(&self) -> usize {
        (MAX_BYTES / (size_of::<f64>() * self.width.max(1))).clamp(1, MAX_FRAMES)
    }

    /// Widens the rows, with spare capacity for further series. Forgets the frames that no longer
    /// fit.
    fn widen(&mut self, min_width: usize) {
        let before = std::mem::take(self);
        self.width = min_width + min_width / 8;
        let kept = before.frames.len().min(self.capacity());
        self.frames = VecDeque::with_capacity(self.capacity());
        for at in before.frames.len() - kept..before.frames.len() {
            let (frame, ms) = before.frames[at];
            self.take(frame, ms, before.row(at).values);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the frames that are kept, each as its duration and the values that are known.
    fn kept(recent: &Recent) -> Vec<(f64, Vec<f64>)> {
        let all = recent.within(0..u64::MAX);
        let known = |values: &[f64]| values.iter().copied().filter(|v| v.is_finite()).collect();
        all.map(|frame| (frame.ms, known(frame.values))).collect()
    }

    #[test]
    fn the_last_frames_are_kept_while_series_are_added() {
        let mut recent = Recent::default();
        let value = |frame: u64, at: usize| (frame * 1000 + at as u64) as f64;
        let mut all: Vec<(f64, Vec<f64>)> = Vec::new();
        for frame in 0..9000_u64 {
            let width = 1 + frame as usize / 30;
            let values: Vec<f64> = (0..width).map(|at| value(frame, at)).collect();
            recent.take(frame, frame as f64, &values);
            all.push((frame as f64, values.clone()));
            if frame % 500 == 499 {
                let kept = kept(&recent);
                assert!(kept.len() >= 4096.min(all.len()), "{}", kept.len());
                assert_eq!(kept, all[all.len() - kept.len()..]);
            }
        }
        let few: Vec<f64> = recent.within(8990..8993).map(|frame| frame.ms).collect();
        assert_eq!(few, [8990.0, 8991.0, 8992.0]);
        assert_eq!(recent.within(5..5).count(), 0);
    }

    #[test]
    fn many_series_are_kept_for_fewer_frames() {
        let mut recent = Recent::default();
        let values = vec![1.0; 100_000];
        (0..100).for_each(|frame| recent.take(frame, 1.0, &values));
        let bytes = recent.values.capacity() * size_of::<f64>();
        assert!(bytes <= MAX_BYTES, "{bytes}");
        assert_eq!(kept(&recent).len(), MAX_BYTES / (8 * 112_500));
    }
}
