//! The spikes of the whole history, found a few frames at a time.

use std::collections::VecDeque;
use std::ops::Range;

use stats_core::limits::LATE_FRAMES;

/// The maximum number of values that are checked in one pass, which takes about a tenth of a
/// millisecond.
const CHECKS_A_PASS: usize = 4096;

/// The frames in which any of some series has a spike.
///
/// The newest frames are checked first. A full history takes several passes.
#[derive(Debug, Default)]
pub(super) struct SpikeTrack {
    /// Oldest first.
    frames: VecDeque<u64>,
    /// The checked frames.
    seen: Range<u64>,
    /// The revision of the series that were checked.
    revision: Option<u64>,
}

impl SpikeTrack {
    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    /// Returns the frames, oldest first.
    pub(super) fn frames(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.frames.iter().copied()
    }

    pub(super) fn contains(&self, frame: u64) -> bool {
        self.frames.binary_search(&frame).is_ok()
    }

    /// Checks frames that were not checked yet. `spike` decides for each of the `series`. If `late`
    /// is true, checks the newest [`LATE_FRAMES`] again.
    ///
    /// A different `revision` starts over.
    pub(super) fn look(
        &mut self,
        held: &Range<u64>,
        revision: u64,
        series: usize,
        late: bool,
        spike: &dyn Fn(usize, u64) -> bool,
    ) {
        self.forget(held, revision);
        if late {
            self.take_back(
                self.seen
                    .end
                    .saturating_sub(LATE_FRAMES)
                    .max(self.seen.start),
            );
        }
        let is_spike = |frame| (0..series).any(|at| spike(at, frame));
        let mut left = CHECKS_A_PASS / series.max(1) + 1;
        while self.seen.end < held.end && left > 0 {
            if is_spike(self.seen.end) {
                self.frames.push_back(self.seen.end);
            }
            self.seen.end += 1;
            left -= 1;
        }
        while self.seen.start > held.start && left > 0 {
            self.seen.start -= 1;
            if is_spike(self.seen.start) {
                self.frames.push_front(self.seen.start);
            }
            left -= 1;
        }
    }

    /// Drops frames that the history no longer has, or all frames if none of them are usable.
    fn forget(&mut self, held: &Range<u64>, revision: u64) {
        let fits = self.revision == Some(revision)
            && self.seen.end <= held.end
            && self.seen.end > held.start;
        if !fits {
            self.frames.clear();
            self.seen = held.end..held.end;
            self.revision = Some(revision);
        }
        self.seen.start = self.seen.start.max(held.start);
        while self.frames.front().is_some_and(|&frame| frame < held.start) {
            self.frames.pop_front();
        }
    }

    /// Marks the frames from `frame` on as unchecked.
    fn take_back(&mut self, frame: u64) {
        while self.frames.back().is_some_and(|&last| last >= frame) {
            self.frames.pop_back();
        }
        self.seen.end = frame;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    /// Once every frame is checked, the result contains all spikes of the history.
    #[test]
    fn all_spikes_are_found_eventually() {
        let mut random = Random::new(23);
        for _ in 0..40 {
            let (mut spikes, mut held, mut revision) = (SpikeTrack::default(), 0..0_u64, 0);
            for _ in 0..20 {
                held.end += random.below(3000);
                held.start = held.end.saturating_sub(random.below(6000)).max(held.start);
                revision += u64::from(random.below(4) == 0);
                let spike = |at: usize, frame: u64| {
                    (frame * 7919 + at as u64 + revision).is_multiple_of(23)
                };
                for _ in 0..10 {
                    spikes.look(&held, revision, 3, random.below(2) == 0, &spike);
                }
                let wanted: Vec<u64> = held
                    .clone()
                    .filter(|&frame| (0..3).any(|at| spike(at, frame)))
                    .collect();
                assert_eq!(spikes.frames().collect::<Vec<_>>(), wanted);
                for frame in held.clone() {
                    assert_eq!(spikes.contains(frame), wanted.contains(&frame));
                }
            }
        }
    }

    #[test]
    fn late_values_are_found_and_the_work_of_a_pass_is_limited() {
        let (mut spikes, looks) = (SpikeTrack::default(), std::cell::Cell::new(0));
        let spike = |late: bool| {
            let looks = &looks;
            move |_: usize, frame: u64| {
                looks.set(looks.get() + 1);
                late && frame == 100_000 - LATE_FRAMES
            }
        };
        spikes.look(&(0..100_000), 1, 64, false, &spike(false));
        assert!(looks.get() <= CHECKS_A_PASS + 64, "{looks:?}");
        assert_eq!(spikes.len(), 0);
        spikes.look(&(0..100_000), 1, 64, true, &spike(true));
        assert_eq!(spikes.frames().collect::<Vec<_>>(), [100_000 - LATE_FRAMES]);
        spikes.look(&(0..0), 1, 64, true, &spike(true));
        assert_eq!(spikes.len(), 0);
    }
}
