//! The hitches of a pane: the frames that were longer than usual, and their causes, as a list.
//!
//! The folder `insight` finds them.
//!
//! In reading order:
//!
//! - `view`: the state of the list, and its keys;
//! - `ui`, `row_ui`: the list and its rows.

mod row_ui;
mod ui;
pub(crate) mod view;
