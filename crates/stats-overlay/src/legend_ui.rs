//! The legend under a graph: names, and what the visible values come to.

use egui::{Rect, ScrollArea, Sense, Stroke, Ui, UiBuilder, Vec2, pos2, vec2};

use crate::access;
use crate::color::series_color;
use crate::format::NumberStyle;
use crate::graph_view::{LegendTexts, Shown};
use crate::names::one_line;
use crate::paint;
use crate::selection::Ticked;
use crate::theme::{Theme, small_font, text_font};

const ROW: f32 = 18.0;
const COLUMN: f32 = 84.0;
const UNIT_COLUMN: f32 = 44.0;
const RANGE_COLUMN: f32 = 150.0;
const LEAST_NAME: f32 = 110.0;
const REMOVE: f32 = 20.0;
/// A graph less high than this, in points, has no legend.
const LEAST_GRAPH: f32 = 150.0;

/// What the legend draws from.
pub(crate) struct LegendUi<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) ticked: &'a [Ticked],
    pub(crate) texts: &'a [LegendTexts],
    /// Whether the last values shown are those of the newest frame.
    pub(crate) newest: bool,
    pub(crate) absent: &'a dyn Fn(&Ticked) -> &'static str,
}

/// Where the columns of the legend stand.
struct Columns {
    /// Which of now, min, mean and max there is room for, and their right edges.
    numbers: Vec<(usize, f32)>,
    unit_left: f32,
    range_right: Option<f32>,
    name_right: f32,
}

impl LegendUi<'_> {
    /// The height of a legend for so many series below a graph, both together `available` high.
    pub(crate) fn height(series: usize, available: f32) -> f32 {
        let wanted = (series as f32 + 1.0) * ROW + 6.0;
        if available < LEAST_GRAPH { 0.0 } else { wanted.min(available * 0.4).min(ROW * 9.0) }
    }

    /// Draws the legend; returns the place of a series that is to be unticked.
    pub(crate) fn legend_ui(&self, ui: &mut Ui, rect: Rect, own_ranges: Option<&[Shown]>) -> Option<usize> {
        if rect.height() < ROW {
            return None;
        }
        let mut ui = ui.new_child(UiBuilder::new().id_salt("legend").max_rect(rect));
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let columns = self.columns(rect, own_ranges.is_some());
        let (head, rows) = rect.split_top_bottom_at_y(rect.top() + ROW);
        self.head_ui(&ui, head, &columns);
        let mut rows_ui = ui.new_child(UiBuilder::new().id_salt("rows").max_rect(rows));
        let mut removed = None;
        let area = ScrollArea::vertical().auto_shrink([false, false]);
        area.show_rows(&mut rows_ui, ROW, self.ticked.len(), |ui, visible| {
            for at in visible {
                let (_, row) = ui.allocate_space(vec2(ui.available_width(), ROW));
                if self.row_ui(ui, row, at, &columns, own_ranges.map(|shown| &shown[at])) {
                    removed = Some(at);
                }
            }
        });
        removed
    }

    fn columns(&self, rect: Rect, with_range: bool) -> Columns {
        let mut right = rect.right() - REMOVE - 4.0;
        let left = rect.left() + LEAST_NAME;
        let mut range_right = None;
        if with_range && right - left > RANGE_COLUMN + UNIT_COLUMN + COLUMN {
            range_right = Some(right);
            right -= RANGE_COLUMN;
        }
        let unit_left = right - UNIT_COLUMN + 6.0;
        right -= UNIT_COLUMN;
        let room = (((right - left) / COLUMN).floor().max(1.0) as usize).min(4);
        // The value now is the last to give way, then the greatest.
        let kept: &[usize] = match room {
            4 => &[0, 1, 2, 3],
            3 => &[0, 1, 3],
            2 => &[0, 3],
            _ => &[0],
        };
        let first = right - COLUMN * kept.len() as f32;
        let numbers = kept.iter().enumerate().map(|(at, &which)| (which, first + COLUMN * (at + 1) as f32)).collect();
        Columns { numbers, unit_left, range_right, name_right: first }
    }

    /// What the last value shown is called.
    fn last_name(&self) -> &'static str {
        if self.newest { "now" } else { "last" }
    }

    fn head_ui(&self, ui: &Ui, rect: Rect, columns: &Columns) {
        let names = [self.last_name(), "min", "mean", "max"];
        let painter = ui.painter();
        let weak = self.theme.weak;
        let right_aligned = |text: &str, right: f32| {
            painter.text(pos2(right, rect.center().y), egui::Align2::RIGHT_CENTER, text, small_font(), weak);
        };
        painter.text(pos2(rect.left() + 22.0, rect.center().y), egui::Align2::LEFT_CENTER, "series", small_font(), weak);
        for &(which, right) in &columns.numbers {
            right_aligned(names[which], right);
        }
        if let Some(right) = columns.range_right {
            right_aligned("own range", right);
            let cell = rect.with_max_x(right).with_min_x(right - RANGE_COLUMN);
            access::describe(ui.ctx(), ui.make_persistent_id("own range"), cell, || ("own range".to_owned(), String::new()));
        }
        painter.hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, self.theme.line));
    }

    fn row_ui(&self, ui: &Ui, row: Rect, at: usize, columns: &Columns, own_range: Option<&Shown>) -> bool {
        let ticked = &self.ticked[at];
        let color = series_color(ticked.slot, self.theme.dark);
        let response = ui.interact(row, ui.make_persistent_id(("legend", at)), Sense::hover());
        if response.hovered() {
            ui.painter().rect_filled(row, 2.0, self.theme.hover);
        }
        paint::swatch(ui.painter(), pos2(row.left() + 12.0, row.center().y), color);
        let name = row.with_min_x(row.left() + 22.0).with_max_x(columns.name_right - 4.0);
        paint::text_in(ui.painter(), name, &one_line(&ticked.name, 120), text_font(), self.theme.text);
        let said = match self.texts.get(at) {
            Some(texts) if !texts.now.is_empty() => self.numbers_ui(ui, row, columns, texts, own_range, ticked),
            _ => self.absent_ui(ui, row, columns, ticked),
        };
        access::describe(ui.ctx(), ui.make_persistent_id(("said", at)), row, || (format!("legend {}", ticked.path), said));
        response.on_hover_text(one_line(&ticked.path, 600));
        self.remove_ui(ui, row, at, ticked)
    }

    fn absent_ui(&self, ui: &Ui, row: Rect, columns: &Columns, ticked: &Ticked) -> String {
        let text = (self.absent)(ticked);
        let rect = row.with_min_x(columns.name_right).with_max_x(columns.range_right.unwrap_or(columns.unit_left + UNIT_COLUMN));
        let width = ui.painter().layout_no_wrap(text.to_owned(), small_font(), self.theme.weak).size().x;
        let rect = rect.with_min_x((rect.right() - width - 2.0).max(rect.left()));
        paint::text_in(ui.painter(), rect, text, small_font(), self.theme.weak);
        text.to_owned()
    }

    fn numbers_ui(
        &self,
        ui: &Ui,
        row: Rect,
        columns: &Columns,
        texts: &LegendTexts,
        own_range: Option<&Shown>,
        ticked: &Ticked,
    ) -> String {
        let numbers = [&texts.now, &texts.min, &texts.mean, &texts.max];
        for &(which, right) in &columns.numbers {
            let color = if which == 0 { self.theme.text } else { self.theme.weak };
            paint::number_in(ui.painter(), row.with_max_x(right), numbers[which], color);
        }
        let unit = row.with_min_x(columns.unit_left);
        paint::text_in(ui.painter(), unit, &texts.unit, small_font(), self.theme.weak);
        if let (Some(right), Some(shown)) = (columns.range_right, own_range) {
            let (lo, hi) = shown.range;
            let style = NumberStyle::new(ticked.unit(), lo.abs().max(hi.abs()), true);
            let text = format!("{} … {}", style.number(lo), style.text(hi));
            paint::number_in(ui.painter(), row.with_max_x(right), &text, self.theme.weak);
        }
        let LegendTexts { now, min, mean, max, unit } = texts;
        let last = self.last_name();
        format!("{last} {now} min {min} mean {mean} max {max} {unit}")
    }

    /// The cross that unticks.
    fn remove_ui(&self, ui: &Ui, row: Rect, at: usize, ticked: &Ticked) -> bool {
        let rect = Rect::from_min_max(pos2(row.right() - REMOVE, row.top()), row.max);
        let id = ui.make_persistent_id(("remove", at));
        let response = ui.interact(rect, id, Sense::click());
        let color = if response.hovered() { self.theme.text } else { self.theme.weak.gamma_multiply(0.6) };
        let arm = 3.0;
        for slope in [1.0, -1.0] {
            let offset = vec2(arm, arm * slope);
            ui.painter().line_segment([rect.center() - offset, rect.center() + offset], Stroke::new(1.2, color));
        }
        access::describe_button(ui.ctx(), id, || format!("Untick {}", ticked.path));
        response.clicked()
    }
}
