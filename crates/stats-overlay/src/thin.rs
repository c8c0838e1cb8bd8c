//! Thinning: one minimum–maximum pair for a run of frames, so that a line needs no more points than pixels.
//!
//! A run ("bucket") is a whole number of frames and begins at a multiple of that number, counted from frame 0. Which
//! bucket a frame falls into therefore does not depend on what part of the history is looked at, and the picture does
//! not shimmer while it scrolls. Every extremum of the data is an extremum of its bucket: a spike never vanishes.

use stats_core::Window;

/// The extremes of the frames from `first_frame` on that share a bucket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bucket {
    /// The first frame of the bucket, whether the window holds it or not: a multiple of the bucket's width.
    pub(crate) first_frame: u64,
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// The value of its first and of its last frame in the window, between which a line comes and goes.
    pub(crate) first: f64,
    pub(crate) last: f64,
}

/// How many frames share a bucket when `frames` are drawn over `columns` of pixels: 1 while each has a column of its own.
pub(crate) fn bucket_width(frames: f64, columns: f64) -> u64 {
    if !(frames > 0.0 && columns > 0.0) {
        return 1;
    }
    (frames / columns).ceil().clamp(1.0, 1e15) as u64
}

/// Fills `buckets` with the extremes of every `width` frames, oldest first. Frames that are absent make no bucket.
pub(crate) fn thin(window: Window<'_>, width: u64, buckets: &mut Vec<Bucket>) {
    buckets.clear();
    let width = width.max(1);
    let (older, newer) = window.as_slices();
    add_run(older, window.first_frame(), width, buckets);
    add_run(newer, window.first_frame() + older.len() as u64, width, buckets);
}

fn add_run(mut values: &[f64], mut frame: u64, width: u64, buckets: &mut Vec<Bucket>) {
    while !values.is_empty() {
        let room = width - frame % width;
        let take = values.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        let (part, rest) = values.split_at(take);
        add_part(part, frame - frame % width, buckets);
        values = rest;
        frame += take as u64;
    }
}

/// Adds values that lie in one bucket: to the newest one when it is the same (a ring's two runs meet there).
fn add_part(part: &[f64], first_frame: u64, buckets: &mut Vec<Bucket>) {
    let (Some(&first), Some(&last)) = (part.first(), part.last()) else { return };
    let (min, max) = extremes(part);
    match buckets.last_mut() {
        Some(bucket) if bucket.first_frame == first_frame => {
            bucket.min = if min < bucket.min { min } else { bucket.min };
            bucket.max = if max > bucket.max { max } else { bucket.max };
            bucket.last = last;
        }
        _ => buckets.push(Bucket { first_frame, min, max, first, last }),
    }
}

/// The least and the greatest of `values`; (∞, -∞) when there are none. Plain selects: `f64::min` is slower.
pub(crate) fn extremes(values: &[f64]) -> (f64, f64) {
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for &value in values {
        min = if value < min { value } else { min };
        max = if value > max { value } else { max };
    }
    (min, max)
}

/// What the legend says of the visible part of a series.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Summary {
    pub(crate) now: f64,
    pub(crate) min: f64,
    pub(crate) mean: f64,
    pub(crate) max: f64,
}

/// Newest value, extremes and mean of a window; `None` of an empty one.
pub(crate) fn summarize(window: Window<'_>) -> Option<Summary> {
    let now = window.last()?;
    let (older, newer) = window.as_slices();
    let ((min_a, max_a), (min_b, max_b)) = (extremes(older), extremes(newer));
    let count = window.len() as f64;
    // Divided before it is added up, where the sum would not be finite.
    let sum = older.iter().sum::<f64>() + newer.iter().sum::<f64>();
    let mean = if sum.is_finite() { sum / count } else { window.iter().map(|value| value / count).sum() };
    Some(Summary { now, min: min_a.min(min_b), mean, max: max_a.max(max_b) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn brute_force(window: Window<'_>, width: u64) -> Vec<Bucket> {
        let mut buckets: Vec<Bucket> = Vec::new();
        for (frame, value) in window.frames().zip(window.iter()) {
            let first_frame = frame / width * width;
            match buckets.iter_mut().find(|bucket| bucket.first_frame == first_frame) {
                None => buckets.push(Bucket { first_frame, min: value, max: value, first: value, last: value }),
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
            let window = Window::new(random.below(10_000), &values[..split], &values[split..]);
            let width = 1 + random.below(40);
            thin(window, width, &mut buckets);
            assert_eq!(buckets, brute_force(window, width));
        }
    }

    #[test]
    fn the_bucket_of_a_frame_does_not_depend_on_the_window() {
        let mut random = Random::new(11);
        let values: Vec<f64> = (0..400).map(|_| random.value()).collect();
        let (mut whole, mut part) = (Vec::new(), Vec::new());
        for _ in 0..200 {
            let width = 1 + random.below(20);
            let all = Window::new(1000, &values, &[]);
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
            thin(Window::new(123, &values[..100], &values[100..]), width, &mut buckets);
            assert_eq!(buckets.iter().filter(|bucket| bucket.max == 99.0).count(), 1, "width {width}");
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
        assert_eq!(bucket_width(f64::INFINITY, 1.0), 1_000_000_000_000_000);
    }

    #[test]
    fn summaries_are_those_of_the_values() {
        assert_eq!(summarize(Window::default()), None);
        let summary = summarize(Window::new(0, &[4.0, 1.0], &[3.0])).unwrap();
        assert_eq!((summary.now, summary.min, summary.max), (3.0, 1.0, 4.0));
        assert!((summary.mean - 8.0 / 3.0).abs() < 1e-12);
        let huge = summarize(Window::new(0, &[f64::MAX, f64::MAX], &[])).unwrap();
        assert!(huge.mean.is_finite());
    }
}
