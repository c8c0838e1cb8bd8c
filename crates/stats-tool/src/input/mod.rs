//! The captures that arguments name: by path, by pattern, or through a pipe. Logs of other programs
//! become temporary captures.

mod derived;
mod files;
mod folders;
mod logs;
mod pipes;
mod series;
mod temporary;

pub(crate) use derived::{define, open};
pub(crate) use files::{
    files, files_so_far, is_capture, journals, log_files, one_file, warn_of_common,
};
pub(crate) use series::{Unread, read_series};
pub(crate) use temporary::{new_folder, remove_folder, remove_folders};
