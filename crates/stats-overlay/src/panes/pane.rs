//! One pane: its series, and the state of its views.

use crate::data::selection::Selection;
use crate::input::action::Action;
use crate::input::pane_view::PaneView;
use crate::panes::shared::Shared;
use crate::panes::views::Views;
use crate::persist::saved::SavedPane;
use crate::view::{Performed, View};

/// A set of series, and the state of each view of them.
#[derive(Debug)]
pub(crate) struct Pane {
    /// Identifies the pane for the lifetime of the overlay, even after a move.
    pub(crate) id: u64,
    pub(crate) selection: Selection,
    /// The view that is shown.
    pub(crate) view: PaneView,
    pub(crate) views: Views,
    /// Its share of the height, relative to the other panes.
    pub(super) weight: f32,
}

impl Pane {
    /// Creates a pane that shows a graph of these series.
    pub(super) fn new(id: u64, selection: Selection) -> Self {
        Self {
            id,
            selection,
            view: PaneView::default(),
            views: Views::default(),
            weight: 1.0,
        }
    }

    /// Shows a view, or a graph if the pane shows that view already.
    pub(crate) fn toggle(&mut self, view: PaneView) {
        self.view = if self.view == view {
            PaneView::default()
        } else {
            view
        };
    }

    /// Performs an action on the view that is shown. If that does not have the action, performs it on
    /// the graph, whose choices can thus be made while another view is shown.
    pub(crate) fn perform(&mut self, action: Action, shared: &mut Shared<'_>) -> Performed {
        let views = &mut self.views;
        shared.with_context(&self.selection, true, |context| {
            match views.get_mut(self.view).perform(action, &context) {
                Performed::No => views.graph.perform(action, &context),
                performed => performed,
            }
        })
    }

    /// Returns whether the view that is shown has an axis on the right.
    pub(super) fn needs_right_axis(&self) -> bool {
        let shown = self.views.get(self.view);
        shown.needs_right_axis(self.selection.selected())
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
