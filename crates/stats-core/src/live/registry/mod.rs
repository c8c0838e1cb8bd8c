//! Every series that was ever registered.
//!
//! A series is named by its path, but a path is slow to look up. So a counter looks its path up
//! once, at its first use, and keeps the *slot* that it gets: a small number that never changes.
//! Everything else about a series (kind, unit, budget, description) is found by slot and read only
//! when series are listed.
//!
//! - [`registry`]: the registry that all threads share.
//! - [`catalog`]: the entries behind its lock.
//! - [`index`]: maps a path's hash to its slot.
//! - [`text`]: stores run-time paths forever.
//! - [`spec`]: the facts that a caller declares about a series.
//! - [`own_series`]: the series that the core lists about itself.
//! - [`listing`]: the public functions that read the registry.

mod catalog;
mod index;
mod listing;
pub(super) mod own_series;
mod registry;
mod spec;
mod text;

pub(super) use listing::list;
pub use listing::{
    budget_changes, budget_set_for, cell_block_sets, find, for_each_change, for_each_series,
    frame_budget_ms, generation, problems, report_over_limit, report_reserved_path, set_budget,
    set_budgets,
};
pub(super) use registry::{Registry, change_catalog, read_catalog, with_registry};
pub(super) use spec::{Meta, Path, Spec};
