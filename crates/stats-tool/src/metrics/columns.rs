//! The columns of a capture, each read once.

use stats_capture::{CaptureFile, Column};

use crate::failure::Failure;
use crate::input::{Unread, read_series};
use crate::progress::Progress;

/// A capture, and the values of all its series.
pub(crate) struct Columns<'a> {
    pub(super) capture: &'a CaptureFile,
    /// By the number of the series; `None` if its values cannot be read.
    pub(crate) all: Vec<Option<Column>>,
    /// By the number of the series; `None` if its values can be read.
    pub(super) unread: Vec<Option<Unread>>,
}

impl<'a> Columns<'a> {
    /// Reads all columns. Prints a message about each that cannot be read.
    pub(crate) fn read(capture: &'a CaptureFile) -> Result<Self, Failure> {
        let series = capture.series();
        let mut progress = Progress::new("reading", series.len());
        let columns = series.iter().map(|series| {
            progress.step();
            read_series(capture, &series.path)
        });
        let columns: Vec<Result<Column, Unread>> = columns.collect::<Result<_, _>>()?;
        let unread = columns.iter().map(|column| column.as_ref().err().copied());
        Ok(Self {
            capture,
            unread: unread.collect(),
            all: columns.into_iter().map(Result::ok).collect(),
        })
    }

    /// Reads the value of each series in a frame, by its number; NaN if it is not known.
    pub(super) fn read_frame(&self, frame: u64, values: &mut Vec<f64>) {
        values.clear();
        values.extend(self.all.iter().map(|column| {
            let value = column.as_ref().and_then(|column| column.slice().at(frame));
            value.unwrap_or(f64::NAN)
        }));
    }

    /// Returns the values of a series; `None` if they cannot be read or there is no such series.
    pub(super) fn get(&self, path: &str) -> Option<&Column> {
        let at = (self.capture.series().iter()).position(|series| series.path == path)?;
        self.all[at].as_ref()
    }

    /// Returns the paths of the series that cannot be read for this reason.
    pub(super) fn unread(&self, why: Unread) -> Vec<String> {
        let series = self.capture.series().iter().zip(&self.unread);
        let unread = series.filter(|(_, unread)| **unread == Some(why));
        unread.map(|(series, _)| series.path.clone()).collect()
    }
}
