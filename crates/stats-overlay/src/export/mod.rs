//! TODO

pub(crate) mod csv;
pub(crate) mod tsv;
