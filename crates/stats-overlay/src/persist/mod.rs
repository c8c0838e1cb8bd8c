//! The state that the overlay keeps from one run to the next.
//!
//! One struct, [`SavedState`](saved::SavedState), contains everything that persists, and serde
//! derives the code that reads and writes it. So a new setting is a new field, and nothing else.
//!
//! What is known of a text is read. If it is damaged or of a newer version, the overlay starts with
//! its defaults and says why. In both cases, the next save keeps a text that was not read in full
//! under another name. So nothing is lost, and no code here knows the fields of other versions.
//!
//! In reading order:
//!
//! - `saved`: the struct;
//! - `text`: the struct as JSON, and its version;
//! - `backup`: texts that are kept beside the saved one;
//! - `file`, `storage`, `save_report`, `save_error`: the struct in files and in storages;
//! - `load_error`, `json_path`: what could not be read, where, and why;
//! - `view_line`: panes as one line of text.

mod backup;
mod file;
#[cfg(test)]
mod fuzz;
mod json_path;
pub(crate) mod load_error;
pub(crate) mod save_error;
pub(crate) mod save_report;
pub(crate) mod saved;
pub(crate) mod storage;
mod text;
pub(crate) mod view_line;
