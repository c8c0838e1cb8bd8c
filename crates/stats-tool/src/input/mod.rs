//! The captures that paths and patterns name.

mod files;
mod pipes;
mod temporary;

pub(crate) use files::{files, is_capture, journals, one_file, warn_of_common};
pub(crate) use pipes::remove_copies;
pub(crate) use temporary::{new_folder, remove_folder};
