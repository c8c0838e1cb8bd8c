//! Two kinds of frames, such as those with a step of a simulation and those without one.
//!
//! Their mean is the time of neither kind, and their scale is about half of the distance between them, so
//! that far longer frames would be usual. A frame that is longer than the mean is therefore judged by those
//! of the longer kind.
//!
//! The middle between the means of both groups divides the times, as in the method of Lloyd (*Least
//! squares quantization in PCM*, 1982) for two groups. It finds two groups in any times. They are two
//! kinds only if they are far apart: by more than four times the sum of their scales, which is 1.7 for a
//! normal distribution, 2 for a uniform one and about 2 for the noise of games. How much the time without a
//! processor varies counts, too: frames that other programs made longer are no kind.

use super::super::usual::UsualValue;
use super::least_ms;
use super::norm::Norm;

/// The minimum distance between two kinds, as a multiple of the sum of their scales.
const APART: f64 = 4.0;
/// The minimum share of frames of the longer kind. Other long frames are hitches.
const SHARE: f64 = 0.125;
/// If a group has less than this share of the frames, there is only one.
const MIN_SHARE: f64 = 1.0 / 32.0;
/// The number of frames over which the shares are measured.
const REMEMBERED: f64 = 128.0;
/// The number of steps in which the groups of the warm-up are found.
const STEPS: u32 = 8;

/// The shorter and the longer group of frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kinds {
    shorter: UsualValue,
    longer: Norm,
    /// The share of the longer frames; 0 until the groups are known.
    share: f64,
    /// The scale of what a time contains of other programs.
    others_ms: f64,
}

impl Kinds {
    /// Finds the groups of the first times. `all` is what is usual for both groups together.
    pub(super) fn begin(&mut self, first: &[f64], all: &Norm) {
        let mean = |times: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = times.fold((0.0, 0.0), |(sum, count), ms| (sum + ms, count + 1.0));
            (sum / f64::max(count, 1.0), count)
        };
        let mut middle = mean(&mut first.iter().copied()).0;
        let group = |middle: f64, is_longer: bool| {
            let of = first
                .iter()
                .copied()
                .filter(move |ms| (*ms > middle) == is_longer);
            let (ms, count) = mean(&mut of.clone());
            (ms, mean(&mut of.map(|one| (one - ms).abs())).0, count)
        };
        for _ in 0..STEPS {
            middle = (group(middle, false).0 + group(middle, true).0) / 2.0;
        }
        let (short_ms, short_scale, shorter) = group(middle, false);
        let (long_ms, long_scale, longer) = group(middle, true);
        if shorter == 0.0 || longer == 0.0 {
            // Equal times are one group.
            return self.restart(all);
        }
        self.shorter = UsualValue::new(short_ms, short_scale);
        self.longer = Norm::new(long_ms, long_scale);
        self.share = longer / first.len().max(1) as f64;
    }

    /// Replaces the groups by two of equal shares around what is usual for `all` frames.
    pub(super) fn restart(&mut self, all: &Norm) {
        let (usual, scale) = (all.usual_ms(), all.scale_ms());
        self.shorter = UsualValue::new(usual - scale, scale);
        self.longer = Norm::new(usual + scale, scale);
        self.share = 0.5;
    }

    /// Learns the time of a usual frame. `all` is what is usual for both groups together, and `others_ms`
    /// the scale of what the time contains of other programs.
    pub(super) fn learn(&mut self, ms: f64, all: &Norm, others_ms: f64) {
        self.others_ms = others_ms;
        if self.share == 0.0 || !ms.is_finite() {
            return;
        }
        let is_longer = self.is_longer(ms);
        self.share += (f64::from(u8::from(is_longer)) - self.share) / REMEMBERED;
        if is_longer {
            self.longer.learn(ms, 0.0, true);
        } else {
            self.shorter.learn(ms, f64::INFINITY);
        }
        if !(MIN_SHARE..=1.0 - MIN_SHARE).contains(&self.share) {
            self.restart(all);
        }
    }

    /// Returns whether a time is in the longer group.
    pub(super) fn is_longer(&self, ms: f64) -> bool {
        ms > (self.shorter.usual() + self.longer.usual_ms()) / 2.0
    }

    /// Returns what is usual for the longer kind; `None` if all frames are of one kind.
    pub(super) fn longer(&self) -> Option<&Norm> {
        let apart_ms = self.longer.usual_ms() - self.shorter.usual();
        let scales = self.shorter.scale() + self.longer.scale_ms() + self.others_ms;
        let are_kinds = self.share >= SHARE
            && apart_ms > APART * scales
            && apart_ms > least_ms(self.shorter.usual());
        are_kinds.then_some(&self.longer)
    }
}
