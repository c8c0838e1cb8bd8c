//! Finds the series that moved together with another one.

use stats_core::Source;

use crate::app::state::App;
use crate::data::allowance::Allowance;
use crate::data::view::Data;

/// The work that a pass may spend on it, in units: about half a millisecond.
const UNITS: usize = 2048;

impl App {
    /// Lists what moved together with the series under the cursor of the tree, or else with the last
    /// selected one of the active pane.
    pub(super) fn find_together(&mut self) {
        match self.path_in_question() {
            Some(path) => self.find_together_with(&path),
            None => self.notice.say("Select a series to see what moved with it"),
        }
    }

    /// Lists what moved together with a series.
    pub(super) fn find_together_with(&mut self, path: &str) {
        self.together.ask(path);
        self.tree.search_box.text = "together".to_owned();
        self.panel.sheet = None;
    }

    /// Continues the search while the word is in the search box.
    pub(super) fn rank_together(&mut self, source: &dyn Source) {
        if !self.tree.asks_together() {
            self.together.rest();
            return;
        }
        if self.together.subject().is_none()
            && let Some(path) = self.last_selected()
        {
            self.together.ask(&path);
        }
        let frames = {
            let data = self.playback.data(source, &[]);
            self.frame_axis.chosen(&data.frames())
        };
        let values = (self.hitches.recent(), frames);
        let obstacle = self.obstacle_to_together();
        let mut allowance = Allowance::of_units(UNITS);
        let is_new = (self.together).update(source, values, obstacle, &mut allowance);
        self.tree.set_together(&self.together, is_new);
    }

    /// Returns why no values can be compared; `None` if they can, or if that is not known yet.
    fn obstacle_to_together(&self) -> Option<&'static str> {
        let found = self.hitches.found();
        let has_none = self.hitches.recent().is_empty();
        if has_none && (found.is_given() || !found.can_tell()) {
            Some("this source does not keep the values of all series, which this compares")
        } else if !self.settings.hitches {
            Some("together needs the setting “find the causes of hitches”, which is off")
        } else {
            (found.has_too_many).then_some("over 262,144 series are too many to compare")
        }
    }

    /// Returns the path under the cursor of the tree, or else that of the series selected last.
    pub(super) fn path_in_question(&mut self) -> Option<String> {
        match &self.tree.cursor_paths()[..] {
            [path] => Some(path.clone()),
            _ => self.last_selected(),
        }
    }

    fn last_selected(&self) -> Option<String> {
        let last = self.panes.active().selection.paths().last();
        last.map(str::to_owned)
    }
}
