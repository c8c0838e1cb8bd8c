//! A pyramid over a history: extremes and sums of blocks of frames, kept as the frames arrive, so
//! that a graph of 100,000 frames looks at some thousands of numbers.
//!
//! A level has blocks of one length, each beginning at a multiple of it, counted from frame 0:
//!
//! ```text
//!  level 2   |              256              |              256              | …
//!  level 1   |  64   |  64   |  64   |  64   |  64   | …
//!  level 0   |16|16|16|16|16| …                                    only whole blocks, made when their last frame is there
//!  history        ███████████████████████████████████████████████████
//! ```
//!
//! What no whole block covers, the ends of a history above all, is read from the values themselves.
//! So whatever is asked is answered from the history as it is, with blocks or without, and comes
//! out the same.

use std::collections::VecDeque;
use std::ops::Range;

use stats_core::FrameSlice;

use crate::buckets::Extremes;

/// Frames in a block of the lowest level. Shorter ones would cost more memory than they save time.
pub const BASE: u64 = 16;
/// Blocks of a level that make one of the next: with 4, a bucket of 2ᵏ or 3·2ᵏ frames is at most
/// six blocks.
const FACTOR: u64 = 4;
/// The highest level has blocks of 65,536 frames.
const LEVELS: usize = 7;
/// How many frames are taken in at a time, so that a long history that is new does not stop a frame
/// of the game.
const AT_ONCE: u64 = 65_536;

/// What is known of the whole blocks of one history. About 3.4 bytes for each of its frames.
#[derive(Clone, Debug, Default)]
pub struct Pyramid {
    /// The end of what was looked at, once anything was.
    next: Option<u64>,
    levels: [Level; LEVELS],
}

/// The blocks of one length, without gaps.
#[derive(Clone, Debug, Default)]
struct Level {
    /// The number of the first block: its first frame divided by the length.
    first: u64,
    blocks: VecDeque<Extremes>,
}

/// How many frames a block of a level has: a power of two.
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

    /// Forgets the blocks before `number`.
    fn prune(&mut self, number: u64) {
        let gone = number
            .saturating_sub(self.first)
            .min(self.blocks.len() as u64);
        self.blocks.drain(..gone as usize);
        self.first += gone;
    }

    /// Adds the block `number`; where it does not follow on the last one, all before it go.
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
    /// Takes in the frames of `window` that it has not seen, 65,536 at most, and forgets those that
    /// are not held any more.
    ///
    /// Begins anew where frames went by unseen or the window went back. In the steady state nothing
    /// is allocated, and a frame costs about as much as adding up and comparing its value.
    pub fn update(&mut self, window: FrameSlice<'_>) {
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

    /// Makes the blocks that end within `frames` (their own ends included) and are held as a whole.
    fn add_blocks(&mut self, window: FrameSlice<'_>, frames: Range<u64>) {
        let start = window.first_frame();
        for number in frames.start / BASE..frames.end / BASE {
            if number * BASE >= start
                && let Some(block) =
                    Extremes::of_window(window.within(number * BASE..(number + 1) * BASE))
            {
                self.levels[0].push(number, block);
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

    /// The extremes and the sum of some frames, as far as `window` holds them; `None` where it
    /// holds none.
    ///
    /// `window` is the history that it was last updated with, or a part of it.
    pub fn extremes(&self, window: FrameSlice<'_>, frames: Range<u64>) -> Option<Extremes> {
        let held = window.frames();
        let (mut at, end) = (frames.start.max(held.start), frames.end.min(held.end));
        let mut all: Option<Extremes> = None;
        while at < end {
            let (part, length) = match self.block_at(at, end) {
                Some((block, length)) => (*block, length),
                None => {
                    let length = (BASE - at % BASE).min(end - at);
                    (Extremes::of_window(window.within(at..at + length))?, length)
                }
            };
            all = Some(all.map_or(part, |before| before.followed_by(&part)));
            at += length;
        }
        all
    }

    /// The longest block that begins with frame `at` and ends before `end`.
    fn block_at(&self, at: u64, end: u64) -> Option<(&Extremes, u64)> {
        // Powers of two all: what the frame's number and the room are both good for is a matter of
        // bits.
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
    fn whatever_is_asked_comes_out_as_from_the_values() {
        let mut random = Random::new(41);
        for _ in 0..40 {
            let values = random.series(6000);
            let (capacity, first) = (100 + random.below(3000), random.below(500));
            let mut pyramid = Pyramid::default();
            let mut end = first;
            while end < first + 6000 {
                // Now and then further than the ring holds.
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
                    assert_eq!(got.map(bounds), expected.map(bounds));
                }
            }
        }
    }

    #[test]
    fn what_is_pushed_out_of_the_ring_is_forgotten() {
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
        assert_eq!(pyramid.next, Some(65_536), "no more at once");
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
    fn another_history_in_the_same_place_is_not_mixed_up_with_the_first() {
        let (first, second) = (vec![9.0; 500], vec![1.0; 200]);
        let mut pyramid = Pyramid::default();
        pyramid.update(FrameSlice::new(0, &first, &[]));
        let window = FrameSlice::new(0, &second, &[]);
        pyramid.update(window);
        assert_eq!(
            pyramid
                .extremes(window, 0..200)
                .map(|extremes| extremes.max),
            Some(1.0)
        );
    }
}
