//! One pane: its series, and the state of its views.

use crate::data::selection::Selection;
use crate::distribution::view::DistributionView;
use crate::graph::view::GraphView;
use crate::hitches::view::HitchesView;
use crate::input::mode::PaneView;
use crate::persist::saved::SavedPane;
use crate::statistics::view::StatisticsView;
use crate::table::view::TableView;

/// A set of series, and the state of each view of them.
///
/// Every view keeps its state while another one is shown.
#[derive(Debug)]
pub(crate) struct Pane {
    /// Identifies the pane for the lifetime of the overlay, even after a move.
    pub(crate) id: u64,
    pub(crate) selection: Selection,
    pub(crate) view: PaneView,
    pub(crate) graph: GraphView,
    pub(crate) table: TableView,
    pub(super) distribution: DistributionView,
    pub(super) statistics: StatisticsView,
    pub(crate) hitches: HitchesView,
    /// Its share of the height, relative to the other panes.
    pub(super) weight: f32,
}

impl Pane {
    /// Creates a pane that shows a graph of these series.
    pub(super) fn new(id: u64, selection: Selection) -> Self {
        Self {
            id,
            selection,
            view: PaneView::Graph,
            graph: GraphView::default(),
            table: TableView::default(),
            distribution: DistributionView::default(),
            statistics: StatisticsView::default(),
            hitches: HitchesView::default(),
            weight: 1.0,
        }
    }

    /// Shows a view, or a graph if the pane shows that view already.
    pub(crate) fn toggle(&mut self, view: PaneView) {
        self.view = if self.view == view {
            PaneView::Graph
        } else {
            view
        };
    }

    /// Toggles the logarithmic axis. In a distribution, chooses the next scale.
    pub(crate) fn toggle_log(&mut self) {
        match self.view {
            PaneView::Distribution => self.distribution.choose_next(),
            _ => self.graph.toggle_log(),
        }
    }

    /// Sets its share of the height. A weight that is not finite becomes 1.
    pub(super) fn set_weight(&mut self, weight: f32) {
        self.weight = if weight.is_finite() {
            weight.clamp(*SavedPane::WEIGHT.start(), *SavedPane::WEIGHT.end())
        } else {
            1.0
        };
    }
}
