//! A window of a level: the minima of up to 24 blocks of time.

use super::slope::{Point, line, slope_of_growth};

/// The number of blocks of a window.
const BLOCKS: usize = 24;
/// The minimum number of blocks that are judged.
const MIN_BLOCKS: usize = 16;
/// A level is reported if it still grows at this multiple of the age at which growth was first
/// found.
const AGAIN: f64 = 1.4;

/// Up to 24 blocks of time.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) points: [Point; BLOCKS],
    pub(super) len: u8,
    /// When the window began.
    pub(super) born: f64,
    pub(super) block_secs: f64,
    /// The limit of the condition *straight*.
    pub(super) straight: f64,
    /// When the current block began and when it ends.
    pub(super) begun: f64,
    pub(super) end: f64,
    /// The minimum of the current block so far.
    pub(super) minimum: f32,
    /// The age at which the level was first found to grow; infinite while it does not grow.
    pub(super) grows_since: f64,
    pub(super) per_second: Option<f64>,
    /// The minimum of the newest complete block, and when that block began.
    pub(super) newest: f32,
    pub(super) newest_begun: f64,
}

impl Window {
    pub(super) fn new(block_secs: f64, straight: f64, now: f64) -> Self {
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
    pub(super) fn points(&self) -> &[Point] {
        &self.points[..usize::from(self.len)]
    }

    /// Begins a block.
    pub(super) fn begin(&mut self, now: f64, random_part: &mut impl FnMut() -> f64) {
        self.begun = now;
        self.end = now + self.block_secs * random_part();
        self.minimum = f32::INFINITY;
    }

    /// Takes a minimum, and begins the next block if the current one ends. Returns whether all
    /// blocks are full.
    pub(super) fn take(
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

    pub(super) fn merge(&mut self) {
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

    /// Returns whether the level still rises at least half as fast as usual. It must do so since the
    /// second-to-last block, and since the beginning of the last quarter, with a tolerance of its
    /// mean distance from the line. `minimum` is the minimum of the frames since the last call of
    /// [`take`](Self::take).
    pub(super) fn still_grows(&self, minimum: f32) -> bool {
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

    pub(super) fn judge(&mut self, now: f64, floor: f32) {
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
