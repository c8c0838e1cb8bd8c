//! TODO

pub(crate) mod head_ui;
pub(crate) mod rows;
pub(crate) mod ui;
pub(crate) mod view;
