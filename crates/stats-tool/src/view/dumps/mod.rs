//! Memory dumps in a window.
//!
//! - [`window`]: the memory panel, the progress of reading, and errors.
//! - [`loading`], [`dump_error`]: reads dumps on a separate thread, and the errors.

mod dump_error;
mod loading;
#[cfg(test)]
mod testing;
mod window;

use std::path::Path;

use crate::failure::Failure;

pub(super) use window::Window;

/// Checks whether a file can be a dump, without reading all of it.
pub(super) fn check(file: &Path) -> Result<(), Failure> {
    loading::check(file).map_err(|error| Failure::Dump(error.to_string()))
}
