//! The budgets that the user sets by hand.

use std::collections::BTreeMap;

use stats_analysis::budget::Budget;
use stats_core::{FRAME_TIME, Source, Unit};
use stats_ui::tree::RowAction;

use crate::app::panel::budget_ui::Edited;
use crate::app::panel::state::Sheet;
use crate::app::state::App;
use crate::data::selection::{facts_of, recorder_with_companion};
use crate::input::settings::Settings;

/// The budgets by path, in the unit of each series. The core applies them, so that every reader of
/// the series sees them, and so that recordings contain them.
#[derive(Debug, Default)]
pub(crate) struct HandBudgets(BTreeMap<String, f64>);

impl HandBudgets {
    /// Returns the paths and their budgets, in the order of the paths.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(path, budget)| (path.as_str(), *budget))
    }

    fn set(&mut self, path: &str, budget: Option<f64>) {
        let budget = budget.filter(|budget| budget.is_finite());
        match budget {
            Some(budget) => _ = self.0.insert(path.to_owned(), budget),
            None => _ = self.0.remove(path),
        }
        stats_core::set_budget(path, budget);
    }
}

impl App {
    /// Sets the budget of a series, or removes the one that was set by hand. That of the frame time
    /// is one of the settings.
    pub(crate) fn set_budget(&mut self, path: &str, budget: Option<f64>) {
        if path == FRAME_TIME {
            let budget_ms = budget.filter(|budget| budget.is_finite());
            self.settings.frame_budget_ms = budget_ms;
            self.settings = self.settings.clamped();
        } else if !path.is_empty() {
            self.budgets.set(path, budget);
        }
        self.refresh_rate.refresh_at_once();
    }

    /// Sets the saved budgets. If `replaces`, removes all others.
    pub(super) fn restore_budgets(&mut self, saved: &BTreeMap<String, f64>, replaces: bool) {
        let before: Vec<String> = self.budgets.0.keys().cloned().collect();
        for path in before
            .iter()
            .filter(|path| replaces && !saved.contains_key(*path))
        {
            self.set_budget(path, None);
        }
        for (path, budget) in saved {
            self.set_budget(path, Some(*budget));
        }
    }

    /// Returns the budgets for which `is_kept` returns true, to be saved.
    pub(super) fn saved_budgets(&self, is_kept: &dyn Fn(&str) -> bool) -> BTreeMap<String, f64> {
        let kept = self.budgets.0.iter().filter(|(path, _)| is_kept(path));
        // `collect` compiles a sort.
        let mut saved = BTreeMap::new();
        saved.extend(kept.map(|(path, budget)| (path.clone(), *budget)));
        saved
    }

    /// Returns the budgets as a part of `stats.toml`. The units are those of the
    /// series in `source`; a budget without one is a number in the unit of its series.
    pub(crate) fn budgets_toml(&self, source: &dyn Source) -> String {
        let frame_ms = self.settings.frame_budget_ms;
        let is_own = frame_ms != Settings::default().frame_budget_ms;
        let frame = frame_ms.filter(|_| is_own).map(|ms| (FRAME_TIME, ms));
        let mut text = "[budgets]\n".to_owned();
        for (path, amount) in frame.into_iter().chain(self.budgets.iter()) {
            let unit = match path {
                FRAME_TIME => Some(Unit::Milliseconds),
                _ => facts_of(source, path).map(|facts| facts.0),
            };
            // No program has this unit, so only the number is written.
            let budget = Budget::of(amount, unit.unwrap_or(Unit::Custom("\"")));
            text.push_str(&budget.toml_line(path));
            text.push('\n');
        }
        text
    }

    /// Copies the budgets as a part of `stats.toml`.
    pub(super) fn copy_budgets(&mut self, source: &dyn Source) {
        let text = self.budgets_toml(source);
        self.export.copy(text);
        self.notice
            .say("Copied the budgets: paste them into stats.toml");
    }

    /// Opens the sheet of budgets for the series under the cursor of the tree, or else for the last
    /// selected one of the active pane. Closes the sheet if it is open.
    pub(super) fn toggle_budgets(&mut self, source: &mut dyn Source) {
        if self.panel.sheet == Some(Sheet::Budgets) {
            self.panel.sheet = None;
            return;
        }
        let path = self.path_in_question();
        self.edit_budget(path.as_deref().unwrap_or(FRAME_TIME), source);
    }

    /// Changes the number in the sheet of budgets, or sets it.
    pub(super) fn edit_number(&mut self, row: RowAction) {
        match row {
            RowAction::Activate => {
                if let Some((path, budget)) = self.panel.budget.entered() {
                    self.set_budget(&path, Some(budget));
                }
            }
            _ => self.panel.budget.step(row),
        }
    }

    /// Opens the sheet of budgets for a series.
    pub(super) fn edit_budget(&mut self, path: &str, source: &mut dyn Source) {
        self.panel.sheet = Some(Sheet::Budgets);
        if let Some(of) = recorder_with_companion(source, path) {
            self.panel.budget.refuse(path, of);
            return;
        }
        let (unit, budget, newest) = match facts_of(source, path) {
            Some((unit, budget, id)) => (unit, budget, source.peek(id)),
            None => (Unit::Count, None, None),
        };
        let budget = match path {
            FRAME_TIME => self.settings.frame_budget_ms,
            _ => budget,
        };
        let unit = if path == FRAME_TIME {
            Unit::Milliseconds
        } else {
            unit
        };
        let edited = Edited {
            path: path.to_owned(),
            unit,
            budget,
            newest,
        };
        self.panel.budget.edit(edited);
    }
}
