//! The values of a pane as text, for other programs.
//!
//! - `csv`: a file of comma-separated values, exact, to read back;
//! - `tsv`: tab-separated text for the clipboard.

pub(crate) mod csv;
pub(crate) mod tsv;
