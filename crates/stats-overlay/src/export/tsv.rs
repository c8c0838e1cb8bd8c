//! The table as text for the clipboard, to paste into a spreadsheet.

use std::borrow::Cow;
use std::io;

use stats_analysis::format::cell_text;

use crate::data::selection::SelectedSeries;
use crate::data::view::Data;
use crate::export::table::write_table;

/// Returns the frames and all selected series, separated by tabs: a header with paths and units,
/// then one line per frame. Frames that the history no longer has are left out.
///
/// Values have all their digits. A cell is empty if a series has no value. If any of the frames is
/// marked, the last column has the names of each frame's marks, separated by `; `. Control
/// characters in paths and names, such as tabs and line breaks, become spaces, and a name such as
/// `=1+1`, which a spreadsheet would run as a formula, gets a `'` before it.
pub(crate) fn tsv(data: &dyn Data, selected: &[SelectedSeries], frames: &[u64]) -> String {
    let mut text = Vec::new();
    let writer = csv::WriterBuilder::new()
        .delimiter(b'\t')
        .quote_style(csv::QuoteStyle::Never)
        .from_writer(&mut text as &mut dyn io::Write);
    // Writing to memory cannot fail.
    let _ = write_table(data, selected, frames, writer, clean);
    String::from_utf8(text).unwrap_or_default()
}

/// Returns a text without the characters that would end a cell, and not as a formula.
fn clean(text: &str) -> Cow<'_, str> {
    let text = text.replace(char::is_control, " ");
    cell_text(&text).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::selection::{FRAME_TIME, Selection};
    use crate::export::csv::tests::data_of;

    #[test]
    fn frames_are_lines_and_series_are_columns() {
        let (selection, data) = (
            Selection::of(["a\tb\nc", FRAME_TIME, "late"]),
            data_of(&[&[1.5, -2.0, 1e300], &[], &[0.1]]),
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
        let (selection, mut data) = (Selection::of(["a"]), data_of(&[&[1.0, 2.0, 3.0]]));
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
