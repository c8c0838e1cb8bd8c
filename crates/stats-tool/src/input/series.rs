//! Reads series, and leaves out damaged ones.

use stats_capture::{CaptureFile, Column, ReadError};

use crate::failure::Failure;
use crate::output::say;

/// Reads the values of a series. If they are damaged, prints a message and returns `None`, because
/// the other series of the capture can still be read.
pub(crate) fn read_series(capture: &CaptureFile, path: &str) -> Result<Option<Column>, Failure> {
    match capture.read(path) {
        Ok(column) => Ok(Some(column)),
        Err(error @ ReadError::Damaged { .. }) => {
            say(format_args!("{error}; the series is left out"));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
