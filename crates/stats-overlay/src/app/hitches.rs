//! Hitches in the overlay as a whole: when frames are examined, and what keys and clicks do.

use stats_core::Source;
use stats_ui::tree::TreeAction;

use crate::app::state::App;
use crate::data::view::Data;
use crate::hitches::found::RowId;
use crate::input::mode::PaneView;

impl App {
    /// Examines the newest frame, unless the settings turn that off. Not called while the overlay
    /// is hidden.
    pub(super) fn take_hitches(&mut self, source: &mut dyn Source, now_secs: f64) {
        if self.settings.hitches {
            self.hitches.update(source, now_secs);
        }
    }

    /// Returns whether the keys of rows act on the hitches of the active pane. While the tree is
    /// searched, they act on what was found.
    pub(super) fn has_hitch_rows(&self) -> bool {
        self.panes.active().view == PaneView::Hitches && self.tree.search_box.text.is_empty()
    }

    /// Moves the selection among the hitches of the active pane, or shows the selected one.
    pub(super) fn perform_on_hitches(&mut self, action: TreeAction, source: &mut dyn Source) {
        let frames = self.active_data(source).frames();
        let found = self.hitches.found();
        let view = &mut self.panes.active_mut().hitches;
        if let Some(row) = view.perform(action, found, frames) {
            self.show_hitch(row, source);
        }
    }

    /// Adds the series of a row to the active pane, so that graphs show them from now on. Pauses at
    /// the frame of a hitch.
    pub(super) fn show_hitch(&mut self, row: RowId, source: &mut dyn Source) {
        let selection = &mut self.panes.active_mut().selection;
        for path in self.hitches.found().paths(row) {
            selection.set(path, true);
        }
        selection.resolve(source);
        if let RowId::Hitch(frame) = row {
            self.set_paused(true, Some(source));
            self.look_at(frame, source);
        }
    }
}
