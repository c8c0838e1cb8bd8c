//! The table: a line for each frame, the newest on top, a column for each ticked series.
//!
//! The newest frame stays on top while the table is not scrolled; scrolled down it holds still, and new frames move in
//! above what is looked at.

use egui::{Align2, Color32, Rect, ScrollArea, Sense, Stroke, Ui, UiBuilder, pos2, vec2};
use stats_core::{Frame, Unit, Window};

use crate::access;
use crate::color::{preferred_slot, series_color};
use crate::data::Data;
use crate::format::{NO_VALUE, NumberStyle, whole_text};
use crate::names::one_line;
use crate::paint;
use crate::selection::{FRAME_TIME, Ticked};
use crate::theme::{Theme, number_font, small_font, text_font};
use crate::thin::extremes;

const ROW: f32 = 18.0;
const HEAD: f32 = 38.0;
const FRAME_WIDTH: f32 = 92.0;
const LEAST_WIDTH: f32 = 84.0;
const MOST_WIDTH: f32 = 190.0;
const PADDING: f32 = 10.0;
/// What a column grows by when its values need more room.
const WIDTH_STEP: f32 = 16.0;
/// Room for the sign of a value over budget, to the left of it.
const SIGN: f32 = 14.0;
/// Room for the colour of a column, to the left of its name.
const SWATCH: f32 = 13.0;

/// Everything about the table that outlives a frame.
#[derive(Debug, Default)]
pub(crate) struct TableView {
    /// The frame that would come above the uppermost row.
    end: u64,
    columns: Vec<Column>,
    columns_of: Option<u64>,
}

/// One column after that of the frame's number.
#[derive(Clone, Debug)]
struct Column {
    /// The place among the ticked series; `None` is the frame time.
    ticked: Option<usize>,
    style: Option<NumberStyle>,
    left: f32,
    width: f32,
}

/// What the table draws from and changes.
pub(crate) struct TableUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) view: &'a mut TableView,
    pub(crate) data: &'a dyn Data,
    pub(crate) ticked: &'a [Ticked],
    pub(crate) absent: &'a dyn Fn(&Ticked) -> &'static str,
    pub(crate) refresh: bool,
    pub(crate) revision: u64,
}

impl TableUi<'_> {
    /// Draws the table into `rect`.
    pub(crate) fn table_ui(&mut self, ui: &mut Ui, rect: Rect) {
        let mut ui = ui.new_child(UiBuilder::new().id_salt("table").max_rect(rect));
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        ui.painter().rect_filled(rect, 0.0, self.theme.plot);
        self.lay_out(&ui);
        let (head, body) = rect.split_top_bottom_at_y(rect.top() + HEAD.min(rect.height()));
        let mut body_ui = ui.new_child(UiBuilder::new().id_salt("body").max_rect(body));
        let offset = self.body_ui(&mut body_ui);
        self.head_ui(&ui, head, offset);
    }

    /// The rows; returns how far the table is scrolled to the right.
    fn body_ui(&mut self, ui: &mut Ui) -> f32 {
        let frames = self.data.frames();
        let rows = frames.end - frames.start;
        let width = self.view.columns.last().map_or(FRAME_WIDTH, |column| column.left + column.width);
        // Without animation what is scrolled for new frames moves at once.
        let area = ScrollArea::both().id_salt("rows").auto_shrink([false, false]).animated(false);
        let body = ui.max_rect();
        let mut left = 0.0;
        area.show_viewport(ui, |ui, viewport| {
            ui.set_min_size(vec2(width, rows as f32 * ROW));
            left = viewport.left();
            let end = self.hold_still(ui, viewport.top() > ROW * 0.5, frames.end);
            let first = (viewport.top() / ROW).floor().max(0.0) as u64;
            let last = ((viewport.bottom() / ROW).ceil().max(0.0) as u64).min(rows).min(end);
            self.read_styles(ui, viewport.left()..viewport.right());
            let pointer =
                ui.ctx().input(|input| input.pointer.hover_pos()).filter(|&at| ui.rect_contains_pointer(body) && body.contains(at));
            for row in first..last {
                let top = ui.min_rect().top() + row as f32 * ROW;
                let rect = Rect::from_min_size(pos2(ui.min_rect().left(), top), vec2(width.max(body.width()), ROW));
                let hovered = pointer.is_some_and(|at| at.y >= top && at.y < top + ROW);
                self.row_ui(ui, rect, end - 1 - row, hovered);
            }
        });
        left
    }

    /// The end of the frames to show. Scrolled down, new frames move in above with the next pass: by a distance that is
    /// added to where wheel and scroll bar move the table to, not by a place that would undo that.
    fn hold_still(&mut self, ui: &Ui, scrolled: bool, newest: u64) -> u64 {
        let arrived = newest.saturating_sub(self.view.end);
        let shown = if scrolled { self.view.end.min(newest) } else { newest };
        if scrolled && arrived > 0 {
            ui.scroll_with_delta(vec2(0.0, arrived as f32 * -ROW));
        }
        self.view.end = newest;
        shown
    }

    fn row_ui(&self, ui: &Ui, rect: Rect, index: u64, hovered: bool) {
        let Some(frame) = self.data.frame(index) else { return };
        let painter = ui.painter();
        if hovered {
            painter.rect_filled(rect, 0.0, self.theme.hover);
        } else if index % 2 == 1 {
            painter.rect_filled(rect, 0.0, self.theme.bar.gamma_multiply(0.35));
        }
        let number = rect.with_max_x(rect.left() + FRAME_WIDTH - PADDING);
        paint::number_in(painter, number, &whole_text(index as f64), self.theme.weak);
        for column in self.columns_within(ui.clip_rect().left() - rect.left()..ui.clip_rect().right() - rect.left()) {
            let left = rect.left() + column.left;
            let cell = Rect::from_x_y_ranges(left..=left + column.width, rect.y_range());
            self.cell_ui(ui, cell, column, &frame);
        }
        let id = ui.make_persistent_id(("frame", index));
        access::describe(ui.ctx(), id, rect.intersect(ui.clip_rect()), || self.described(&frame));
    }

    fn cell_ui(&self, ui: &Ui, cell: Rect, column: &Column, frame: &Frame) {
        // Not clipped to the cell: each clip rectangle is a draw call of its own.
        let painter = ui.painter();
        let right = cell.shrink2(vec2(PADDING, 0.0));
        let Some(value) = self.value(column, frame) else {
            painter.text(right.right_center(), Align2::RIGHT_CENTER, NO_VALUE, number_font(), self.theme.line);
            return;
        };
        let text = column.style.map_or_else(String::new, |style| style.number(value));
        if !self.is_over(column, value) {
            paint::number_in(painter, right, &text, self.theme.text);
            return;
        }
        painter.rect_filled(cell.shrink2(vec2(2.0, 1.0)), 2.0, self.theme.alert.gamma_multiply(0.18));
        let number = paint::number_in(painter, right, &text, self.theme.alert);
        painter.add(paint::over_budget_sign(pos2(number.left() - 8.0, cell.center().y), self.theme.alert));
    }

    fn head_ui(&self, ui: &Ui, head: Rect, offset: f32) {
        let painter = ui.painter().with_clip_rect(head.intersect(ui.clip_rect()));
        painter.rect_filled(head, 0.0, self.theme.bar);
        let left = head.left() - offset;
        let number = Rect::from_x_y_ranges(left..=left + FRAME_WIDTH - PADDING, head.top()..=head.top() + 23.0);
        painter.text(number.right_center(), Align2::RIGHT_CENTER, "frame", text_font(), self.theme.text);
        for column in self.columns_within(offset..offset + head.width()) {
            let x = left + column.left;
            let cell = Rect::from_x_y_ranges(x..=x + column.width, head.y_range());
            self.column_head_ui(ui, &painter, cell, column);
        }
        painter.hline(head.x_range(), head.bottom(), Stroke::new(1.0, self.theme.line));
    }

    fn column_head_ui(&self, ui: &Ui, painter: &egui::Painter, cell: Rect, column: &Column) {
        let (name, path, unit) = match column.ticked {
            None => (FRAME_TIME, FRAME_TIME, Unit::Milliseconds),
            Some(at) => (self.ticked[at].name.as_str(), self.ticked[at].path.as_str(), self.ticked[at].unit()),
        };
        let inner = cell.shrink2(vec2(PADDING, 0.0));
        let (upper, lower) = inner.split_top_bottom_at_y(cell.top() + 21.0);
        let job = paint::line(&one_line(name, 80), text_font(), self.theme.text);
        let galley = paint::elided(painter, job, upper.width() - SWATCH);
        let left = upper.right() - galley.size().x;
        painter.galley(pos2(left, (upper.center().y - galley.size().y / 2.0).round() + 1.0), galley, self.theme.text);
        // The frame time has its column ticked or not.
        let ticked = column.ticked.or_else(|| self.ticked.iter().position(Ticked::is_frame_time));
        let slot = ticked.map_or_else(|| preferred_slot(FRAME_TIME), |at| self.ticked[at].slot);
        paint::swatch(painter, pos2(left - 8.0, upper.center().y + 1.0), series_color(slot, self.theme.dark));
        let has_values = column.ticked.is_none_or(|at| !self.data.values(at).is_empty());
        let note = match column.ticked {
            Some(at) if !has_values => (self.absent)(&self.ticked[at]).to_owned(),
            _ => column.style.map_or_else(|| unit.symbol().to_owned(), |style| style.symbol()),
        };
        let job = paint::line(&note, small_font(), self.theme.weak);
        let galley = paint::elided(painter, job, lower.width());
        painter.galley(pos2(lower.right() - galley.size().x, lower.top() - 1.0), galley, self.theme.weak);
        let id = ui.make_persistent_id(("column", path));
        access::describe(ui.ctx(), id, cell, || (format!("column {path}"), note.clone()));
        if cell.intersects(ui.clip_rect()) {
            let target = cell.intersect(ui.clip_rect());
            ui.interact(target, id.with("hover"), Sense::hover()).on_hover_text(one_line(path, 600));
        }
    }

    /// Gives every column its place; only when other series are ticked.
    fn lay_out(&mut self, ui: &Ui) {
        if self.view.columns_of == Some(self.revision) {
            return;
        }
        self.view.columns_of = Some(self.revision);
        let places = (0..self.ticked.len()).filter(|&at| !self.ticked[at].is_frame_time()).map(Some);
        let mut columns = Vec::new();
        for ticked in std::iter::once(None).chain(places) {
            let name = ticked.map_or(FRAME_TIME, |at| self.ticked[at].name.as_str());
            let job = paint::line(&one_line(name, 80), text_font(), self.theme.text);
            let wanted = paint::elided(ui.painter(), job, MOST_WIDTH).size().x + 2.0 * PADDING + SIGN;
            let width = wanted.clamp(LEAST_WIDTH, MOST_WIDTH).ceil();
            columns.push(Column { ticked, style: None, left: 0.0, width });
        }
        self.view.columns = columns;
        self.place_columns();
    }

    /// Decides how the values of the visible columns are written, where that is due.
    fn read_styles(&mut self, ui: &Ui, visible: std::ops::Range<f32>) {
        let mut wider = false;
        for at in 0..self.view.columns.len() {
            let column = &self.view.columns[at];
            let seen = column.left + column.width > visible.start && column.left < visible.end;
            if !seen || (column.style.is_some() && !self.refresh) {
                continue;
            }
            let (window, unit) = match column.ticked {
                None => (self.data.frame_times(), Unit::Milliseconds),
                Some(at) => (self.data.values(at), self.ticked[at].unit()),
            };
            let Some((style, range)) = style_of(window, unit, column.style) else { continue };
            let wanted = width_of(ui, style, range);
            let column = &mut self.view.columns[at];
            column.style = Some(style);
            if wanted > column.width {
                // It never gets narrower again by itself, and wider by whole steps: no column jumps about.
                column.width = (wanted / WIDTH_STEP).ceil() * WIDTH_STEP;
                wider = true;
            }
        }
        if wider {
            self.place_columns();
        }
    }

    /// Puts the columns side by side.
    fn place_columns(&mut self) {
        let mut left = FRAME_WIDTH;
        for column in &mut self.view.columns {
            column.left = left;
            left += column.width;
        }
    }

    fn columns_within(&self, x: std::ops::Range<f32>) -> impl Iterator<Item = &Column> {
        self.view.columns.iter().filter(move |column| column.left < x.end && column.left + column.width > x.start)
    }

    fn value(&self, column: &Column, frame: &Frame) -> Option<f64> {
        match column.ticked {
            None => Some(frame.duration_ms),
            Some(at) => self.data.values(at).at(frame.index),
        }
    }

    fn is_over(&self, column: &Column, value: f64) -> bool {
        column.ticked.and_then(|at| self.ticked[at].budget()).is_some_and(|budget| value > budget)
    }

    fn described(&self, frame: &Frame) -> (String, String) {
        let mut said = String::new();
        for column in &self.view.columns {
            if !said.is_empty() {
                said.push_str(" | ");
            }
            match (self.value(column, frame), column.style) {
                (Some(value), Some(style)) => {
                    style.write_number(value, &mut said);
                    if self.is_over(column, value) {
                        said.push_str(" over budget");
                    }
                }
                _ => said.push_str(NO_VALUE),
            }
        }
        (format!("frame {}", whole_text(frame.index as f64)), said)
    }
}

/// The width of a column for the widest of its values.
fn width_of(ui: &Ui, style: NumberStyle, (lo, hi): (f64, f64)) -> f32 {
    let width = |value: f64| ui.painter().layout_no_wrap(style.number(value), number_font(), Color32::PLACEHOLDER).size().x;
    width(lo).max(width(hi)) + 2.0 * PADDING + SIGN
}

/// How the values of a window are written, and the least and the greatest of them; `None` of an empty one.
fn style_of(window: Window<'_>, unit: Unit, previous: Option<NumberStyle>) -> Option<(NumberStyle, (f64, f64))> {
    let (older, newer) = window.as_slices();
    let ((min_a, max_a), (min_b, max_b)) = (extremes(older), extremes(newer));
    if window.is_empty() {
        return None;
    }
    let whole = older.iter().chain(newer).all(|value| value.fract() == 0.0);
    let range = (min_a.min(min_b), max_a.max(max_b));
    Some((NumberStyle::steady(previous, unit, range, whole), range))
}
