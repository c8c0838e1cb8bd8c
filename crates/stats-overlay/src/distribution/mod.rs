//! TODO

pub(crate) mod axis;
pub(crate) mod labels;
pub(crate) mod paint;
pub(crate) mod plot_ui;
pub(crate) mod row;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod ui;
pub(crate) mod view;
