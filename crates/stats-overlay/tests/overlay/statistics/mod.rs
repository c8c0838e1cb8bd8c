//! Statistics, distributions and budgets.

mod budgets;
mod distribution;
mod over_budget;
mod statistics;
