//! The table as text for the clipboard, to paste into a spreadsheet.

use std::fmt::Write as _;

use crate::data::mark_lanes::MarkLanes;
use crate::data::mark_names::MARKS_COLUMN;
use crate::data::selection::{FRAME_TIME, SelectedSeries};
use crate::data::view::Data;

/// Returns the frames and all selected series, separated by tabs: a header with paths and units,
/// then one line per frame. Frames that the history no longer has are left out.
///
/// Values have all their digits. A cell is empty if a series has no value. If any of the frames is
/// marked, the last column has the names of each frame's marks, separated by `; `. A name such as
/// `=1+1`, which a spreadsheet treats as a formula, is unchanged. Tabs and line breaks in paths and
/// names become spaces.
pub(crate) fn tsv(data: &dyn Data, selected: &[SelectedSeries], frames: &[u64]) -> String {
    let mut text = format!("frame\t{FRAME_TIME} (ms)");
    let columns = columns(selected);
    for &at in &columns {
        text.push('\t');
        push_cell(&mut text, &head(&selected[at]));
    }
    let (marks, lanes) = (data.marks(), MarkLanes::of(data.marks()));
    let has_marks = has_marks(data, &lanes, frames);
    if has_marks {
        text.push('\t');
        text.push_str(MARKS_COLUMN);
    }
    text.push('\n');
    let mut names = String::new();
    let windows: Vec<_> = columns.iter().map(|&at| data.values(at)).collect();
    for &index in frames {
        let Some(frame) = data.frame(index) else {
            continue;
        };
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "{index}\t{}", frame.duration_ms);
        for window in &windows {
            text.push('\t');
            if let Some(value) = window.at(index) {
                let _ = write!(text, "{value}");
            }
        }
        if has_marks {
            lanes.write_names(marks, index, &mut names);
            text.push('\t');
            push_cell(&mut text, &names);
        }
        text.push('\n');
    }
    text
}

/// Adds a cell without the characters that would end it.
fn push_cell(text: &mut String, cell: &str) {
    text.extend(cell.chars().map(|character| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    }));
}

/// Returns whether any of the frames that the history still has is marked.
pub(super) fn has_marks(data: &dyn Data, lanes: &MarkLanes, frames: &[u64]) -> bool {
    let held = data.frames();
    lanes.any(
        data.marks(),
        frames.iter().copied().filter(|frame| held.contains(frame)),
    )
}

/// Returns the places of the series with a column of their own: all except the frame time, which
/// always has the first.
pub(super) fn columns(selected: &[SelectedSeries]) -> Vec<usize> {
    (0..selected.len())
        .filter(|&at| !selected[at].is_frame_time())
        .collect()
}

/// Returns a path and its unit, such as `net/received (B)`.
pub(super) fn head(selected: &SelectedSeries) -> String {
    match selected.unit().symbol() {
        "" => selected.path.clone(),
        symbol => format!("{} ({symbol})", selected.path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::Selection;
    use crate::export::csv::fake::Fake;

    #[test]
    fn frames_are_lines_and_series_are_columns() {
        let (selection, data) = (
            Selection::of(["a\tb\nc", FRAME_TIME, "late"]),
            Fake::new(&[&[1.5, -2.0, 1e300], &[], &[0.1]]),
        );
        let selected = selection.selected();
        let text = tsv(&data, selected, &[8, 9, 100]);
        let huge = 1e300;
        assert_eq!(
            text,
            format!("frame\tframe time (ms)\ta b c\tlate\n8\t8.25\t-2\t\n9\t9.25\t{huge}\t0.1\n")
        );
        assert_eq!(
            tsv(&data, selected, &[3, 4]),
            "frame\tframe time (ms)\ta b c\tlate\n"
        );
    }

    #[test]
    fn marks_are_the_last_column_if_there_are_any() {
        let (selection, mut data) = (Selection::of(["a"]), Fake::new(&[&[1.0, 2.0, 3.0]]));
        data.marks = vec![
            stats_core::Mark::new("two\nlines\t", 6..9, false),
            stats_core::Mark::new("; \"", 8..9, true),
        ];
        let text = tsv(&data, selection.selected(), &[7, 8, 9]);
        assert_eq!(
            text,
            "frame\tframe time (ms)\ta\tmarks\n7\t7.25\t1\ttwo lines \n8\t8.25\t2\ttwo lines ; ; \"\n9\t9.25\t3\t\n"
        );
        assert_eq!(
            tsv(&data, selection.selected(), &[9]),
            "frame\tframe time (ms)\ta\n9\t9.25\t3\n"
        );
        assert_eq!(
            tsv(&data, selection.selected(), &[6, 9]),
            "frame\tframe time (ms)\ta\n9\t9.25\t3\n"
        );
    }
}
