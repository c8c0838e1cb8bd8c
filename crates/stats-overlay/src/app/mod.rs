//! TODO

pub(crate) mod act;
pub(crate) mod embed;
pub(crate) mod export;
pub(crate) mod header;
pub(crate) mod help;
pub(crate) mod memory;
pub(crate) mod notice;
pub(crate) mod pane;
pub(crate) mod pane_ui;
pub(crate) mod panel;
pub(crate) mod panes;
pub(crate) mod pausing;
pub(crate) mod presets;
pub(crate) mod refresh;
pub(crate) mod settings_page;
pub(crate) mod spike_pause;
pub(crate) mod tree_actions;
pub(crate) mod views;
