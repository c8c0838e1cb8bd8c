//! The usual values of the visible frames, without the few outliers that would flatten all others.
//!
//! Finding them reads every visible column, so it is done only for a series with values far from its
//! mean, and then only when numbers are refreshed or other frames are chosen. In between, the known
//! ones are used.

use stats_analysis::axis::usual_range;
use stats_analysis::buckets::{Bucket, bucket_width};
use stats_analysis::summary::Summary;
use stats_analysis::track::{Track, thin_tracked};
use stats_core::FrameSlice;

/// A value whose distance from zero exceeds this multiple of the mean's may be an outlier.
const MAYBE: f64 = 2.0;

/// The usual values of each series of a graph.
#[derive(Debug, Default)]
pub(super) struct UsualValues {
    of: UsualOf,
    /// The smallest and the largest usual value of each series; `None` if they are not known.
    known: Vec<Option<(f64, f64)>>,
    /// Reused memory.
    columns: Vec<Bucket>,
    scratch: Vec<f64>,
}

/// What the usual values depend on, besides the values of frames that arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct UsualOf {
    /// Whether numbers are read again in this pass.
    pub(super) refresh: bool,
    /// Changes when other series are selected.
    pub(super) revision: u64,
    /// The frame at the left edge if the user chose it, and the number of frames.
    pub(super) left: Option<f64>,
    pub(super) span: f64,
    /// The number of columns of pixels.
    pub(super) columns: f32,
}

impl UsualValues {
    /// Begins a pass in which `count` series are shown.
    pub(super) fn begin(&mut self, of: UsualOf, count: usize) {
        let same = UsualOf {
            refresh: false,
            ..of
        };
        let is_other = std::mem::replace(&mut self.of, same) != same;
        if of.refresh || is_other || self.known.len() != count {
            self.known.clear();
            self.known.resize(count, None);
        }
    }

    /// Returns the smallest and the largest usual value of a series in `window`. If `is_close`, its
    /// axis need not begin at zero.
    pub(super) fn of(
        &mut self,
        at: usize,
        summary: &Summary,
        (window, track): (FrameSlice<'_>, Option<&Track>),
        is_close: bool,
    ) -> (f64, f64) {
        let all = (summary.min, summary.max);
        let far = all.0.abs().max(all.1.abs());
        if !is_close && far <= summary.mean.abs() * MAYBE {
            return all;
        }
        if let Some(Some(known)) = self.known.get(at) {
            return *known;
        }
        let width = bucket_width(self.of.span, f64::from(self.of.columns));
        thin_tracked(track, window, width, &mut self.columns);
        let usual = usual_range(&self.columns, &mut self.scratch);
        if let Some(known) = self.known.get_mut(at) {
            *known = Some(usual);
        }
        usual
    }
}
