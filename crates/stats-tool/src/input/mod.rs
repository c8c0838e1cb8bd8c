//! The captures that paths and patterns name.

mod files;
mod pipes;

pub(crate) use files::{files, is_capture, journals, one_file, warn_of_common};
pub(crate) use pipes::{new_folder, remove_copies};
