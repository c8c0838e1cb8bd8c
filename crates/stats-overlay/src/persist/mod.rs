//! What the overlay remembers from one run to the next.
//!
//! [`saved`] has the types; serde derives how they are read and written. [`field`] adds how single
//! fields are checked, and [`document`] keeps whatever this version cannot read, so that running an
//! older program once loses nothing. [`file`](self::file) puts the document in a file or in a host's
//! storage. [`layout`] turns the views into a state and back. [`view_line`] writes the panes as one
//! line of text to paste into a chat.

mod document;
pub(crate) mod field;
pub(crate) mod file;
#[cfg(test)]
mod fuzz;
mod layout;
pub(crate) mod load_error;
pub(crate) mod saved;
mod view_line;
pub(crate) mod view_line_error;
