//! The graph of a pane: lines over the frames that all panes share.
//!
//! Each series is thinned to the extremes of whole buckets of frames, so that a spike never
//! vanishes, and drawn into a texture. While frames advance, only its new columns change. The
//! spikes of all series are marked in one lane, and spans over budget are bars.
//!
//! In reading order:
//!
//! - `choices`: the choices of the user, which persist;
//! - `view`: the choices of the user, and the resulting ranges of values;
//! - `ranges`: which series share a range, and which axis has its numbers;
//! - `transform`: the coordinates of frames and values on screen;
//! - `ui`: the layout: plot and legend;
//! - `picture`, `underlay`: the series as pixels, and the budgets, bands and baseline below them;
//! - `axis`, `grid`, `budget_labels`: the numbers of an axis, the lines at these numbers, and the
//!   names of budgets;
//! - `spike_marks`, `over_budget`: the marks of spikes, and the spans over budget;
//! - `marks_ui`: the marks set by the program;
//! - `cursor`, `input`: the frame under the pointer, and the effects of the pointer;
//! - `legend`, `legend_ui`: the numbers of the legend, and its drawing.

mod axis;
mod budget_labels;
pub(crate) mod choices;
mod cursor;
mod grid;
mod input;
mod legend;
mod legend_ui;
mod marks_ui;
pub(crate) mod over_budget;
mod picture;
#[cfg(test)]
mod picture_tests;
mod ranges;
pub(crate) mod spike_marks;
mod transform;
pub(crate) mod ui;
mod underlay;
pub(crate) mod view;
