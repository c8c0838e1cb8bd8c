//! Saves and restores the persistent state, layouts and presets.

use crate::app::state::App;
use crate::data::selection::Selection;
use crate::input::mode::Mode;
use crate::input::settings::Settings;
use crate::persist::saved::{PaneLayout, Preset, SavedState};

/// The notice if the settings skip every mode that the toggle key could show.
const ALL_SKIPPED: &str = "The settings skip every mode. The key shows the full overlay.";

impl App {
    /// Returns the persistent state, including the baselines that the overlay does not show.
    pub(crate) fn saved(&self) -> SavedState {
        let mut saved = self.restored.clone();
        saved.settings = self.settings.clone();
        saved.presets = self.presets.own.clone();
        saved.favorites = self.tree.favorites.paths().to_vec();
        saved.pinned = self.panes.pinned.paths().map(str::to_owned).collect();
        saved.colors = self.panes.saved_colors();
        saved.layout.tree_share = self.panel.split.tree_share();
        saved.layout.active = self.panes.active_at();
        // Not the full overlay: it would take the first input of the next run.
        saved.layout.mode = match self.visibility.mode {
            mode @ (Mode::Hud | Mode::Watch) => Some(mode),
            Mode::Hidden | Mode::Full => None,
        };
        saved.layout.panes = self.panes.saved();
        saved.layout.budgets = self.saved_budgets(&|_| true);
        saved.layout.formulas = self.saved_formulas(&|_| true);
        self.baseline.save(&mut saved.baselines);
        saved
    }

    /// Restores a saved state, including its settings.
    pub(crate) fn restore(&mut self, saved: &SavedState) {
        self.set_settings(&saved.settings);
        self.presets.own = saved.presets.clone();
        self.tree.set_favorites(saved.favorites.iter().cloned());
        self.panes.pinned = Selection::of(saved.pinned.iter().map(String::as_str));
        let palette = self.settings.palette;
        self.panes.restore_colors(&saved.colors, palette);
        self.panel.split.set_tree_share(saved.layout.tree_share);
        self.restore_formulas(&saved.layout.formulas, true);
        self.restore_budgets(&saved.layout.budgets, true);
        self.show_layout(&saved.layout);
        self.baseline.restore(&saved.baselines);
        self.restored = saved.clone();
    }

    /// Changes the settings. If they skip every mode, the toggle key still shows the full overlay.
    pub(crate) fn set_settings(&mut self, settings: &Settings) {
        if settings.skips_all() {
            self.notice.warn(ALL_SKIPPED);
        }
        self.settings = settings.clamped();
        if let Some(conflict) = self.settings.conflicts().first() {
            self.notice.warn(conflict.to_string());
        }
    }

    /// Returns the layout on screen, with a mode only if the panes are over the game.
    pub(crate) fn layout(&self) -> PaneLayout {
        let layout = self.saved().layout;
        let is_shown = |path: &str| self.panes.selections().any(|of| of.contains(path));
        PaneLayout {
            budgets: self.saved_budgets(&is_shown),
            formulas: self.saved_formulas(&is_shown),
            mode: layout.mode.filter(|mode| *mode == Mode::Watch),
            ..layout
        }
    }

    /// Shows the panes of a layout, switches to its mode, if any, and sets its formulas and budgets.
    pub(crate) fn show_layout(&mut self, layout: &PaneLayout) {
        self.panes.show(&layout.panes, layout.active);
        self.restore_formulas(&layout.formulas, false);
        self.restore_budgets(&layout.budgets, false);
        self.visibility.mode = layout.mode.unwrap_or(self.visibility.mode);
    }

    /// Shows the panes of a preset, and switches to its mode, if any. Returns false if no preset
    /// has this name.
    pub(crate) fn show_preset(&mut self, name: &str) -> bool {
        let Some(preset) = self.presets.find(name) else {
            return false;
        };
        self.panes.show(&preset.panes, 0);
        if let [pane] = self.panes.list_mut()
            && pane.name.is_empty()
        {
            pane.name = name.to_owned();
        }
        self.visibility.mode = preset.mode.unwrap_or(self.visibility.mode);
        // Close whatever covers the panes.
        self.panel.sheet = None;
        self.memory.is_open = false;
        true
    }

    /// Saves the current panes as a user preset.
    pub(super) fn keep_preset(&mut self, name: &str) {
        self.presets.keep(Preset::new(name, self.panes.saved()));
        self.notice.say(format!("Saved the panes as “{name}”"));
    }
}
