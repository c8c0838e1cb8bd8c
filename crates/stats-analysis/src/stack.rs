//! Stacked series: the values of each are added to those of the series below.

use std::ops::Range;

use stats_core::FrameSlice;

use crate::track::{Track, means_tracked};

/// The maximum number of frames whose sums are computed frame by frame, which is exact.
const EXACT_UP_TO: u64 = 20_000;

/// The upper edges of stacked series, in buckets of frames.
///
/// For up to 20,000 frames, the edge of a bucket is the largest sum of any of its frames,
/// computed frame by frame. Values that series reach in different frames are never added up. For
/// more frames, the edge is the sum of the means of the bucket.
///
/// A series counts as 0 before its history begins. If its newest values are not known yet, its edge
/// ends there, and so do the edges of the series above it, whose sums are unknown as well. Negative
/// values lower the edges above them.
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
    /// The sums so far, by frame or by bucket. Kept to reuse its memory.
    sums: Vec<f64>,
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
        series: impl ExactSizeIterator<Item = (FrameSlice<'a>, Option<&'a Track>)>,
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
        self.sums.clear();
        self.sums.resize(
            if self.is_exact {
                (whole.end - whole.start) as usize
            } else {
                count
            },
            0.0,
        );
        self.tops.resize_with(series.len(), Vec::new);
        self.ends.clear();
        let mut known = u64::MAX;
        for (top, (window, track)) in self.tops.iter_mut().zip(series) {
            top.clear();
            if !window.is_empty() {
                known = known.min(window.frames().end);
            }
            // A bucket that is known only in part gets no edge, because the edge could lie below
            // that of the series under it. The newest bucket is always incomplete.
            let end = if known < frames.end {
                known - known % self.width
            } else {
                known
            };
            let end = if end == u64::MAX { whole.end } else { end };
            self.ends.push(end);
            let known = end.clamp(whole.start, whole.end);
            if self.is_exact {
                add(&mut self.sums, whole.start, window.within(whole.clone()));
                let known = &self.sums[..(known - whole.start) as usize];
                if self.width == 1 {
                    top.extend_from_slice(known);
                } else {
                    top.extend(known.chunks(self.width as usize).map(greatest));
                }
            } else {
                means_tracked(track, window, whole.clone(), self.width, |at, mean| {
                    self.sums[at] += mean
                });
                top.extend_from_slice(
                    &self.sums[..(known - whole.start).div_ceil(self.width) as usize],
                );
            }
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

    /// Returns whether the edges are largest sums. If not, they are sums of means.
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

/// Returns the largest value; NaN if none is known.
fn greatest(values: &[f64]) -> f64 {
    let first = values.iter().copied().find(|value| !value.is_nan());
    values
        .iter()
        .fold(first.unwrap_or(f64::NAN), |largest, &value| {
            if value > largest { value } else { largest }
        })
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

    #[test]
    fn edges_are_the_largest_sums_of_their_buckets() {
        let mut random = Random::new(17);
        let mut stack = Stack::default();
        for _ in 0..50 {
            let series: Vec<(u64, Vec<f64>)> = (0..4)
                .map(|_| (random.below(300), random.series(900)))
                .collect();
            let (from, width) = (random.below(1000), 1 + random.below(30));
            let frames = from..from + random.below(500);
            let windows = series.iter().map(|(first, values)| {
                (
                    FrameSlice::new(*first, &values[..400], &values[400..]),
                    None,
                )
            });
            stack.fill(windows.clone(), frames.clone(), width);
            let mut below: Option<Vec<f64>> = None;
            for at in 0..4 {
                let band = stack.band(at).unwrap();
                let sum = |frame: u64| {
                    windows
                        .clone()
                        .take(at + 1)
                        .map(|(window, _)| window.at(frame).unwrap_or(0.0))
                        .sum::<f64>()
                };
                // The windows end at different frames, beyond which their sums are unknown, bucket
                // by bucket.
                let known = windows
                    .clone()
                    .take(at + 1)
                    .map(|(window, _)| window.frames().end)
                    .fold(u64::MAX, u64::min);
                let expected = (frames.start / width
                    ..frames.end.div_ceil(width).max(frames.start / width))
                    .filter(|bucket| {
                        if known < frames.end {
                            (bucket + 1) * width <= known
                        } else {
                            bucket * width < known
                        }
                    })
                    .map(|bucket| {
                        (bucket * width..((bucket + 1) * width).min(known))
                            .map(sum)
                            .fold(f64::NEG_INFINITY, f64::max)
                    });
                assert_eq!(band.upper, expected.collect::<Vec<f64>>());
                assert_eq!(band.lower.map(<[f64]>::to_vec), below);
                below = Some(band.upper.to_vec());
            }
        }
        assert!(stack.band(4).is_none());
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
