//! One row of the table.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use egui::{Align2, Id, Painter, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use stats_core::Frame;

use crate::table::ui::{PADDING, SECONDS_WIDTH, TableUi};
use crate::table::view::TableColumn;
use stats_analysis::format::{NO_VALUE, seconds_text, whole_text};
use stats_ui::accessibility;
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::theme::{Theme, number_font};

/// The cache key of a row's cells. It does not include their vertical position on screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CellsKey {
    frame: u64,
    left: f32,
    width: f32,
    /// Changes with the places and the styles of the columns.
    layout: u64,
    theme: Theme,
    has_spike: bool,
    /// A hash of the values and their marks.
    values: u64,
}

impl TableUi<'_> {
    /// Draws the row of a frame. `pointed` is the frame under the pointer in this table.
    pub(super) fn row_ui(
        &self,
        painter: &Painter,
        id: Id,
        rect: Rect,
        frame: &Frame,
        pointed: Option<u64>,
        painted: &mut Retained<CellsKey>,
    ) {
        let clip = painter.clip_rect();
        self.paint_ground(painter, rect, frame.index, pointed);
        let visible = clip.left() - rect.left()..clip.right() - rect.left();
        let key = self.cells_key(rect, frame, visible.clone());
        painted.paint_at(painter, rect.min, key, |painter| {
            self.paint_cells(painter, rect, frame, visible);
        });
        self.gutter_ui(painter, on_screen(rect, &clip), frame.index);
        accessibility::describe(painter.ctx(), id, rect.intersect(clip), || {
            self.described(frame)
        });
    }

    /// Returns everything that the cells of a row depend on.
    fn cells_key(&self, rect: Rect, frame: &Frame, visible: Range<f32>) -> CellsKey {
        let mut values = DefaultHasher::new();
        let has_spike = self.view.spikes.contains(frame.index);
        for column in self.columns_within(visible) {
            let value = self.value(column, frame);
            value.map(f64::to_bits).hash(&mut values);
            let is_over = value.is_some_and(|value| self.is_over(column, value));
            is_over.hash(&mut values);
            if has_spike {
                self.is_spike(column, frame.index).hash(&mut values);
            }
        }
        CellsKey {
            frame: frame.index,
            left: rect.left(),
            width: rect.width(),
            layout: self.view.layout,
            theme: *self.pane.theme,
            has_spike,
            values: values.finish(),
        }
    }

    /// Paints the number of a frame, and the values of the columns within `visible`.
    fn paint_cells(&self, painter: &Painter, rect: Rect, frame: &Frame, visible: Range<f32>) {
        let row = on_screen(rect, &painter.clip_rect());
        let number = row.with_max_x(row.left() + self.frame_width() - PADDING);
        let text = whole_text(frame.index as f64);
        shapes::number_in(painter, number, &text, self.pane.theme.weak);
        if self.pane.settings.seconds {
            let place = row.with_max_x(row.left() + SECONDS_WIDTH);
            let text = seconds_text(frame.start_secs);
            shapes::number_in(painter, place, &text, self.pane.theme.weak);
        }
        let has_spike = self.view.spikes.contains(frame.index);
        if has_spike {
            // The wedge is at the edge of the row, since the column of the spike may be out of
            // sight.
            painter.add(wedge(row, self.pane.theme));
        }
        for column in self.columns_within(visible) {
            let left = rect.left() + column.left;
            let cell = Rect::from_x_y_ranges(left..=left + column.width, rect.y_range());
            self.paint_cell(painter, cell, column, frame, has_spike);
        }
    }

    /// Paints the background of a row if it is selected, if its frame is under the pointer in any
    /// pane, or if it is every second row.
    fn paint_ground(&self, painter: &Painter, rect: Rect, frame: u64, pointed: Option<u64>) {
        let theme = self.pane.theme;
        if self.view.is_selected(frame, self.pane.frame_axis) {
            painter.rect_filled(rect, 0.0, theme.accent.gamma_multiply(0.26));
            let row = on_screen(rect, &painter.clip_rect());
            painter.rect_filled(row.with_max_x(row.left() + 3.0), 0.0, theme.accent);
        } else if pointed == Some(frame) {
            painter.rect_filled(rect, 0.0, theme.hover);
        } else if frame % 2 == 1 {
            painter.rect_filled(rect, 0.0, theme.bar.gamma_multiply(0.35));
        }
        if pointed.or(self.pane.frame_axis.cursor) == Some(frame) {
            let clip = painter.clip_rect();
            let clip = clip.with_min_y(rect.top()).with_max_y(rect.bottom());
            let edge = Stroke::new(1.0, theme.accent);
            painter.rect_stroke(rect.intersect(clip), 0.0, edge, StrokeKind::Inside);
        }
    }

    fn paint_cell(
        &self,
        painter: &Painter,
        cell: Rect,
        column: &TableColumn,
        frame: &Frame,
        has_spike: bool,
    ) {
        let theme = self.pane.theme;
        // The text is not clipped to the cell, because each clip rectangle is a separate draw call.
        let right = cell.shrink2(vec2(PADDING, 0.0));
        let Some(value) = self.value(column, frame) else {
            let (place, font) = (right.right_center(), number_font());
            painter.text(place, Align2::RIGHT_CENTER, NO_VALUE, font, theme.line);
            return;
        };
        let text = column
            .style
            .map_or_else(String::new, |style| style.number(value));
        let is_over = self.is_over(column, value);
        let is_spike = has_spike && self.is_spike(column, frame.index);
        if !is_over && !is_spike {
            shapes::number_in(painter, right, &text, theme.text);
            return;
        }
        if is_spike {
            let ground = theme.alert.gamma_multiply(0.18);
            painter.rect_filled(cell.shrink2(vec2(2.0, 1.0)), 2.0, ground);
        }
        let number = shapes::number_in(painter, right, &text, theme.alert);
        let sign = pos2(number.left() - 8.0, cell.center().y);
        painter.add(if is_spike {
            shapes::spike_sign(sign, theme.alert)
        } else {
            shapes::over_budget_sign(sign, theme.alert)
        });
    }

    fn is_spike(&self, column: &TableColumn, frame: u64) -> bool {
        column
            .selected
            .is_some_and(|at| self.pane.is_spike(at, frame))
    }

    fn described(&self, frame: &Frame) -> (String, String) {
        let mut description = String::new();
        if self.pane.settings.seconds {
            description = format!("{} s", seconds_text(frame.start_secs));
        }
        for column in &self.view.columns {
            if !description.is_empty() {
                description.push_str(" | ");
            }
            match (self.value(column, frame), column.style) {
                (Some(value), Some(style)) => {
                    style.write_number(value, &mut description);
                    if self.is_spike(column, frame.index) {
                        description.push_str(" spike");
                    }
                    if self.is_over(column, value) {
                        description.push_str(" over budget");
                    }
                }
                _ => description.push_str(NO_VALUE),
            }
        }
        if self.view.is_selected(frame.index, self.pane.frame_axis) {
            description.push_str(", selected");
        }
        if self.pane.frame_axis.cursor == Some(frame.index) {
            description.push_str(", under the pointer");
        }
        description.push_str(&self.marks_of(frame.index));
        (
            format!("frame {}", whole_text(frame.index as f64)),
            description,
        )
    }
}

/// Returns the part of a row that is not scrolled out of sight at the left.
fn on_screen(row: Rect, clip: &Rect) -> Rect {
    row.with_min_x(row.left().max(clip.left()))
}

/// Returns the mark of a row with a spike.
fn wedge(row: Rect, theme: &Theme) -> Shape {
    let (left, middle) = (row.left() + 4.0, row.center().y);
    let corners = [vec2(0.0, -5.0), vec2(7.0, 0.0), vec2(0.0, 5.0)];
    shapes::polygon(pos2(left, middle), corners, theme.alert)
}
