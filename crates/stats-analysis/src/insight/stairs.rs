//! Levels that grow in stairs of increasing height.
//!
//! The memory of a list that doubles its capacity is a staircase: each stair is twice as high as
//! the one before, and comes after twice the time. So is that of any list whose capacity grows by a
//! factor. No line fits it, but the things in the list grow evenly.
//!
//! A level grows in stairs if the heights of its newest four stairs, and the times between them,
//! increase by the same factor. Loads of levels do so only by chance.

/// The number of stairs that are judged.
const STAIRS: usize = 4;
/// A stair is higher than this many times the range of the level since the stair before.
const ABOVE_RANGE: f32 = 4.0;
/// The minimum height, as a share of the level.
const STAIR_PART: f32 = 0.005;
/// The factors by which a capacity grows.
const FACTORS: std::ops::RangeInclusive<f64> = 1.2..=4.5;
/// The largest relative difference between the factor and that of heights, and of times.
const SAME_HEIGHT: f64 = 0.12;
const SAME_TIME: f64 = 0.35;
/// The level has stopped growing if no stair comes within this multiple of the expected time.
const LATE: f64 = 1.5;
/// A level has been freed if it falls by this share of the newest stair.
const FREED: f32 = 0.5;

/// The stairs of a level, which is sampled in steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Stairs {
    /// The time and the height of the newest stairs, oldest first.
    stairs: [(f32, f32); STAIRS],
    count: u8,
    /// The range of the level since the newest stair; empty before the first step.
    range: Option<(f32, f32)>,
}

/// A staircase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Staircase {
    /// The mean slope of what is in the list.
    pub(super) per_second: f64,
    factor: f64,
    /// The time and the height of the newest stair, and the time since the one before.
    newest: f64,
    height: f64,
    interval: f64,
}

impl Stairs {
    /// Takes the minimum of a step, which begins at `begun`.
    pub(super) fn take(&mut self, begun: f64, minimum: f32, floor: f32) {
        let (low, high) = self.range.unwrap_or((minimum, minimum));
        let height = minimum - high;
        let least = (ABOVE_RANGE * (high - low)).max(STAIR_PART * high.abs());
        if height > least.max(floor) {
            self.stairs.rotate_left(1);
            self.stairs[STAIRS - 1] = (begun as f32, height);
            self.count = (self.count + 1).min(STAIRS as u8);
            self.range = Some((minimum, minimum));
        } else if self.count > 0 && low - minimum > FREED * self.stairs[STAIRS - 1].1 {
            self.count = 0;
            self.range = Some((minimum, minimum));
        } else {
            self.range = Some((low.min(minimum), high.max(minimum)));
        }
    }

    /// Returns the staircase, if the level still grows. Times are known to `step_secs`.
    pub(super) fn grows(&self, now: f64, step_secs: f64) -> Option<Staircase> {
        if usize::from(self.count) < STAIRS {
            return None;
        }
        let [times, heights] = [
            self.stairs.map(|(time, _)| f64::from(time)),
            self.stairs.map(|(_, height)| f64::from(height)),
        ];
        let factor = (heights[STAIRS - 1] / heights[0]).powf(1.0 / (STAIRS - 1) as f64);
        let is_even = |pair: &[f64]| (pair[1] / pair[0] / factor - 1.0).abs() <= SAME_HEIGHT;
        let intervals = [1, 2, 3].map(|at| times[at] - times[at - 1]);
        let is_in_time = |pair: &[f64]| {
            let tolerance = SAME_TIME * pair[1] + (1.0 + factor) * step_secs;
            (pair[1] - factor * pair[0]).abs() <= tolerance
        };
        let (newest, interval) = (times[STAIRS - 1], intervals[STAIRS - 2]);
        let next_secs = factor * interval;
        let is_staircase = FACTORS.contains(&factor)
            && heights.windows(2).all(is_even)
            && intervals.windows(2).all(is_in_time);
        (is_staircase && now - newest <= LATE * next_secs + step_secs).then(|| Staircase {
            per_second: heights[STAIRS - 1] / next_secs,
            factor,
            newest,
            height: heights[STAIRS - 1],
            interval,
        })
    }
}

impl Staircase {
    /// Returns the time at which the level reaches a budget.
    pub(super) fn reaches(&self, mut level: f64, budget: f64) -> f64 {
        let Self {
            factor,
            mut newest,
            mut height,
            mut interval,
            ..
        } = *self;
        while level < budget {
            (interval, height) = (factor * interval, factor * height);
            (newest, level) = (newest + interval, level + height);
        }
        newest
    }
}
