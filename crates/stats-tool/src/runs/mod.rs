//! Several runs, of which each counts as one value of each metric.
//!
//! - [`expectations`]: `stats.toml`, and the rules that follow from it.
//! - [`run_figures`]: what is kept of a run.
//! - [`reading`]: runs from files, several at once.
//! - [`warnings`](mod@warnings): why runs may not be comparable.

mod expectations;
mod reading;
mod run_figures;
mod warnings;

pub(crate) use expectations::{ConfigArguments, rules};
pub(crate) use reading::{read_all, read_readable};
pub(crate) use run_figures::{RunFigures, SeriesBudget};
pub(crate) use warnings::warnings;
