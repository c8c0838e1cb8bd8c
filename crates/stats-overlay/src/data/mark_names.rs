//! The names of a frame's marks, shortened to one line for a view and complete for an export.

use egui::Ui;
use stats_analysis::format::count_text;
use stats_core::{LogLine, Mark};

use crate::data::mark_lanes::MarkLanes;
use stats_ui::text::one_line;

/// The number of marks that a line names, and the number of characters of each name.
const NAMED: usize = 4;
const NAMED_CHARS: usize = 40;
/// The number of lines of a log that a list has, and the number of characters of each.
const MAX_LINES: usize = 8;
const LINE_CHARS: usize = 120;
/// The header of the marks column in an export.
pub(crate) const MARKS_COLUMN: &str = "marks";

/// Returns a line of the log for a view.
pub(crate) fn log_text(line: &LogLine<'_>) -> String {
    one_line(&line.to_string(), LINE_CHARS).into()
}

impl MarkLanes {
    /// Returns the names of a frame's marks, such as `, loading, level 2`, as a suffix for the
    /// frame's number; empty if there are none. Only counts the lines of the log.
    pub(crate) fn suffix(&self, marks: &[Mark], frame: u64) -> String {
        let mut text = String::new();
        let mut names =
            (self.at(marks, frame)).filter(|mark| LogLine::of_mark(&mark.name).is_none());
        for mark in names.by_ref().take(NAMED) {
            text.push_str(", ");
            text.push_str(&one_line(&mark.name, NAMED_CHARS));
        }
        match names.count() {
            0 => {}
            more => text.push_str(&format!(" and {more} more")),
        }
        match self.lines(marks, frame).count() as u64 {
            0 => {}
            lines => text.push_str(&format!(
                ", {}",
                count_text(lines, "line of the log", "lines of the log")
            )),
        }
        text
    }

    fn lines<'a>(&self, marks: &'a [Mark], frame: u64) -> impl Iterator<Item = LogLine<'a>> {
        let points = self.at(marks, frame).filter(|mark| mark.is_point);
        points.filter_map(|mark| LogLine::of_mark(&mark.name))
    }

    /// Adds a list of the lines of the log in a frame, if there are any.
    pub(crate) fn lines_ui(&self, ui: &mut Ui, marks: &[Mark], frame: u64) {
        let mut lines = self.lines(marks, frame);
        for line in lines.by_ref().take(MAX_LINES) {
            ui.small(log_text(&line));
        }
        match lines.count() {
            0 => {}
            more => _ = ui.small(format!("and {more} more")),
        }
    }

    /// Returns whether any of these frames has a mark.
    pub(crate) fn any(&self, marks: &[Mark], frames: impl IntoIterator<Item = u64>) -> bool {
        !marks.is_empty()
            && frames
                .into_iter()
                .any(|frame| self.at(marks, frame).next().is_some())
    }

    /// Writes the names of a frame's marks into `cell`, with `; ` between them.
    pub(crate) fn write_names(&self, marks: &[Mark], frame: u64, cell: &mut String) {
        cell.clear();
        for (at, mark) in self.at(marks, frame).enumerate() {
            if at > 0 {
                cell.push_str("; ");
            }
            cell.push_str(&mark.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks() -> Vec<Mark> {
        ["a\nb", "c; d", &"x".repeat(300), "e", "f", "g"]
            .map(|name| Mark::new(name, 5..8, false))
            .to_vec()
    }

    #[test]
    fn a_line_names_a_few_marks_and_counts_the_others() {
        let marks = marks();
        let lanes = MarkLanes::of(&marks);
        assert_eq!(
            lanes.suffix(&marks, 7),
            format!(", a\\nb, c; d, {}…, e and 2 more", "x".repeat(40))
        );
        assert_eq!(
            (lanes.suffix(&marks, 4), lanes.suffix(&marks, 8)),
            (String::new(), String::new())
        );
        assert_eq!(MarkLanes::of(&marks[..1]).suffix(&marks[..1], 5), ", a\\nb");
    }

    #[test]
    fn lines_of_the_log_are_counted_beside_the_names() {
        let of = |names: &[&str]| {
            let marks: Vec<Mark> = (names.iter())
                .map(|name| Mark::new(*name, 5..6, true))
                .collect();
            MarkLanes::of(&marks).suffix(&marks, 5)
        };
        assert_eq!(of(&["log warn game: slow"]), ", 1 line of the log");
        let both = ["log info game: a", "loading", "log info game: b"];
        assert_eq!(of(&both), ", loading, 2 lines of the log");
    }

    #[test]
    fn an_export_contains_all_names() {
        let marks = marks();
        let (lanes, mut cell) = (MarkLanes::of(&marks), "before".to_owned());
        lanes.write_names(&marks, 5, &mut cell);
        assert_eq!(
            cell,
            format!(
                "a\nb; c; d; {}; e; f; g",
                "x".repeat(stats_core::limits::MAX_MARK_NAME)
            )
        );
        lanes.write_names(&marks, 9, &mut cell);
        assert_eq!(cell, "");
        assert!(lanes.any(&marks, [1, 7]) && !lanes.any(&marks, [1, 9]) && !lanes.any(&[], [5]));
    }
}
