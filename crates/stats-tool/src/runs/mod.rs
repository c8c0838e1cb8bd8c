//! Sets of runs. Each run has one value of each metric.
//!
//! - [`expectations`]: `stats.toml`, and the rules that follow from it.
//! - [`run_figures`]: the metrics and budgets of a run.
//! - [`reading`]: reads runs from files, several at once.
//! - [`budgets`]: series that are over budget in too many frames.
//! - [`warnings`](mod@warnings): why runs may not be comparable.

mod budgets;
mod expectations;
mod reading;
mod run_figures;
mod warnings;

pub(crate) use budgets::{BudgetFinding, budget_table, judge_budgets};
pub(crate) use expectations::{ConfigArguments, rules};
pub(crate) use reading::{read_all, read_each, read_readable};
pub(crate) use run_figures::{RunFigures, series_budgets};
pub(crate) use warnings::warnings;
