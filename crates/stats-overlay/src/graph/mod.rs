//! TODO

mod axis;
mod budget_labels;
pub(crate) mod cursor;
pub(crate) mod input;
pub(crate) mod item;
pub(crate) mod legend;
pub(crate) mod legend_ui;
pub(crate) mod marks_ui;
pub(crate) mod picture_cache;
pub(crate) mod spike_marks;
pub(crate) mod ui;
pub(crate) mod view;
