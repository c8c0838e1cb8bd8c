//! The clock of a recorder: index, start and duration of its frames, and the time of their thread.

use std::ops::Range;

use crate::live::clock::Instant;
use crate::live::ring::{Ring, position};
use crate::live::thread_totals::ThreadTotals;
use crate::{Frame, FrameSlice, FrameTime};

/// Index, start and duration of the last frames.
#[derive(Debug)]
pub(crate) struct FrameClock {
    epoch: Instant,
    capacity: usize,
    next_frame: u64,
    /// The newest frame, which is read most; the rings have it, too.
    newest: Option<Frame>,
    /// When the current frame began, in seconds since the epoch.
    began_secs: f64,
    /// The duration of the last frame that took any time; 0 before it.
    last_ms: f64,
    starts_secs: Ring,
    durations_ms: Ring,
    pub(super) thread_totals: ThreadTotals,
}

impl FrameClock {
    pub(crate) fn new(capacity: usize) -> Self {
        let ring = |ordinal| Ring::new(capacity, 0, ordinal);
        let (starts_secs, durations_ms) = (ring(0), ring(1));
        Self {
            epoch: Instant::now(),
            capacity,
            next_frame: 0,
            newest: None,
            began_secs: 0.0,
            last_ms: 0.0,
            starts_secs,
            durations_ms,
            thread_totals: ThreadTotals::default(),
        }
    }

    pub(crate) fn now(&self) -> FrameTime {
        self.epoch.elapsed().into()
    }

    pub(crate) fn time_of(&self, moment: Instant) -> FrameTime {
        moment.saturating_duration_since(self.epoch).into()
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the index of the current frame.
    #[inline]
    pub(crate) fn next_frame(&self) -> u64 {
        self.next_frame
    }

    /// Returns the duration of the newest frame; NaN before the first.
    pub(crate) fn newest_ms(&self) -> f64 {
        self.newest.map_or(f64::NAN, |frame| frame.duration_ms)
    }

    /// Restarts the current frame: it begins now.
    pub(crate) fn restart_frame(&mut self) {
        self.began_secs = self.began_secs.max(self.now().as_secs());
        self.thread_totals.restart_frame();
    }

    /// Ends the current frame and returns its position in every ring. A time that is not finite, or
    /// that precedes the frame's start, ends the frame at its start.
    pub(crate) fn push(&mut self, end: FrameTime) -> usize {
        self.thread_totals.end_frame();
        let end = if end.as_secs().is_finite() {
            end.as_secs().max(self.began_secs)
        } else {
            self.began_secs
        };
        let at = position(self.next_frame, self.capacity);
        self.starts_secs.put(at, self.began_secs);
        let ms = (end - self.began_secs).min(f64::MAX / 1e3) * 1e3;
        self.durations_ms.put(at, ms);
        if ms > 0.0 {
            self.last_ms = ms;
        }
        self.newest = Some(Frame {
            index: self.next_frame,
            start_secs: self.began_secs,
            duration_ms: ms,
        });
        self.began_secs = end;
        self.next_frame += 1;
        at
    }

    /// Returns the rate of the last frame that took any time; 0 before it. Always finite.
    pub(crate) fn frames_per_second(&self) -> f64 {
        if self.last_ms > 0.0 {
            (1e3 / self.last_ms).min(f64::MAX)
        } else {
            0.0
        }
    }

    pub(crate) fn resize(&mut self, capacity: usize) {
        self.starts_secs = self.starts_secs.resized(capacity, self.next_frame);
        self.durations_ms = self.durations_ms.resized(capacity, self.next_frame);
        self.capacity = capacity;
    }

    #[inline]
    pub(crate) fn frames(&self) -> Range<u64> {
        self.durations_ms.frames(self.next_frame)
    }

    #[inline]
    pub(crate) fn frame(&self, index: u64) -> Option<Frame> {
        match self.newest {
            Some(frame) if frame.index == index => Some(frame),
            _ => self.earlier_frame(index),
        }
    }

    fn earlier_frame(&self, index: u64) -> Option<Frame> {
        let duration_ms = self.durations_ms(usize::MAX).at(index)?;
        let start_secs = self
            .starts_secs
            .window(self.next_frame, usize::MAX)
            .at(index)?;
        Some(Frame {
            index,
            start_secs,
            duration_ms,
        })
    }

    pub(crate) fn durations_ms(&self, frames: usize) -> FrameSlice<'_> {
        self.durations_ms.window(self.next_frame, frames)
    }
}
