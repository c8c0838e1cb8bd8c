//! Slowdowns that last.
//!
//! The time of a frame is compared over blocks of half a second, each without its longest frame, so
//! that hitches are no slowdown. What is usual is a mean over the last 32 blocks. A block is slow if
//! it exceeds the usual time by 1 ms, by a fifth and by four times the mean distance of usual blocks.
//! Slow blocks are not learned. Four of them in a row are a slowdown, and two others in a row end it.
//! After 30 seconds, the new time is usual. Four blocks in a row that are as far below the usual time
//! are a new usual time, too.
//!
//! The first slow frame is known more exactly than its block: since then, the sum of the distances from
//! the middle between usual and slow times is above 0 (Page, *Continuous inspection schemes*, 1954).

use super::trigger::{MIN_MS, WARM_UP_FRAMES};

/// The minimum duration of a block, in milliseconds, and the minimum number of its frames.
const BLOCK_MS: f64 = 500.0;
const BLOCK_FRAMES: u32 = 4;
/// The number of blocks after which a block is judged, and that the usual time remembers.
const LEARNED: f64 = 6.0;
const REMEMBERED: f64 = 32.0;
/// The minimum distance of a slow block, as a share of the usual time and in scales.
const PART: f64 = 0.2;
const SCALES: f64 = 4.0;
/// The number of slow blocks that are a slowdown, and of other ones that end it.
const LASTS: u32 = 4;
const ENDS: u32 = 2;
/// The number of blocks after which a slowdown is usual.
const USUAL: u32 = 60;

/// A frame time that rose and has not fallen since.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Slowdown {
    /// The first slow frame.
    pub first_frame: u64,
    /// The usual frame time before, in milliseconds.
    pub from_ms: f64,
    /// The mean frame time since, in milliseconds, without the longest frame of each half second.
    pub to_ms: f64,
}

impl Slowdown {
    /// Creates a slowdown.
    #[must_use]
    pub fn new(first_frame: u64, from_ms: f64, to_ms: f64) -> Self {
        Self {
            first_frame,
            from_ms,
            to_ms,
        }
    }
}

/// Frames in a row.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    first_frame: u64,
    frames: u32,
    sum_ms: f64,
    longest_ms: f64,
}

impl Block {
    fn is_complete(&self) -> bool {
        self.sum_ms >= BLOCK_MS && self.frames >= BLOCK_FRAMES
    }

    /// Returns the mean time of its frames without the longest one.
    fn mean_ms(&self) -> f64 {
        (self.sum_ms - self.longest_ms) / f64::from(self.frames - 1)
    }
}

/// Consecutive blocks on one side of the usual time.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    first_frame: u64,
    blocks: u32,
    /// The sum without the first block, which may have begun before.
    sum_ms: f64,
}

impl Run {
    fn add(&mut self, block: &Block, first_frame: u64) {
        if self.blocks == 0 {
            self.first_frame = first_frame;
        } else {
            self.sum_ms += block.mean_ms();
        }
        self.blocks += 1;
    }

    /// Returns the mean time, if there are at least two blocks.
    fn mean_ms(&self) -> f64 {
        self.sum_ms / f64::from(self.blocks - 1)
    }
}

/// The newest frames that are slow on the whole.
#[derive(Clone, Copy, Debug, Default)]
struct Excess {
    first_frame: u64,
    /// The sum of their distances from the middle between usual and slow times; 0 for no frames.
    sum_ms: f64,
}

impl Excess {
    fn add(&mut self, frame: u64, far_ms: f64) {
        if self.sum_ms == 0.0 {
            self.first_frame = frame;
        }
        self.sum_ms = (self.sum_ms + far_ms).max(0.0);
    }
}

/// Looks for slowdowns. Costs a few additions for each frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Slowdowns {
    /// The number of frames so far, up to the end of the warm-up.
    frames: u32,
    block: Block,
    excess: Excess,
    /// The first frame of the block before.
    block_before: u64,
    /// The mean time of usual blocks, their mean distance from it, and their number.
    usual_ms: f64,
    scale_ms: f64,
    learned: f64,
    slow: Run,
    fast: Run,
    /// The number of blocks in a row that were not slow during a slowdown.
    ended: u32,
}

impl Slowdowns {
    /// Takes the duration of a frame. An unknown one counts as none.
    pub(super) fn take_frame(&mut self, frame: u64, ms: f64) {
        if self.frames < WARM_UP_FRAMES {
            self.frames += 1;
            return;
        }
        if !(ms > 0.0 && ms.is_finite()) {
            return;
        }
        if self.learned >= LEARNED {
            let bar_ms = self.bar_ms();
            // A hitch counts no more than a slow frame.
            let far_ms = ms - self.usual_ms - bar_ms / 2.0;
            self.excess.add(frame, far_ms.min(bar_ms));
        }
        let block = &mut self.block;
        if block.frames == 0 {
            block.first_frame = frame;
        }
        block.frames += 1;
        block.sum_ms += ms;
        block.longest_ms = block.longest_ms.max(ms);
        if block.is_complete() {
            let block = std::mem::take(&mut self.block);
            self.take_block(&block);
        }
    }

    /// Forgets the frames since the last complete block, because some frames are not known.
    pub(super) fn skip(&mut self) {
        (self.block, self.excess) = Default::default();
    }

    /// Returns the current slowdown.
    pub(super) fn found(&self) -> Option<Slowdown> {
        (self.slow.blocks >= LASTS).then(|| Slowdown {
            first_frame: self.slow.first_frame,
            from_ms: self.usual_ms,
            to_ms: self.slow.mean_ms(),
        })
    }

    /// Returns the least distance of a slow block from the usual time.
    fn bar_ms(&self) -> f64 {
        MIN_MS.max(PART * self.usual_ms).max(SCALES * self.scale_ms)
    }

    fn take_block(&mut self, block: &Block) {
        let ms = block.mean_ms();
        let bar_ms = self.bar_ms();
        let before = std::mem::replace(&mut self.block_before, block.first_frame);
        if self.learned < LEARNED {
            return self.learn(ms);
        }
        if ms > self.usual_ms + bar_ms {
            (self.fast, self.ended) = (Run::default(), 0);
            let is_known = self.excess.sum_ms > 0.0 && self.excess.first_frame >= before;
            let first_frame = if is_known {
                self.excess.first_frame
            } else {
                block.first_frame
            };
            self.slow.add(block, first_frame);
            if self.slow.blocks >= USUAL {
                self.restart(self.slow.mean_ms());
            }
            return;
        }
        // Between two slow blocks of a slowdown, one may be faster.
        self.ended += 1;
        if self.slow.blocks >= LASTS && self.ended < ENDS {
            return;
        }
        if self.slow.blocks >= LASTS {
            self.excess = Excess::default();
        }
        self.slow = Run::default();
        // The usual time and a fifth is as far above as the usual time and a sixth is below.
        if ms + bar_ms / (1.0 + PART) < self.usual_ms {
            self.fast.add(block, block.first_frame);
            if self.fast.blocks >= LASTS {
                self.restart(self.fast.mean_ms());
            }
            return;
        }
        self.fast = Run::default();
        self.learn(ms);
    }

    fn learn(&mut self, ms: f64) {
        self.learned = (self.learned + 1.0).min(REMEMBERED);
        let far_ms = ms - self.usual_ms;
        self.usual_ms += far_ms / self.learned;
        // The first distance is from nothing.
        if self.learned > 1.0 {
            self.scale_ms += (far_ms.abs() - self.scale_ms) / self.learned;
        }
    }

    /// Begins with another usual time.
    fn restart(&mut self, ms: f64) {
        (self.usual_ms, self.scale_ms, self.learned) = (ms, self.scale_ms.min(PART * ms), LEARNED);
        (self.slow, self.fast, self.ended) = Default::default();
        self.excess = Excess::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    /// Plays frames of about `ms`, and returns the slowdowns that were found, each once.
    fn play(
        slowdowns: &mut Slowdowns,
        frame: &mut u64,
        secs: f64,
        mut ms: impl FnMut(u64) -> f64,
    ) -> Vec<Slowdown> {
        let mut found: Vec<Slowdown> = Vec::new();
        let mut left_ms = secs * 1e3;
        while left_ms > 0.0 {
            let took_ms = ms(*frame);
            slowdowns.take_frame(*frame, took_ms);
            (left_ms, *frame) = (left_ms - took_ms, *frame + 1);
            if let Some(new) = slowdowns.found() {
                match found
                    .last_mut()
                    .filter(|one| one.first_frame == new.first_frame)
                {
                    Some(known) => *known = new,
                    None => found.push(new),
                }
            }
        }
        found
    }

    #[test]
    fn a_slowdown_is_found_within_three_seconds_and_ends_when_frames_are_short_again() {
        let mut random = Random::new(7);
        let mut noisy = |ms: f64| ms * (0.97 + random.below(60) as f64 / 1000.0);
        for (from, to) in [
            (16.6, 20.5),
            (16.6, 33.3),
            (4.0, 5.5),
            (33.3, 50.0),
            (100.0, 130.0),
        ] {
            let (mut slowdowns, mut frame) = (Slowdowns::default(), 0);
            assert_eq!(play(&mut slowdowns, &mut frame, 20.0, |_| noisy(from)), []);
            let begun = frame;
            let found = play(&mut slowdowns, &mut frame, 3.0, |_| noisy(to));
            let [found] = found[..] else {
                panic!("{from} {to}: {found:?}")
            };
            assert!((found.from_ms - from).abs() < 0.05 * from, "{found:?}");
            assert!((found.to_ms - to).abs() < 0.05 * to, "{found:?}");
            let off = found.first_frame.abs_diff(begun);
            assert!(off <= 2, "{found:?} {begun}");
            play(&mut slowdowns, &mut frame, 2.0, |_| noisy(from));
            assert_eq!(slowdowns.found(), None);
        }
    }

    #[test]
    fn a_second_slowdown_has_its_own_first_frame() {
        let (mut slowdowns, mut frame) = (Slowdowns::default(), 0);
        play(&mut slowdowns, &mut frame, 20.0, |_| 10.0);
        assert_eq!(play(&mut slowdowns, &mut frame, 10.0, |_| 20.0).len(), 1);
        play(&mut slowdowns, &mut frame, 1.5, |_| 10.0);
        assert_eq!(slowdowns.found(), None);
        let begun = frame;
        let found = play(&mut slowdowns, &mut frame, 3.0, |_| 20.0);
        let [found] = found[..] else {
            panic!("{found:?}")
        };
        assert!(found.first_frame.abs_diff(begun) <= 2, "{found:?} {begun}");
    }

    #[test]
    fn a_slowdown_does_not_begin_before_frames_that_are_not_known() {
        let (mut slowdowns, mut frame) = (Slowdowns::default(), 0);
        play(&mut slowdowns, &mut frame, 20.0, |_| 10.0);
        play(&mut slowdowns, &mut frame, 0.2, |_| 20.0);
        slowdowns.skip();
        play(&mut slowdowns, &mut frame, 0.05, |_| 10.0);
        let begun = frame;
        let found = play(&mut slowdowns, &mut frame, 3.0, |_| 20.0);
        let [found] = found[..] else {
            panic!("{found:?}")
        };
        assert!(found.first_frame >= begun, "{found:?} {begun}");
    }

    #[test]
    fn a_slowdown_becomes_usual_and_the_next_one_begins_there() {
        let (mut slowdowns, mut frame) = (Slowdowns::default(), 0);
        play(&mut slowdowns, &mut frame, 20.0, |_| 10.0);
        assert_eq!(play(&mut slowdowns, &mut frame, 40.0, |_| 20.0).len(), 1);
        assert_eq!(slowdowns.found(), None);
        let found = play(&mut slowdowns, &mut frame, 3.0, |_| 40.0);
        assert_eq!(found.len(), 1);
        assert!((found[0].from_ms - 20.0).abs() < 0.5, "{found:?}");
        // A level that fell is usual at once, so returning from it is a slowdown.
        play(&mut slowdowns, &mut frame, 60.0, |_| 8.0);
        let found = play(&mut slowdowns, &mut frame, 3.0, |_| 16.0);
        assert_eq!(found.len(), 1);
        assert!((found[0].from_ms - 8.0).abs() < 0.5, "{found:?}");
    }

    #[test]
    fn hitches_and_noise_are_no_slowdown() {
        let mut random = Random::new(3);
        for every in [10, 45, 120] {
            let (mut slowdowns, mut frame) = (Slowdowns::default(), 0);
            let found = play(&mut slowdowns, &mut frame, 600.0, |frame| {
                let noise = 15.0 + random.below(4000) as f64 / 1000.0;
                if frame % every == 0 && every >= 45 {
                    noise + 90.0
                } else {
                    noise
                }
            });
            assert_eq!(found, [], "{every}");
        }
    }

    #[test]
    fn hostile_times_are_ignored() {
        let (mut slowdowns, mut random) = (Slowdowns::default(), Random::new(5));
        for frame in 0..20_000 {
            let ms = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300, 16.0][random.below(6) as usize];
            slowdowns.take_frame(frame, ms);
            if random.below(50) == 0 {
                slowdowns.skip();
            }
            if let Some(found) = slowdowns.found() {
                assert!(!found.from_ms.is_nan() && !found.to_ms.is_nan());
            }
        }
    }
}
