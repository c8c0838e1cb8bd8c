//! A row of the tree: its triangle, name, kind and figures, and the clicks on it.

use egui::{Align2, Color32, Rect, Response, Sense, Ui, pos2, vec2};

use super::budget::GroupBudget;
use super::columns::{Columns, PADDING};
use super::figures::{
    Figure, allocations_change, allocations_text, bytes_change, bytes_figure, bytes_text,
    change_name, change_word, count_change, growth_line, kind_text, named, number_text, row_lines,
    row_name, steps_text,
};
use crate::tree::{Change, Row, RowKind, SortBy};
use stats_ui::accessibility;
use stats_ui::list::highlight;
use stats_ui::popup;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, number_font, small_font, text_font};
use stats_ui::tooltip;

/// The indentation per level, in points.
const INDENT: f32 = 14.0;
/// The maximum indentation, as a share of the width of the names.
const INDENT_SHARE: f32 = 0.5;
/// The width of the triangle, in points.
const TRIANGLE: f32 = 18.0;
/// The width of the unit after a number of bytes, in points.
const UNIT: f32 = 26.0;
/// The minimum width that shows the kind, in points.
const MIN_KIND: f32 = 34.0;
/// The maximum number of characters of a name in the row.
const NAME_CHARS: usize = 300;
/// The maximum number of characters of a name in the tooltip.
const TOOLTIP_CHARS: usize = 2000;

/// What a click asks for, with the row's index in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowAct {
    Select(usize),
    Toggle(usize),
    OpenBelow(usize),
    /// Filter for the thread, group, scope or name of the row.
    Filter(usize),
}

/// The position and state of a row.
pub(super) struct Place {
    pub(super) at: usize,
    pub(super) rect: Rect,
    pub(super) is_open: bool,
    pub(super) is_cursor: bool,
}

/// What all rows share.
pub(super) struct RowUi<'a> {
    pub(super) theme: &'a Theme,
    pub(super) columns: &'a Columns,
    /// The budgets of groups in the shown snapshot.
    pub(super) budgets: &'a [GroupBudget],
    /// The bytes that a full bar stands for.
    pub(super) total: u64,
    pub(super) is_comparison: bool,
    /// The number of steps of the comparison.
    pub(super) steps: u8,
    pub(super) has_keyboard: bool,
}

impl RowUi<'_> {
    /// Draws a row. Returns the user's request.
    pub(super) fn row_ui(&self, ui: &Ui, place: &Place, row: &Row<'_>) -> Option<RowAct> {
        let id = ui.make_persistent_id(("row", row.key));
        let response = ui.interact(place.rect, id, Sense::click());
        let cursor = place
            .is_cursor
            .then_some(if self.has_keyboard { 1.0 } else { 0.6 });
        let is_pointed = response.hovered() || response.has_focus();
        highlight(ui.painter(), place.rect, self.theme, is_pointed, cursor);
        let left = self.left(place, row.depth);
        self.name_ui(ui, place, row, left);
        self.figures_ui(ui, place, row);
        accessibility::describe_row(
            ui.ctx(),
            id,
            (row.depth, row.has_children.then_some(place.is_open)),
            || (named(row, NAME_CHARS), self.spoken(row)),
        );
        let folded = self.triangle_ui(ui, place, row, left);
        let clicked = self.clicked(&response, place, row);
        let chosen = self.menu_ui(&response, place, row);
        tooltip::with(response, &mut |ui| self.tooltip_ui(ui, row));
        folded.or(chosen).or(clicked)
    }

    fn clicked(&self, response: &Response, place: &Place, row: &Row<'_>) -> Option<RowAct> {
        if response.double_clicked() && row.has_children {
            Some(RowAct::Toggle(place.at))
        } else {
            response.clicked().then_some(RowAct::Select(place.at))
        }
    }

    /// Returns the left edge of the triangle at a depth.
    fn left(&self, place: &Place, depth: u32) -> f32 {
        place.rect.left() + 4.0 + (depth as f32 * INDENT).min(self.columns.name * INDENT_SHARE)
    }

    fn triangle_ui(&self, ui: &Ui, place: &Place, row: &Row<'_>, left: f32) -> Option<RowAct> {
        if !row.has_children {
            return None;
        }
        let rect = Rect::from_min_size(
            pos2(left, place.rect.top()),
            vec2(TRIANGLE, place.rect.height()),
        );
        let id = ui.make_persistent_id(("fold", row.key));
        let response = ui.interact(rect, id, Sense::click());
        let is_pointed = response.hovered() || response.has_focus();
        let color = self.theme.text_if(is_pointed);
        ui.painter()
            .add(shapes::fold_triangle(rect.center(), place.is_open, color));
        accessibility::describe_button(ui.ctx(), id, || {
            let fold = if place.is_open { "Close" } else { "Open" };
            format!("{fold} {}", named(row, NAME_CHARS))
        });
        let all = ui.input(|input| input.modifiers.shift);
        let act = if all && !place.is_open {
            RowAct::OpenBelow(place.at)
        } else {
            RowAct::Toggle(place.at)
        };
        response.clicked().then_some(act)
    }

    /// Draws the name, followed by the kind of the row.
    fn name_ui(&self, ui: &Ui, place: &Place, row: &Row<'_>, left: f32) {
        let right = place.rect.left() + self.columns.name - PADDING;
        let rect = Rect::from_x_y_ranges(
            left + TRIANGLE + 2.0..=right.max(left + TRIANGLE + 2.0),
            place.rect.y_range(),
        );
        let has_name = !row.text.is_empty() || matches!(row.kind, RowKind::Size(_));
        let (name, color) = (row_name(row), self.theme.text_if(has_name));
        let name = one_line(&name, NAME_CHARS);
        let width = shapes::text_in(ui.painter(), rect, &name, text_font(), color);
        let kind = rect.with_min_x((rect.left() + width + 8.0).min(rect.right()));
        if kind.width() < MIN_KIND {
            return;
        }
        let (text, weak) = (kind_text(row), self.theme.weak);
        let width = shapes::text_in(ui.painter(), kind, &text, small_font(), weak);
        if let Some(budget) = self.budget(row) {
            let rest = kind.with_min_x((kind.left() + width + 8.0).min(kind.right()));
            budget.paint(ui.painter(), self.theme, rest);
        }
    }

    /// Returns the budget of a row; `None` if the row is not a group with a budget.
    fn budget(&self, row: &Row<'_>) -> Option<&GroupBudget> {
        let is_group = row.kind == RowKind::Group;
        is_group.then(|| GroupBudget::of(self.budgets, row.text))?
    }

    fn figures_ui(&self, ui: &Ui, place: &Place, row: &Row<'_>) {
        for column in self.columns.figures.into_iter().flatten() {
            let left = place.rect.left() + column.left;
            let cell = Rect::from_x_y_ranges(left..=left + column.width, place.rect.y_range());
            let inner = cell.shrink2(vec2(PADDING, 0.0));
            match column.by {
                SortBy::Bytes => {
                    self.bar(ui, cell, row.sums.bytes);
                    self.bytes(ui, inner, &bytes_figure(row.sums.bytes), self.theme.text);
                }
                SortBy::Count => {
                    let (text, color) = (number_text(row.sums.count), self.theme.text);
                    shapes::number_in(ui.painter(), inner, &text, color);
                }
                SortBy::BytesChange => {
                    let color = self.color_of(row.sums.bytes, row.sums.bytes_before);
                    self.bytes(
                        ui,
                        inner,
                        &bytes_change(row.sums.bytes, row.sums.bytes_before),
                        color,
                    );
                    let (left, start) = (inner.left_center(), Align2::LEFT_CENTER);
                    let word = change_word(row.sums.change());
                    ui.painter().text(left, start, word, small_font(), color);
                }
                SortBy::Growth => self.growth_ui(ui, inner, row),
                SortBy::CountChange => {
                    let color = self.color_of(row.sums.count, row.sums.count_before);
                    let text = count_change(row.sums.count, row.sums.count_before);
                    shapes::number_in(ui.painter(), inner, &text, color);
                }
                SortBy::Label => {}
            }
        }
    }

    /// Draws the growth of the owner that grew most, and the number of steps in which it grew.
    fn growth_ui(&self, ui: &Ui, rect: Rect, row: &Row<'_>) {
        let Some(growth) = row.growth.filter(|growth| growth.bytes > 0) else {
            return;
        };
        let bytes = bytes_change(growth.bytes.unsigned_abs(), 0);
        self.bytes(ui, rect, &bytes, self.theme.alert);
        let (left, start) = (rect.left_center(), Align2::LEFT_CENTER);
        let (text, weak) = (steps_text(&growth, self.steps), self.theme.weak);
        ui.painter().text(left, start, text, small_font(), weak);
    }

    /// Draws the share of the total as a bar below the figure.
    fn bar(&self, ui: &Ui, cell: Rect, bytes: u64) {
        if self.total == 0 || bytes == 0 {
            return;
        }
        let share = (bytes as f64 / self.total as f64).min(1.0) as f32;
        let area = Rect::from_x_y_ranges(
            cell.left() + 2.0..=cell.right() - 2.0,
            cell.bottom() - 3.0..=cell.bottom() - 1.0,
        );
        let accent = self.theme.accent;
        shapes::share_bar(ui.painter(), (area, 1.0), share, accent, self.theme);
    }

    /// Draws a right-aligned number and its unit, so that numbers and units both align.
    fn bytes(&self, ui: &Ui, rect: Rect, figure: &Figure, color: Color32) {
        let number = rect.with_max_x(rect.right() - UNIT);
        shapes::number_in(ui.painter(), number, &figure.number, color);
        let at = pos2(number.right() + 4.0, rect.center().y);
        ui.painter()
            .text(at, Align2::LEFT_CENTER, &figure.unit, number_font(), color);
    }

    /// Returns the color of a change. The sign shows the same without color.
    fn color_of(&self, now: u64, before: u64) -> Color32 {
        match now.cmp(&before) {
            std::cmp::Ordering::Greater => self.theme.alert,
            std::cmp::Ordering::Less => self.theme.accent,
            std::cmp::Ordering::Equal => self.theme.weak,
        }
    }

    /// Returns the figures as a text for screen readers.
    fn spoken(&self, row: &Row<'_>) -> String {
        let mut spoken = format!(
            "{} in {}",
            bytes_text(row.sums.bytes),
            allocations_text(row.sums.count)
        );
        if self.is_comparison {
            let (bytes, count) = (
                bytes_change(row.sums.bytes, row.sums.bytes_before),
                allocations_change(row.sums.count, row.sums.count_before),
            );
            spoken.push_str(&format!(", {}", change_name(row.sums.change())));
            if row.sums.change() != Change::Same {
                spoken.push_str(&format!(" {} {}", bytes.number, bytes.unit));
            }
            if !count.is_empty() {
                spoken.push_str(&format!(", {count}"));
            }
            if let Some(line) = growth_line(row, self.steps) {
                spoken.push_str(&format!(", {line}"));
            }
        }
        if let Some(budget) = self.budget(row) {
            spoken.push_str(&format!(", {}", budget.line()));
        }
        spoken
    }

    fn tooltip_ui(&self, ui: &mut Ui, row: &Row<'_>) {
        ui.set_max_width(460.0);
        ui.label(named(row, TOOLTIP_CHARS));
        let growth = growth_line(row, self.steps);
        let budget = self.budget(row).map(GroupBudget::line);
        let lines = row_lines(row, self.is_comparison).into_iter();
        for line in lines.chain(growth).chain(budget) {
            ui.label(egui::RichText::new(line).color(self.theme.weak));
        }
    }

    fn menu_ui(&self, response: &Response, place: &Place, row: &Row<'_>) -> Option<RowAct> {
        let mut act = None;
        popup::context_menu(response, &mut |ui| {
            let mut item = |text: &str, enabled: bool, chosen: RowAct| {
                if ui.add_enabled(enabled, egui::Button::new(text)).clicked() {
                    act = Some(chosen);
                    ui.close();
                }
            };
            let (at, can_fold) = (place.at, row.has_children);
            let fold = if place.is_open { "Close" } else { "Open" };
            item(fold, can_fold, RowAct::Toggle(at));
            item("Open all below", can_fold, RowAct::OpenBelow(at));
            item("Filter for this", !row.text.is_empty(), RowAct::Filter(at));
        });
        act
    }
}
