//! The captures that paths and patterns name.

mod files;
mod standard_input;

pub(crate) use files::{files, is_capture, journals, one_file, warn_of_common};
pub(crate) use standard_input::{new_folder, remove_copy};
