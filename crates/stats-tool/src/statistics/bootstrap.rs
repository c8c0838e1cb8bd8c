//! Compares the frames of one run with those of another by the moving-block bootstrap.
//!
//! Neighboring frames depend on each other, so frames are drawn in blocks. The interval shows how
//! much a figure varies within a run, but not how much runs differ from each other. The result is
//! therefore an indication and never a verdict.
//!
//! Künsch, "The jackknife and the bootstrap for general stationary observations", 1989.

use super::sample::{quantile, sorted};

/// The number of frames in a block.
pub(crate) const BLOCK: usize = 300;

/// The number of bootstrap samples.
const DRAWS: usize = 400;

/// The figure to compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Figure {
    /// The mean of the frames.
    Mean,
    /// The quantile of the frames at this share.
    Quantile(f64),
    /// For values that are frame times: the shortest one such that frames up to it take at least
    /// this share of the time.
    QuantileByTime(f64),
}

/// The difference of a figure between two runs, with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Indication {
    pub(crate) difference: f64,
    /// The interval that contains the difference and 95 % of the differences of bootstrap samples.
    pub(crate) interval: (f64, f64),
}

impl Indication {
    /// Compares the frames of two runs; `None` if either is shorter than two blocks. The same
    /// frames always give the same interval.
    pub(crate) fn between(before: &[f64], after: &[f64], figure: Figure) -> Option<Self> {
        if before.len().min(after.len()) < 2 * BLOCK {
            return None;
        }
        let (before, after) = (Frames::new(before), Frames::new(after));
        let mut random = Random(0x5747_4154);
        let differences: Vec<f64> = (0..DRAWS)
            .map(|_| after.drawn(figure, &mut random) - before.drawn(figure, &mut random))
            .collect();
        let differences = sorted(&differences);
        let difference = after.figure(figure) - before.figure(figure);
        // Few blocks contain the rare frames that decide a high percentile, so most samples may lie
        // on one side of the difference.
        let low = quantile(&differences, 0.025).min(difference);
        let high = quantile(&differences, 0.975).max(difference);
        Some(Self {
            difference,
            interval: (low, high),
        })
    }
}

/// The frames of a run.
struct Frames<'a> {
    values: &'a [f64],
    /// The frames in ascending order of their values.
    order: Vec<u32>,
}

impl<'a> Frames<'a> {
    fn new(values: &'a [f64]) -> Self {
        let mut order: Vec<u32> = (0..values.len() as u32).collect();
        order.sort_unstable_by(|a, b| values[*a as usize].total_cmp(&values[*b as usize]));
        Self { values, order }
    }

    fn figure(&self, figure: Figure) -> f64 {
        self.of(figure, &vec![1; self.values.len()])
    }

    /// Draws as many blocks as fit into the run, from random positions, and returns the figure of
    /// their frames.
    fn drawn(&self, figure: Figure, random: &mut Random) -> f64 {
        let starts = self.values.len() - BLOCK + 1;
        let mut steps = vec![0_i32; self.values.len() + 1];
        for _ in 0..self.values.len() / BLOCK {
            let start = random.below(starts);
            steps[start] += 1;
            steps[start + BLOCK] -= 1;
        }
        let mut times = 0;
        steps.pop();
        for step in &mut steps {
            times += *step;
            *step = times;
        }
        self.of(figure, &steps)
    }

    /// Returns the figure of the frames, each counted the number of times given by `times`.
    fn of(&self, figure: Figure, times: &[i32]) -> f64 {
        let count: i64 = times.iter().map(|times| i64::from(*times)).sum();
        match figure {
            Figure::Mean => {
                let weighted = self.values.iter().zip(times);
                weighted
                    .map(|(value, times)| value * f64::from(*times))
                    .sum::<f64>()
                    / count as f64
            }
            Figure::Quantile(share) => {
                let wanted = (share * count as f64).ceil().max(1.0) as i64;
                let mut seen = 0;
                for frame in &self.order {
                    seen += i64::from(times[*frame as usize]);
                    if seen >= wanted {
                        return self.values[*frame as usize];
                    }
                }
                f64::NAN
            }
            Figure::QuantileByTime(share) => {
                let time = |frame: u32| {
                    let frame = frame as usize;
                    self.values[frame].max(0.0) * f64::from(times[frame])
                };
                let all = || self.order.iter().copied();
                let wanted = share * all().map(time).sum::<f64>();
                let mut seen = 0.0;
                let found = all().find(|frame| {
                    seen += time(*frame);
                    times[*frame as usize] > 0 && seen >= wanted
                });
                found.map_or(f64::NAN, |frame| self.values[frame as usize])
            }
        }
    }
}

/// Vigna's SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}
