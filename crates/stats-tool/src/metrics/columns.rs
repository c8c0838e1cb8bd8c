//! The columns of a capture, each read once.

use stats_capture::{CaptureFile, Column};

use crate::failure::Failure;
use crate::input::read_series;
use crate::progress::Progress;

/// A capture, and the values of all its series.
pub(crate) struct Columns<'a> {
    pub(super) capture: &'a CaptureFile,
    /// By the number of the series; `None` if its values are damaged.
    pub(super) all: Vec<Option<Column>>,
}

impl<'a> Columns<'a> {
    /// Reads all columns. Prints a message about each damaged one.
    pub(crate) fn read(capture: &'a CaptureFile) -> Result<Self, Failure> {
        let series = capture.series();
        let mut progress = Progress::new("reading", series.len());
        let columns = series.iter().map(|series| {
            progress.step();
            read_series(capture, &series.path)
        });
        let all = columns.collect::<Result<_, _>>()?;
        Ok(Self { capture, all })
    }

    /// Returns the values of a series; `None` if they are damaged or there is no such series.
    pub(super) fn get(&self, path: &str) -> Option<&Column> {
        let at = (self.capture.series().iter()).position(|series| series.path == path)?;
        self.all[at].as_ref()
    }
}
