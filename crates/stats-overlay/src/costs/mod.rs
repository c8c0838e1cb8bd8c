//! The costs of a pane: what each timer takes, the most expensive first.
//!
//! A graph shows the timers that somebody selected. The costs show all timers with scopes, so that a
//! steady cost that never spikes is found without a guess. They are sums over the calls of some
//! frames: the selected ones, those on screen while the views are paused, or else the newest second.
//!
//! In reading order:
//!
//! - `choices`: the column that the rows are sorted by, and whether threads are apart;
//! - `sums`: the sums over the calls;
//! - `view`: the state of the list, and its keys;
//! - `columns`: the columns of numbers;
//! - `ui`: the heads and the rows.

pub(crate) mod choices;
mod columns;
mod sums;
mod ui;
pub(crate) mod view;

#[cfg(test)]
mod tests;
