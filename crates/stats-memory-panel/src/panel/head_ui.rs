//! The column headers. A click on one sorts the rows by its column.

use egui::{Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use super::columns::{Columns, PADDING, title};
use super::memory_panel::MemoryPanel;
use crate::tree::SortBy;
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{Theme, small_font};
use stats_ui::tooltip;

/// The width of the arrow in the header of the sorted column, in points.
const ARROW: f32 = 14.0;

impl MemoryPanel {
    pub(super) fn head_ui(&mut self, ui: &Ui, theme: &Theme, rect: Rect, columns: &Columns) {
        ui.painter().rect_filled(rect, 0.0, theme.bar);
        ui.painter()
            .hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, theme.line));
        let name = Rect::from_min_size(rect.min, vec2(columns.name, rect.height()));
        self.column_head_ui(ui, theme, name, SortBy::Label);
        for column in columns.figures.into_iter().flatten() {
            let left = rect.left() + column.left;
            let cell = Rect::from_x_y_ranges(left..=left + column.width, rect.y_range());
            self.column_head_ui(ui, theme, cell, column.by);
        }
    }

    fn column_head_ui(&mut self, ui: &Ui, theme: &Theme, cell: Rect, by: SortBy) {
        let id = ui.make_persistent_id(("column", by as u8));
        let response = ui.interact(cell, id, Sense::click());
        if response.clicked() {
            self.list.click_head(by);
        }
        let order = self.list.order();
        let is_sorted = order.by == by;
        let inner = cell.shrink2(vec2(PADDING, 0.0));
        let color = theme.text_if(is_sorted || response.hovered());
        let tip = if by == SortBy::Label {
            let text = inner.with_max_x(inner.right() - ARROW);
            let width = shapes::text_in(ui.painter(), text, title(by), small_font(), color);
            inner.left() + width + ARROW * 0.6
        } else {
            let text = inner.with_min_x(inner.left() + ARROW);
            shapes::text_at_end(ui.painter(), text, title(by), small_font(), color).left()
                - ARROW * 0.6
        };
        let underline = |color| {
            let line = Stroke::new(2.0, color);
            ui.painter()
                .hline(cell.x_range(), cell.bottom() - 1.0, line);
        };
        if is_sorted {
            let tip = pos2(tip, cell.center().y);
            let arrow = shapes::sort_arrow(tip, order.descending, theme.accent);
            ui.painter().add(arrow);
            underline(theme.accent);
        } else if response.hovered() {
            underline(theme.weak);
        }
        // Tab moves the keyboard focus to the headers.
        if response.has_focus() {
            let edge = Stroke::new(1.0, theme.accent);
            ui.painter()
                .rect_stroke(cell.shrink(1.0), 3.0, edge, StrokeKind::Inside);
        }
        accessibility::describe_head(ui.ctx(), id, || {
            let order = match (is_sorted, order.descending) {
                (false, _) => "",
                (true, true) => "sorted descending",
                (true, false) => "sorted ascending",
            };
            (title(by).to_owned(), order.to_owned())
        });
        tooltip::with_text(response, help(by));
    }
}

fn help(by: SortBy) -> &'static str {
    match by {
        SortBy::Label => "The owners of the memory. Click to sort",
        SortBy::Bytes => {
            "Bytes in use, including all rows below. The bar is the share of the total. Click to sort"
        }
        SortBy::Count => "Allocations in use, including all rows below. Click to sort",
        SortBy::BytesChange => "Bytes in use now minus those before. Click to sort",
        SortBy::Growth => {
            "The largest growth of an owner in this row, and the number of steps between snapshots in which it grew. Steady growth comes before single allocations, and what taking snapshots allocates comes after all growth of the program. Click to sort"
        }
        SortBy::CountChange => "Allocations in use now minus those before. Click to sort",
    }
}
