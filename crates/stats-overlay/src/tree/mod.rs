//! TODO

pub(crate) mod cursor;
pub(crate) mod favorites;
pub(crate) mod hint_ui;
pub(crate) mod model;
mod outline;
pub(crate) mod panel;
pub(crate) mod request;
pub(crate) mod row_menu_ui;
pub(crate) mod row_paint;
pub(crate) mod row_ui;
pub(crate) mod rows;
mod search;
mod search_box;
pub(crate) mod search_ui;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod ui;
