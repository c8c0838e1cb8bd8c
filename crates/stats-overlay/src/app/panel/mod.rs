//! TODO

pub(super) mod embedded;
pub(super) mod full_screen;
mod header_ui;
mod help_ui;
pub(super) mod panel_ui;
pub(super) mod problems_ui;
mod settings_ui;
pub(super) mod split_ui;
pub(super) mod state;
