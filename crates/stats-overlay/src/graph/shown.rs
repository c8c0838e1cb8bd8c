//! The part of a series that a graph shows.

use crate::graph::ranges::Side;
use stats_analysis::summary::Summary;

/// The part of one series that a graph shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    /// The statistics of the visible values; `None` if there are none.
    pub(super) summary: Option<Summary>,
    /// The values at the lower and upper edges.
    pub(super) range: (f64, f64),
    /// Where the numbers of this range are.
    pub(super) side: Side,
    /// Whether the line of the budget is in the picture.
    pub(super) budget_near: bool,
    /// Whether it is hidden because another series is shown alone.
    pub(super) hidden: bool,
    /// The first visible frame, and the frame after the last.
    pub(crate) frames: (u64, u64),
}
