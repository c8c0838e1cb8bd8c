//! Draws the icicle beside the rows.

use egui::{Color32, CursorIcon, Rect, Sense, Ui, vec2};

use super::figures::{bytes_text, named, row_lines, row_name};
use super::icicle::Part;
use super::memory_panel::MemoryPanel;
use crate::tree::Row;
use stats_ui::accessibility;
use stats_ui::palette::preferred_slot;
use stats_ui::shapes;
use stats_ui::text::one_line;
use stats_ui::theme::{Theme, small_font};
use stats_ui::tooltip;

/// The minimum size of a place for the icicle, in points.
const MIN_WIDTH: f32 = 280.0;
const MIN_HEIGHT: f32 = 120.0;
/// The space between the rows and the icicle, in points.
const GAP: f32 = 16.0;
/// The minimum height of a part with its name, in points.
const NAMED: f32 = 15.0;
/// The opacity of a part, which keeps its name readable.
const OPACITY: f32 = 0.4;
const NAME_CHARS: usize = 60;
const TOOLTIP_CHARS: usize = 400;

/// The name of the root.
const ALL: &str = "all memory";

impl MemoryPanel {
    /// Draws the icicle to the right of the rows, if there is room.
    pub(super) fn icicle_ui(&mut self, ui: &mut Ui, theme: &Theme, beside: Rect) {
        let rect = beside
            .with_min_x(beside.left() + GAP)
            .shrink2(vec2(4.0, 4.0));
        if rect.width() < MIN_WIDTH || rect.height() < MIN_HEIGHT {
            return;
        }
        let (tree, revision) = (self.list.tree(), self.list.revision());
        self.icicle
            .update(tree, revision, rect.width(), rect.height());
        let width = rect.width() / self.icicle.levels() as f32;
        let place = |part: &Part| {
            let corner = rect.min + vec2(part.level as f32 * width, part.top);
            let rect = Rect::from_min_size(corner, vec2(width, part.height));
            rect.with_max_x(rect.right() - 1.0)
                .with_max_y((rect.bottom() - 1.0).max(rect.top() + 1.0))
        };
        let id = self.id.with("icicle");
        let response = ui.interact(rect, id, Sense::click());
        let pointed = response.hover_pos().and_then(|at| {
            let level = ((at.x - rect.left()) / width) as usize;
            self.icicle.part_at(level, at.y - rect.top())
        });
        for part in self.icicle.parts() {
            let (row, area) = (tree.row(part.number), place(part));
            let group = part.group.map(|group| tree.row(group));
            let color = group.map_or(theme.grid, |group| color(theme, &group));
            ui.painter().rect_filled(area, 1.0, color);
            if pointed == Some(part) {
                ui.painter().rect_filled(area, 1.0, theme.hover);
            }
            if area.height() >= NAMED {
                name_ui(
                    ui,
                    theme,
                    area,
                    &name(part, &row),
                    &bytes_text(row.sums.bytes),
                );
                accessibility::describe(ui.ctx(), id.with(row.key), area, || {
                    let label = format!("memory of {}", name(part, &row));
                    (label, bytes_text(row.sums.bytes))
                });
            }
        }
        let Some(part) = pointed.cloned() else { return };
        let row = tree.row(part.number);
        let title = match part.number {
            0 => ALL.to_owned(),
            _ => named(&row, TOOLTIP_CHARS),
        };
        let lines = row_lines(&row, false);
        let is_clicked = response.clicked();
        let response = response.on_hover_cursor(CursorIcon::PointingHand);
        tooltip::at_pointer(response, &mut |ui| {
            ui.label(&title);
            lines.iter().for_each(|line| _ = ui.label(line));
        });
        if is_clicked {
            self.icicle.go_to(self.list.tree(), part.number);
            ui.ctx().request_repaint();
        }
    }
}

/// Writes the name and the size of a part: on one line, or on two if that is too narrow. Without room for
/// the second line, the name is shortened.
fn name_ui(ui: &Ui, theme: &Theme, area: Rect, name: &str, size: &str) {
    let painter = ui.painter();
    let line = area.with_max_y(area.top() + NAMED).shrink2(vec2(4.0, 0.0));
    let laid_out = |text: &str| shapes::laid_out(painter, text, small_font(), theme.text);
    let text_in = |line, text: &str| {
        shapes::text_in(painter, line, text, small_font(), theme.text);
    };
    let whole = format!("{name} {size}");
    if laid_out(&whole).size().x <= line.width() {
        text_in(line, &whole);
    } else if area.height() >= 2.0 * NAMED {
        text_in(line, name);
        text_in(line.translate(vec2(0.0, NAMED)), size);
    } else {
        let size_left = line.right() - laid_out(size).size().x;
        text_in(line.with_max_x((size_left - 4.0).max(line.left())), name);
        text_in(line.with_min_x(size_left), size);
    }
}

fn name(part: &Part, row: &Row<'_>) -> String {
    match part.number {
        0 => ALL.to_owned(),
        _ => one_line(&row_name(row), NAME_CHARS).into(),
    }
}

fn color(theme: &Theme, group: &Row<'_>) -> Color32 {
    theme
        .series(preferred_slot(group.text))
        .gamma_multiply(OPACITY)
}
