//! The hitches of a pane: the frames that were longer than usual, and their causes, as a list.
//!
//! The folder `insight` finds them.
//!
//! In reading order:
//!
//! - `view`: the state of the list, and its keys;
//! - `rows`: which rows it has, and which stay although they are no longer found;
//! - `ui`, `row_ui`: the list and its rows.

mod row_ui;
mod rows;
mod ui;
pub(crate) mod view;
