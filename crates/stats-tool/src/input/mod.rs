//! The captures that paths and patterns name.

mod files;
mod pipes;
mod series;
mod temporary;

pub(crate) use files::{files, is_capture, journals, one_file, warn_of_common};
pub(crate) use pipes::remove_copies;
pub(crate) use series::read_series;
pub(crate) use temporary::{new_folder, remove_folder};
