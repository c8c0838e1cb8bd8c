//! Which frames of the whole history are spikes, found a few at a time.

use std::collections::VecDeque;
use std::ops::Range;

/// Series of frames that are looked at in one pass: about a tenth of a millisecond.
const LOOKS_A_PASS: usize = 4096;
/// The newest frames that are looked at again, since values can come late.
const LATE_FRAMES: u64 = 16;

/// The frames in which any of some series has a spike.
///
/// The newest frames are looked at first; a full history takes some passes.
#[derive(Debug, Default)]
pub(crate) struct Spikes {
    /// Oldest first.
    frames: VecDeque<u64>,
    /// The frames that were looked at.
    seen: Range<u64>,
    /// What they were looked at for.
    revision: Option<u64>,
}

impl Spikes {
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    /// The frames, oldest first.
    pub(crate) fn frames(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.frames.iter().copied()
    }

    pub(crate) fn contains(&self, frame: u64) -> bool {
        self.frames.binary_search(&frame).is_ok()
    }

    /// Looks at frames that were not looked at yet: all `series` of each with `spike`. `late` looks
    /// at the newest ones again.
    ///
    /// Another `revision` begins anew.
    pub(crate) fn look(
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
        let mut left = LOOKS_A_PASS / series.max(1) + 1;
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

    /// Forgets frames that are not held any more, or everything where nothing of it is of use.
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

    /// Forgets that frames from `frame` on were looked at.
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

    /// Whatever comes and goes: once everything was looked at, they are all the spikes that are
    /// held.
    #[test]
    fn all_spikes_are_found_in_the_end() {
        let mut random = Random::new(23);
        for _ in 0..40 {
            let (mut spikes, mut held, mut revision) = (Spikes::default(), 0..0_u64, 0);
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
                assert!(held.clone().all(|frame| spikes.contains(frame) == wanted.binary_search(&frame).is_ok()));
            }
        }
    }

    #[test]
    fn late_values_are_seen_and_no_pass_looks_at_much() {
        let (mut spikes, looks) = (Spikes::default(), std::cell::Cell::new(0));
        let spike = |late: bool| {
            let looks = &looks;
            move |_: usize, frame: u64| {
                looks.set(looks.get() + 1);
                late && frame == 99_998
            }
        };
        spikes.look(&(0..100_000), 1, 64, false, &spike(false));
        assert!(looks.get() <= LOOKS_A_PASS + 64, "{looks:?}");
        assert_eq!(spikes.len(), 0);
        spikes.look(&(0..100_000), 1, 64, true, &spike(true));
        assert_eq!(spikes.frames().collect::<Vec<_>>(), [99_998]);
        spikes.look(&(0..0), 1, 64, true, &spike(true));
        assert_eq!(spikes.len(), 0);
    }
}
