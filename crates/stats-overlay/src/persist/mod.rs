//! TODO

pub(crate) mod file;
#[cfg(test)]
pub(crate) mod fuzz;
pub(crate) mod json;
pub(crate) mod load_error;
pub(crate) mod part;
pub(crate) mod saved;
pub(crate) mod view_line;
pub(crate) mod view_line_error;
