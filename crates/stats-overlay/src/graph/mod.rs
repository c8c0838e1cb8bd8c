//! The graph of a pane: lines over the frames that all panes share.
//!
//! Each series is thinned to the extremes of whole buckets of frames, so that a spike never
//! vanishes, and painted as two meshes: the series and its marks. A mesh is painted again as it was
//! while nothing of it changed.
//!
//! In reading order:
//!
//! - `view`: what the user chose, and the range of values that follows from it;
//! - `ui`: the layout: plot and legend;
//! - `item`, `picture_cache`: one series in the plot, and its meshes until it changes;
//! - `axis`, `budget_labels`: the numbers of the axis, and the names of budgets;
//! - `spike_marks`, `marks_ui`: the marks of spikes, and the marks that the program sets;
//! - `cursor`, `input`: the frame under the pointer, and what the pointer does;
//! - `legend`, `legend_ui`: the numbers of the legend, and how they are drawn;
//! - `watch_ui`, `watch_legend_ui`: the graph over the game, which takes no input.

mod axis;
mod budget_labels;
mod cursor;
mod input;
mod item;
mod legend;
mod legend_ui;
mod marks_ui;
mod picture_cache;
mod spike_marks;
pub(crate) mod ui;
pub(crate) mod view;
mod watch_legend_ui;
mod watch_ui;
