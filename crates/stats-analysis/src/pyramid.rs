//! A pyramid of extremes over a history, so that a graph of 100,000 frames reads only a few
//! thousand numbers.
//!
//! The pyramid keeps the extremes and sums of blocks of frames and extends them as frames arrive. A
//! level has blocks of one length, each beginning at a multiple of that length, counted from frame
//! 0:
//!
//! ```text
//!  level 2   |              256              |              256              | …
//!  level 1   |  64   |  64   |  64   |  64   |  64   | …
//!  level 0   |16|16|16|16|16| …                    only whole blocks, added with their last frame
//!  history        ███████████████████████████████████████████████████
//! ```
//!
//! Frames outside whole blocks, mostly at the two ends, are read from the history itself. Every
//! answer is therefore the same with and without blocks.

use std::collections::VecDeque;
use std::ops::Range;

use stats_core::FrameSlice;

use crate::extremes::Extremes;

/// The number of frames per block of the lowest level. Shorter blocks would cost more memory than
/// they save time.
pub(crate) const BASE: u64 = 16;
/// The number of blocks of one level per block of the next. With 4, a bucket of 2ᵏ or 3·2ᵏ frames
/// consists of at most six blocks.
const FACTOR: u64 = 4;
/// The number of levels: the longest blocks have 65,536 frames.
const LEVELS: usize = 7;
/// The maximum number of frames added per update, so that selecting a long history does not stall a
/// frame of the game.
const AT_ONCE: u64 = 65_536;

/// The blocks of one history. Takes about 4 bytes per frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pyramid {
    /// The first frame not added yet; `None` before the first update.
    next: Option<u64>,
    levels: [Level; LEVELS],
}

/// The blocks of one length, consecutive.
#[derive(Clone, Debug, Default)]
struct Level {
    /// The number of the first block: its first frame divided by the block length.
    first: u64,
    blocks: VecDeque<Extremes>,
}

/// Returns the number of frames per block of a level, a power of two.
fn length(level: usize) -> u64 {
    BASE * FACTOR.pow(level as u32)
}

impl Level {
    fn end(&self) -> u64 {
        self.first + self.blocks.len() as u64
    }

    fn get(&self, number: u64) -> Option<&Extremes> {
        self.blocks
            .get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    /// Drops the blocks before `number`.
    fn prune(&mut self, number: u64) {
        let gone = number
            .saturating_sub(self.first)
            .min(self.blocks.len() as u64);
        self.blocks.drain(..gone as usize);
        self.first += gone;
    }

    /// Adds block `number`. If it does not follow the last block, all earlier ones are dropped.
    fn push(&mut self, number: u64, block: Extremes) {
        if number != self.end() {
            self.blocks.clear();
        }
        if self.blocks.is_empty() {
            self.first = number;
        }
        self.blocks.push_back(block);
    }
}

impl Pyramid {
    /// Adds the frames of `window` that are new to the pyramid, at most 65,536, and drops blocks
    /// whose frames have left it.
    ///
    /// The pyramid starts over if frames were skipped or if `window` went back. Allocates nothing
    /// in the steady state; a frame costs about as much as adding and comparing its value.
    pub(crate) fn update(&mut self, window: FrameSlice<'_>) {
        let held = window.frames();
        let next = match self.next {
            Some(next) if held.start <= next && next <= held.end => next,
            _ => {
                self.levels
                    .iter_mut()
                    .for_each(|level| level.blocks.clear());
                held.start
            }
        };
        for (at, level) in self.levels.iter_mut().enumerate() {
            level.prune(held.start.div_ceil(length(at)));
        }
        let end = held.end.min(next.saturating_add(AT_ONCE));
        self.next = Some(end);
        self.add_blocks(window, next..end);
    }

    /// Adds the blocks whose last frame lies within `frames` and whose frames are all in `window`.
    fn add_blocks(&mut self, window: FrameSlice<'_>, frames: Range<u64>) {
        let start = window.first_frame();
        for number in frames.start / BASE..frames.end / BASE {
            if number * BASE >= start {
                let block = window.within(number * BASE..(number + 1) * BASE);
                self.levels[0].push(number, Extremes::of_window(block));
            }
        }
        for at in 1..LEVELS {
            let length = length(at);
            for number in frames.start / length..frames.end / length {
                let (lower, upper) = self.levels.split_at_mut(at);
                let parts = (number * FACTOR..(number + 1) * FACTOR)
                    .map(|part| lower[at - 1].get(part).copied());
                let block = parts
                    .reduce(|before, part| Some(before?.followed_by(&part?)))
                    .flatten();
                if let Some(block) = block {
                    upper[0].push(number, block);
                }
            }
        }
    }

    /// Returns the extremes and the sum of those of `frames` that lie in `window`.
    ///
    /// `window` is the history of the last update, or a part of it.
    pub(crate) fn extremes(&self, window: FrameSlice<'_>, frames: Range<u64>) -> Extremes {
        let held = window.frames();
        let (mut at, end) = (frames.start.max(held.start), frames.end.min(held.end));
        let mut all = Extremes::NONE;
        while at < end {
            let (part, length) = match self.block_at(at, end) {
                Some((block, length)) => (*block, length),
                None => {
                    let length = (BASE - at % BASE).min(end - at);
                    (Extremes::of_window(window.within(at..at + length)), length)
                }
            };
            all = all.followed_by(&part);
            at += length;
        }
        all
    }

    /// Returns the longest block that begins at frame `at` and ends by `end`, with its length.
    fn block_at(&self, at: u64, end: u64) -> Option<(&Extremes, u64)> {
        // All lengths are powers of two: the exponent is bounded by the trailing zeros of the
        // frame's number and by the room.
        let room = (end - at).checked_ilog2()?;
        let bits = room.min(at.trailing_zeros());
        let highest = bits.checked_sub(BASE.ilog2())? / FACTOR.ilog2();
        let mut levels = self
            .levels
            .iter()
            .enumerate()
            .take(highest as usize + 1)
            .rev();
        levels.find_map(|(number, level)| {
            Some((level.get(at >> length(number).ilog2())?, length(number)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::{Random, ring};

    #[test]
    fn answers_match_the_values() {
        let mut random = Random::new(41);
        for _ in 0..40 {
            let values = random.series(6000);
            let (capacity, first) = (100 + random.below(3000), random.below(500));
            let mut pyramid = Pyramid::default();
            let mut end = first;
            while end < first + 6000 {
                // Sometimes farther than the ring reaches back.
                end = (end + 1 + random.below(1200)).min(first + 6000);
                let (older, newer, start) = ring(&values, first, end, capacity);
                let window = FrameSlice::new(start, &older, &newer);
                pyramid.update(window);
                for _ in 0..20 {
                    let from = random.below(first + 6000);
                    let frames = from..from + random.below(3000);
                    let (got, expected) = (
                        pyramid.extremes(window, frames.clone()),
                        Extremes::of_window(window.within(frames)),
                    );
                    let bounds = |extremes: Extremes| {
                        (extremes.min, extremes.max, extremes.first, extremes.last)
                    };
                    assert_eq!(got.known().map(bounds), expected.known().map(bounds));
                }
            }
        }
    }

    #[test]
    fn blocks_that_left_the_ring_are_dropped() {
        let values: Vec<f64> = (0..20_000).map(f64::from).collect();
        let mut pyramid = Pyramid::default();
        for end in 1..20_000 {
            let start = end.max(1000) - 1000;
            pyramid.update(FrameSlice::new(start as u64, &values[start..end], &[]));
        }
        let count: usize = pyramid.levels.iter().map(|level| level.blocks.len()).sum();
        assert!((75..=90).contains(&count), "{count}");
        assert!(pyramid.levels[0].blocks.capacity() <= 128);
    }

    #[test]
    fn whole_blocks_are_used_at_every_level() {
        let values = vec![1.0; 70_000];
        let window = FrameSlice::new(0, &values, &[]);
        let mut pyramid = Pyramid::default();
        pyramid.update(window);
        assert_eq!(pyramid.next, Some(65_536), "the maximum per update");
        pyramid.update(window);
        for at in 0..LEVELS {
            assert_eq!(
                pyramid.levels[at].blocks.len() as u64,
                70_000 / length(at),
                "level {at}"
            );
        }
        let longest = pyramid.block_at(0, 70_000).map(|(_, length)| length);
        assert_eq!(longest, Some(65_536));
    }

    #[test]
    fn another_history_in_the_same_place_starts_the_pyramid_over() {
        let (first, second) = (vec![9.0; 500], vec![1.0; 200]);
        let mut pyramid = Pyramid::default();
        pyramid.update(FrameSlice::new(0, &first, &[]));
        let window = FrameSlice::new(0, &second, &[]);
        pyramid.update(window);
        assert_eq!(pyramid.extremes(window, 0..200).max, 1.0);
    }
}
