//! The tree of counters at the left of the panel.
//!
//! The listing of the source becomes folders, the search picks some of them, and both become rows.
//! Only rows on screen are drawn, and only their values are read. Each part is updated only if what
//! it follows from changed: with 100,000 counters, a frame costs no more than with ten.
//!
//! In reading order:
//!
//! - `model`: the folders of a listing;
//! - `outline`: the listing with its folders, and which of them are open;
//! - `search_box`, `search`: what is typed, and what it finds;
//! - `favorites`: the series listed above the tree;
//! - `rows`: the visible rows;
//! - `cursor`: the row on which keys act;
//! - `panel`: these parts together;
//! - `request`: what a row asks of other parts, and what is dragged out of the tree;
//! - `ui`: the layout; `search_ui`, `hint_ui`: the search box and its hint;
//! - `row_ui`, `row_paint`, `row_menu_ui`: a row, how it is painted, its menu.

mod cursor;
mod favorites;
mod hint_ui;
mod model;
mod outline;
pub(crate) mod panel;
pub(crate) mod request;
mod row_menu_ui;
mod row_paint;
mod row_ui;
mod rows;
mod search;
mod search_box;
mod search_ui;
#[cfg(test)]
mod testing;
pub(crate) mod ui;
