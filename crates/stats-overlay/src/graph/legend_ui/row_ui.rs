//! A row of a legend: a series and its numbers.

use std::borrow::Cow;

use egui::{Color32, Painter, Rect, Response, Sense, Ui, pos2, vec2};

use super::columns::{Columns, REMOVE, UNIT_COLUMN};
use super::{LegendClicks, LegendUi, Pointed};
use crate::data::names::told_apart;
use crate::data::selection::SelectedSeries;
use crate::graph::legend::{Cell, LegendTexts};
use crate::graph::ranges::Side;
use stats_ui::accessibility;
use stats_ui::popup;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{small_font, text_font};
use stats_ui::tooltip;

impl LegendUi<'_> {
    /// Makes a row a button that moves into view when it takes the focus.
    pub(super) fn row_button(&self, ui: &Ui, row: Rect, at: usize) -> Response {
        let id = ui.make_persistent_id(("legend", at));
        let target = row.with_max_x(row.right() - REMOVE);
        let response = ui.interact(target, id, Sense::click());
        if response.gained_focus() {
            ui.scroll_to_rect(row, None);
        }
        let path = &self.selected[at].path;
        accessibility::describe_button(ui.ctx(), id, || format!("Solo {path}"));
        response
    }

    /// Handles clicks in a row, and notes whether the pointer is on it.
    pub(super) fn row_ui(
        &self,
        ui: &Ui,
        row: Rect,
        at: usize,
        response: Response,
        clicks: &mut LegendClicks,
        pointed: &mut Pointed,
    ) {
        if response.clicked() {
            clicks.solo = Some(at);
        }
        menu_ui(&response, || clicks.budget = Some(at));
        if response.hovered() || response.has_focus() {
            clicks.pointed = Some(at);
        }
        if response.hovered() {
            pointed.row = Some(at);
            tooltip::with(response, &mut |ui| {
                let tip = self.tip(ui.ctx(), at);
                ui.label(tip);
            });
        }
        let id = ui.make_persistent_id(("remove", at));
        let cross = ui.interact(cross_rect(row), id, Sense::click());
        if cross.hovered() {
            pointed.cross = Some(at);
        }
        let path = &self.selected[at].path;
        accessibility::describe_button(ui.ctx(), id, || format!("Deselect {path}"));
        if cross.clicked() {
            clicks.deselect = Some(at);
        }
    }

    pub(super) fn paint_row(
        &self,
        painter: &Painter,
        row: Rect,
        at: usize,
        columns: &Columns,
        pointed: Pointed,
    ) {
        let (selected, theme) = (&self.selected[at], self.theme);
        let muted = self.solo.is_some_and(|solo| solo != selected.path);
        let color = theme.series(selected.slot);
        if pointed.row == Some(at) {
            painter.rect_filled(row, 2.0, theme.hover);
        }
        let swatch = pos2(row.left() + 12.0, row.center().y);
        if muted {
            shapes::swatch_outline(painter, swatch, color);
        } else {
            shapes::swatch(painter, swatch, color);
        }
        if self.has_signs() && !muted {
            self.paint_sign(painter, row, at);
        }
        let color = if muted { theme.weak } else { theme.text };
        self.paint_name(painter, columns.name(row), at, color);
        match self.numbers_of(at) {
            Some(texts) => self.paint_numbers(painter, row, columns, at, texts),
            None => self.paint_absent(painter, row, columns, at),
        }
        let color = if pointed.cross == Some(at) {
            theme.text
        } else {
            theme.weak.gamma_multiply(0.6)
        };
        shapes::cross(painter, cross_rect(row).center(), color);
    }

    /// Paints the name of a series, cut if it does not fit. If the cut text would be that of another row,
    /// paints only the segments that tell the name apart from all others.
    pub(super) fn paint_name(&self, painter: &Painter, rect: Rect, at: usize, color: Color32) {
        let fitted = |at: usize| {
            let name = self.selected[at].frame_name();
            let name = one_line(&name, 120);
            shapes::fitted_name(painter, &name, text_font(), color, rect.width())
        };
        let mut galley = fitted(at);
        if galley.text().starts_with('…') {
            let mut others = (0..self.selected.len()).filter(|&other| other != at);
            if others.any(|other| fitted(other).text() == galley.text()) {
                let names = self.selected.iter().map(SelectedSeries::frame_name);
                let mut names: Vec<Cow<'_, str>> = names.collect();
                let name = names.remove(at);
                let others: Vec<&str> = names.iter().map(Cow::as_ref).collect();
                let text = told_apart(&name, &others);
                let text = one_line(&text, 120);
                galley = shapes::fitted(painter, &text, text_font(), color, rect.width());
            }
        }
        shapes::galley_in(painter, rect, galley, color);
    }

    /// Paints a triangle that points at the axis of the series, if it has one.
    fn paint_sign(&self, painter: &Painter, row: Rect, at: usize) {
        let toward = match self.shown[at].side {
            Side::Left => -1.0,
            Side::Right => 1.0,
            Side::Legend => return,
        };
        let center = pos2(row.left() + 24.0, row.center().y);
        let corners = [vec2(3.0, 0.0), vec2(-2.0, -3.5), vec2(-2.0, 3.5)];
        let corners = corners.map(|corner| corner * toward);
        painter.add(shapes::polygon(center, corners, self.theme.weak));
    }

    fn paint_numbers(
        &self,
        painter: &Painter,
        row: Rect,
        columns: &Columns,
        at: usize,
        texts: &LegendTexts,
    ) {
        let weak = self.theme.weak;
        for &(cell, right) in &columns.numbers {
            let strong = cell == Cell::Now || self.range.is_some();
            let color = if strong { self.theme.text } else { weak };
            let place = row
                .with_max_x(right)
                .with_min_x(right - columns.width + 2.0);
            shapes::number_in(painter, place, &self.cell_text(at, cell, texts), color);
        }
        if !columns.numbers.is_empty() {
            let unit = row
                .with_min_x(columns.unit_left)
                .with_max_x(columns.unit_left + UNIT_COLUMN - 8.0);
            shapes::text_in(painter, unit, &texts.unit, small_font(), weak);
        }
        if let Some(right) = columns.range_right {
            let place = row
                .with_max_x(right)
                .with_min_x(right - columns.range + 4.0);
            shapes::number_in(painter, place, &self.range_text(at), weak);
        }
    }

    fn paint_absent(&self, painter: &Painter, row: Rect, columns: &Columns, at: usize) {
        let text = self.absent_text(at);
        let right = columns
            .range_right
            .unwrap_or(columns.unit_left + UNIT_COLUMN);
        let rect = row
            .with_min_x(columns.name_right)
            .with_max_x(right.min(cross_rect(row).left()));
        let galley = painter.layout_no_wrap(text.clone(), small_font(), self.theme.weak);
        let left = rect.right() - galley.size().x - 2.0;
        let rect = rect.with_min_x(left.max(rect.left()));
        shapes::text_in(painter, rect, &text, small_font(), self.theme.weak);
    }
}

/// Shows the menu that a secondary click on a row opens.
fn menu_ui(response: &Response, mut edit_budget: impl FnMut()) {
    popup::context_menu(response, &mut |ui| {
        if ui.button("Set a budget…").clicked() {
            edit_budget();
            ui.close();
        }
    });
}

/// Returns the place of the cross that deselects a series.
fn cross_rect(row: Rect) -> Rect {
    row.with_min_x(row.right() - REMOVE)
}
