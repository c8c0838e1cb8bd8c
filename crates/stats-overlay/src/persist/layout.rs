//! The views as a [`SavedState`], a [`PaneLayout`] or a [`Preset`], and back.

use super::field::within;
use super::saved::{PaneLayout, Preset, SavedPane, SavedSort, SavedState, ValueRange};
use crate::app::pane::Pane;
use crate::app::views::Views;
use crate::data::selection::Selection;
use crate::graph::view::Ranges;
use crate::input::settings::Settings;
use crate::table::order::Sort;

impl Views {
    /// Returns everything that persists.
    pub(crate) fn saved(&self) -> SavedState {
        let mut saved = self.restored.clone();
        let kept = std::mem::take(&mut saved.settings.kept);
        saved.settings = Settings {
            kept,
            ..self.settings.clone()
        };
        saved.presets = self.presets.own().to_vec();
        saved.favourites = self.tree.favourites().to_vec();
        saved.pinned = self.panes.pinned.paths().map(str::to_owned).collect();
        saved.layout.tree_share = self.tree_share;
        saved.layout.active = self.panes.active_at();
        saved.layout.panes = self.panes.list().iter().map(saved_pane).collect();
        saved
    }

    /// Shows a saved state, except for its settings, which the caller applies.
    pub(crate) fn restore(&mut self, saved: &SavedState) {
        self.presets.set_own(saved.presets.clone());
        self.tree.set_favourites(saved.favourites.iter().cloned());
        self.panes.pinned = Selection::of(saved.pinned.iter().map(String::as_str));
        self.apply(&saved.layout);
        self.restored = saved.clone();
    }

    /// Shows the panes of a layout.
    fn apply(&mut self, layout: &PaneLayout) {
        self.set_tree_share(layout.tree_share);
        self.show_panes(&layout.panes, layout.active);
    }

    /// Sets the tree's share of the width, within its range.
    pub(crate) fn set_tree_share(&mut self, share: f32) {
        if share.is_finite() {
            self.tree_share = within(PaneLayout::TREE_SHARE, share);
        }
    }

    /// Replaces the panes. Too many panes are cut, and no panes become an empty one.
    pub(crate) fn show_panes(&mut self, saved: &[SavedPane], active: usize) {
        let selections = saved
            .iter()
            .map(|pane| Selection::of(pane.paths.iter().map(String::as_str)));
        self.panes.replace(selections, active);
        for (pane, saved) in self.panes.list_mut().iter_mut().zip(saved) {
            apply_to(pane, saved);
        }
    }

    /// Returns the panes on screen.
    pub(crate) fn layout(&self) -> PaneLayout {
        self.saved().layout
    }

    /// Shows the panes of a preset. Returns whether there is a preset of this name.
    pub(crate) fn show_preset(&mut self, name: &str) -> bool {
        let Some(panes) = self.presets.find(name).map(|preset| preset.panes.clone()) else {
            return false;
        };
        self.show_panes(&panes, 0);
        self.sheet = None;
        true
    }

    /// Saves the current panes as a preset of the user.
    pub(crate) fn save_preset(&mut self, name: &str) {
        let panes = self.panes.list().iter().map(saved_pane).collect();
        self.presets.keep(Preset::new(name, panes));
        self.notice.say(format!("The panes are saved as “{name}”"));
    }
}

/// Returns a pane as it is saved, with the unknown fields that it was restored with.
fn saved_pane(pane: &Pane) -> SavedPane {
    let mut saved = pane.restored.clone();
    saved.paths = pane.selection.paths().map(str::to_owned).collect();
    saved.view = pane.view;
    saved.range = match pane.graph.chosen {
        None => ValueRange::Auto,
        Some(Ranges::Shared) => ValueRange::Shared,
        Some(Ranges::Own) => ValueRange::Own,
    };
    saved.log = pane.graph.log;
    saved.stacked = pane.graph.stacked;
    saved.value_scale = pane.distribution.choice;
    saved.log_counts = pane.distribution.log_counts;
    saved.per_frame = pane.distribution.per_frame;
    saved.weight = pane.weight;
    saved.solo = pane.graph.solo.clone();
    let sort = pane.table.sort.as_ref();
    saved.sort =
        sort.map(|sort| SavedSort::new(sort.path.as_deref().unwrap_or_default(), sort.descending));
    saved
}

/// Restores how a pane shows its series.
fn apply_to(pane: &mut Pane, saved: &SavedPane) {
    pane.view = saved.view;
    pane.graph.chosen = match saved.range {
        ValueRange::Auto => None,
        ValueRange::Shared => Some(Ranges::Shared),
        ValueRange::Own => Some(Ranges::Own),
    };
    pane.graph.log = saved.log;
    pane.graph.stacked = saved.stacked && !saved.log;
    pane.distribution.choice = saved.value_scale;
    pane.distribution.log_counts = saved.log_counts;
    pane.distribution.per_frame = saved.per_frame;
    pane.set_weight(saved.weight);
    pane.graph.solo = saved.solo.clone();
    pane.table.sort = saved.sort.as_ref().map(|sort| Sort {
        path: (!sort.path.is_empty()).then(|| sort.path.clone()),
        descending: sort.descending,
    });
    pane.restored = saved.clone();
}
