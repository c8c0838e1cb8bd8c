//! The values of a pane as text, for other programs.
//!
//! - `table`: frames and series as rows and columns;
//! - `csv`: a file of comma-separated values, exact, to read back;
//! - `tsv`: tab-separated text for the clipboard.

pub(crate) mod csv;
mod table;
pub(crate) mod tsv;
