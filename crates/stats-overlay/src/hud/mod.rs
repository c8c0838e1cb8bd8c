//! TODO

pub(crate) mod graph_ui;
pub(crate) mod line_ui;
pub(crate) mod numbers;
pub(crate) mod statistics;
pub(crate) mod statistics_ui;
pub(crate) mod ui;
