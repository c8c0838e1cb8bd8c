//! The visible part of the time, and the frames in it.

use crate::data::shown_scopes::{FrameCopy, ShownScopes};

/// The empty part on each side of the frames at first, as a share of their time.
const MARGIN: f64 = 0.015;
/// The least visible time, in nanoseconds.
const MIN_NS: f64 = 200.0;
/// The maximum number of frames before and after the first shown one that can be seen at once.
pub(super) const MAX_AROUND: u64 = 32;

/// The part of the time that the user zoomed to, in nanoseconds since the first shown frame began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub(super) left_ns: f64,
    pub(super) width_ns: f64,
}

/// A frame, and when it began: nanoseconds since the first shown frame began.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedFrame<'a> {
    pub(super) copy: &'a FrameCopy,
    pub(super) begin_ns: f64,
}

impl PlacedFrame<'_> {
    pub(super) fn end_ns(&self) -> f64 {
        self.begin_ns + self.copy.duration_ns as f64
    }
}

impl Window {
    /// Returns the window that shows `frames` frames from the first on, with a little air.
    pub(super) fn of_frames(placed: &[PlacedFrame<'_>], first: u64, frames: u64) -> Self {
        let shown = placed
            .iter()
            .filter(|frame| (first..first + frames.max(1)).contains(&frame.copy.index));
        let width = shown.map(|frame| frame.end_ns()).fold(0.0, f64::max);
        let width = width.max(MIN_NS);
        Self {
            left_ns: -width * MARGIN,
            width_ns: width * (1.0 + 2.0 * MARGIN),
        }
    }

    /// Shows less time if `factor` is above 1, or else more. `around_ns` keeps its place.
    pub(super) fn zoomed(self, factor: f64, around_ns: f64, placed: &[PlacedFrame<'_>]) -> Self {
        let (first, last) = extent(placed);
        let most = ((last - first) * 1.1).max(MIN_NS);
        let width_ns = (self.width_ns / factor.max(1e-3)).clamp(MIN_NS, most);
        let left_ns = around_ns - (around_ns - self.left_ns) * (width_ns / self.width_ns);
        Self { left_ns, width_ns }.within(placed)
    }

    /// Moves to later times, or earlier ones if the distance is negative. At least a tenth of the
    /// window stays within the frames.
    pub(super) fn moved(self, by_ns: f64, placed: &[PlacedFrame<'_>]) -> Self {
        let left_ns = self.left_ns + by_ns;
        Self { left_ns, ..self }.within(placed)
    }

    fn within(self, placed: &[PlacedFrame<'_>]) -> Self {
        let (first, last) = extent(placed);
        let left_ns = self
            .left_ns
            .clamp(first - self.width_ns * 0.9, last - self.width_ns * 0.1);
        Self { left_ns, ..self }
    }

    pub(super) fn right_ns(&self) -> f64 {
        self.left_ns + self.width_ns
    }
}

/// Returns when the first placed frame began and the last ended.
fn extent(placed: &[PlacedFrame<'_>]) -> (f64, f64) {
    let first = placed.first().map_or(0.0, |frame| frame.begin_ns);
    (first, placed.last().map_or(0.0, PlacedFrame::end_ns))
}

/// Returns the copied frames around the frame `first`, without gaps; empty if it is not copied.
pub(super) fn placed(scopes: &ShownScopes, first: u64) -> Vec<PlacedFrame<'_>> {
    let frames = scopes.frames();
    let Ok(at) = frames.binary_search_by_key(&first, |frame| frame.index) else {
        return Vec::new();
    };
    let mut start = at;
    while start > 0
        && frames[start - 1].index + 1 == frames[start].index
        && frames[start].index + MAX_AROUND > first
    {
        start -= 1;
    }
    let before: i64 = frames[start..at]
        .iter()
        .map(|frame| frame.duration_ns)
        .sum();
    let mut begin_ns = -(before as f64);
    let mut placed = Vec::with_capacity(frames.len() - start);
    for frame in &frames[start..] {
        let is_next = placed
            .last()
            .is_none_or(|last: &PlacedFrame<'_>| last.copy.index + 1 == frame.index);
        if !is_next || frame.index > first + MAX_AROUND {
            break;
        }
        placed.push(PlacedFrame {
            copy: frame,
            begin_ns,
        });
        begin_ns += frame.duration_ns as f64;
    }
    placed
}
