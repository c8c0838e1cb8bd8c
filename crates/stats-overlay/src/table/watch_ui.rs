//! The table over the game: as many rows and columns as fit, painted without a widget.

use egui::{Painter, Rect, pos2, vec2};

use crate::data::selection::{FRAME_TIME, SelectedSeries};
use crate::paint::canvas::Canvas;
use crate::table::ui::{FRAME_WIDTH, PADDING, ROW, TableUi};
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{small_font, text_font};

/// The height of the names of the columns, in points.
const HEAD: f32 = 20.0;
/// Room for the number of columns that do not fit, in points.
const MORE: f32 = 36.0;

impl TableUi<'_> {
    /// Paints the rows that fit into `rect`: the newest frames, the first rows of a sorted table,
    /// or the rows around the marked frame.
    pub(super) fn watch_ui(&mut self, canvas: &Canvas<'_>, rect: Rect) {
        let painter = canvas.painter();
        if rect.width() < FRAME_WIDTH {
            return;
        }
        self.prepare(painter);
        self.view.mark_lanes.read(self.pane.data.marks());
        self.read_styles(painter, 0.0..rect.width());
        let (held, id) = (self.pane.data.frames(), canvas.make_persistent_id("rows"));
        self.view.end = held.end;
        let right = self.columns_ui(painter, rect);
        let (first, rows) = (self.first_row(rect), self.view.rows(&held));
        let painter = painter.with_clip_rect(rect.with_max_x(right).intersect(painter.clip_rect()));
        let mut painted = std::mem::take(&mut self.view.painted);
        if painted.len() < rows_in(rect) {
            painted.resize_with(rows_in(rect), Retained::default);
        }
        for (at, row) in (first..rows).take(rows_in(rect)).enumerate() {
            let top = rect.top() + HEAD + at as f32 * ROW;
            let place = Rect::from_min_size(pos2(rect.left(), top), vec2(right - rect.left(), ROW));
            let frame = self.view.frame_in(row);
            if let Some(frame) = frame.and_then(|index| self.pane.data.frame(index)) {
                let slot = (frame.index % painted.len() as u64) as usize;
                self.row_ui(&painter, id, place, &frame, None, &mut painted[slot]);
            }
        }
        self.view.painted = painted;
    }

    /// Returns the top row: the first one, or one that leaves the marked frame in the middle.
    fn first_row(&self, rect: Rect) -> u64 {
        let held = self.pane.data.frames();
        let marked = self.pane.timeline.marked();
        let row = marked.and_then(|frame| self.view.row_of(frame, &held));
        row.unwrap_or(0).saturating_sub(rows_in(rect) as u64 / 2)
    }

    /// Paints the names of the columns that fit, and the number of the remaining columns. Returns
    /// the right edge of the last column.
    fn columns_ui(&self, painter: &Painter, rect: Rect) -> f32 {
        let (theme, columns) = (self.pane.theme, &self.view.columns);
        let fits = |room: f32| {
            let ends = columns.iter().map(|column| column.left + column.width);
            ends.take_while(|end| *end <= room).count()
        };
        let fitting = match fits(rect.width()) {
            all if all == columns.len() => all,
            _ => fits(rect.width() - MORE),
        };
        let head = rect.with_max_y(rect.top() + HEAD.min(rect.height()));
        let name_ui = |left: f32, width: f32, name: &str| {
            let cell = Rect::from_x_y_ranges(left..=left + width - PADDING, head.y_range());
            let color = theme.text;
            shapes::text_at_end(painter, cell, &one_line(name, 80), text_font(), color);
        };
        name_ui(rect.left(), FRAME_WIDTH, "frame");
        let mut right = rect.left() + FRAME_WIDTH;
        for column in &columns[..fitting] {
            let series = column.series(self.pane.selected);
            let name = series.map_or(FRAME_TIME.into(), SelectedSeries::frame_name);
            name_ui(rect.left() + column.left, column.width, &name);
            right = rect.left() + column.left + column.width;
        }
        if fitting < columns.len() {
            let more = format!("+{}", columns.len() - fitting);
            let cell = head.with_max_x(head.right() - PADDING).with_min_x(right);
            shapes::text_at_end(painter, cell, &more, small_font(), theme.text);
        }
        right
    }
}

/// Returns the number of rows that fit.
fn rows_in(rect: Rect) -> usize {
    ((rect.height() - HEAD) / ROW).max(0.0) as usize
}
