//! The overlay as it is saved, and back: everything that persists, a layout, a preset.

use crate::app::state::App;
use crate::data::selection::Selection;
use crate::input::settings::Settings;
use crate::persist::saved::{PaneLayout, Preset, SavedState};

impl App {
    /// Returns everything that persists, based on what was restored.
    pub(crate) fn saved(&self) -> SavedState {
        let mut saved = self.restored.clone();
        let kept = std::mem::take(&mut saved.settings.kept);
        saved.settings = Settings {
            kept,
            ..self.settings.clone()
        };
        saved.presets = self.presets.own().to_vec();
        saved.favorites = self.tree.favorites.paths().to_vec();
        saved.pinned = self.panes.pinned.paths().map(str::to_owned).collect();
        saved.layout.tree_share = self.panel.split.tree_share();
        saved.layout.active = self.panes.active_at();
        saved.layout.panes = self.panes.saved();
        saved
    }

    /// Shows what was saved, with its settings.
    pub(crate) fn restore(&mut self, saved: &SavedState) {
        self.settings = saved.settings.clamped();
        self.presets.set_own(saved.presets.clone());
        self.tree.set_favorites(saved.favorites.iter().cloned());
        self.panes.pinned = Selection::of(saved.pinned.iter().map(String::as_str));
        self.panel.split.set_tree_share(saved.layout.tree_share);
        self.panes.show(&saved.layout.panes, saved.layout.active);
        self.restored = saved.clone();
    }

    /// Returns the layout on screen.
    pub(crate) fn layout(&self) -> PaneLayout {
        self.saved().layout
    }

    /// Shows the panes of a preset. Returns false if none has this name.
    pub(crate) fn show_preset(&mut self, name: &str) -> bool {
        let Some(preset) = self.presets.find(name) else {
            return false;
        };
        self.panes.show(&preset.panes, 0);
        self.panel.sheet = None;
        true
    }

    /// Keeps the current panes as a preset of the user.
    pub(super) fn keep_preset(&mut self, name: &str) {
        self.presets.keep(Preset::new(name, self.panes.saved()));
        self.notice.say(format!("Saved the panes as “{name}”"));
    }
}
