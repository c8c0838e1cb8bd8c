//! Thinning: one minimum–maximum pair for a run of frames, so that a line needs no more points than
//! pixels.
//!
//! A run ("bucket") is a whole number of frames and begins at a multiple of that number, counted
//! from frame 0. Which bucket a frame falls into therefore does not depend on what part of the
//! history is looked at, and the picture does not shimmer while it scrolls. Every extremum of the
//! data is an extremum of its bucket: a spike never vanishes.

use stats_core::FrameSlice;

use crate::pyramid::{self, Pyramid};

/// The extremes of the frames from `first_frame` on that share a bucket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    /// The first frame of the bucket, whether the window holds it or not: a multiple of the
    /// bucket's width.
    pub first_frame: u64,
    pub min: f64,
    pub max: f64,
    /// The value of its first and of its last frame in the window, between which a line comes and
    /// goes.
    pub first: f64,
    pub last: f64,
}

/// The extremes of consecutive frames, their ends and their sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    pub min: f64,
    pub max: f64,
    pub first: f64,
    pub last: f64,
    /// May be infinite, of values that are huge.
    pub sum: f64,
}

impl Extremes {
    /// Those of a window; `None` of an empty one.
    pub fn of_window(window: FrameSlice<'_>) -> Option<Self> {
        let (older, newer) = window.as_slices();
        match (Self::of(older), Self::of(newer)) {
            (Some(older), Some(newer)) => Some(older.followed_by(&newer)),
            (older, newer) => older.or(newer),
        }
    }

    /// Those of values. Plain selects: `f64::min` is slower.
    fn of(values: &[f64]) -> Option<Self> {
        let (&first, &last) = (values.first()?, values.last()?);
        let (mut min, mut max, mut sum) = (first, first, 0.0);
        for &value in values {
            min = if value < min { value } else { min };
            max = if value > max { value } else { max };
            sum += value;
        }
        Some(Self {
            min,
            max,
            first,
            last,
            sum,
        })
    }

    /// Those of both, where `after` comes next.
    pub fn followed_by(&self, after: &Self) -> Self {
        let min = if after.min < self.min {
            after.min
        } else {
            self.min
        };
        let max = if after.max > self.max {
            after.max
        } else {
            self.max
        };
        Self {
            min,
            max,
            first: self.first,
            last: after.last,
            sum: self.sum + after.sum,
        }
    }
}

/// How many frames share a bucket when `frames` are drawn over `columns` of pixels: 1 while each
/// has a column of its own.
///
/// Beyond 8 it is a power of two or half as much again, of which the blocks of a [`Pyramid`] fit
/// whole.
pub fn bucket_width(frames: f64, columns: f64) -> u64 {
    if !(frames > 0.0 && columns > 0.0) {
        return 1;
    }
    // A hair less than a frame too many does not count: where a span is not exact in binary, it
    // would flicker.
    let least = (frames / columns - 1e-6).ceil().clamp(1.0, 1e15) as u64;
    if least <= 8 {
        return least;
    }
    let power = least.next_power_of_two();
    if power / 4 * 3 >= least {
        power / 4 * 3
    } else {
        power
    }
}

/// Fills `buckets` with the extremes of every `width` frames, oldest first. Frames that are absent
/// make no bucket.
pub fn thin(window: FrameSlice<'_>, width: u64, buckets: &mut Vec<Bucket>) {
    buckets.clear();
    let width = width.max(1);
    let (older, newer) = window.as_slices();
    add_run(older, window.first_frame(), width, buckets);
    add_run(
        newer,
        window.first_frame() + older.len() as u64,
        width,
        buckets,
    );
}

/// The same with the help of the history's pyramid, so that not every value is looked at where many
/// share a bucket.
pub fn thin_through(
    pyramid: Option<&Pyramid>,
    window: FrameSlice<'_>,
    width: u64,
    buckets: &mut Vec<Bucket>,
) {
    // Below that it is quicker to look at the values than to look up their blocks.
    let Some(pyramid) = pyramid.filter(|_| width >= 4 * pyramid::BASE) else {
        return thin(window, width, buckets);
    };
    buckets.clear();
    let held = window.frames();
    let mut first_frame = held.start - held.start % width;
    while first_frame < held.end {
        if let Some(Extremes {
            min,
            max,
            first,
            last,
            ..
        }) = pyramid.extremes(window, first_frame..first_frame + width)
        {
            buckets.push(Bucket {
                first_frame,
                min,
                max,
                first,
                last,
            });
        }
        first_frame += width;
    }
}

fn add_run(mut values: &[f64], mut frame: u64, width: u64, buckets: &mut Vec<Bucket>) {
    while !values.is_empty() {
        let room = width - frame % width;
        let take = values
            .len()
            .min(usize::try_from(room).unwrap_or(usize::MAX));
        let (part, rest) = values.split_at(take);
        add_part(part, frame - frame % width, buckets);
        values = rest;
        frame += take as u64;
    }
}

/// Adds values that lie in one bucket: to the newest one when it is the same (a ring's two runs
/// meet there).
fn add_part(part: &[f64], first_frame: u64, buckets: &mut Vec<Bucket>) {
    let (Some(&first), Some(&last)) = (part.first(), part.last()) else {
        return;
    };
    let (min, max) = extremes(part);
    match buckets.last_mut() {
        Some(bucket) if bucket.first_frame == first_frame => {
            bucket.min = if min < bucket.min { min } else { bucket.min };
            bucket.max = if max > bucket.max { max } else { bucket.max };
            bucket.last = last;
        }
        _ => buckets.push(Bucket {
            first_frame,
            min,
            max,
            first,
            last,
        }),
    }
}

/// The least and the greatest of `values`; (∞, -∞) when there are none. Plain selects: `f64::min`
/// is slower.
pub fn extremes(values: &[f64]) -> (f64, f64) {
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for &value in values {
        min = if value < min { value } else { min };
        max = if value > max { value } else { max };
    }
    (min, max)
}

/// What the legend says of the visible part of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    pub now: f64,
    pub min: f64,
    pub mean: f64,
    pub max: f64,
}

/// Newest value, extremes and mean of a window; `None` of an empty one.
fn summarize(window: FrameSlice<'_>) -> Option<Summary> {
    Extremes::of_window(window).map(|extremes| summary(&extremes, window))
}

/// The same through the history's pyramid. The mean differs by rounding alone: sums are added up by
/// blocks, never a running one that would carry on what a huge value left behind.
pub fn summarize_through(pyramid: Option<&Pyramid>, window: FrameSlice<'_>) -> Option<Summary> {
    let Some(pyramid) = pyramid else {
        return summarize(window);
    };
    pyramid
        .extremes(window, window.frames())
        .map(|extremes| summary(&extremes, window))
}

fn summary(extremes: &Extremes, window: FrameSlice<'_>) -> Summary {
    let &Extremes {
        min,
        max,
        last: now,
        sum,
        ..
    } = extremes;
    let count = window.len() as f64;
    // Divided before it is added up, where the sum would not be finite.
    let mean = if sum.is_finite() {
        sum / count
    } else {
        window.iter().map(|value| value / count).sum()
    };
    Summary {
        now,
        min,
        mean,
        max,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::{Random, ring};

    fn brute_force(window: FrameSlice<'_>, width: u64) -> Vec<Bucket> {
        let mut buckets: Vec<Bucket> = Vec::new();
        for (frame, value) in window.frames().zip(window.iter()) {
            let first_frame = frame / width * width;
            match buckets
                .iter_mut()
                .find(|bucket| bucket.first_frame == first_frame)
            {
                None => buckets.push(Bucket {
                    first_frame,
                    min: value,
                    max: value,
                    first: value,
                    last: value,
                }),
                Some(bucket) => {
                    bucket.min = bucket.min.min(value);
                    bucket.max = bucket.max.max(value);
                    bucket.last = value;
                }
            }
        }
        buckets
    }

    #[test]
    fn every_extremum_of_a_bucket_is_kept() {
        let mut random = Random::new(7);
        let mut buckets = Vec::new();
        for _ in 0..500 {
            let values: Vec<f64> = (0..random.below(300)).map(|_| random.value()).collect();
            let split = random.below(values.len() as u64 + 1) as usize;
            let window = FrameSlice::new(random.below(10_000), &values[..split], &values[split..]);
            let width = 1 + random.below(40);
            thin(window, width, &mut buckets);
            assert_eq!(buckets, brute_force(window, width));
        }
    }

    #[test]
    fn a_pyramid_changes_nothing_but_the_time_it_takes() {
        let mut random = Random::new(13);
        let (mut direct, mut through) = (Vec::new(), Vec::new());
        for _ in 0..60 {
            let values = random.series(9000);
            let (capacity, first) = (1000 + random.below(7000), random.below(500));
            let mut pyramid = Pyramid::default();
            let mut end = first;
            while end < first + 9000 {
                end = (end + 1 + random.below(1000)).min(first + 9000);
                let (older, newer, start) = ring(&values, first, end, capacity);
                let window = FrameSlice::new(start, &older, &newer);
                // It may lag behind, or have begun anew.
                if random.below(5) > 0 {
                    pyramid.update(window);
                }
                let from = start + random.below(capacity);
                let part = window.within(from..from + random.below(capacity));
                let width = bucket_width(random.below(4000) as f64, 10.0);
                for window in [window, part] {
                    thin(window, width, &mut direct);
                    thin_through(Some(&pyramid), window, width, &mut through);
                    assert_eq!(
                        direct,
                        through,
                        "{width} frames each of {:?}",
                        window.frames()
                    );
                    let (direct, through) =
                        (summarize(window), summarize_through(Some(&pyramid), window));
                    assert_eq!(direct.is_some(), through.is_some());
                    let (direct, through) =
                        (direct.unwrap_or_default(), through.unwrap_or_default());
                    assert_eq!(
                        (direct.now, direct.min, direct.max),
                        (through.now, through.min, through.max)
                    );
                    let size = window
                        .iter()
                        .fold(0.0, |size: f64, value| size.max(value.abs()));
                    assert!(
                        (direct.mean - through.mean).abs() <= size * 1e-12,
                        "{direct:?} {through:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn widths_are_those_that_blocks_fit() {
        for least in 1..5000_u64 {
            let width = bucket_width(least as f64 * 100.0, 100.0);
            assert!(
                width >= least && width as f64 <= least as f64 * 1.5,
                "{least}: {width}"
            );
            assert!(
                width <= 8
                    || width.is_power_of_two()
                    || (width.is_multiple_of(3) && (width / 3).is_power_of_two()),
                "{width}"
            );
        }
        // Spans that follow the newest frame are a hair off.
        assert_eq!(bucket_width(1_600.000_000_1, 800.0), 2);
    }

    #[test]
    fn the_bucket_of_a_frame_does_not_depend_on_the_window() {
        let mut random = Random::new(11);
        let values: Vec<f64> = (0..400).map(|_| random.value()).collect();
        let (mut whole, mut part) = (Vec::new(), Vec::new());
        for _ in 0..200 {
            let width = 1 + random.below(20);
            let all = FrameSlice::new(1000, &values, &[]);
            thin(all, width, &mut whole);
            let start = 1000 + random.below(400);
            let end = start + random.below(1400 - start);
            thin(all.within(start..end), width, &mut part);
            for bucket in &part {
                let inside = bucket.first_frame >= start && bucket.first_frame + width <= end;
                assert!(!inside || whole.contains(bucket), "{bucket:?} shifted");
            }
        }
    }

    #[test]
    fn a_spike_of_one_frame_survives_any_width() {
        let mut values = vec![1.0; 5000];
        values[3333] = 99.0;
        let mut buckets = Vec::new();
        for width in [1, 2, 3, 7, 64, 4999, 5000, 10_000] {
            thin(
                FrameSlice::new(123, &values[..100], &values[100..]),
                width,
                &mut buckets,
            );
            assert_eq!(
                buckets.iter().filter(|bucket| bucket.max == 99.0).count(),
                1,
                "width {width}"
            );
        }
    }

    #[test]
    fn widths_are_whole_frames() {
        assert_eq!(bucket_width(100.0, 800.0), 1);
        assert_eq!(bucket_width(800.0, 800.0), 1);
        assert_eq!(bucket_width(801.0, 800.0), 2);
        assert_eq!(bucket_width(0.0, 800.0), 1);
        assert_eq!(bucket_width(100.0, 0.0), 1);
        assert_eq!(bucket_width(f64::NAN, 1.0), 1);
        assert_eq!(bucket_width(f64::INFINITY, 1.0), 1 << 50);
    }

    #[test]
    fn summaries_are_those_of_the_values() {
        assert_eq!(summarize(FrameSlice::default()), None);
        let summary = summarize(FrameSlice::new(0, &[4.0, 1.0], &[3.0])).unwrap();
        assert_eq!((summary.now, summary.min, summary.max), (3.0, 1.0, 4.0));
        assert!((summary.mean - 8.0 / 3.0).abs() < 1e-12);
        let huge = summarize(FrameSlice::new(0, &[f64::MAX, f64::MAX], &[])).unwrap();
        assert!(huge.mean.is_finite());
    }
}
