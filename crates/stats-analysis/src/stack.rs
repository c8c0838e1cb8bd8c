//! Stacked series: the values of each are added to those of the series below.

use std::ops::Range;

use stats_core::FrameSlice;

use crate::track::{Track, means_tracked};

/// The maximum number of frames whose sums are computed frame by frame, which is exact.
const EXACT_UP_TO: u64 = 20_000;

/// The upper edges of stacked series, in buckets of frames.
///
/// For up to 20,000 frames, a bucket shows the stack of its worst frame, which is the frame with the
/// largest total; of equal ones, the oldest. All edges of a bucket come from this frame, so the area
/// between two edges is the value of a series in it. For more frames, a bucket shows the stack of
/// the means of its frames.
///
/// A series counts as 0 before its history begins. An unknown value is a gap in the edge of its
/// series and in the edges of the series above it, whose sums are unknown as well; the total of the
/// frame is then the sum below the gap. If the newest values of a series are not known yet, its edge
/// ends there, and so do the edges above it. Negative values lower the edges above them.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    width: u64,
    first_frame: u64,
    /// The edge of each series in each bucket, lowest series first. No edge is longer than the one
    /// below it.
    tops: Vec<Vec<f64>>,
    /// The frame after the last one with an edge, for each series.
    ends: Vec<u64>,
    is_exact: bool,
    /// The sums so far, by bucket. This and the following are kept to reuse their memory.
    sums: Vec<f64>,
    worst: WorstFrames,
}

/// The area that one series of a stack covers.
#[derive(Clone, Copy, Debug)]
pub struct StackedBand<'a> {
    /// The lower edge, one value per bucket, NaN as in `upper`; `None` for the lowest series, which
    /// begins at 0.
    pub lower: Option<&'a [f64]>,
    /// The upper edge, one value per bucket; NaN if no value of the bucket is known.
    pub upper: &'a [f64],
    /// The first frame of the first bucket, a multiple of `width`.
    pub first_frame: u64,
    /// The number of frames per bucket, at least 1.
    pub width: u64,
    /// The frame at which the known values end, which may be beyond the visible frames; without any
    /// values, the end of the last bucket. A bucket without an edge because only a part of it is
    /// known does not count.
    pub end: u64,
}

impl Stack {
    /// Stacks the series, lowest first, over the buckets of `width` frames that `frames` touches.
    ///
    /// Each window is the whole history of its series, with its track if there is one. A width of 0
    /// counts as 1. Memory is reused from call to call.
    pub fn fill<'a>(
        &mut self,
        series: impl ExactSizeIterator<Item = (FrameSlice<'a>, Option<&'a Track>)> + Clone,
        frames: Range<u64>,
        width: u64,
    ) {
        self.width = width.max(1);
        let buckets = frames.start / self.width
            ..frames
                .end
                .div_ceil(self.width)
                .max(frames.start / self.width);
        self.first_frame = buckets.start * self.width;
        let count = (buckets.end - buckets.start) as usize;
        let whole = self.first_frame..buckets.end * self.width;
        // The length of `whole` varies by a bucket while frames advance.
        self.is_exact = frames.end.saturating_sub(frames.start) <= EXACT_UP_TO;
        self.set_ends(series.clone().map(|(window, _)| window), &frames, whole.end);
        if self.is_exact {
            let windows = series.clone().map(|(window, _)| window);
            // The newest bucket consists of the frames that all of its series know.
            let newest = self.ends.iter().take_while(|&&end| end >= frames.end);
            let known = whole.start..whole.end.min(*newest.last().unwrap_or(&whole.end));
            self.worst
                .find(windows.zip(&self.ends), known, self.width, count);
        }
        self.sums.clear();
        self.sums.resize(count, 0.0);
        self.tops.resize_with(series.len(), Vec::new);
        let tops = self.tops.iter_mut().zip(&self.ends);
        for ((top, &end), (window, track)) in tops.zip(series) {
            if self.is_exact {
                for (sum, &frame) in self.sums.iter_mut().zip(&self.worst.frames) {
                    *sum += value_at(&window, frame);
                }
            } else {
                means_tracked(track, window, whole.clone(), self.width, |at, mean| {
                    self.sums[at] += mean
                });
            }
            let known = end.clamp(whole.start, whole.end) - whole.start;
            top.clear();
            top.extend_from_slice(&self.sums[..known.div_ceil(self.width) as usize]);
        }
    }

    /// Sets the ends of the edges. `last` is the end of the last bucket.
    fn set_ends<'a>(
        &mut self,
        windows: impl Iterator<Item = FrameSlice<'a>>,
        frames: &Range<u64>,
        last: u64,
    ) {
        self.ends.clear();
        let mut known = u64::MAX;
        for window in windows {
            if !window.is_empty() {
                known = known.min(window.frames().end);
            }
            // A bucket that is known only in part gets no edge, because its worst frame is not known
            // yet. The newest bucket is always incomplete.
            self.ends.push(if known == u64::MAX {
                last
            } else if known < frames.end {
                known - known % self.width
            } else {
                known
            });
        }
    }

    /// Returns the area of a series, counted from the lowest; `None` beyond the highest.
    pub fn band(&self, series: usize) -> Option<StackedBand<'_>> {
        let upper = self.tops.get(series)?;
        let lower = series
            .checked_sub(1)
            .and_then(|below| self.tops.get(below))
            .map(Vec::as_slice);
        Some(StackedBand {
            lower,
            upper,
            first_frame: self.first_frame,
            width: self.width,
            end: self.ends[series],
        })
    }

    /// Returns the number of frames per bucket.
    pub fn width(&self) -> u64 {
        self.width
    }

    /// Returns whether each bucket shows its worst frame. If not, it shows means.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns the highest edge in any bucket that `frames` touches, at least 0, for the range of
    /// the axis.
    pub fn highest(&self, frames: Range<u64>) -> f64 {
        let bucket =
            |frame: u64| (frame.saturating_sub(self.first_frame) / self.width.max(1)) as usize;
        let (first, last) = (bucket(frames.start), bucket(frames.end.saturating_sub(1)));
        let visible = |top: &Vec<f64>| top.len().min(first)..top.len().min(last + 1);
        let edges = self.tops.iter().flat_map(|top| &top[visible(top)]);
        edges.fold(
            0.0,
            |highest, &top| if top > highest { top } else { highest },
        )
    }
}

/// The worst frame of each bucket.
#[derive(Clone, Debug, Default)]
struct WorstFrames {
    frames: Vec<u64>,
    /// The sum of the series so far, and the newest sum that is not NaN, for each frame.
    sums: Vec<f64>,
    totals: Vec<f64>,
}

impl WorstFrames {
    /// Finds the worst of the `known` frames of each of `count` buckets. Each series comes with the
    /// end of its edge.
    fn find<'a>(
        &mut self,
        series: impl Iterator<Item = (FrameSlice<'a>, &'a u64)>,
        known: Range<u64>,
        width: u64,
        count: usize,
    ) {
        let bucket = |at: usize| known.start + at as u64 * width;
        self.frames.clear();
        self.frames.extend((0..count).map(bucket));
        if width == 1 {
            return;
        }
        let frames = known.end.saturating_sub(known.start) as usize;
        self.sums.clear();
        self.sums.resize(frames, 0.0);
        self.totals.clear();
        self.totals.resize(frames, f64::NAN);
        for (window, &end) in series {
            let part = known.start..end.clamp(known.start, known.end.max(known.start));
            let sums = &mut self.sums[..(part.end - part.start) as usize];
            add(sums, part.start, window.within(part));
            for (total, sum) in self.totals.iter_mut().zip(sums) {
                *total = if sum.is_nan() { *total } else { *sum };
            }
        }
        let buckets = self.totals.chunks(width as usize);
        for (frame, totals) in self.frames.iter_mut().zip(buckets) {
            *frame += greatest(totals) as u64;
        }
    }
}

/// Adds the values of a window to the sums, which begin at frame `first`.
fn add(sums: &mut [f64], first: u64, window: FrameSlice<'_>) {
    let (older, newer) = window.as_slices();
    let places = sums
        .iter_mut()
        .skip(window.first_frame().saturating_sub(first) as usize);
    for (sum, value) in places.zip(older.iter().chain(newer)) {
        *sum += value;
    }
}

/// Returns the value of a frame: NaN if it is unknown, 0 beyond the window.
fn value_at(window: &FrameSlice<'_>, frame: u64) -> f64 {
    if window.frames().contains(&frame) {
        window.at(frame).unwrap_or(f64::NAN)
    } else {
        0.0
    }
}

/// Returns the index of the first of the largest values; 0 if all are NaN.
fn greatest(values: &[f64]) -> usize {
    let (mut at, mut largest) = (0, f64::NAN);
    for (index, &value) in values.iter().enumerate() {
        if value > largest || (largest.is_nan() && !value.is_nan()) {
            (at, largest) = (index, value);
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn the_edge_of_a_bucket_comes_from_its_known_values_if_there_are_any() {
        let nan = f64::NAN;
        let (low, high) = (
            [1.0, nan, nan, 2.0, nan, 3.0],
            [5.0, nan, 5.0, 6.0, 7.0, 8.0],
        );
        let windows = [&low, &high].map(|values| (FrameSlice::new(0, values, &[]), None));
        let mut stack = Stack::default();
        stack.fill(windows.into_iter(), 0..6, 1);
        let upper = |stack: &Stack, at: usize| stack.band(at).unwrap().upper.to_vec();
        assert_eq!(format!("{:?}", upper(&stack, 0)), format!("{low:?}"));
        let sums = [6.0, nan, nan, 8.0, nan, 11.0];
        assert_eq!(format!("{:?}", upper(&stack, 1)), format!("{sums:?}"));
        stack.fill(windows.into_iter(), 0..6, 2);
        assert_eq!(upper(&stack, 0), [1.0, 2.0, 3.0]);
        assert_eq!(upper(&stack, 1), [6.0, 8.0, 11.0]);
        let highest = [0..1, 0..2, 1..3, 2..4, 4..9, 7..9].map(|frames| stack.highest(frames));
        assert_eq!(highest, [6.0, 6.0, 8.0, 8.0, 11.0, 0.0]);
        assert_eq!(stack.highest(0..u64::MAX), 11.0);
        let long: Vec<f64> = (0..40_000)
            .map(|at| if at < 9000 { nan } else { 1.0 })
            .collect();
        let window = FrameSlice::new(0, &long, &[]);
        stack.fill([(window, None)].into_iter(), 0..40_000, 4_000);
        let bucket = |value: &f64| format!("{value}");
        let found: Vec<_> = upper(&stack, 0).iter().map(bucket).collect();
        assert_eq!(
            found,
            ["NaN", "NaN", "1", "1", "1", "1", "1", "1", "1", "1"]
        );
    }

    /// Returns the sums of the series up to each in a frame, lowest first. NaN from the first
    /// unknown value on.
    fn sums_in(frame: u64, series: &[FrameSlice<'_>]) -> Vec<f64> {
        let mut sum = 0.0;
        let value = |window: &FrameSlice<'_>| {
            sum += window.within(frame..frame + 1).iter().next().unwrap_or(0.0);
            sum
        };
        series.iter().map(value).collect()
    }

    #[test]
    fn a_bucket_shows_the_stack_of_its_worst_frame() {
        let mut random = Random::new(17);
        let mut stack = Stack::default();
        for _ in 0..300 {
            let series: Vec<(u64, Vec<f64>)> = (0..4)
                .map(|_| {
                    let length = 400 + random.below(500) as usize;
                    let mut values = random.series(length);
                    for value in &mut values {
                        match random.below(12) {
                            0 => *value = f64::NAN,
                            1 | 2 => *value = -*value,
                            _ => {}
                        }
                    }
                    (random.below(300), values)
                })
                .collect();
            let windows: Vec<FrameSlice<'_>> = series
                .iter()
                .map(|(first, values)| FrameSlice::new(*first, &values[..300], &values[300..]))
                .collect();
            let (from, width) = (random.below(1000), 1 + random.below(30));
            let frames = from..from + random.below(500);
            let tracked = windows.iter().map(|&window| (window, None));
            stack.fill(tracked, frames.clone(), width);
            // A series is part of a bucket if it and all below it are known there: the whole bucket,
            // or up to the end of the frames.
            let known: Vec<u64> = (1..=4)
                .map(|up_to| {
                    let ends = windows[..up_to].iter().map(|window| window.frames().end);
                    ends.min().unwrap()
                })
                .collect();
            let buckets = from / width..frames.end.div_ceil(width).max(from / width);
            for (at, bucket) in buckets.clone().enumerate() {
                let (start, end) = (bucket * width, (bucket + 1) * width);
                let is_in = |known: &&u64| **known >= end || **known >= frames.end;
                let part: Vec<u64> = known.iter().take_while(is_in).copied().collect();
                let end = part.last().map_or(start, |&known| end.min(known));
                let total = |sums: &[f64]| sums.iter().rfind(|sum| !sum.is_nan()).copied();
                let mut expected = (f64::NAN, vec![f64::NAN; part.len()]);
                for frame in start..end {
                    let sums = sums_in(frame, &windows[..part.len()]);
                    if let Some(total) = total(&sums)
                        && (expected.0.is_nan() || total > expected.0)
                    {
                        expected = (total, sums);
                    }
                }
                let edge = |series: usize| stack.band(series).unwrap().upper.get(at).copied();
                let found: Vec<f64> = (0..4).map_while(edge).collect();
                assert_eq!(
                    format!("{found:?}"),
                    format!("{:?}", expected.1),
                    "bucket {bucket} of {width} frames, {frames:?}, known {known:?}"
                );
            }
            for at in 0..4 {
                let band = stack.band(at).unwrap();
                assert!(band.upper.len() as u64 <= buckets.end - buckets.start);
                let below = at.checked_sub(1).and_then(|below| stack.band(below));
                assert_eq!(
                    band.lower.map(<[f64]>::as_ptr),
                    below.map(|below| below.upper.as_ptr())
                );
            }
        }
        assert!(stack.band(4).is_none());
    }

    #[test]
    fn values_of_different_frames_are_never_in_one_bucket() {
        let (spike, innocent) = ([1.0, 400.0, 1.0, 1.0], [0.03, 0.03, 0.03, 5.0]);
        let windows = [&spike, &innocent].map(|values| (FrameSlice::new(0, values, &[]), None));
        let mut stack = Stack::default();
        stack.fill(windows.into_iter(), 0..4, 4);
        let edge = |at: usize| stack.band(at).unwrap().upper.to_vec();
        assert_eq!((edge(0), edge(1)), (vec![400.0], vec![400.03]));
        // An unknown value is a gap, and does not hide the frame.
        let innocent = [0.03, f64::NAN, 0.03, 5.0];
        let windows = [&spike, &innocent].map(|values| (FrameSlice::new(0, values, &[]), None));
        stack.fill(windows.into_iter(), 0..4, 4);
        assert_eq!(stack.band(0).unwrap().upper, [400.0]);
        assert!(stack.band(1).unwrap().upper[0].is_nan());
    }

    #[test]
    fn beyond_20_000_frames_means_are_stacked() {
        let (low, high) = (
            vec![2.0; 50_000],
            (0..50_000)
                .map(|at| f64::from(at % 2) * 6.0)
                .collect::<Vec<f64>>(),
        );
        let mut stack = Stack::default();
        let series = [
            (FrameSlice::new(0, &low, &[]), None),
            (FrameSlice::new(0, &high, &[]), None),
        ];
        stack.fill(series.into_iter(), 0..50_000, 64);
        let (lower, upper) = (stack.band(0).unwrap().upper, stack.band(1).unwrap().upper);
        assert!(lower.iter().all(|&top| top == 2.0) && upper.iter().all(|&top| top == 5.0));
        assert_eq!((upper.len(), stack.highest(0..u64::MAX)), (782, 5.0));
    }

    #[test]
    fn an_edge_ends_with_its_known_values_and_so_do_those_above() {
        for (count, width) in [(100_u64, 1), (100, 7), (50_000, 64)] {
            let values = vec![2.0; count as usize];
            let window =
                |missing: u64| FrameSlice::new(0, &values[..(count - missing) as usize], &[]);
            let mut stack = Stack::default();
            let series = [
                (window(0), None),
                (window(3), None),
                (FrameSlice::default(), None),
                (window(1), None),
            ];
            stack.fill(series.into_iter(), 0..count, width);
            let lengths = [0, 1, 2, 3].map(|at| stack.band(at).unwrap().upper.len() as u64);
            let late = (count - 3) / width;
            assert_eq!(
                lengths,
                [count.div_ceil(width), late, late, late],
                "{width}"
            );
            for (at, sum) in [2.0, 4.0, 4.0, 6.0].into_iter().enumerate() {
                assert!(
                    stack.band(at).unwrap().upper.iter().all(|&top| top == sum),
                    "{at} of {width}"
                );
            }
        }
    }
}
