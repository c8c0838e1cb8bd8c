//! A table for spreadsheets.

use std::io::{self, Write};

use stats_analysis::format::cell_text;

use super::window::Window;
use crate::metrics::frame_name;
use crate::progress::Progress;

/// The columns of the clock.
const CLOCK: [&str; 3] = ["frame", "start s", "duration ms"];

/// Writes a row for each frame, after a row with the names and units of the columns. Unknown values
/// are empty.
pub(super) fn write(
    window: &Window<'_>,
    output: &mut dyn Write,
    progress: &mut Progress,
) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(output);
    let names = window
        .series
        .iter()
        .map(|series| frame_name(series.record.kind, &series.record.path))
        .zip(&window.series)
        .map(|(name, series)| match series.record.unit.as_str() {
            "" => cell_text(&name).into_owned(),
            unit => cell_text(&format!("{name} {unit}")).into_owned(),
        });
    let names = CLOCK.map(str::to_owned).into_iter().chain(names);
    table.write_record(names).map_err(to_io)?;
    for frame in window.frames() {
        let clock = [
            frame.index.to_string(),
            frame.start_secs.to_string(),
            frame.duration_ms.to_string(),
        ];
        let values = window.series.iter().map(|series| {
            let value = series.at(frame.index);
            value.map_or(String::new(), |value| value.to_string())
        });
        let row = clock.into_iter().chain(values);
        table.write_record(row).map_err(to_io)?;
        progress.step();
    }
    table.flush()
}

/// Returns the cause of an error, because a plain conversion would lose its kind.
fn to_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
