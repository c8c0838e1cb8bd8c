//! The table view.

mod rows;
mod table;
