//! The series that the user computes from others.

use std::collections::{BTreeMap, HashSet};

use stats_analysis::derived::{DefinitionError, Formula, MAX_DERIVED, define, define_in};
use stats_core::Source;

use crate::app::state::App;

/// The formulas that the user typed or restored. The core computes the series, so that every reader
/// has them, and so that recordings contain them.
#[derive(Debug, Default)]
pub(crate) struct HandFormulas {
    /// The formulas by path.
    texts: BTreeMap<String, String>,
    /// The paths that did not exist before, also of formulas that were removed. Other series with a
    /// formula belong to the program.
    added: HashSet<String>,
}

/// What is shown in place of values after a formula was removed: a series stays until the program ends.
const REMOVED: &str = "its formula was removed; it is gone when the program starts again";

impl HandFormulas {
    pub(crate) fn contains(&self, path: &str) -> bool {
        self.texts.contains_key(path)
    }

    /// Returns the paths and the formulas.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    fn remove(&mut self, path: &str) -> bool {
        let is_removed = self.texts.remove(path).is_some();
        if is_removed {
            self.set_unavailable(path, Some(REMOVED));
        }
        is_removed
    }

    /// Adds the formula of a series that was defined. `is_new` says whether it did not exist before.
    fn add(&mut self, path: &str, formula: &str, is_new: bool) {
        if is_new {
            self.added.insert(path.to_owned());
        }
        // It may have been removed before.
        self.set_unavailable(path, None);
        self.texts.insert(path.to_owned(), formula.to_owned());
    }

    /// Sets why a series has no values, unless it belongs to the program.
    fn set_unavailable(&self, path: &str, why: Option<&'static str>) {
        if self.added.contains(path)
            && let Some(id) = stats_core::find(path)
        {
            stats_core::set_unavailable(id, why);
        }
    }
}

impl App {
    /// Adds a series that is computed from others, and selects it in the active pane. A notice says why
    /// if that cannot be done.
    pub(super) fn add_formula(&mut self, path: &str, formula: &str, source: &mut dyn Source) {
        let is_full = self.formulas.texts.len() >= MAX_DERIVED && !self.formulas.contains(path);
        if is_full {
            return self.notice.warn(format!(
                "There are {MAX_DERIVED} formulas: remove one in the menu of its series."
            ));
        }
        let is_new = stats_core::find(path).is_none();
        match define_in(source, path, formula) {
            Ok(_) => self.formulas.add(path, formula, is_new),
            Err(DefinitionError::Taken { .. }) if self.formulas.added.contains(path) => {
                return self.notice.warn(format!(
                    "Not added: {path:?} keeps its formula until the program ends, even if it is \
                     removed; choose another path"
                ));
            }
            Err(error) => return self.notice.warn(format!("Not added: {error}")),
        }
        self.panes.active_mut().selection.set(path, true);
        self.tree.search_box.clear();
        self.notice.say(format!("Added {path}, in the active pane"));
        self.refresh_rate.refresh_at_once();
    }

    /// Forgets a formula. The series stays until the program ends; the tree says that its formula was
    /// removed.
    pub(super) fn remove_formula(&mut self, path: &str) {
        if self.formulas.remove(path) {
            self.panes
                .selections_mut()
                .for_each(|selection| selection.set(path, false));
            self.notice.say(format!("Removed the formula of {path}"));
        }
    }

    /// Sets the saved formulas. If `replaces`, removes all others.
    pub(super) fn restore_formulas(&mut self, saved: &BTreeMap<String, String>, replaces: bool) {
        let before: Vec<String> = self.formulas.texts.keys().cloned().collect();
        for path in (before.iter()).filter(|path| replaces && !saved.contains_key(*path)) {
            self.formulas.remove(path);
        }
        for (path, formula) in saved {
            let is_new = stats_core::find(path).is_none();
            match define(path, formula) {
                Ok(()) => self.formulas.add(path, formula, is_new),
                Err(error) => self
                    .notice
                    .warn(format!("A saved formula is left out: {error}")),
            }
        }
    }

    /// Returns the formulas of the series for which `is_kept` returns true, and of those that they need,
    /// to be saved.
    pub(super) fn saved_formulas(
        &self,
        is_kept: &dyn Fn(&str) -> bool,
    ) -> BTreeMap<String, String> {
        let all = &self.formulas.texts;
        let mut next: Vec<&str> = all
            .keys()
            .map(String::as_str)
            .filter(|of| is_kept(of))
            .collect();
        let mut kept = BTreeMap::new();
        while let Some(path) = next.pop() {
            let Some((path, text)) = all.get_key_value(path) else {
                continue;
            };
            if kept.insert(path.clone(), text.clone()).is_none() {
                let formula = text.parse::<Formula>().ok();
                let inputs = formula.iter().flat_map(Formula::inputs);
                let needed = inputs.filter_map(|input| all.get_key_value(input));
                next.extend(needed.map(|(path, _)| path.as_str()));
            }
        }
        kept
    }
}
