//! The table as text, for spreadsheets.

use std::fmt::Write as _;

use crate::data::Data;
use crate::selection::{FRAME_TIME, Ticked};

/// All frames and all ticked series, oldest frame first: columns apart by tabs, one line a frame, a head with paths and units.
///
/// Values have all their digits. A cell is empty where a series has no value. Tabs and line breaks in paths become spaces.
pub(crate) fn tsv(data: &dyn Data, ticked: &[Ticked]) -> String {
    let mut text = format!("frame\t{FRAME_TIME} (ms)");
    let columns: Vec<usize> = (0..ticked.len()).filter(|&at| !ticked[at].is_frame_time()).collect();
    for &at in &columns {
        text.push('\t');
        text.extend(ticked[at].path.chars().map(|character| if character.is_control() { ' ' } else { character }));
        let symbol = ticked[at].unit().symbol();
        if !symbol.is_empty() {
            // Writing to a string cannot fail, here and below.
            let _ = write!(text, " ({symbol})");
        }
    }
    text.push('\n');
    let windows: Vec<_> = columns.iter().map(|&at| data.values(at)).collect();
    for index in data.frames() {
        let Some(frame) = data.frame(index) else { continue };
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
