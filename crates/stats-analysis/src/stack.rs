//! Series on top of each other: each one's values are added on those of the ones below.

use std::ops::Range;

use stats_core::FrameSlice;

use crate::track::{Track, means_tracked};

/// Up to so many frames the sums are formed frame by frame, and a bucket has the greatest of each:
/// exact.
const EXACT_UP_TO: u64 = 20_000;

/// The upper edges of stacked series, in buckets of frames.
///
/// Up to 20,000 visible frames an edge is the greatest sum that any frame of the bucket reached,
/// computed for every frame. Of more frames it is the sum of the buckets' means: what series reach
/// at different frames does not add up to what none did. A series counts as 0 before its history
/// begins. Where the values of its newest frames are not known yet its edge ends, and those of the
/// series above it: what they add up to is not known either. Negative values lower what is above
/// them.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    width: u64,
    first_frame: u64,
    /// For every series, lowest first, its edge in every bucket up to where it ends; none is longer
    /// than the one below.
    tops: Vec<Vec<f64>>,
    /// The sums so far, for every frame or bucket: kept for its memory.
    sums: Vec<f64>,
}

/// What one series of a stack covers.
#[derive(Clone, Copy, Debug)]
pub struct StackedBand<'a> {
    /// The edge below; `None` of the lowest series, which stands on 0.
    pub lower: Option<&'a [f64]>,
    pub upper: &'a [f64],
    /// The first frame of the first bucket.
    pub first_frame: u64,
    /// Frames in a bucket.
    pub width: u64,
}

impl Stack {
    /// Stacks the series, lowest first, over the buckets of `width` frames that `frames` touches. A
    /// window is the whole history of its series. Memory is kept from call to call.
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
        let exact = whole.end - whole.start <= EXACT_UP_TO;
        self.sums.clear();
        self.sums.resize(
            if exact {
                (whole.end - whole.start) as usize
            } else {
                count
            },
            0.0,
        );
        self.tops.resize_with(series.len(), Vec::new);
        let mut known = whole.end;
        for (top, (window, track)) in self.tops.iter_mut().zip(series) {
            top.clear();
            if !window.is_empty() {
                known = known.min(window.frames().end).max(whole.start);
            }
            // Of a bucket that is known in part there is no edge, or it might be below the one
            // under it; the newest of all is in part to come.
            let known = if known < frames.end {
                known - known % self.width
            } else {
                known
            };
            if exact {
                add(&mut self.sums, whole.start, window.within(whole.clone()));
                top.extend(
                    self.sums[..(known - whole.start) as usize]
                        .chunks(self.width as usize)
                        .map(greatest),
                );
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

    /// What a series covers, counted from the lowest.
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
        })
    }

    /// The greatest sum of all series in any bucket, for the range of the axis.
    pub fn highest(&self) -> f64 {
        let edges = self.tops.iter().flatten();
        edges.fold(
            0.0,
            |highest, &top| if top > highest { top } else { highest },
        )
    }
}

/// Adds the values of a window to the sums of the frames from `first` on.
fn add(sums: &mut [f64], first: u64, window: FrameSlice<'_>) {
    let (older, newer) = window.as_slices();
    let places = sums
        .iter_mut()
        .skip(window.first_frame().saturating_sub(first) as usize);
    for (sum, value) in places.zip(older.iter().chain(newer)) {
        *sum += value;
    }
}

fn greatest(values: &[f64]) -> f64 {
    values.iter().fold(
        f64::NEG_INFINITY,
        |most, &value| if value > most { value } else { most },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    #[test]
    fn edges_are_the_greatest_sums() {
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
                // Every window ends on a frame of its own: only to there the sums are known, bucket
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
    fn of_very_many_frames_means_are_stacked() {
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
        assert_eq!((upper.len(), stack.highest()), (782, 5.0));
    }

    #[test]
    fn what_is_not_known_yet_ends_its_edge_and_those_above() {
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
