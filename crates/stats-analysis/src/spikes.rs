//! The spikes of one history, found incrementally.
//!
//! [`spike`](crate::spike) defines what a spike is. A track applies that rule once to each frame,
//! when the frame arrives, and remembers the verdict. Later queries are binary searches. A spike
//! keeps its verdict after the frames before it have left the history.
//!
//! The window of a track is sorted and moves along the series, so judging a frame takes a tenth of
//! a microsecond.

use std::collections::VecDeque;
use std::ops::Range;

use stats_core::FrameSlice;

use crate::spike::{Judge, Verdict};

/// All spikes of one history; see [`spike`](crate::spike) for the rule.
///
/// Takes 2 KiB, and 32 bytes per spike. Allocates nothing in the steady state. The default track is
/// empty.
#[derive(Clone, Debug, Default)]
pub struct SpikeTrack {
    /// The frame to judge next; `None` before the first update.
    next: Option<u64>,
    judge: Judge,
    spikes: VecDeque<Spike>,
}

/// A spike of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spike {
    /// The index of its frame.
    pub frame: u64,
    /// Its value, and the past that it stands out from.
    pub verdict: Verdict,
}

impl SpikeTrack {
    /// Judges the frames of `window` that are new to the track, oldest first.
    ///
    /// `window` is the series' history. At most `*allowance` frames are judged, and their number is
    /// subtracted from it; the next update continues there. Judging a frame takes about 0.1 µs.
    ///
    /// The track starts over if frames were skipped, or if `window` went back.
    pub fn update(&mut self, window: FrameSlice<'_>, allowance: &mut usize) {
        let held = window.frames();
        let follows = self
            .next
            .is_some_and(|next| held.start <= next && next <= held.end);
        if !follows {
            self.judge.clear();
            self.spikes.clear();
            self.next = Some(held.start);
        }
        while self
            .spikes
            .front()
            .is_some_and(|spike| spike.frame < held.start)
        {
            self.spikes.pop_front();
        }
        let next = self.next.unwrap_or(held.start);
        let end = held.end.min(next.saturating_add(*allowance as u64));
        let (older, newer) = window.within(next..end).as_slices();
        for (frame, &value) in (next..end).zip(older.iter().chain(newer)) {
            let verdict = self.judge.judge(value);
            self.spikes
                .extend(verdict.map(|verdict| Spike { frame, verdict }));
        }
        self.next = Some(end);
        *allowance -= (end - next) as usize;
    }

    /// Returns the first frame not judged yet; 0 before the first update.
    pub fn seen_until(&self) -> u64 {
        self.next.unwrap_or(0)
    }

    /// Iterates over the frames of all spikes, oldest first.
    pub fn spikes(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.spikes.iter().map(|spike| spike.frame)
    }

    /// Returns whether `frame` is a known spike. Performs a binary search.
    pub fn is_spike(&self, frame: u64) -> bool {
        self.find(frame).is_some()
    }

    /// Returns why `frame` is a spike, judged by its past when it was the newest frame; `None` if
    /// it is not a spike. Performs a binary search.
    pub fn verdict(&self, frame: u64) -> Option<Verdict> {
        self.find(frame).map(|spike| spike.verdict)
    }

    /// Returns the first spike after `frame`.
    pub fn next_after(&self, frame: u64) -> Option<u64> {
        let at = self.place(frame.saturating_add(1));
        self.spikes.get(at).map(|spike| spike.frame)
    }

    /// Returns the last spike before `frame`.
    pub fn before(&self, frame: u64) -> Option<u64> {
        let at = self.place(frame).checked_sub(1)?;
        self.spikes.get(at).map(|spike| spike.frame)
    }

    /// Iterates over the spikes within `frames`, oldest first.
    pub fn within(
        &self,
        frames: Range<u64>,
    ) -> impl DoubleEndedIterator<Item = Spike> + ExactSizeIterator + '_ {
        let from = self.place(frames.start);
        let to = self.place(frames.end).max(from);
        self.spikes.range(from..to).copied()
    }

    /// Returns the number of spikes before `frame`.
    fn place(&self, frame: u64) -> usize {
        self.spikes.partition_point(|spike| spike.frame < frame)
    }

    fn find(&self, frame: u64) -> Option<&Spike> {
        self.spikes
            .get(self.place(frame))
            .filter(|spike| spike.frame == frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spike::specified;
    use stats_testing::{Random, ring};

    const ALL: usize = usize::MAX;

    #[test]
    fn spikes_found_as_frames_arrive_follow_the_rule() {
        let mut random = Random::new(29);
        let mut found = 0;
        for _ in 0..24 {
            let values = random.series(900);
            let all: Vec<Spike> = specified(&values)
                .into_iter()
                .map(|(at, verdict)| Spike {
                    frame: at as u64,
                    verdict,
                })
                .collect();
            let (capacity, first) = (150 + random.below(400), random.below(50));
            let mut track = SpikeTrack::default();
            let mut end = first;
            while end < first + 900 {
                end = (end + 1 + random.below(150)).min(first + 900);
                let (older, newer, start) = ring(&values, first, end, capacity);
                let window = FrameSlice::new(start, &older, &newer);
                track.update(window, &mut ALL.clone());
                let expected: Vec<Spike> = all
                    .iter()
                    .map(|spike| Spike {
                        frame: spike.frame + first,
                        ..*spike
                    })
                    .filter(|spike| window.frames().contains(&spike.frame))
                    .collect();
                assert!(track.within(0..u64::MAX).eq(expected.iter().copied()));
                assert!(track.spikes().eq(expected.iter().map(|spike| spike.frame)));
                assert_eq!(track.seen_until(), end);
                for frame in window.frames() {
                    let here = expected.iter().find(|spike| spike.frame == frame);
                    assert_eq!(track.verdict(frame), here.map(|spike| spike.verdict));
                    let mut frames = expected.iter().map(|spike| spike.frame);
                    assert_eq!(track.next_after(frame), frames.find(|&spike| spike > frame));
                    let mut frames = expected.iter().map(|spike| spike.frame);
                    assert_eq!(track.before(frame), frames.rfind(|&spike| spike < frame));
                }
                let range = start + random.below(capacity)..start + random.below(capacity);
                let inside: Vec<Spike> = expected
                    .into_iter()
                    .filter(|spike| range.contains(&spike.frame))
                    .collect();
                assert_eq!(track.within(range.clone()).len(), inside.len());
                assert!(track.within(range).eq(inside));
                found += track.spikes().count();
            }
        }
        assert!(found > 500, "{found}");
    }

    #[test]
    fn judges_each_frame_once_and_no_more_than_allowed() {
        let mut values = vec![1.0; 1000];
        values[700] = 9.0;
        let window = FrameSlice::new(0, &values, &[]);
        let mut track = SpikeTrack::default();
        let mut allowance = 400;
        track.update(window, &mut allowance);
        assert_eq!((allowance, track.seen_until()), (0, 400));
        let mut allowance = 1000;
        track.update(window, &mut allowance);
        assert_eq!((allowance, track.seen_until()), (400, 1000));
        assert!(track.is_spike(700) && !track.is_spike(701));
        track.update(window, &mut allowance);
        assert_eq!(allowance, 400);
    }

    #[test]
    fn a_track_starts_over_with_another_history() {
        let mut values = vec![1.0; 500];
        (values[40], values[300]) = (9.0, 9.0);
        let mut track = SpikeTrack::default();
        let spikes = |track: &SpikeTrack| track.spikes().collect::<Vec<_>>();
        track.update(FrameSlice::new(0, &values, &[]), &mut ALL.clone());
        assert_eq!(spikes(&track), [40, 300]);
        track.update(FrameSlice::new(10_000, &values, &[]), &mut ALL.clone());
        assert_eq!(spikes(&track), [10_040, 10_300]);
        track.update(FrameSlice::new(0, &values[..50], &[]), &mut ALL.clone());
        assert_eq!(spikes(&track), [40]);
        track.update(FrameSlice::default(), &mut ALL.clone());
        assert_eq!(track.spikes().count(), 0);
    }

    #[test]
    fn spikes_keep_their_verdicts_after_their_past_has_left_the_history() {
        let mut values = vec![1.0; 400];
        values[200] = 9.0;
        let mut track = SpikeTrack::default();
        track.update(FrameSlice::new(0, &values, &[]), &mut ALL.clone());
        let rest = FrameSlice::new(195, &values[195..], &[]);
        track.update(rest, &mut ALL.clone());
        assert_eq!(specified(&values[195..]), []);
        assert_eq!(track.verdict(200).map(|verdict| verdict.value), Some(9.0));
    }

    #[test]
    fn a_track_allocates_nothing_once_its_history_is_full() {
        let values: Vec<f64> = (0..9000)
            .map(|frame| if frame % 10 == 0 { 9.0 } else { 1.0 })
            .collect();
        let mut track = SpikeTrack::default();
        let held = |end: usize| FrameSlice::new(end as u64 - 1000, &values[end - 1000..end], &[]);
        (1000..3000).for_each(|end| track.update(held(end), &mut ALL.clone()));
        let before = track.spikes.capacity();
        (3000..9000).for_each(|end| track.update(held(end), &mut ALL.clone()));
        assert_eq!(track.spikes.capacity(), before);
        assert_eq!(track.spikes.len(), 100);
    }
}
