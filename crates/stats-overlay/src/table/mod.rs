//! TODO

pub(crate) mod columns;
pub(crate) mod head_ui;
pub(crate) mod marks_ui;
pub(crate) mod order;
pub(crate) mod row_ui;
pub(crate) mod select_ui;
pub(crate) mod spikes;
pub(crate) mod strip_ui;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod ui;
pub(crate) mod view;
