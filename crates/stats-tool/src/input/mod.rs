//! The captures that paths and patterns name.

mod files;

pub(crate) use files::{files, is_capture, one_file};
