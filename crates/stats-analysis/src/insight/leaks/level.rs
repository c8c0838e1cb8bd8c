//! A level that is followed, and how it grows.

use super::super::stairs::{Staircase, Stairs};
use super::Block;
use super::slope::{STILL, line, slope_error};
use super::window::Window;

/// The first blocks of the whole time last about this long.
const FIRST_SECS: f64 = 0.35;
/// The blocks of the recent time last at least this long, and at least this part of a block of the
/// whole time.
const RECENT_SECS: f64 = 1.25;
const RECENT_PART: f64 = 0.125;
/// The limit of the condition *straight* for the whole time, and for the recent time.
pub(super) const STRAIGHT: f64 = 20.0;
const RECENT_STRAIGHT: f64 = 60.0;
/// A level has stopped growing if its minimum has reached no new maximum for this many times the
/// longest time between two maxima.
const STOPPED: f64 = 3.0;
/// The factor by which the longest time decays with each new maximum.
const FORGET: f64 = 0.95;
/// At the end of each step, the minimum of a level is compared with the highest one. A step lasts
/// at least this long, and at least this part of the level's age.
const STEP_SECS: f64 = 2.5;
const STEP_PART: f64 = 1.0 / 128.0;
/// The minimum slope of the second half of the recent time of a level that became slower, as a
/// multiple of the slope of the first half.
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

#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) series: u32,
    pub(super) floor: f32,
    /// The state of the random generator for the lengths of blocks.
    pub(super) random: u32,
    pub(super) whole: Window,
    pub(super) recent: Window,
    /// The minimum of the current step, and when the step begins and ends.
    pub(super) minimum: f32,
    pub(super) step_begun: f64,
    pub(super) step_end: f64,
    /// The highest minimum of a step, when it was reached, and the longest time between two of
    /// them.
    pub(super) highest: f32,
    pub(super) highest_at: f64,
    pub(super) longest: f64,
    pub(super) listed: Listed,
    pub(super) stairs: Stairs,
}

/// What a level was last listed for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Listed {
    /// The slope of the level; 0 if it is not listed.
    pub(super) per_second: f64,
    /// The slope before the level became slower; 0 if it did not.
    pub(super) before: f64,
    /// Whether the recent time began again because it became slower.
    pub(super) is_slower: bool,
}

/// How a level grows.
pub(super) struct Growth {
    pub(super) per_second: f64,
    pub(super) is_slower: bool,
    /// The newest minimum of a window, and when its block began.
    pub(super) newest: f64,
    pub(super) newest_begun: f64,
    pub(super) staircase: Option<Staircase>,
}

impl Level {
    /// Returns whether it is listed, or may be listed soon.
    pub(super) fn may_grow(&self, now: f64) -> bool {
        let windows = [&self.whole, &self.recent];
        let grows = windows.iter().any(|window| window.grows_since.is_finite());
        grows
            || self.listed.per_second > 0.0
            || self.stairs.grows(now, self.step_secs(now)).is_some()
    }

    pub(super) fn new(series: u32, floor: f32, now: f64) -> Self {
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
    pub(super) fn take(&mut self, now: f64, minimum: f32) -> Block {
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
    pub(super) fn step_secs(&self, now: f64) -> f64 {
        STEP_SECS.max(STEP_PART * (now - self.whole.born))
    }

    /// Lists the level if it grows, and keeps it listed if it became slower.
    pub(super) fn list(&mut self, now: f64, random_part: &mut impl FnMut() -> f64) {
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
    pub(super) fn new_recent(&self, now: f64, random_part: &mut impl FnMut() -> f64) -> Window {
        let block_secs = RECENT_SECS.max(RECENT_PART * self.whole.block_secs);
        let mut recent = Window::new(block_secs, RECENT_STRAIGHT, now);
        recent.begin(now, random_part);
        recent
    }

    /// Returns how the level grows up to a newest minimum.
    pub(super) fn growth(&self, now: f64, minimum: f32) -> Option<Growth> {
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
    pub(super) fn rises(&self, now: f64, minimum: f32) -> bool {
        let current = self.minimum.min(minimum);
        current.is_finite() && current > self.highest
            || now - self.highest_at <= STOPPED * self.longest.max(self.step_secs(now))
    }

    /// Returns the longest window in which the level grows evenly, and its slope.
    pub(super) fn steady(&self, now: f64, minimum: f32) -> Option<(&Window, f64)> {
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
    pub(super) fn may_fill(&self, now: f64, window: &Window) -> bool {
        let first = f64::from(window.points[0].minimum);
        let rise = f64::from(window.newest) - first;
        let is_fast = window.per_second >= Some(FILLING_SLOPE * first);
        let is_leak = is_fast && rise <= FILLING_RISE * first;
        now - window.born < FILLING_SECS && self.floor < THINGS_FLOOR && !is_leak
    }

    /// Returns the slope of a level that was listed, and still grows although it became slower.
    pub(super) fn slower(&self, now: f64, minimum: f32) -> Option<f64> {
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
    pub(super) fn highest_before(&self, window: &Window) -> f32 {
        let age = (window.born - self.whole.born) as f32;
        let points = self.whole.points[..usize::from(self.whole.len)].iter();
        let before = points.filter(|point| point.time < age);
        before.fold(f32::NEG_INFINITY, |highest, point| {
            highest.max(point.minimum)
        })
    }
}
