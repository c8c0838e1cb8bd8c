//! The values of consecutive frames that arrive in any order.

use std::collections::VecDeque;

use stats_core::FrameSlice;

/// The most frames that are kept.
pub(super) const MAX_FRAMES: u64 = 1 << 14;

/// The most values of all histories together: 128 MiB, for which histories that grew take up to twice as
/// much.
const MAX_VALUES: usize = 1 << 24;

/// Returns the number of frames that each of `histories` histories may keep.
pub(super) const fn frames_of_each(histories: usize) -> usize {
    let share = MAX_VALUES / if histories == 0 { 1 } else { histories };
    if share < MAX_FRAMES as usize {
        share
    } else {
        MAX_FRAMES as usize
    }
}

/// The most requests that hide frames.
const MAX_ASKED: usize = 64;

/// A history with room for fewer values is not made smaller.
const MIN_ROOM: usize = 1024;

/// The values of one series. A frame without a value has NaN.
///
/// Readers see no frame whose value may still arrive, and none after it: a value that was read never
/// changes.
#[derive(Debug, Default)]
pub(super) struct History {
    first_frame: u64,
    values: VecDeque<f64>,
    /// The first frames of the requests for the past that were not answered, oldest first.
    asked: VecDeque<u64>,
    /// The series, as the viewer numbers it.
    pub(super) series: u32,
    /// Whether values arrive late, so that the end of a history is no gap.
    pub(super) is_deferred: bool,
    /// Whether the values are those of the clock, which is kept elsewhere.
    pub(super) is_clock: bool,
}

impl History {
    pub(super) fn new(series: u32, is_deferred: bool) -> Self {
        Self {
            series,
            is_deferred,
            ..Self::default()
        }
    }

    /// Returns the frame after the last one.
    pub(super) fn end(&self) -> u64 {
        self.first_frame + self.values.len() as u64
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Stores the value of a frame. An unknown value replaces no other. Frames between it and those
    /// that are there are unknown; those that are too old are left out.
    pub(super) fn set(&mut self, frame: u64, value: f64) {
        if self.values.is_empty() {
            self.first_frame = frame;
        }
        if frame >= self.end() {
            if frame - self.end() >= MAX_FRAMES {
                // Everything that is there is too old.
                self.values.clear();
                self.first_frame = frame;
            }
            let missing = (frame + 1 - self.end()) as usize;
            self.values.extend(std::iter::repeat_n(f64::NAN, missing));
            while self.values.len() as u64 > MAX_FRAMES {
                self.values.pop_front();
                self.first_frame += 1;
            }
        }
        if frame < self.first_frame {
            if self.end() - frame > MAX_FRAMES {
                return;
            }
            for _ in frame..self.first_frame {
                self.values.push_front(f64::NAN);
            }
            self.first_frame = frame;
        }
        let place = &mut self.values[(frame - self.first_frame) as usize];
        if !value.is_nan() {
            *place = value;
        }
    }

    /// Forgets the oldest values if there are more than `frames`.
    pub(super) fn keep(&mut self, frames: usize) {
        let more = self.values.len().saturating_sub(frames);
        self.values.drain(..more);
        self.first_frame += more as u64;
        // It doubles when it grows, and may have room for many that are gone.
        if self.values.capacity() > 2 * frames.max(MIN_ROOM) {
            self.values.shrink_to(frames);
        }
    }

    /// Hides the frames from `frame` on until a further request is answered.
    pub(super) fn hold(&mut self, frame: u64) {
        if self.asked.len() == MAX_ASKED {
            self.asked.pop_front();
        }
        self.asked.push_back(frame);
    }

    /// Takes note that the oldest request was answered. Returns whether it was the last.
    pub(super) fn answered(&mut self) -> bool {
        self.asked.pop_front();
        self.asked.is_empty()
    }

    /// Shows all frames: no request will be answered.
    pub(super) fn release(&mut self) {
        self.asked.clear();
    }

    /// Returns the frame after the last that readers see.
    pub(super) fn shown_end(&self) -> u64 {
        let held = self.asked.iter().copied().min();
        held.unwrap_or(u64::MAX).min(self.end())
    }

    /// Returns the newest `frames` of the frames before `end` that readers see.
    pub(super) fn window(&self, end: u64, frames: usize) -> FrameSlice<'_> {
        let end = end.min(self.shown_end());
        let (older, newer) = self.values.as_slices();
        let all = FrameSlice::new(self.first_frame, older, newer);
        // Values that were not known when the history began are no part of it.
        let begin = end.saturating_sub(frames as u64);
        all.within(begin..end.max(begin))
    }

    /// Returns the value of a frame, also if an earlier one may still arrive. NaN if it is not known.
    pub(super) fn at(&self, frame: u64) -> f64 {
        let at = frame.checked_sub(self.first_frame);
        let value = at.and_then(|at| self.values.get(usize::try_from(at).ok()?));
        value.copied().unwrap_or(f64::NAN)
    }

    /// Drops the unknown values at the beginning.
    pub(super) fn trim(&mut self) {
        while self.values.front().is_some_and(|value| value.is_nan()) {
            self.values.pop_front();
            self.first_frame += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    fn values(history: &History) -> Vec<(u64, f64)> {
        let window = history.window(u64::MAX, usize::MAX);
        window.frames().zip(window.iter()).collect()
    }

    #[test]
    fn values_in_any_order_are_those_of_their_frames() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let (mut history, mut expected) =
                (History::default(), std::collections::BTreeMap::new());
            for _ in 0..random.below(40) {
                let frame = 100 + random.below(50);
                history.set(frame, frame as f64);
                expected.insert(frame, frame as f64);
            }
            for (frame, value) in values(&history) {
                let is_known = expected.remove(&frame) == Some(value);
                assert!(is_known || value.is_nan(), "{frame}: {value}");
            }
            assert!(expected.is_empty());
        }
    }

    #[test]
    fn memory_is_bounded_whatever_frames_arrive() {
        let mut random = Random::new(6);
        let mut history = History::default();
        for _ in 0..2000 {
            let far = 1 << random.below(60);
            history.set(random.below(far), 1.0);
            assert!(history.values.len() as u64 <= MAX_FRAMES);
        }
    }

    #[test]
    fn all_histories_together_have_a_bounded_number_of_values() {
        let mut before = usize::MAX;
        for histories in 0..5000 {
            let frames = frames_of_each(histories);
            assert!(frames * histories <= MAX_VALUES && frames <= before);
            before = frames;
        }
        // As many as a game sends by default have the longest history.
        assert_eq!(frames_of_each(1024), MAX_FRAMES as usize);
        let mut history = History::default();
        (0..MAX_FRAMES).for_each(|frame| history.set(frame, frame as f64));
        for frames in [5000, 4096, 100, 7, 0] {
            history.keep(frames);
            let kept: Vec<u64> = values(&history)
                .into_iter()
                .map(|(frame, _)| frame)
                .collect();
            assert!(kept.into_iter().eq(MAX_FRAMES - frames as u64..MAX_FRAMES));
            assert!(history.values.capacity() <= 2 * frames.max(MIN_ROOM));
            assert_eq!(history.end(), MAX_FRAMES);
        }
        history.set(MAX_FRAMES, 1.0);
        assert_eq!(values(&history), [(MAX_FRAMES, 1.0)]);
    }

    #[test]
    fn frames_whose_values_may_still_arrive_are_not_shown() {
        let mut history = History::default();
        (0..10).for_each(|frame| history.set(frame, 1.0));
        history.set(15, 1.0);
        history.hold(10);
        history.hold(12);
        assert_eq!(history.window(u64::MAX, usize::MAX).frames(), 0..10);
        (10..12).for_each(|frame| history.set(frame, 2.0));
        assert!(!history.answered());
        assert_eq!(history.window(u64::MAX, usize::MAX).frames(), 0..12);
        history.set(12, 2.0);
        assert!(history.answered());
        let window = history.window(u64::MAX, usize::MAX);
        assert_eq!(window.frames(), 0..16);
        assert_eq!(
            (window.at(12), window.at(13), window.at(15)),
            (Some(2.0), None, Some(1.0))
        );
        assert_eq!(history.window(13, 2).frames(), 11..13);
        assert_eq!(history.window(5, 0).frames(), 5..5);
    }
}
