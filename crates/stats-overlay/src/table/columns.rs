//! The columns of the table: their places and the styles of their numbers.

use std::ops::Range;

use egui::{Color32, Painter};

use crate::data::selection::{FRAME_TIME, SelectedSeries};
use crate::data::view::style_of;
use crate::table::ui::{PADDING, TableUi, window_of};
use crate::table::view::TableColumn;
use stats_analysis::format::NumberStyle;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{number_font, text_font};

const MIN_WIDTH: f32 = 84.0;
const MAX_WIDTH: f32 = 190.0;
/// The step by which a column grows if its values need more room.
const WIDTH_STEP: f32 = 16.0;
/// Room for the sign of a value over budget, to the left of the value.
const SIGN: f32 = 14.0;

impl TableUi<'_> {
    /// Places the columns within `room` if the selected series or the room have changed.
    pub(super) fn lay_out(&mut self, painter: &Painter, room: f32) {
        let of = Some((self.pane.revision, self.pane.settings.seconds, room));
        if self.view.columns_of == of {
            return;
        }
        self.view.columns_of = of;
        // The frame time has a column even if it is not selected.
        let frame_time = self.pane.selected.iter().position(SelectedSeries::is_clock);
        let others = (0..self.pane.selected.len())
            .filter(|&at| Some(at) != frame_time)
            .map(Some);
        let mut columns = Vec::new();
        for selected in std::iter::once(frame_time).chain(others) {
            let name = selected.map_or(FRAME_TIME.into(), |at| self.pane.selected[at].frame_name());
            let (name, color) = (one_line(&name, 80), self.pane.theme.text);
            let galley = shapes::fitted(painter, &name, text_font(), color, MAX_WIDTH);
            let needed = galley.size().x + 2.0 * PADDING + SIGN;
            columns.push(TableColumn {
                selected,
                style: None,
                left: 0.0,
                width: 0.0,
                of_name: needed.clamp(MIN_WIDTH, MAX_WIDTH).ceil(),
                of_values: MIN_WIDTH,
            });
        }
        self.view.columns = columns;
        self.place_columns();
    }

    /// Updates the number styles of the visible columns if a refresh is due.
    pub(super) fn read_styles(&mut self, painter: &Painter, visible: Range<f32>) {
        let mut wider = false;
        for at in 0..self.view.columns.len() {
            let column = &self.view.columns[at];
            let seen = column.left + column.width > visible.start && column.left < visible.end;
            if !seen || (column.style.is_some() && !self.pane.refresh) {
                continue;
            }
            let window = window_of(self.pane.data, column);
            let unit = column.unit(self.pane.selected);
            let Some((style, range)) = style_of(window, unit, column.style) else {
                continue;
            };
            let needed = width_of(painter, style, range);
            let column = &mut self.view.columns[at];
            self.view.layout += u64::from(column.style != Some(style));
            column.style = Some(style);
            if needed > column.of_values {
                // Columns only grow, and by whole steps, so that they do not jitter.
                column.of_values = (needed / WIDTH_STEP).ceil() * WIDTH_STEP;
                wider |= column.of_values > column.width;
            }
        }
        if wider {
            self.place_columns();
        }
    }

    /// Places the columns side by side. Names are shortened until all columns fit. No column is wider
    /// than the room, because its numbers, at its end, could not be scrolled into sight.
    fn place_columns(&mut self) {
        self.view.layout += 1;
        let room = self.view.columns_of.map_or(0.0, |(.., room)| room) - self.frame_width();
        let most = room.max(MIN_WIDTH);
        let at_most = |column: &TableColumn, name: f32| {
            column.of_values.max(column.of_name.min(name)).min(most)
        };
        let mut names = (MIN_WIDTH as u32..=MAX_WIDTH as u32)
            .rev()
            .map(|name| name as f32);
        let fitting = names.find(|&name| {
            let widths = self.view.columns.iter().map(|column| at_most(column, name));
            widths.sum::<f32>() <= room
        });
        let mut left = self.frame_width();
        for column in &mut self.view.columns {
            column.left = left;
            column.width = at_most(column, fitting.unwrap_or(MIN_WIDTH));
            left += column.width;
        }
    }
}

/// Returns the width of a column with values in a range.
fn width_of(painter: &Painter, style: NumberStyle, (lo, hi): (f64, f64)) -> f32 {
    let width = |value: f64| {
        painter
            .layout_no_wrap(style.number(value), number_font(), Color32::PLACEHOLDER)
            .size()
            .x
    };
    width(lo).max(width(hi)) + 2.0 * PADDING + SIGN
}
