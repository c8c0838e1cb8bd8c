//! Decimation: one minimum–maximum pair per run of frames, so that a line needs no more points than
//! the screen has pixels.
//!
//! A bucket is a run of `width` frames that begins at a multiple of `width`, counted from frame 0.
//! The bucket of a frame therefore does not depend on the part of the history on screen, and the
//! line does not shimmer while it scrolls. Each bucket keeps the extremes of its frames, so a spike
//! never vanishes.
//!
//! Choose a width with [`bucket_width`], then fill buckets with [`thin`], or with
//! [`thin_tracked`](crate::track::thin_tracked) if there is a track.

use stats_core::FrameSlice;

use crate::extremes::extremes;
use crate::pyramid::{self, Pyramid};

/// The extremes of the frames that share a bucket, in the series' unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    /// The first frame of the bucket, a multiple of the bucket's width. The window may begin later.
    pub first_frame: u64,
    /// The smallest known value of the bucket in the window.
    pub min: f64,
    /// The largest known value of the bucket in the window.
    pub max: f64,
    /// The oldest known value of the bucket in the window, where the line enters.
    pub first: f64,
    /// The newest known value of the bucket in the window, where the line leaves.
    pub last: f64,
}

/// Returns the number of frames per bucket for `frames` drawn over `columns` of pixels.
///
/// The width is 1 if each frame has its own column, or if an argument is NaN or not positive. The
/// maximum is 2⁵⁰. Above 8, the width is a power of two or 1.5 times one, so that a bucket consists
/// of whole blocks of a [`Track`](crate::track::Track); it exceeds the smallest width that fits by
/// at most half.
pub fn bucket_width(frames: f64, columns: f64) -> u64 {
    if !(frames > 0.0 && columns > 0.0) {
        return 1;
    }
    // An excess of a millionth of a frame does not count: a span that is not exact in binary would
    // make the width flicker.
    let min_width = (frames / columns - 1e-6).ceil().clamp(1.0, 1e15) as u64;
    if min_width <= 8 {
        return min_width;
    }
    let power = min_width.next_power_of_two();
    if power / 4 * 3 >= min_width {
        power / 4 * 3
    } else {
        power
    }
}

/// Replaces the contents of `buckets` with the extremes of every `width` frames of `window`, oldest
/// first.
///
/// A width of 0 counts as 1. Visits every value. A NaN stands for an unknown value and is skipped.
/// Buckets without a known value in `window` are left out, so the line has a gap there.
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

/// Works like [`thin`], but reads the history's pyramid if there is one. For wide buckets, reading
/// a few blocks replaces reading many values.
pub(crate) fn thin_through(
    pyramid: Option<&Pyramid>,
    window: FrameSlice<'_>,
    width: u64,
    buckets: &mut Vec<Bucket>,
) {
    // For narrower buckets, reading the values is faster than looking up their blocks.
    let Some(pyramid) = pyramid.filter(|_| width >= 4 * pyramid::BASE) else {
        return thin(window, width, buckets);
    };
    buckets.clear();
    let held = window.frames();
    let mut first_frame = held.start - held.start % width;
    while first_frame < held.end {
        let extremes = pyramid.extremes(window, first_frame..first_frame + width);
        buckets.extend(extremes.known().map(|known| Bucket {
            first_frame,
            min: known.min,
            max: known.max,
            first: known.first,
            last: known.last,
        }));
        first_frame += width;
    }
}

fn add_run(mut values: &[f64], mut frame: u64, width: u64, buckets: &mut Vec<Bucket>) {
    if width == 1 {
        let frames = (frame..).zip(values).filter(|(_, value)| !value.is_nan());
        return buckets.extend(frames.map(|(first_frame, &value)| Bucket {
            first_frame,
            min: value,
            max: value,
            first: value,
            last: value,
        }));
    }
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

/// Adds values that lie in one bucket. If the newest bucket begins at the same frame, the values
/// are merged into it: the two slices of a ring buffer can meet inside a bucket.
fn add_part(part: &[f64], first_frame: u64, buckets: &mut Vec<Bucket>) {
    let known = |value: &&f64| !value.is_nan();
    let (Some(&first), Some(&last)) = (part.iter().find(known), part.iter().rfind(known)) else {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{summarize, summarize_through};
    use stats_testing::{Random, ring};

    fn brute_force(window: FrameSlice<'_>, width: u64) -> Vec<Bucket> {
        let mut buckets: Vec<Bucket> = Vec::new();
        let all = window.frames().zip(window.iter());
        for (frame, value) in all.filter(|(_, value)| !value.is_nan()) {
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

    /// Makes some runs of values unknown, in two of three series.
    fn with_holes(values: &mut [f64], random: &mut Random) {
        for _ in 0..random.below(3) * 4 {
            let at = random.index(values.len());
            let end = values.len().min(at + random.index(200));
            values[at..end].fill(f64::NAN);
        }
    }

    #[test]
    fn buckets_match_the_definition() {
        let mut random = Random::new(7);
        let mut buckets = Vec::new();
        for _ in 0..500 {
            let mut values: Vec<f64> = (0..random.below(300)).map(|_| random.value()).collect();
            with_holes(&mut values, &mut random);
            let split = random.below(values.len() as u64 + 1) as usize;
            let window = FrameSlice::new(random.below(10_000), &values[..split], &values[split..]);
            let width = 1 + random.below(40);
            thin(window, width, &mut buckets);
            assert_eq!(buckets, brute_force(window, width));
        }
    }

    #[test]
    fn a_pyramid_changes_no_result() {
        let mut random = Random::new(13);
        let (mut direct, mut through) = (Vec::new(), Vec::new());
        for _ in 0..60 {
            let mut values = random.series(9000);
            with_holes(&mut values, &mut random);
            let (capacity, first) = (1000 + random.below(7000), random.below(500));
            let mut pyramid = Pyramid::default();
            let mut end = first;
            while end < first + 9000 {
                end = (end + 1 + random.below(1000)).min(first + 9000);
                let (older, newer, start) = ring(&values, first, end, capacity);
                let window = FrameSlice::new(start, &older, &newer);
                // The pyramid may lag, or have started over.
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
                        .filter(|value| !value.is_nan())
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
    fn wide_buckets_are_sized_for_blocks() {
        for min_width in 1..5000_u64 {
            let width = bucket_width(min_width as f64 * 100.0, 100.0);
            assert!(
                width >= min_width && width as f64 <= min_width as f64 * 1.5,
                "{min_width}: {width}"
            );
            assert!(
                width <= 8
                    || width.is_power_of_two()
                    || (width.is_multiple_of(3) && (width / 3).is_power_of_two()),
                "{width}"
            );
        }
        // A span that follows the newest frame exceeds a whole number by a rounding error.
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
    fn widths_are_whole_frames_and_at_least_one() {
        assert_eq!(bucket_width(100.0, 800.0), 1);
        assert_eq!(bucket_width(800.0, 800.0), 1);
        assert_eq!(bucket_width(801.0, 800.0), 2);
        assert_eq!(bucket_width(0.0, 800.0), 1);
        assert_eq!(bucket_width(100.0, 0.0), 1);
        assert_eq!(bucket_width(f64::NAN, 1.0), 1);
        assert_eq!(bucket_width(f64::INFINITY, 1.0), 1 << 50);
    }
}
