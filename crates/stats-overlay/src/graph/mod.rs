//! The graph of a pane: lines over the frames that all panes share.
//!
//! Each series is thinned to the extremes of whole buckets of frames, so that a spike never
//! vanishes, and drawn into a texture. While frames advance, only its new columns change. The
//! spikes of all series are marked in one lane, and the spans over budget in another.
//!
//! The files depend on each other in one direction. The choices of the user and what is kept from pass
//! to pass come first, then the parts that draw from them, and then the layout and the view.
//!
//! In reading order:
//!
//! - `choices`: the choices of the user, which persist;
//! - `transform`: the coordinates of frames and values on screen;
//! - `shown`, `ranges`, `usual`: the part of a series that is shown, which series share a range, which
//!   axis has its numbers, and the values without the few outliers that would flatten all others;
//! - `picture`, `underlay`: the series as pixels, and the budgets, bands and baseline below them;
//! - `axis_marks`, `grid`: the marks of an axis, and the lines and numbers there;
//! - `spike_marks`, `over_budget`, `cuts`, `budget_texts`: the marks of spikes, the lane of spans over
//!   budget, the notches of values beyond the axis, and the texts of budgets;
//! - `legend`: the numbers of the legend;
//! - `state`: the state of a graph, and the resulting ranges of values;
//! - `graph_ui`: what the following parts draw from;
//! - `axis`, `budget_tags`, `spike_marks_ui`, `over_budget_ui`, `cuts_ui`, `marks_ui`: the names of the
//!   axes, the tags of budgets, and all marks, also those set by the program;
//! - `input`, `cursor`: the effects of the pointer, and the frame under it;
//! - `legend_ui`: the legend;
//! - `ui`: the layout: plot and legend;
//! - `view`: the graph as a view of a pane.

mod axis;
mod axis_marks;
mod budget_tags;
mod budget_texts;
pub(crate) mod choices;
mod cursor;
mod cuts;
mod cuts_ui;
mod graph_ui;
mod grid;
mod input;
mod legend;
mod legend_ui;
mod marks_ui;
pub(crate) mod over_budget;
mod over_budget_ui;
mod picture;
#[cfg(test)]
mod picture_tests;
mod ranges;
mod shown;
pub(crate) mod spike_marks;
mod spike_marks_ui;
mod state;
mod transform;
mod ui;
mod underlay;
mod usual;
pub(crate) mod view;
