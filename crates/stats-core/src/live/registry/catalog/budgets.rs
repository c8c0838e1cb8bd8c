//! The budgets that are set for the whole program, and those of single paths.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::Catalog;
use crate::live::registry::own_series::FRAME_TIME_SLOT;
use crate::{Problem, SeriesKind, Unit};

/// The path of the frame time in budgets.
const FRAME: &str = "frame";

/// A function that returns the budget of a path and a unit, or `None` to keep the series' own, or a
/// problem, after which it is asked again for every series.
pub(crate) type BudgetFn = dyn FnMut(&str, Unit) -> Result<Option<f64>, Problem> + Send;

/// The budgets that were set for the whole program.
struct BudgetOf(Box<BudgetFn>);

impl fmt::Debug for BudgetOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BudgetOf")
    }
}

impl BudgetOf {
    fn of(&mut self, path: &str, unit: Unit) -> Result<Option<f64>, Problem> {
        Ok((self.0)(path, unit)?.filter(|budget| budget.is_finite()))
    }
}

/// The budgets that were set, which replace those that series declare.
#[derive(Debug, Default)]
pub(super) struct Budgets {
    of_all: Option<BudgetOf>,
    /// The budgets of single paths, which replace all others.
    of_paths: BTreeMap<Box<str>, f64>,
    by_slot: HashMap<u32, f64>,
    /// The slots for which `of_all` is asked before they are listed the next time.
    unasked: Vec<u32>,
}

impl Budgets {
    pub(super) fn get(&self, slot: u32) -> Option<f64> {
        self.by_slot.get(&slot).copied()
    }

    /// Asks for the budget of a series before it is listed the next time, because the series is new, or
    /// its unit became known.
    pub(super) fn ask_later(&mut self, slot: u32) {
        if self.of_all.is_some() {
            self.unasked.push(slot);
        }
    }
}

impl Catalog {
    /// Replaces the budgets of all series, including those that will be registered.
    pub(crate) fn set_budgets(&mut self, budget_of: Box<BudgetFn>) {
        self.budgets.of_all = Some(BudgetOf(budget_of));
        self.ask_for_all_budgets();
    }

    /// Sets the budget of one path, or removes it. Returns whether it is new.
    pub(in super::super) fn set_budget(&mut self, path: &str, budget: Option<f64>) -> bool {
        let budget = budget.filter(|budget| budget.is_finite());
        let before = match budget {
            Some(budget) => self.budgets.of_paths.insert(path.into(), budget),
            None => self.budgets.of_paths.remove(path),
        };
        if before == budget {
            return false;
        }
        // A problem concerns all series that were asked for before it was found.
        match self
            .find(path)
            .map(|slot| (slot, self.ask_for_budget(slot)))
        {
            Some((_, (false, _))) => self.ask_for_all_budgets(),
            Some((slot, (true, true))) => self.changes.push(slot),
            Some((_, (true, false))) | None => {}
        }
        true
    }

    /// Returns the budget that was set for one path.
    pub(crate) fn single_budget(&self, path: &str) -> Option<f64> {
        self.budgets.of_paths.get(path).copied()
    }

    /// Returns the budget of a frame that was set with those of the series.
    pub(in super::super) fn frame_budget_ms(&self) -> Option<f64> {
        self.budgets.get(FRAME_TIME_SLOT)
    }

    /// Asks for the budgets of the series that were registered since the last listing. Not earlier,
    /// because a series gets its unit after it is registered.
    pub(super) fn ask_for_budgets(&mut self) {
        let mut is_fine = true;
        for slot in std::mem::take(&mut self.budgets.unasked) {
            // A reader that lists the change of the slot lists this budget, too.
            is_fine &= self.ask_for_budget(slot).0;
        }
        if !is_fine {
            self.ask_for_all_budgets();
        }
    }

    fn ask_for_all_budgets(&mut self) {
        self.budgets.unasked.clear();
        // A problem can concern series that were asked for before it was found.
        for _ in 0..2 {
            let mut is_fine = true;
            for slot in 0..self.slots {
                let (is_decided, is_new) = self.ask_for_budget(slot);
                is_fine &= is_decided;
                if is_new {
                    self.changes.push(slot);
                }
            }
            if is_fine {
                break;
            }
        }
    }

    /// Asks for the budget of a series. Returns whether it is decided, and whether it is new.
    fn ask_for_budget(&mut self, slot: u32) -> (bool, bool) {
        let Some(entry) = self.entry(slot).filter(|entry| !entry.path.is_empty()) else {
            return (true, false);
        };
        let unit = self.unit(slot, entry.kind);
        let path = match entry.kind {
            SeriesKind::FrameTime => FRAME,
            _ => entry.path,
        };
        let single = self.single_budget(entry.path);
        let asked = match (single, self.budgets.of_all.as_mut()) {
            (Some(budget), _) => Ok(Some(budget)),
            (None, Some(budgets)) => budgets.of(path, unit),
            (None, None) => Ok(None),
        };
        let is_fine = asked.is_ok();
        let budget = asked.unwrap_or_else(|problem| {
            self.report(problem);
            None
        });
        let before = match budget {
            Some(budget) => self.budgets.by_slot.insert(slot, budget),
            None => self.budgets.by_slot.remove(&slot),
        };
        (is_fine, before != budget)
    }
}
