//! Converts panes to their saved form and back.

use crate::data::selection::Selection;
use crate::panes::list::Panes;
use crate::panes::pane::Pane;
use crate::persist::saved::SavedPane;

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

fn saved_pane(pane: &Pane) -> SavedPane {
    let mut saved = SavedPane::new(pane.selection.paths());
    saved.name.clone_from(&pane.name);
    saved.view = pane.view;
    saved.weight = pane.weight;
    pane.views.save(&mut saved);
    saved
}

/// Restores everything about a pane except its series, which are already selected.
fn restore_pane(pane: &mut Pane, saved: &SavedPane) {
    pane.name.clone_from(&saved.name);
    pane.view = saved.view;
    pane.set_weight(saved.weight);
    pane.views.restore(saved);
}
