//! The heads of the table's columns: names, units, and the sort order.

use std::ops::Range;

use egui::{Align2, Painter, Rect, Sense, pos2, vec2};

use crate::data::selection::{FRAME_TIME, SelectedSeries};
use crate::paint::canvas::Canvas;
use crate::table::choices::Sort;
use crate::table::ui::{NAMES, PADDING, SECONDS_WIDTH, TableUi, window_of};
use crate::table::view::TableColumn;
use crate::view::View as _;
use stats_ui::accessibility;
use stats_ui::palette::preferred_slot;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{small_font, text_font};
use stats_ui::tooltip;

/// Room for the color of a column, to the left of its name.
const SWATCH: f32 = 13.0;

impl TableUi<'_> {
    /// Draws the heads of some columns; over a game, only their names. `offset` is the distance by
    /// which the rows are scrolled to the right.
    pub(super) fn head_ui(
        &mut self,
        canvas: &Canvas<'_>,
        head: Rect,
        offset: f32,
        columns: Range<usize>,
    ) {
        let theme = self.pane.theme;
        let painter = canvas.painter_in(head);
        if !canvas.is_over_game() {
            painter.rect_filled(head, 0.0, theme.bar);
        }
        let left = head.left() - offset;
        let mut clicked = None;
        for (at, column) in self.view.columns[columns].iter().enumerate() {
            let x = left + column.left;
            if x < head.right() && x > head.left() + self.frame_width() - 0.5 {
                let cell = Rect::from_x_y_ranges(x..=x + column.width, head.y_range());
                if self.column_head_ui(canvas, &painter, cell, column) {
                    clicked = Some(Some(at));
                }
            }
        }
        let cell = head.with_max_x(head.left() + self.frame_width());
        if self.frame_head_ui(canvas, &painter, cell) {
            clicked = Some(None);
        }
        painter.hline(head.x_range(), head.bottom(), (1.0, theme.line));
        if let Some(column) = clicked {
            let path = column.map(|at| self.view.columns[at].path(self.pane.selected));
            self.view.choices.sort = Sort::clicked(self.view.choices.sort.take(), path);
            self.view.follow();
        }
    }

    fn frame_head_ui(&self, canvas: &Canvas<'_>, painter: &Painter, cell: Rect) -> bool {
        let name = cell
            .with_max_x(cell.right() - PADDING)
            .with_max_y(cell.top() + NAMES + 2.0);
        let (place, color) = (name.right_center(), self.pane.theme.text);
        painter.text(place, Align2::RIGHT_CENTER, "frame", text_font(), color);
        if self.pane.settings.seconds {
            let place = pos2(cell.left() + SECONDS_WIDTH, name.center().y);
            painter.text(place, Align2::RIGHT_CENTER, "seconds", text_font(), color);
        }
        self.sort_ui(canvas, painter, cell, None, String::new())
    }

    fn column_head_ui(
        &self,
        canvas: &Canvas<'_>,
        painter: &Painter,
        cell: Rect,
        column: &TableColumn,
    ) -> bool {
        let theme = self.pane.theme;
        let series = column.series(self.pane.selected);
        let name = series.map_or(FRAME_TIME.into(), SelectedSeries::frame_name);
        let (upper, lower) = cell
            .shrink2(vec2(PADDING, 0.0))
            .split_top_bottom_at_y(cell.top() + NAMES);
        let (name, room) = (one_line(&name, 80), upper.width() - SWATCH);
        let galley = shapes::fitted_name(painter, &name, text_font(), theme.text, room);
        let left = upper.right() - galley.size().x;
        let top = (upper.center().y - galley.size().y / 2.0).round() + 1.0;
        painter.galley(pos2(left, top), galley, theme.text);
        let slot = series.map_or_else(|| preferred_slot(FRAME_TIME), |series| series.slot);
        shapes::swatch(
            painter,
            pos2(left - 8.0, upper.center().y + 1.0),
            theme.series(slot),
        );
        if lower.height() <= 0.0 {
            return false;
        }
        let note = self.note_of(column);
        let room = lower.width() - SWATCH;
        let galley = shapes::fitted(painter, &note, small_font(), theme.weak, room);
        let place = pos2(lower.right() - galley.size().x, lower.top() - 1.0);
        painter.galley(place, galley, theme.weak);
        let path = column.path(self.pane.selected);
        self.sort_ui(canvas, painter, cell, Some(path), note)
    }

    /// Returns the unit of a column, or the reason why it has no values.
    fn note_of(&self, column: &TableColumn) -> String {
        match (column.series(self.pane.selected), column.style) {
            (Some(series), _) if window_of(self.pane.data, column).is_empty() => {
                (self.pane.absent)(series).to_owned()
            }
            (_, Some(style)) => style.symbol(),
            (_, None) => column.unit(self.pane.selected).symbol().to_owned(),
        }
    }

    /// Draws the arrow if the rows are sorted by this column. Returns whether the head was clicked.
    /// A `path` of `None` is the column of frame numbers.
    fn sort_ui(
        &self,
        canvas: &Canvas<'_>,
        painter: &Painter,
        cell: Rect,
        path: Option<&str>,
        mut note: String,
    ) -> bool {
        let theme = self.pane.theme;
        let sorted = match &self.view.choices.sort {
            Some(sort) if self.view.sorted => {
                (sort.path.as_deref() == path).then_some(sort.descending)
            }
            // Unsorted rows have the newest frame on top.
            _ => path.is_none().then_some(true),
        };
        let id = canvas.make_persistent_id(("column", path.unwrap_or_default()));
        let target = cell.intersect(painter.clip_rect());
        let Some(response) = canvas.interact(target, id, Sense::click()) else {
            return false;
        };
        if response.hovered() {
            painter.hline(target.x_range(), target.bottom() - 1.0, (2.0, theme.weak));
        }
        if let Some(descending) = sorted {
            let tip = pos2(cell.left() + PADDING + 4.0, cell.top() + NAMES + 7.0);
            painter.add(shapes::sort_arrow(tip, descending, theme.accent));
            painter.hline(target.x_range(), target.bottom() - 1.0, (2.0, theme.accent));
            note.push_str(if note.is_empty() { "" } else { ", " });
            note.push_str(if descending {
                "sorted descending"
            } else {
                "sorted ascending"
            });
        }
        accessibility::describe(canvas.ctx(), id, cell, || {
            (format!("column {}", path.unwrap_or("frame")), note)
        });
        let help = path.map_or("The number of the frame".to_owned(), |path| {
            one_line(path, 600).into()
        });
        tooltip::with_text(response, &(help + "\nClick to sort")).clicked()
    }
}
