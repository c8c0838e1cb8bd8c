//! Percentiles and averages of frame times, each under a name that defines it.
//!
//! There is no function called just "percentile", because the three usual definitions of a "1 %
//! low" can differ by half on the same capture. All functions take frame times in milliseconds and
//! percentages from 0 to 100; percentages outside that range are clamped.
//!
//! | here | returns | known elsewhere as |
//! |---|---|---|
//! | [`percentile_by_time`] | ms | the "x % low" of RTSS / MSI Afterburner with its *integral* method, "x % low integral" of CapFrameX, as fps and for 100 − x; argued for in "You're calculating framerate percentiles wrong!" (M. N. Goldberg) |
//! | [`percentile_by_frame`] | ms | "P1", "P0.1" of CapFrameX, as fps and for 100 − x; "percentile" of most benchmarks |
//! | [`low_average`] | fps | "x % low average" of CapFrameX, "1 % low" of many reviews |
//! | [`average_fps`] | fps | "average", if computed correctly: not as the mean of fps values |
//!
//! These functions are exact; they read a slice and sort a copy of it. The methods of the same
//! names of a [`Distribution`] compute the result from its buckets, with bounded memory, within
//! [`Precision::max_error`](crate::Precision::max_error) of a frame time. The deciding bucket is
//! found from the middles of the buckets, so a frame right at the limit may fall on either side of
//! it.
//!
//! Frame times that are negative or not finite are skipped. Without frames, or if all frames took
//! no time, the result is `None`.
//!
//! ```
//! use stats_core::percentiles::{average_fps, percentile_by_frame, percentile_by_time};
//!
//! // An hour at 60 frames per second, and then one frame of an hour.
//! let mut frames_ms = vec![1000.0 / 60.0; 216_000];
//! frames_ms.push(3_600_000.0);
//! assert_eq!(percentile_by_time(&frames_ms, 95.0), Some(3_600_000.0));
//! assert_eq!(percentile_by_frame(&frames_ms, 95.0), Some(1000.0 / 60.0));
//! assert_eq!(average_fps(&frames_ms).map(f64::round), Some(30.0));
//! ```

use crate::Distribution;
use crate::distribution::ranks::{
    by_rank, by_time, per_second, share, slowest, total_count, total_ms, weighted,
};

/// Returns the shortest frame time such that the frames no slower than it make up at least
/// `percent` of the total time.
///
/// ```
/// # use stats_core::percentiles::percentile_by_time;
/// assert_eq!(percentile_by_time(&[10.0, 10.0, 30.0], 40.0), Some(10.0));
/// assert_eq!(percentile_by_time(&[10.0, 10.0, 30.0], 50.0), Some(30.0));
/// ```
#[must_use]
pub fn percentile_by_time(frames_ms: &[f64], percent: f64) -> Option<f64> {
    by_time(weighted(&sorted(frames_ms)), percent)
}

/// Returns the shortest frame time such that at least `percent` of the frames are no slower: the
/// nearest rank.
///
/// ```
/// # use stats_core::percentiles::percentile_by_frame;
/// assert_eq!(percentile_by_frame(&[10.0, 30.0, 10.0], 66.0), Some(10.0));
/// assert_eq!(percentile_by_frame(&[10.0, 30.0, 10.0], 67.0), Some(30.0));
/// ```
#[must_use]
pub fn percentile_by_frame(frames_ms: &[f64], percent: f64) -> Option<f64> {
    let mut durations = durations(frames_ms);
    let rank = share(durations.len() as u64, percent) as usize;
    // Selecting takes a fraction of the time of sorting.
    (!durations.is_empty()).then(|| *durations.select_nth_unstable_by(rank - 1, f64::total_cmp).1)
}

/// Returns the frame rate during the slowest `percent` of the frames, and at least one frame: their
/// number divided by their total time.
///
/// ```
/// # use stats_core::percentiles::low_average;
/// let mut frames_ms = [10.0; 100];
/// frames_ms[50] = 50.0;
/// assert_eq!(low_average(&frames_ms, 1.0), Some(20.0));
/// ```
#[must_use]
pub fn low_average(frames_ms: &[f64], percent: f64) -> Option<f64> {
    let mut durations = durations(frames_ms);
    if durations.is_empty() {
        return None;
    }
    let slowest = share(durations.len() as u64, percent);
    let first = durations.len() - slowest as usize;
    durations.select_nth_unstable_by(first, f64::total_cmp);
    per_second(slowest, durations[first..].iter().sum())
}

/// Returns the average frame rate: the number of frames divided by their total time.
///
/// ```
/// # use stats_core::percentiles::average_fps;
/// // Half a second at 100 fps and half a second at 20 fps: 60 frames in a second.
/// let frames_ms = [[10.0; 50].as_slice(), &[50.0; 10]].concat();
/// assert_eq!(average_fps(&frames_ms), Some(60.0));
/// ```
#[must_use]
pub fn average_fps(frames_ms: &[f64]) -> Option<f64> {
    let (mut count, mut total_ms) = (0, 0.0);
    for ms in frames_ms.iter().filter(|ms| is_duration(**ms)) {
        count += 1;
        total_ms += ms;
    }
    per_second(count, total_ms)
}

impl Distribution {
    /// Returns the shortest frame time such that the frames no slower than it make up at least
    /// `percent` of the total time; see [`percentiles`](crate::percentiles).
    #[must_use]
    pub fn percentile_by_time(&self, percent: f64) -> Option<f64> {
        by_time(self.durations(), percent)
    }

    /// Returns the shortest frame time such that at least `percent` of the frames are no slower;
    /// see [`percentiles`](crate::percentiles).
    #[must_use]
    pub fn percentile_by_frame(&self, percent: f64) -> Option<f64> {
        by_rank(self.durations(), total_count(self.durations()), percent)
    }

    /// Returns the frame rate during the slowest `percent` of the frames; see
    /// [`percentiles`](crate::percentiles).
    #[must_use]
    pub fn low_average(&self, percent: f64) -> Option<f64> {
        slowest(self.durations(), total_count(self.durations()), percent)
    }

    /// Returns the average frame rate: the number of frames divided by their total time. Exact if
    /// no sample is negative. See [`percentiles`](crate::percentiles).
    #[must_use]
    pub fn average_fps(&self) -> Option<f64> {
        if self.min().is_some_and(|min| min >= 0.0) {
            return per_second(self.count(), self.sum());
        }
        per_second(total_count(self.durations()), total_ms(self.durations()))
    }

    fn durations(&self) -> impl DoubleEndedIterator<Item = (f64, u64)> + Clone + '_ {
        self.weighted().filter(|(value, _)| is_duration(*value))
    }
}

fn is_duration(ms: f64) -> bool {
    (0.0..f64::INFINITY).contains(&ms)
}

fn durations(frames_ms: &[f64]) -> Vec<f64> {
    frames_ms
        .iter()
        .copied()
        .filter(|ms| is_duration(*ms))
        .collect()
}

fn sorted(frames_ms: &[f64]) -> Vec<f64> {
    let mut sorted = durations(frames_ms);
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}
