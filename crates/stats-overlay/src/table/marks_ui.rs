//! The marks of frames in the table, beside the frame's number: a line along all rows of a span,
//! and a flag in the row of a point.

use egui::{Painter, Rect, Response, TextWrapMode, Ui, pos2, vec2};

use crate::data::mark_lanes::{LANES, extent};
use crate::table::ui::{PADDING, TableUi};
use stats_analysis::format::whole_text;
use stats_ui::shapes;
use stats_ui::tooltip;

/// The distance between lines and their width, in points. There is room for three after the number.
const STEP: f32 = 3.0;
const LINE: f32 = 1.5;
/// The distance by which flags and the feet of the third line extend past the number, in points.
const GUTTER: f32 = 3.0 + (LANES - 1) as f32 * STEP + 4.0;

impl TableUi<'_> {
    /// Draws the marks of a row's frame, between its number and the first column.
    pub(super) fn gutter_ui(&self, painter: &Painter, row: Rect, frame: u64) {
        let theme = self.pane.theme;
        let marks = self.pane.data.marks();
        let left = row.left() + self.frame_width() - PADDING + 3.0;
        let mut flag = false;
        let found = self
            .view
            .mark_lanes
            .within(marks, frame..frame.saturating_add(1));
        for (at, mark) in found.take(4 * LANES) {
            let Some(lane) = self.view.mark_lanes.lane_of(at) else {
                flag |= mark.is_point;
                continue;
            };
            let x = left + lane as f32 * STEP;
            let line = Rect::from_x_y_ranges(x..=x + LINE, row.y_range());
            painter.rect_filled(line, 0.0, theme.weak);
            // The line has a foot at both ends. Sorted rows have none, because their lines are not
            // continuous.
            let whole = extent(mark);
            let foot = |y: f32| {
                painter.rect_filled(
                    Rect::from_x_y_ranges(x..=x + 4.0, y..=y + LINE),
                    0.0,
                    theme.weak,
                )
            };
            if whole.end - 1 == frame && !self.view.sorted {
                foot(row.top());
            }
            if whole.start == frame && !self.view.sorted {
                foot(row.bottom() - LINE);
            }
        }
        if flag {
            let middle = row.center().y;
            let corners = [vec2(0.0, -5.0), vec2(8.0, -1.0), vec2(0.0, 3.0)];
            painter.add(shapes::polygon(pos2(left, middle), corners, theme.text));
            painter.vline(left + 0.5, middle - 5.0..=middle + 7.0, (1.0, theme.text));
        }
    }

    /// Names the marks of a frame while the pointer is on its number or on the marks.
    pub(super) fn marks_hover_ui(&self, ui: &Ui, response: &Response, frame: u64) {
        let end = ui.clip_rect().left() + self.frame_width() - PADDING + GUTTER;
        let on_marks = response.hover_pos().is_some_and(|at| at.x <= end + 1.0);
        let names = if on_marks {
            self.marks_of(frame)
        } else {
            String::new()
        };
        if !names.is_empty() {
            tooltip::with(response.clone(), &mut |ui| {
                ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
                ui.label(format!("frame {}{names}", whole_text(frame as f64)));
                (self.view.mark_lanes).lines_ui(ui, self.pane.data.marks(), frame);
            });
        }
    }

    /// Returns the marks of a frame as a suffix for its number; empty if it has none.
    pub(super) fn marks_of(&self, frame: u64) -> String {
        self.view.mark_lanes.suffix(self.pane.data.marks(), frame)
    }
}
