//! The spans over budget of one history, found incrementally.
//!
//! A series can stay over budget for many frames: the state begins in one frame and ends in
//! another. A span is a run of consecutive frames above a limit. [`OverBudgetTrack`] reads each
//! frame once, when it arrives.
//!
//! Being over budget is a state, not a spike. Otherwise, a program at 50 frames per second with a
//! budget of 1/60 s would mark every frame.

use std::collections::VecDeque;
use std::ops::Range;

use stats_core::FrameSlice;

/// The maximum number of frames read in one update, which takes about 30 µs.
const MAX_PER_UPDATE: u64 = 1 << 16;

/// The spans over budget of one history.
///
/// Takes 16 bytes per span. There is at most one span for every two frames. Allocates nothing in
/// the steady state. The default track is empty.
#[derive(Clone, Debug, Default)]
pub struct OverBudgetTrack {
    limit: Option<f64>,
    /// The first frame of the history, and the frame to read next.
    read: Range<u64>,
    /// Oldest first; no two of them touch.
    spans: VecDeque<Range<u64>>,
}

impl OverBudgetTrack {
    /// Reads the frames of `window`, the series' history, that are new to the track. A frame is
    /// over budget if its value exceeds `limit`; a NaN does not.
    ///
    /// A span that begins before `window` is cut, so the result equals that of reading `window`
    /// from scratch. At most 65,536 frames are read; the next update continues there. The track
    /// starts over when the limit changes, when frames are skipped, and when `window` moves back.
    pub fn update(&mut self, window: FrameSlice<'_>, limit: Option<f64>) {
        let held = window.frames();
        let follows = held.start >= self.read.start
            && (held.start..=held.end).contains(&self.read.end)
            && limit == self.limit;
        if !follows {
            self.spans.clear();
            self.read = held.start..held.start;
            self.limit = limit;
        }
        self.forget(held.start);
        let Some(limit) = limit else {
            self.read.end = held.end;
            return;
        };
        let next = self.read.end;
        self.read.end = held.end.min(next.saturating_add(MAX_PER_UPDATE));
        let (older, newer) = window.within(next..self.read.end).as_slices();
        for (frame, &value) in (next..).zip(older.iter().chain(newer)) {
            if value > limit {
                self.add(frame);
            }
        }
    }

    /// Drops the frames before `first`.
    fn forget(&mut self, first: u64) {
        self.read.start = first;
        while self.spans.front().is_some_and(|span| span.end <= first) {
            self.spans.pop_front();
        }
        if let Some(span) = self.spans.front_mut() {
            span.start = span.start.max(first);
        }
    }

    fn add(&mut self, frame: u64) {
        match self.spans.back_mut() {
            Some(span) if span.end == frame => span.end += 1,
            _ => self.spans.push_back(frame..frame + 1),
        }
    }

    /// Returns the first frame not read yet; 0 before the first update.
    pub fn seen_until(&self) -> u64 {
        self.read.end
    }

    /// Iterates over the spans that overlap `frames`, oldest first. Spans are not cut at the ends
    /// of `frames`.
    pub fn within(
        &self,
        frames: Range<u64>,
    ) -> impl DoubleEndedIterator<Item = Range<u64>> + ExactSizeIterator + '_ {
        let first = self.spans.partition_point(|span| span.end <= frames.start);
        let last = self.spans.partition_point(|span| span.start < frames.end);
        self.spans.range(first..last.max(first)).cloned()
    }

    /// Returns the span that contains `frame`. Performs a binary search.
    pub fn at(&self, frame: u64) -> Option<Range<u64>> {
        self.within(frame..frame.saturating_add(1)).next()
    }

    /// Returns the first frame of the first span that begins after `frame`.
    pub fn next_after(&self, frame: u64) -> Option<u64> {
        let next = self.spans.partition_point(|span| span.start <= frame);
        self.spans.get(next).map(|span| span.start)
    }

    /// Returns the first frame of the last span that begins before `frame`.
    pub fn before(&self, frame: u64) -> Option<u64> {
        let after = self.spans.partition_point(|span| span.start < frame);
        self.spans.get(after.checked_sub(1)?).map(|span| span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::{Random, ring};

    /// Returns the spans of a window, from scratch.
    fn specified(window: FrameSlice<'_>, limit: Option<f64>) -> Vec<Range<u64>> {
        let over = |frame: u64| {
            let value = window.at(frame);
            limit.is_some_and(|limit| value.is_some_and(|value| value > limit))
        };
        let starts = window
            .frames()
            .filter(|&frame| over(frame) && !(frame > 0 && over(frame - 1)));
        starts
            .map(|start| {
                let end = (start..).find(|&frame| !over(frame)).unwrap();
                start..end
            })
            .collect()
    }

    fn spans(track: &OverBudgetTrack) -> Vec<Range<u64>> {
        track.within(0..u64::MAX).collect()
    }

    #[test]
    fn spans_found_as_frames_arrive_are_those_found_from_scratch() {
        let mut random = Random::new(41);
        let mut found = 0;
        for _ in 0..40 {
            let values = random.series(900);
            let (capacity, first) = (150 + random.below(400), random.below(50));
            let mut limit = Some(random.below(40) as f64);
            let mut track = OverBudgetTrack::default();
            let mut end = first;
            while end < first + 900 {
                end = (end + 1 + random.below(90)).min(first + 900);
                if random.below(12) == 0 {
                    limit = (random.below(3) > 0).then(|| random.below(40) as f64);
                }
                let (older, newer, start) = ring(&values, first, end, capacity);
                let window = FrameSlice::new(start, &older, &newer);
                track.update(window, limit);
                let expected = specified(window, limit);
                assert_eq!(spans(&track), expected);
                assert_eq!(track.seen_until(), end);
                for frame in window.frames().step_by(7) {
                    assert_eq!(
                        track.at(frame),
                        expected.iter().find(|span| span.contains(&frame)).cloned()
                    );
                    let mut starts = expected.iter().map(|span| span.start);
                    assert_eq!(track.next_after(frame), starts.find(|&start| start > frame));
                    let mut starts = expected.iter().map(|span| span.start);
                    assert_eq!(track.before(frame), starts.rfind(|&start| start < frame));
                }
                found += expected.len();
            }
        }
        assert!(found > 5000, "{found}");
    }

    #[test]
    fn a_long_history_is_read_over_several_updates() {
        let values = vec![2.0; 100_000];
        let window = FrameSlice::new(0, &values, &[]);
        let mut track = OverBudgetTrack::default();
        track.update(window, Some(1.0));
        assert_eq!(spans(&track), std::slice::from_ref(&(0..MAX_PER_UPDATE)));
        track.update(window, Some(1.0));
        assert_eq!(spans(&track), std::slice::from_ref(&(0..100_000)));
        track.update(window, Some(2.0));
        track.update(window, Some(2.0));
        assert_eq!(spans(&track), [0..0; 0]);
    }

    #[test]
    fn a_track_starts_over_with_another_history() {
        let values = [1.0, 3.0, 3.0, 1.0, 3.0];
        let mut track = OverBudgetTrack::default();
        track.update(FrameSlice::new(100, &values, &[]), Some(2.0));
        assert_eq!(spans(&track), [101..103, 104..105]);
        track.update(FrameSlice::new(0, &values, &[]), Some(2.0));
        assert_eq!(spans(&track), [1..3, 4..5]);
        track.update(FrameSlice::new(900, &values, &[]), Some(2.0));
        assert_eq!(spans(&track), [901..903, 904..905]);
        track.update(FrameSlice::default(), Some(2.0));
        assert_eq!(spans(&track), [0..0; 0]);
    }

    #[test]
    fn a_track_allocates_nothing_once_its_history_is_full() {
        let values: Vec<f64> = (0..9000).map(|frame| f64::from(frame % 2)).collect();
        let mut track = OverBudgetTrack::default();
        let held = |end: usize| FrameSlice::new(end as u64 - 1000, &values[end - 1000..end], &[]);
        (1000..3000).for_each(|end| track.update(held(end), Some(0.5)));
        let before = track.spans.capacity();
        (3000..9000).for_each(|end| track.update(held(end), Some(0.5)));
        assert_eq!(track.spans.capacity(), before);
        assert_eq!(track.spans.len(), 500);
    }
}
