//! The table as text, for spreadsheets.

use std::fmt::Write as _;

use crate::data::Data;
use crate::selection::{FRAME_TIME, Ticked};

/// These frames and all ticked series: columns apart by tabs, one line a frame, a head with paths and units. Frames that are not
/// held are left out.
///
/// Values have all their digits. A cell is empty where a series has no value. Tabs and line breaks in paths become spaces.
pub(crate) fn tsv(data: &dyn Data, ticked: &[Ticked], frames: &[u64]) -> String {
    let mut text = format!("frame\t{FRAME_TIME} (ms)");
    let columns = columns(ticked);
    for &at in &columns {
        text.push('\t');
        text.extend(head(&ticked[at]).chars().map(|character| if character.is_control() { ' ' } else { character }));
    }
    text.push('\n');
    let windows: Vec<_> = columns.iter().map(|&at| data.values(at)).collect();
    for &index in frames {
        let Some(frame) = data.frame(index) else { continue };
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "{index}\t{}", frame.duration_ms);
        for window in &windows {
            text.push('\t');
            if let Some(value) = window.at(index) {
                let _ = write!(text, "{value}");
            }
        }
        text.push('\n');
    }
    text
}

/// The places of the series that have a column of their own: all but the frame time, which always has the first.
pub(crate) fn columns(ticked: &[Ticked]) -> Vec<usize> {
    (0..ticked.len()).filter(|&at| !ticked[at].is_frame_time()).collect()
}

/// A path and its unit, `net/received (B)`.
pub(crate) fn head(ticked: &Ticked) -> String {
    match ticked.unit().symbol() {
        "" => ticked.path.clone(),
        symbol => format!("{} ({symbol})", ticked.path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::fake::{Fake, selection};

    #[test]
    fn frames_are_lines_and_series_are_columns() {
        let (selection, data) = (selection(&["a\tb\nc", FRAME_TIME, "late"]), Fake::new(&[&[1.5, -2.0, 1e300], &[], &[0.1]]));
        let ticked = selection.ticked();
        let text = tsv(&data, ticked, &[8, 9, 100]);
        let huge = 1e300;
        assert_eq!(text, format!("frame\tframe time (ms)\ta b c\tlate\n8\t8.25\t-2\t\n9\t9.25\t{huge}\t0.1\n"));
        assert_eq!(tsv(&data, ticked, &[3, 4]), "frame\tframe time (ms)\ta b c\tlate\n");
    }
}
