//! Levels that keep growing.
//!
//! A window of a level keeps the minima of up to 24 blocks of time. A minimum ignores memory that
//! is allocated and freed within a block. Blocks have irregular lengths, because equal lengths
//! would alias with an allocator that frees periodically.
//!
//! Each level has two windows:
//!
//! - The **whole** time. When all 24 blocks are full, neighbors are merged.
//! - The **recent** time, for a level that begins to grow late, such as after loading. When all 24
//!   blocks are full and the level does not grow, the window begins again. It covers at least 30
//!   seconds, and up to a fifth of the whole time. It counts only if at least half of the rise is
//!   above all earlier minima, so that waves are not leaks. It must also be straighter, because
//!   there are many recent windows in a run.
//!
//! A level leaks if the minima of a window meet all of the following conditions, and still meet
//! them at 1.4 times the age at which they first met them:
//!
//! - **Rise**: the fitted line rises by more than 1 %, and by more than the floor.
//! - **Straight**: the rise is more than 20 times the sum of the mean distance from the line and a
//!   quarter of the floor. In the recent time, it is more than 60 times that sum.
//! - **Steady**: the Mann-Kendall statistic (Mann, *Nonparametric tests against trend*, 1945) is
//!   more than 4.5 standard deviations above 0, and the second half is at least 0.7 times as steep
//!   as the first half. A cache that fills becomes flatter.
//!
//! A game **fills**: at the beginning of a level, it spawns its things for less than a minute, and
//! then their number stays about the same. So a level of things that grows slowly, or from almost
//! nothing, is judged by windows that are longer than that. Memory is judged at once.
//!
//! If only some levels can be followed, the others wait. Of every level, the minimum of its current
//! round is compared with that of the previous one. A round takes at first five seconds, and twice
//! as long after each fall, up to 80 seconds, so that it becomes longer than a wave on the level. A
//! waiting level whose minima have risen in three rounds, without a fall in between, replaces a
//! followed one that neither rises nor grows, or has risen for ten minutes without being a leak.
//!
//! A leak is listed as long as the newest minima still rise: a cache that is full no longer grows. A
//! level has stopped growing if its minimum has reached no new maximum for three times the longest
//! time between two maxima before.
//!
//! A level that was listed may become **slower**. It stays listed if it still rises evenly: the
//! recent time begins again, and its second half is at least 0.85 times as steep as its first half,
//! apart from noise. A level also leaks if it grows in [stairs](super::stairs).
//!
//! - `slope`: whether points grow, and how fast;
//! - `window`: the minima of the blocks of a window;
//! - `level`: a followed level, with both windows;
//! - `trend`: a level that waits to be followed.

use super::facts::{AllFacts, Form, grow};
use crate::sort::sort_by;
use level::Level;
use trend::Trend;

mod level;
mod slope;
mod trend;
mod window;

/// With more levels than this, each frame reads only one half of them.
const HALVED_ABOVE: usize = 2_000;

/// The number of levels that a compact engine follows, and the number that it still follows at rest.
const MAX_FOLLOWED: usize = 256;
const MAX_RESTING: usize = 32;
/// The number of waiting levels that are followed from the same frame on, because room is left.
const FOLLOWED_AT_ONCE: usize = 32;
/// The duration of the shortest round.
const ROUND_SECS: f64 = 5.0;
/// The number of rounds in which the minimum of a waiting level must rise before it falls. Levels
/// that have risen in more rounds come first.
const RISING_ROUNDS: u8 = 3;
const RISING_FIRST: [u8; 3] = [4 * RISING_ROUNDS, 2 * RISING_ROUNDS, RISING_ROUNDS];
/// A level that does not grow is followed for at least this long, and a level that rises without
/// being a leak for at least the second duration.
const FOLLOWED_SECS: f64 = 30.0;
const RISING_SECS: f64 = 600.0;

/// A level that grows.
#[derive(Clone, Debug, PartialEq)]
pub struct Leak {
    /// The path of the level.
    pub path: String,
    /// The number of its series.
    pub series: u32,
    /// The slope, in the series' unit per second.
    pub per_second: f64,
    /// Whether the level grew faster before, by more than about a third.
    pub is_slower: bool,
    /// The time in seconds from the newest frame until the level reaches its budget, if it keeps
    /// growing at this slope: at least 1. It is 0 if the level has reached its budget, and `None`
    /// without a budget.
    pub seconds_to_budget: Option<f64>,
}

/// The minima of all levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaks {
    /// The part of each level that every frame reads or writes.
    blocks: Vec<Block>,
    levels: Vec<Level>,
    /// The trends of all levels if only some are followed: first the followed levels, in the order of
    /// `levels`, then the waiting ones.
    trends: Vec<Trend>,
    /// When the current round of five seconds ends.
    round_end: f64,
    /// The number of levels that are followed; `None` for all.
    max: Option<usize>,
    seconds: f64,
    is_second_half: bool,
}

/// The minimum of a level in its current block. It ends with the block, or with the level's step if that
/// ends earlier.
#[derive(Clone, Copy, Debug)]
struct Block {
    series: u32,
    minimum: f32,
    /// When it ends, in seconds.
    end: f32,
}

impl Leaks {
    /// Follows only some levels at once, to save memory.
    pub(super) fn limit(&mut self) {
        self.max = Some(MAX_FOLLOWED);
    }

    /// Follows a level, or lets it wait if too many are followed.
    pub(super) fn add(&mut self, series: u32, floor: f32) {
        if self.max.is_none() {
            return self.follow(series, floor);
        }
        let (count, trend) = (self.trends.len() + 1, Trend::new(series, floor));
        grow(&mut self.trends, count, trend);
        if self.has_room() {
            self.trends.swap(self.levels.len(), count - 1);
            self.follow(series, floor);
        }
    }

    fn has_room(&self) -> bool {
        self.max.is_none_or(|max| self.levels.len() < max)
    }

    fn follow(&mut self, series: u32, floor: f32) {
        let mut level = Level::new(series, floor, self.seconds);
        self.blocks.push(level.take(self.seconds, f32::INFINITY));
        self.levels.push(level);
    }

    /// Lets all levels wait that do not grow, and frees their memory.
    pub(super) fn rest(&mut self) {
        if self.max.is_none() {
            return;
        }
        let mut at = 0;
        while let Some(level) = self.levels.get(at) {
            if at < MAX_RESTING && level.may_grow(self.seconds) {
                at += 1;
                continue;
            }
            self.levels.swap_remove(at);
            self.blocks.swap_remove(at);
            self.trends.swap(at, self.levels.len());
        }
        self.levels.shrink_to_fit();
        self.blocks.shrink_to_fit();
    }

    /// Takes the values of all levels if only some are followed. At the end of a round, levels that rise
    /// replace followed ones.
    fn take_trends(&mut self, values: &[f64]) {
        for _ in 0..FOLLOWED_AT_ONCE {
            if !self.has_room() {
                break;
            }
            let Some(trend) = self.trends.get(self.levels.len()) else {
                break;
            };
            self.follow(trend.series, trend.floor());
        }
        if self.trends.len() == self.levels.len() {
            return;
        }
        for trend in &mut self.trends {
            let value = values.get(trend.series as usize);
            let value = value.map_or(f32::NAN, |value| *value as f32);
            if value < trend.minimum {
                trend.minimum = value;
            }
        }
        if self.seconds >= self.round_end {
            self.round_end = self.seconds + ROUND_SECS;
            self.trends.iter_mut().for_each(Trend::end_round);
            self.follow_rising();
        }
    }

    /// Replaces followed levels that do not leak by waiting ones that rise.
    fn follow_rising(&mut self) {
        let now = self.seconds;
        let mut idle = 0;
        for rounds in RISING_FIRST {
            for at in self.levels.len()..self.trends.len() {
                if self.trends[at].rising < rounds {
                    continue;
                }
                let followed = self.levels.iter().zip(&self.trends).skip(idle);
                let mut is_idle = followed.map(|(level, trend)| {
                    let has_risen = trend.rising >= RISING_ROUNDS;
                    let secs = if has_risen {
                        RISING_SECS
                    } else {
                        FOLLOWED_SECS
                    };
                    now - level.whole.born >= secs && !level.may_grow(now)
                });
                let Some(found) = is_idle.position(|is_idle| is_idle) else {
                    return;
                };
                idle += found;
                self.trends[idle].rising = 0;
                self.trends.swap(idle, at);
                let rising = &self.trends[idle];
                let mut level = Level::new(rising.series, rising.floor(), now);
                self.blocks[idle] = level.take(now, f32::INFINITY);
                self.levels[idle] = level;
                idle += 1;
            }
        }
    }

    pub(super) fn take_frame(&mut self, seconds: f64, values: &[f64]) {
        self.seconds += seconds.max(0.0);
        self.take_trends(values);
        let now = self.seconds as f32;
        // With many levels, the two halves take turns.
        let half = self.blocks.len() / 2;
        let part = match (self.blocks.len() > HALVED_ABOVE, self.is_second_half) {
            (false, _) => 0..self.blocks.len(),
            (true, false) => 0..half,
            (true, true) => half..self.blocks.len(),
        };
        self.is_second_half = !self.is_second_half;
        let blocks = self.blocks[part.clone()].iter_mut();
        for (block, level) in blocks.zip(&mut self.levels[part]) {
            // A NaN is never less than the minimum, so it is skipped.
            let value = values
                .get(block.series as usize)
                .map_or(f32::NAN, |value| *value as f32);
            if value < block.minimum {
                block.minimum = value;
            }
            if now >= block.end {
                *block = level.take(self.seconds, block.minimum);
            }
        }
    }

    /// Returns the levels that grow, fastest relative to their value first.
    pub(super) fn found(&self, facts: &AllFacts) -> Vec<Leak> {
        let mut found: Vec<(f64, Leak)> = Vec::new();
        for (level, block) in self.levels.iter().zip(&self.blocks) {
            let Some(growth) = level.growth(self.seconds, block.minimum) else {
                continue;
            };
            let per_second = growth.per_second;
            // The unit of a series may be declared late.
            if !(facts.form(level.series)).is_some_and(Form::may_leak) {
                continue;
            }
            let newest = growth.newest;
            // Blocks may last minutes, and the level has grown since the newest complete one.
            let since = self.seconds - growth.newest_begun;
            let is_over = |budget: f64| {
                let current = Some(f64::from(block.minimum)).filter(|minimum| minimum.is_finite());
                newest.max(current.unwrap_or(newest)) >= budget
            };
            let to_budget = |budget: f64| {
                let seconds = match growth.staircase {
                    Some(staircase) => staircase.reaches(newest, budget) - self.seconds,
                    None => (budget - newest) / per_second - since,
                };
                if is_over(budget) {
                    0.0
                } else {
                    seconds.max(1.0)
                }
            };
            let leak = Leak {
                path: facts.path(level.series).to_owned(),
                series: level.series,
                per_second,
                is_slower: growth.is_slower,
                seconds_to_budget: facts.budget(level.series).map(to_budget),
            };
            found.push((per_second / newest.abs().max(1.0), leak));
        }
        sort_by(&mut found, |a, b| b.0.total_cmp(&a.0));
        found.into_iter().map(|(_, leak)| leak).collect()
    }
}

#[cfg(test)]
mod tests;
