//! The state that the overlay keeps from one run to the next.
//!
//! One struct, [`SavedState`](saved::SavedState), contains everything. Serde derives the code that
//! reads and writes it. Values that this version cannot read are kept, so running an older program
//! once loses nothing. There are no migrations: a renamed field keeps its old name as an alias. The
//! panes alone also fit into one line of text, to paste elsewhere.
//!
//! In reading order:
//!
//! - `saved`: the struct;
//! - `document`, `shape`: the struct as JSON, and what is kept of unreadable values;
//! - `path`: paths as users give them;
//! - `backup`, `unfinished`: files that are kept beside the saved one, and files that killed saves
//!   left there;
//! - `file`, `storage`, `save_report`, `save_error`: the struct in files and in storages;
//! - `load_error`: why a text could not be read, and where;
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
mod unfinished;
pub(crate) mod view_line;
