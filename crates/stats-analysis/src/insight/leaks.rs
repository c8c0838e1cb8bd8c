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
//! It is listed as long as the newest minima still rise: a cache that is full no longer grows. A
//! level has stopped growing if its minimum has reached no new maximum for three times the longest
//! time that this took before.
//!
//! A level that was listed may become **slower**. It stays listed if it still rises evenly: the
//! recent time begins again, and its second half is at least 0.85 times as steep as its first half,
//! apart from noise. A level also leaks if it grows in [stairs](super::stairs).

use super::facts::{AllFacts, Form, grow};
use super::stairs::{Staircase, Stairs};

const BLOCKS: usize = 24;
/// With more levels than this, each frame reads only one half of them.
const HALVED: usize = 2_000;
/// The first blocks of the whole time last about this long.
const FIRST_SECS: f64 = 0.35;
/// The blocks of the recent time last at least this long, and at least this part of a block of the
/// whole time.
const RECENT_SECS: f64 = 1.25;
const RECENT_PART: f64 = 0.125;
/// The minimum number of blocks that are judged.
const MIN_BLOCKS: usize = 16;
/// The limits of the conditions *straight*, *steady* and *rise*.
const STRAIGHT: f64 = 20.0;
const RECENT_STRAIGHT: f64 = 60.0;
const STEADY: f64 = 4.5;
const RISE: f64 = 0.01;
/// A level is reported if it still grows at this multiple of the age at which growth was first
/// found.
const AGAIN: f64 = 1.4;
/// A level has stopped growing if its minimum has reached no new maximum for this many times the
/// longest time between two maxima.
const STOPPED: f64 = 3.0;
/// The factor by which the longest time decays with each new maximum.
const FORGET: f64 = 0.95;
/// At the end of each step, the minimum of a level is compared with the highest one. A step lasts
/// at least this long, and at least this part of the level's age.
const STEP_SECS: f64 = 2.5;
const STEP_PART: f64 = 1.0 / 128.0;
/// The minimum slope of the second half of a window whose level still grows, as a multiple of the
/// slope of the first half.
const STILL: f64 = 0.7;
/// The same for the recent time of a level that became slower.
const STILL_SLOWER: f64 = 0.85;
/// A level that became slower still grows if its slope is more than this multiple of the slope
/// before.
const SLOWEST: f64 = 0.1;
/// The minimum number of blocks for its slope, and for that of its halves.
const SLOPE_BLOCKS: usize = 3;
const HALVES_BLOCKS: usize = 8;
/// A level that lost more than this share of its rise has been freed.
const FREED: f64 = 0.1;
/// A game may fill for this long. A shorter window reports a level of things only if it grows by at
/// least the second number a second, as a share of its first minimum, and has risen by at most the
/// third number times that minimum.
const FILLING_SECS: f64 = 50.0;
const FILLING_SLOPE: f64 = 0.0075;
const FILLING_RISE: f64 = 4.0;
/// The floor of a level of things is below this number, and that of bytes above.
const THINGS_FLOOR: f32 = 1.0;

/// The number of levels that a compact engine follows, and of those that it keeps at rest.
const MAX_FOLLOWED: usize = 256;
const MAX_RESTING: usize = 32;
/// The number of waiting levels that are followed from the same frame on, because room is left.
const FOLLOWED_AT_ONCE: usize = 32;
/// The duration of the shortest round, and how many times as long the longest one is.
const ROUND_SECS: f64 = 5.0;
const LONGEST_ROUND: u8 = 16;
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
    /// The trends of all levels if only some are followed: first of these, in the order of
    /// `levels`, then of those that wait.
    trends: Vec<Trend>,
    /// When the current round of five seconds ends.
    round_end: f64,
    /// The number of levels that are followed; `None` for all.
    max: Option<usize>,
    seconds: f64,
    is_second_half: bool,
}

/// Whether the minima of a level rise from round to round.
#[derive(Clone, Copy, Debug)]
struct Trend {
    series: u32,
    /// The minima of the current round and of the previous one, which is NaN if it is not known.
    minimum: f32,
    before: f32,
    /// The exponent of the floor, which is a power of two for counts and bytes.
    floor: u8,
    /// The number of rounds in which the minimum has risen since it last fell.
    rising: u8,
    /// The duration of a round, and what is left of the current one, in rounds of five seconds.
    round: u8,
    left: u8,
}

/// The time until a block of a level ends, or its step if that is earlier.
#[derive(Clone, Copy, Debug)]
struct Block {
    series: u32,
    minimum: f32,
    /// When it ends, in seconds.
    end: f32,
}

/// The minimum of a complete block.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    /// When the block began, in seconds. A growing level is lowest at the beginning of a block.
    time: f32,
    minimum: f32,
}

#[derive(Clone, Debug)]
struct Level {
    series: u32,
    floor: f32,
    /// The state of the random generator for the lengths of blocks.
    random: u32,
    whole: Window,
    recent: Window,
    /// The minimum of the current step, and when the step begins and ends.
    minimum: f32,
    step_begun: f64,
    step_end: f64,
    /// The highest minimum of a step, when it was reached, and the longest time between two of
    /// them.
    highest: f32,
    highest_at: f64,
    longest: f64,
    listed: Listed,
    stairs: Stairs,
}

/// What a level was last listed for.
#[derive(Clone, Copy, Debug, Default)]
struct Listed {
    /// Its slope; 0 if it is not listed.
    per_second: f64,
    /// The slope before it became slower; 0 if it did not.
    before: f64,
    /// Whether the recent time began again because it became slower.
    is_slower: bool,
}

/// How a level grows.
struct Growth {
    per_second: f64,
    is_slower: bool,
    /// The newest minimum of a window, and when its block began.
    newest: f64,
    newest_begun: f64,
    staircase: Option<Staircase>,
}

/// Up to 24 blocks of time.
#[derive(Clone, Debug)]
struct Window {
    points: [Point; BLOCKS],
    len: u8,
    /// When the window began.
    born: f64,
    block_secs: f64,
    /// The limit of the condition *straight*.
    straight: f64,
    /// When the current block began and when it ends.
    begun: f64,
    end: f64,
    /// The minimum of the current block so far.
    minimum: f32,
    /// The age at which the level was first found to grow; infinite while it does not grow.
    grows_since: f64,
    per_second: Option<f64>,
    /// The minimum of the newest complete block, and when that block began.
    newest: f32,
    newest_begun: f64,
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

    /// Takes the values of all levels. Only some can be followed: at the end of a round, those that
    /// rise.
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
        let part = match (self.blocks.len() > HALVED, self.is_second_half) {
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
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().map(|(_, leak)| leak).collect()
    }
}

impl Trend {
    fn new(series: u32, floor: f32) -> Self {
        Self {
            series,
            minimum: f32::INFINITY,
            before: f32::NAN,
            floor: (floor.to_bits() >> 23) as u8,
            rising: 0,
            round: 1,
            left: 1,
        }
    }

    fn floor(&self) -> f32 {
        f32::from_bits(u32::from(self.floor) << 23)
    }

    /// Begins the next round if the current one ends after these five seconds.
    fn end_round(&mut self) {
        self.left -= 1;
        if self.left > 0 {
            return;
        }
        let minimum = std::mem::replace(&mut self.minimum, f32::INFINITY);
        if minimum.is_finite() {
            if minimum > self.before {
                self.rising = self.rising.saturating_add(1);
            }
            let has_fallen = minimum < self.before;
            self.before = minimum;
            if has_fallen {
                // The two rounds together are as long as the next one, and have this minimum.
                (self.rising, self.round) = (0, 2 * self.round);
            }
            if self.round > LONGEST_ROUND {
                (self.round, self.before) = (1, f32::NAN);
            }
        }
        self.left = self.round;
    }
}

impl Level {
    /// Returns whether it is listed, or may be listed soon.
    fn may_grow(&self, now: f64) -> bool {
        let windows = [&self.whole, &self.recent];
        let grows = windows.iter().any(|window| window.grows_since.is_finite());
        grows
            || self.listed.per_second > 0.0
            || self.stairs.grows(now, self.step_secs(now)).is_some()
    }

    fn new(series: u32, floor: f32, now: f64) -> Self {
        Self {
            series,
            floor,
            random: series.wrapping_mul(0x9e37_79b9) | 1,
            whole: Window::new(FIRST_SECS, STRAIGHT, now),
            recent: Window::new(RECENT_SECS, RECENT_STRAIGHT, now),
            minimum: f32::INFINITY,
            step_begun: now,
            step_end: now + STEP_SECS,
            highest: f32::NEG_INFINITY,
            highest_at: now,
            longest: 0.0,
            listed: Listed::default(),
            stairs: Stairs::default(),
        }
    }

    /// Takes the minimum since the last call, and returns the block that lasts until the next call.
    fn take(&mut self, now: f64, minimum: f32) -> Block {
        self.minimum = self.minimum.min(minimum);
        let is_step = now >= self.step_end;
        if is_step && self.minimum.is_finite() {
            if self.minimum > self.highest {
                self.longest = (now - self.highest_at).max(FORGET * self.longest);
                (self.highest, self.highest_at) = (self.minimum, now);
            }
            self.stairs.take(self.step_begun, self.minimum, self.floor);
        }
        let (mut random, floor) = (self.random, self.floor);
        let mut random_part = || {
            // xorshift (Marsaglia, 2003).
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            0.7 + 0.6 * f64::from(random) / f64::from(u32::MAX)
        };
        if self.whole.take(now, minimum, floor, &mut random_part) {
            self.whole.merge();
        }
        if self.recent.take(now, minimum, floor, &mut random_part) {
            if self.recent.grows_since.is_finite() || self.listed.is_slower {
                self.recent.merge();
            } else {
                self.recent = self.new_recent(now, &mut random_part);
            }
        }
        if is_step {
            self.list(now, &mut random_part);
            self.minimum = f32::INFINITY;
            (self.step_begun, self.step_end) = (now, now + self.step_secs(now));
        }
        self.random = random;
        Block {
            series: self.series,
            minimum: f32::INFINITY,
            end: self.whole.end.min(self.recent.end).min(self.step_end) as f32,
        }
    }

    /// Returns the duration of a step.
    fn step_secs(&self, now: f64) -> f64 {
        STEP_SECS.max(STEP_PART * (now - self.whole.born))
    }

    /// Lists the level if it grows, and keeps it listed if it became slower.
    fn list(&mut self, now: f64, random_part: &mut impl FnMut() -> f64) {
        let steady = self.steady(now, f32::INFINITY);
        let steady = steady.map(|(window, per_second)| (window.straight, per_second));
        let listed = &mut self.listed;
        if let Some((straight, per_second)) = steady {
            if straight == STRAIGHT {
                // The whole time contains both slopes.
                listed.before = 0.0;
            }
            (listed.per_second, listed.is_slower) = (per_second, false);
        } else if listed.per_second > 0.0 && !listed.is_slower {
            listed.before = listed.before.max(listed.per_second);
            listed.is_slower = true;
            self.recent = self.new_recent(now, random_part);
        }
        if self.listed.is_slower && self.slower(now, f32::INFINITY).is_none() {
            self.listed = Listed::default();
        }
    }

    /// Returns a new window of the recent time.
    fn new_recent(&self, now: f64, random_part: &mut impl FnMut() -> f64) -> Window {
        let block_secs = RECENT_SECS.max(RECENT_PART * self.whole.block_secs);
        let mut recent = Window::new(block_secs, RECENT_STRAIGHT, now);
        recent.begin(now, random_part);
        recent
    }

    /// Returns how the level grows up to a newest minimum.
    fn growth(&self, now: f64, minimum: f32) -> Option<Growth> {
        let listed = &self.listed;
        let of_window = |(window, per_second): (&Window, f64)| Growth {
            per_second,
            is_slower: per_second < STILL * listed.before,
            newest: window.newest.into(),
            newest_begun: window.newest_begun,
            staircase: None,
        };
        let of_stairs = |staircase: Staircase| Growth {
            per_second: staircase.per_second,
            is_slower: false,
            newest: self.highest.into(),
            newest_begun: self.highest_at,
            staircase: Some(staircase),
        };
        (self.steady(now, minimum).map(of_window))
            .or_else(|| {
                let per_second = self.slower(now, minimum)?;
                let growth = of_window((&self.whole, per_second));
                let before = listed.before.max(listed.per_second);
                Some(Growth {
                    is_slower: per_second < STILL * before,
                    ..growth
                })
            })
            .or_else(|| self.stairs.grows(now, self.step_secs(now)).map(of_stairs))
    }

    /// Returns whether the level may still rise: it has risen lately, up to a newest minimum.
    fn rises(&self, now: f64, minimum: f32) -> bool {
        let current = self.minimum.min(minimum);
        current.is_finite() && current > self.highest
            || now - self.highest_at <= STOPPED * self.longest.max(self.step_secs(now))
    }

    /// Returns the longest window in which the level grows evenly, and its slope.
    fn steady(&self, now: f64, minimum: f32) -> Option<(&Window, f64)> {
        if !self.rises(now, minimum) {
            return None;
        }
        let windows = [&self.whole, &self.recent].into_iter();
        let growing = windows.filter(|window| window.still_grows(minimum));
        let growing = growing.filter(|window| !self.may_fill(now, window));
        let is_higher = |window: &&Window| {
            let middle = (window.points[0].minimum + window.newest) / 2.0;
            middle >= self.highest_before(window)
        };
        let mut growing = growing.filter(is_higher);
        growing.find_map(|window| Some((window, window.per_second?)))
    }

    /// Returns whether the game may still be filling with the things that the level counts.
    fn may_fill(&self, now: f64, window: &Window) -> bool {
        let first = f64::from(window.points[0].minimum);
        let rise = f64::from(window.newest) - first;
        let is_fast = window.per_second >= Some(FILLING_SLOPE * first);
        let is_leak = is_fast && rise <= FILLING_RISE * first;
        now - window.born < FILLING_SECS && self.floor < THINGS_FLOOR && !is_leak
    }

    /// Returns the slope of a level that was listed, and still grows although it became slower.
    fn slower(&self, now: f64, minimum: f32) -> Option<f64> {
        let before = self.listed.per_second;
        if before == 0.0 || !self.rises(now, minimum) {
            return None;
        }
        let current = self.minimum.min(minimum);
        let rise = f64::from(self.highest - self.whole.points[0].minimum);
        let lost = f64::from(self.highest - current);
        if current.is_finite() && lost > FREED * rise + f64::from(self.floor) {
            return None;
        }
        let points = self.recent.points();
        if !self.listed.is_slower || points.len() < SLOPE_BLOCKS {
            // Its slope is not known yet.
            if now - self.highest_at > 2.0 * self.step_secs(now) {
                return None;
            }
            let points = self.whole.points();
            let (slope, _) = line(&points[points.len() * 3 / 4..]);
            return Some(if slope > 0.0 {
                slope.min(before)
            } else {
                before
            });
        }
        let (slope, _) = line(points);
        let is_even = points.len() < HALVES_BLOCKS || {
            let (first, second) = points.split_at(points.len() / 2);
            let tolerance = 2.0 * slope_error(points);
            line(second).0 >= STILL_SLOWER * line(first).0 - tolerance
        };
        (slope > SLOWEST * before && is_even).then_some(slope)
    }

    /// Returns the highest minimum before a window began.
    fn highest_before(&self, window: &Window) -> f32 {
        let age = (window.born - self.whole.born) as f32;
        let points = self.whole.points[..usize::from(self.whole.len)].iter();
        let before = points.filter(|point| point.time < age);
        before.fold(f32::NEG_INFINITY, |highest, point| {
            highest.max(point.minimum)
        })
    }
}

impl Window {
    fn new(block_secs: f64, straight: f64, now: f64) -> Self {
        Self {
            points: [Point::default(); BLOCKS],
            len: 0,
            born: now,
            block_secs,
            straight,
            begun: now,
            end: now,
            minimum: f32::INFINITY,
            grows_since: f64::INFINITY,
            per_second: None,
            newest: 0.0,
            newest_begun: now,
        }
    }

    /// Returns the complete blocks.
    fn points(&self) -> &[Point] {
        &self.points[..usize::from(self.len)]
    }

    /// Begins a block.
    fn begin(&mut self, now: f64, random_part: &mut impl FnMut() -> f64) {
        self.begun = now;
        self.end = now + self.block_secs * random_part();
        self.minimum = f32::INFINITY;
    }

    /// Takes a minimum, and begins the next block if the current one ends. Returns whether all
    /// blocks are full.
    fn take(
        &mut self,
        now: f64,
        minimum: f32,
        floor: f32,
        random_part: &mut impl FnMut() -> f64,
    ) -> bool {
        self.minimum = self.minimum.min(minimum);
        if now < self.end {
            return false;
        }
        if self.minimum.is_finite() {
            (self.newest, self.newest_begun) = (self.minimum, self.begun);
            let time = (self.begun - self.born) as f32;
            self.points[usize::from(self.len)] = Point {
                time,
                minimum: self.minimum,
            };
            self.len += 1;
            self.judge(now, floor);
        }
        self.begin(now, random_part);
        usize::from(self.len) == BLOCKS
    }

    fn merge(&mut self) {
        for at in 0..BLOCKS / 2 {
            let [first, second] = [self.points[at * 2], self.points[at * 2 + 1]];
            self.points[at] = Point {
                time: first.time,
                minimum: first.minimum.min(second.minimum),
            };
        }
        self.len = (BLOCKS / 2) as u8;
        self.block_secs *= 2.0;
    }

    /// Returns whether the level still rises at least half as fast as usual: both since the
    /// second-to-last block and since the beginning of the last quarter, with a tolerance of its
    /// mean distance from the line. `minimum` is the minimum of the frames since the last call of
    /// [`take`](Self::take).
    fn still_grows(&self, minimum: f32) -> bool {
        let Some(per_second) = self.per_second else {
            return false;
        };
        let current = self.minimum.min(minimum);
        let (newest, at) = if current.is_finite() {
            (current, self.begun)
        } else {
            (self.newest, self.newest_begun)
        };
        let points = self.points();
        let distance = line(points).1;
        let has_risen_since = |point: &Point| {
            let usual = per_second * (at - self.born - f64::from(point.time));
            f64::from(newest - point.minimum) >= 0.5 * usual - distance
        };
        let since = [points.len().saturating_sub(2), points.len() * 3 / 4];
        let mut since = since.into_iter().filter_map(|at| points.get(at));
        newest >= points[points.len() * 3 / 4].minimum && since.all(has_risen_since)
    }

    fn judge(&mut self, now: f64, floor: f32) {
        let len = usize::from(self.len);
        if len < MIN_BLOCKS {
            return;
        }
        let points = &self.points[..len];
        let Some(per_second) = slope_of_growth(points, f64::from(floor), self.straight) else {
            self.grows_since = f64::INFINITY;
            self.per_second = None;
            return;
        };
        let age = now - self.born;
        self.grows_since = self.grows_since.min(age);
        if age >= AGAIN * self.grows_since {
            self.per_second = Some(per_second);
        }
    }
}

/// Returns the slope of a level that grows by the rule of this module; `None` if it does not grow.
fn slope_of_growth(points: &[Point], floor: f64, straight: f64) -> Option<f64> {
    let (first, last) = (points.first()?, points.last()?);
    let (slope, residual) = line(points);
    let rise = slope * f64::from(last.time - first.time);
    if rise.is_nan() || rise <= RISE * f64::from(first.minimum).abs() || rise <= floor {
        return None;
    }
    if rise <= straight * (residual + floor / 4.0) {
        return None;
    }
    let (first_half, second_half) = points.split_at(points.len() / 2);
    let still_grows = line(second_half).0 >= STILL * line(first_half).0;
    (still_grows && mann_kendall(points) > STEADY).then_some(slope)
}

/// Returns the slope of the fitted line, and the mean distance from it.
fn line(points: &[Point]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |value: fn(&Point) -> f32| {
        let values = points.iter().map(|point| f64::from(value(point)));
        values.sum::<f64>() / count
    };
    let mean_time = mean(|point| point.time);
    let mean_level = mean(|point| point.minimum);
    let distances = || {
        points.iter().map(|point| {
            let (time, level) = (f64::from(point.time), f64::from(point.minimum));
            (time - mean_time, level - mean_level)
        })
    };
    let slope = distances().map(|(time, level)| time * level).sum::<f64>()
        / distances().map(|(time, _)| time * time).sum::<f64>();
    let distance = |(time, level): (f64, f64)| (level - slope * time).abs();
    (slope, distances().map(distance).sum::<f64>() / count)
}

/// Returns the standard error of the difference between the slopes of the halves.
///
/// The noise follows from the second differences, which a curve hardly changes (von Neumann et al.,
/// *The mean square successive difference*, 1941).
fn slope_error(points: &[Point]) -> f64 {
    let bends = points.windows(3).map(|three| {
        let [a, b, c] = [0, 1, 2].map(|at| f64::from(three[at].minimum));
        let time = |at: usize| f64::from(three[at].time);
        let part = (time(1) - time(0)) / (time(2) - time(0));
        b - a - part * (c - a)
    });
    let count = points.len() as f64;
    let squares: f64 = bends.map(|bend| bend * bend).sum();
    // A bend is b − (a + c) / 2 if times are even, which has 1.5 times the variance of a value.
    let variance = squares / (1.5 * (count - 2.0));
    let (half, mean_time) = (points.len() / 2, |half: &[Point]| {
        half.iter().map(|one| f64::from(one.time)).sum::<f64>() / half.len() as f64
    });
    let of_half = |half: &[Point]| {
        let mean = mean_time(half);
        let squares = half.iter().map(|one| (f64::from(one.time) - mean).powi(2));
        variance / squares.sum::<f64>()
    };
    (of_half(&points[..half]) + of_half(&points[half..])).sqrt()
}

/// Returns the Mann-Kendall statistic in standard deviations.
fn mann_kendall(points: &[Point]) -> f64 {
    let pairs = points
        .iter()
        .enumerate()
        .flat_map(|(at, first)| points[at + 1..].iter().map(move |second| (first, second)));
    let sum: f64 = pairs
        .map(
            |(first, second)| match second.minimum.total_cmp(&first.minimum) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Less => -1.0,
            },
        )
        .sum();
    let n = points.len() as f64;
    (sum - sum.signum()) / (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt()
}

#[cfg(test)]
mod tests;
