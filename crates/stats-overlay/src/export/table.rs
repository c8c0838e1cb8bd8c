//! Frames and series as a table of texts.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::{fmt, io};

use crate::data::mark_lanes::MarkLanes;
use crate::data::mark_names::MARKS_COLUMN;
use crate::data::selection::{FRAME_TIME, SelectedSeries};
use crate::data::view::Data;

/// Writes the `frames` that the history still has, in the given order: a header with paths and
/// units, then one line per frame. The first two columns are the frame's number and its time.
///
/// Values are written with all their digits, so that they are equal when read back. A cell is empty
/// if a series has no value. If any of the frames is marked, the last column has the names of each
/// frame's marks, separated by `; ` and cut after 256 characters. A `;` within a name is not
/// escaped.
///
/// `clean` makes a path or a name safe for a cell.
pub(super) fn write_table(
    data: &dyn Data,
    selected: &[SelectedSeries],
    frames: &[u64],
    mut writer: csv::Writer<&mut dyn io::Write>,
    clean: fn(&str) -> Cow<'_, str>,
) -> csv::Result<()> {
    let columns = columns(selected);
    writer.write_field("frame")?;
    writer.write_field(format!("{FRAME_TIME} (ms)"))?;
    columns
        .iter()
        .try_for_each(|&at| writer.write_field(&*clean(&head(&selected[at]))))?;
    let (marks, lanes) = (data.marks(), MarkLanes::of(data.marks()));
    let has_marks = has_marks(data, &lanes, frames);
    if has_marks {
        writer.write_field(MARKS_COLUMN)?;
    }
    writer.write_record(None::<&[u8]>)?;
    let windows: Vec<_> = columns.iter().map(|&at| data.values(at)).collect();
    let mut cell = String::new();
    for &index in frames {
        let Some(frame) = data.frame(index) else {
            continue;
        };
        writer.write_field(written(&mut cell, &index))?;
        writer.write_field(written(&mut cell, &frame.duration_ms))?;
        for window in &windows {
            writer.write_field(
                window
                    .at(index)
                    .map_or("", |value| written(&mut cell, &value)),
            )?;
        }
        if has_marks {
            lanes.write_names(marks, index, &mut cell);
            writer.write_field(&*clean(&cell))?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()?;
    Ok(())
}

/// Writes a value as text into reused memory.
fn written<'a>(cell: &'a mut String, value: &dyn fmt::Display) -> &'a str {
    cell.clear();
    // Writing to a string cannot fail.
    let _ = write!(cell, "{value}");
    cell
}

/// Returns whether any of the frames that the history still has is marked.
fn has_marks(data: &dyn Data, lanes: &MarkLanes, frames: &[u64]) -> bool {
    let held = data.frames();
    lanes.any(
        data.marks(),
        frames.iter().copied().filter(|frame| held.contains(frame)),
    )
}

/// Returns the indices of the series that have their own column: all except the frame time, which
/// always has the first column.
fn columns(selected: &[SelectedSeries]) -> Vec<usize> {
    (0..selected.len())
        .filter(|&at| !selected[at].is_clock())
        .collect()
}

/// Returns a path and its unit, such as `net/received (B)`.
fn head(selected: &SelectedSeries) -> String {
    match selected.unit().symbol() {
        "" => selected.path.clone(),
        symbol => format!("{} ({symbol})", selected.path),
    }
}
