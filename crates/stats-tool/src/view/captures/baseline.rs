//! The statistics of a capture as baseline A of the overlay.

use std::ops::ControlFlow;
use std::path::Path;

use stats_core::source::Listed;
use stats_core::{Source, Unit};
use stats_overlay::{BaselineSeries, FRAME_TIME};

use crate::failure::Failure;
use crate::input::open;
use crate::metrics::Columns;

/// Returns the statistics of the frame time and of all series of a capture.
pub(in crate::view) fn baseline(file: &Path) -> Result<Vec<BaselineSeries>, Failure> {
    let capture = open(file)?;
    let columns = Columns::read(&capture)?;
    let times = capture.frame_times(usize::MAX);
    let mut series = Vec::new();
    series.extend(BaselineSeries::of(FRAME_TIME, Unit::Milliseconds, times));
    capture.list(Listed::All, &mut |info| {
        let column = columns.all.get(info.id.number() as usize);
        if let Some(column) = column.and_then(Option::as_ref) {
            series.extend(BaselineSeries::of(info.path, info.unit, column.slice()));
        }
        ControlFlow::Continue(())
    });
    Ok(series)
}
