//! Converts panes to their saved form and back.

use crate::data::selection::Selection;
use crate::panes::list::Panes;
use crate::panes::pane::Pane;
use crate::persist::saved::{SavedPane, SavedSort};
use crate::table::order::Sort;

impl Panes {
    /// Returns the panes as they are saved, from top to bottom.
    pub(crate) fn saved(&self) -> Vec<SavedPane> {
        self.list().iter().map(saved_pane).collect()
    }

    /// Replaces the panes with saved ones. Panes beyond [`MAX_PANES`](crate::MAX_PANES) are left
    /// out. If there are none, one empty pane is shown.
    pub(crate) fn show(&mut self, saved: &[SavedPane], active: usize) {
        let selections = saved
            .iter()
            .map(|pane| Selection::of(pane.paths.iter().map(String::as_str)));
        self.replace(selections, active);
        for (pane, saved) in self.list_mut().iter_mut().zip(saved) {
            restore_pane(pane, saved);
        }
    }
}

/// Returns a pane as it is saved, with the unknown fields of the state it was restored from.
fn saved_pane(pane: &Pane) -> SavedPane {
    let mut saved = pane.restored.clone();
    saved.paths = pane.selection.paths().map(str::to_owned).collect();
    saved.view = pane.view;
    saved.range = pane.graph.chosen;
    saved.log = pane.graph.log;
    saved.stacked = pane.graph.stacked;
    saved.value_scale = pane.distribution.choice;
    saved.log_counts = pane.distribution.log_counts;
    saved.per_frame = pane.distribution.per_frame;
    saved.weight = pane.weight;
    saved.solo = pane.graph.solo.clone();
    saved.statistics_of = pane.statistics.chosen.clone();
    let sort = pane.table.sort.as_ref();
    saved.sort =
        sort.map(|sort| SavedSort::new(sort.path.as_deref().unwrap_or_default(), sort.descending));
    saved
}

/// Restores everything about a pane except its series, which are already selected.
fn restore_pane(pane: &mut Pane, saved: &SavedPane) {
    pane.view = saved.view;
    pane.graph.chosen = saved.range;
    pane.graph.log = saved.log;
    pane.graph.stacked = saved.stacked && !saved.log;
    pane.distribution.choice = saved.value_scale;
    pane.distribution.log_counts = saved.log_counts;
    pane.distribution.per_frame = saved.per_frame;
    pane.set_weight(saved.weight);
    pane.graph.solo = saved.solo.clone();
    pane.statistics.chosen = saved.statistics_of.clone();
    pane.table.sort = saved.sort.as_ref().map(|sort| Sort {
        path: (!sort.path.is_empty()).then(|| sort.path.clone()),
        descending: sort.descending,
    });
    pane.restored = saved.clone();
}
