//! The state that the overlay keeps from one run to the next.
//!
//! One struct, [`SavedState`](saved::SavedState), contains everything. Serde derives the code that
//! reads and writes it. Values that this version cannot read are kept, so nothing is lost if an
//! older version runs in between. There are no migrations: a renamed field keeps its old name as an
//! alias. The panes alone also fit into one line of text, which can be pasted elsewhere.
//!
//! In reading order:
//!
//! - `saved`: the struct;
//! - `document`, `shape`: the struct as JSON, and how unreadable values are kept;
//! - `path`: blank and absolute paths;
//! - `backup`: old files that are kept beside the saved one;
//! - `file`, `storage`, `save_report`, `save_error`: the struct in files and in storages;
//! - `load_error`: what could not be read, where, and why;
//! - `view_line`: panes as one line of text.

mod backup;
mod document;
mod file;
#[cfg(test)]
mod fuzz;
pub(crate) mod load_error;
pub(crate) mod path;
pub(crate) mod save_error;
pub(crate) mod save_report;
pub(crate) mod saved;
mod shape;
pub(crate) mod storage;
pub(crate) mod view_line;
