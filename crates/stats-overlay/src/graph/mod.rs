//! The graph of a pane: lines over the frames that all panes share.
//!
//! Each series is thinned to the extremes of whole buckets of frames, so that a spike never
//! vanishes, and drawn into a texture. While frames advance, only its new columns change. The
//! spikes of all series are marked in one lane, and the spans over budget in another.
//!
//! In reading order:
//!
//! - `choices`: the choices of the user, which persist;
//! - `view`: the choices of the user, and the resulting ranges of values;
//! - `ranges`, `usual`: which series share a range, which axis has its numbers, and the values without
//!   the few outliers that would flatten all others;
//! - `transform`: the coordinates of frames and values on screen;
//! - `ui`: the layout: plot and legend;
//! - `picture`, `underlay`: the series as pixels, and the budgets, bands and baseline below them;
//! - `axis`, `grid`, `budget_tags`: the numbers of an axis, the lines at these numbers, and the tags of
//!   budgets;
//! - `spike_marks`, `over_budget`, `cuts`: the marks of spikes, the lane of spans over budget, and the
//!   notches of values beyond the axis;
//! - `marks_ui`: the marks set by the program;
//! - `cursor`, `input`: the frame under the pointer, and the effects of the pointer;
//! - `legend`, `legend_ui`: the numbers of the legend, and its drawing.

mod axis;
mod budget_tags;
pub(crate) mod choices;
mod cursor;
mod cuts;
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
mod usual;
pub(crate) mod view;
