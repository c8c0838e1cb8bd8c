//! Reads series, and leaves out those that cannot be read.

use stats_capture::{CaptureFile, Column, ReadError};

use crate::failure::Failure;
use crate::output::say;

/// Why the values of a series cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// They are damaged.
    Damaged,
    /// Another program wrote them in a form that cannot be read.
    Unsupported,
}

/// Reads the values of a series. If they cannot be read, prints a message and returns why, because
/// the other series of the capture can still be read.
pub(crate) fn read_series(
    capture: &CaptureFile,
    path: &str,
) -> Result<Result<Column, Unread>, Failure> {
    let (error, unread) = match capture.read(path) {
        Ok(column) => return Ok(Ok(column)),
        Err(error @ ReadError::Damaged { .. }) => (error, Unread::Damaged),
        Err(error @ ReadError::Unsupported { .. }) => (error, Unread::Unsupported),
        Err(error) => return Err(error.into()),
    };
    say(format_args!("{error}; the series is left out"));
    Ok(Err(unread))
}
