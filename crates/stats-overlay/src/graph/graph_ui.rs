//! What the parts of a graph draw from: the pane, and the state of the graph.

use std::ops::Range;

use crate::graph::state::GraphView;
use crate::graph::transform::Transform;
use crate::view::PaneContext;

/// Draws the graph of a pane.
pub(super) struct GraphUi<'a> {
    pub(super) pane: PaneContext<'a>,
    pub(super) view: &'a mut GraphView,
}

impl GraphUi<'_> {
    /// Returns the frames of the history that are visible.
    pub(super) fn visible_frames(&self, transform: &Transform) -> Range<u64> {
        let (held, frames) = (self.pane.data.frames(), transform.frames());
        let end = (frames.1.round().max(0.0) as u64).saturating_add(1);
        held.start.max(frames.0.round().max(0.0) as u64)..held.end.min(end)
    }
}
