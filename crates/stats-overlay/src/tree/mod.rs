//! The tree of counters on the left side of the panel.
//!
//! The listing of the source becomes folders, the search picks some of them, and both become rows.
//! Only rows on screen are drawn, and only their values are read. Each part is updated only if its
//! inputs changed, and over several frames if there is much to do. Even with a million counters, no
//! frame is long. Rows and results are replaced as a whole when they are complete, so nothing moves
//! under the pointer in between.
//!
//! In reading order:
//!
//! - `model`, `nodes`, `node_index`, `sorter`: the folders of a listing, and how nodes are stored,
//!   found and sorted;
//! - `outline`: the listing with its folders, and which of them are open;
//! - `search_box`, `search`, `marks`: the typed text, and its results in the tree;
//! - `favorites`: the series listed above the tree;
//! - `costs`: what the timers in each folder cost;
//! - `walk`, `rows`: the visible rows;
//! - `cursor`: the row on which keys act;
//! - `row_values`, `ranking`: what the rows on screen show, read before they are painted;
//! - `row_paint`, `painted`: painting a row, and the shapes that are kept; painters read nothing;
//! - `panel`: these parts together; `actions`: what keys and clicks do to the rows;
//! - `request`: the requests of rows to other parts, and the payload of drags out of the tree;
//! - `ui`: the layout; `search_ui`, `hint_ui`: the search box and its hint;
//! - `row_ui`, `row_menu_ui`: a row, and its menu.
//!
//! A file imports only files above it in this list.

mod actions;
mod costs;
mod cursor;
mod favorites;
mod hint_ui;
mod marks;
mod model;
mod node_index;
mod nodes;
mod outline;
mod painted;
pub(crate) mod panel;
mod ranking;
pub(crate) mod request;
mod row_menu_ui;
mod row_paint;
mod row_ui;
pub(crate) mod row_values;
mod rows;
pub(crate) mod search;
mod search_box;
mod search_ui;
mod sorter;
#[cfg(test)]
mod testing;
pub(crate) mod ui;
mod walk;
