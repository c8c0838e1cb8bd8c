//! The table of a pane: a row for each frame, a column for each selected series.
//!
//! A history has thousands of rows. Only visible rows are drawn, sorted rows change their places
//! only when numbers are refreshed, and spikes are found a few frames at a time.
//!
//! In reading order:
//!
//! - `choices`: the order of the rows, which persists;
//! - `view`: the scroll position, the selected frames;
//! - `order`, `spike_track`, `columns`: the sorted rows, the frames with spikes, the columns;
//! - `ui`: the layout;
//! - `head_ui`, `row_ui`, `marks_ui`, `strip_ui`: the parts that are drawn;
//! - `cell_hover_ui`: why the cell under the pointer is marked as a spike, or why it is not;
//! - `select_ui`: selecting rows by click, by dragging and by key.

mod cell_hover_ui;
pub(crate) mod choices;
mod columns;
mod head_ui;
mod marks_ui;
pub(crate) mod order;
mod row_ui;
mod select_ui;
mod spike_track;
mod strip_ui;
#[cfg(test)]
mod tests;
pub(crate) mod ui;
pub(crate) mod view;
