//! The distribution of a pane: how often each value occurred, as bars.
//!
//! A histogram shows its samples; any other series shows its values in the frames on screen or
//! selected.
//!
//! In reading order:
//!
//! - `choices`: the choices of the user, which persist;
//! - `view`: the user's choices, and the rows until their next update;
//! - `row`: the figures and bars of one series;
//! - `axis`, `labels`: the places of values and names;
//! - `ui`: the layout;
//! - `plot_ui`, `paint`: the bars of one series, and their mesh.

mod axis;
pub(crate) mod choices;
mod labels;
mod paint;
mod plot_ui;
mod row;
#[cfg(test)]
mod tests;
pub(crate) mod ui;
pub(crate) mod view;
