//! The series that the user computes from others.

use std::collections::BTreeMap;

use stats_analysis::derived::{MAX_DERIVED, define, define_in};
use stats_core::Source;

use crate::app::state::App;

/// The formulas by path. The core computes the series, so that every reader has them, and so that
/// recordings contain them.
#[derive(Debug, Default)]
pub(crate) struct HandFormulas(BTreeMap<String, String>);

/// What is shown in place of values after a formula was removed: a series stays until the program ends.
const REMOVED: &str = "its formula was removed; it is gone when the program starts again";

impl HandFormulas {
    pub(crate) fn contains(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// Returns the paths and the formulas.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    fn remove(&mut self, path: &str) -> bool {
        let is_removed = self.0.remove(path).is_some();
        if is_removed && let Some(id) = stats_core::find(path) {
            stats_core::set_unavailable(id, Some(REMOVED));
        }
        is_removed
    }

    fn add(&mut self, path: &str, formula: &str) {
        // It may have been removed before.
        if let Some(id) = stats_core::find(path) {
            stats_core::set_unavailable(id, None);
        }
        self.0.insert(path.to_owned(), formula.to_owned());
    }
}

impl App {
    /// Adds a series that is computed from others, and selects it in the active pane. A notice says why
    /// if that cannot be done.
    pub(super) fn add_formula(&mut self, path: &str, formula: &str, source: &mut dyn Source) {
        let is_full = self.formulas.0.len() >= MAX_DERIVED && !self.formulas.contains(path);
        if is_full {
            return self.notice.warn(format!(
                "There are {MAX_DERIVED} formulas: remove one in the menu of its series."
            ));
        }
        if let Err(error) = define_in(source, path, formula) {
            return self.notice.warn(format!("Not added: {error}"));
        }
        self.formulas.add(path, formula);
        self.panes.active_mut().selection.set(path, true);
        self.tree.search_box.clear();
        self.notice.say(format!("Added {path}, in the active pane"));
        self.refresh_rate.refresh_at_once();
    }

    /// Forgets a formula. Its series has no values from then on.
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
        let before: Vec<String> = self.formulas.0.keys().cloned().collect();
        for path in (before.iter()).filter(|path| replaces && !saved.contains_key(*path)) {
            self.formulas.remove(path);
        }
        for (path, formula) in saved {
            match define(path, formula) {
                Ok(()) => self.formulas.add(path, formula),
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
        is_kept: impl Fn(&str) -> bool,
    ) -> BTreeMap<String, String> {
        let all = &self.formulas.0;
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
                let needed = all.keys().filter(|other| text.contains(*other));
                next.extend(needed.map(String::as_str));
            }
        }
        kept
    }
}
