//! The head of a legend: the names of its columns, and the number of rows out of sight.

use std::borrow::Cow;

use egui::{Painter, Rect, Sense, Stroke, Ui};

use super::columns::{Columns, UNIT_COLUMN};
use super::{LegendKey, LegendUi, Pointed};
use crate::graph::choices::ValueRange;
use stats_analysis::format::{count_text, whole_text};
use stats_ui::accessibility;
use stats_ui::retained::Retained;
use stats_ui::shapes;
use stats_ui::theme::{SMALL_SIZE, small_font};
use stats_ui::tooltip;

/// The width of the head of the ranges, in points.
const RANGE_HEAD: f32 = 75.0;

impl LegendUi<'_> {
    pub(super) fn head_ui(
        &self,
        ui: &Ui,
        rect: Rect,
        columns: &Columns,
        kept: &mut Retained<LegendKey>,
    ) {
        let name = columns.name(rect);
        let key = self.key(rect, 0..0, Pointed::default());
        kept.paint(ui.painter(), key, |painter| {
            self.paint_head(painter, rect, name, columns);
        });
        if !self.marks.is_empty() && self.range.is_none() {
            accessibility::describe(ui.ctx(), ui.make_persistent_id("marks"), name, || {
                ("Frame at the cursor".to_owned(), self.title().into_owned())
            });
        }
        if let Some(right) = columns.range_right {
            let cell = rect
                .with_max_x(right)
                .with_min_x(right - columns.range / 2.0);
            accessibility::describe(ui.ctx(), ui.make_persistent_id("own range"), cell, || {
                (self.range_name().to_owned(), String::new())
            });
        }
    }

    /// Shows the number of hidden rows. Returns whether the user clicked it to see the next ones.
    pub(super) fn more_ui(&self, ui: &Ui, head: Rect, more: usize, columns: &Columns) -> bool {
        let text = format!("+ {more} more");
        let left = match columns.range_right {
            Some(right) => right - columns.range - UNIT_COLUMN + 6.0,
            None => columns.unit_left,
        };
        let place = head.with_min_x(left);
        let id = ui.make_persistent_id("more");
        let response = ui.interact(place, id, Sense::click());
        let color = if response.hovered() || response.has_focus() {
            self.theme.text
        } else {
            self.theme.accent
        };
        let fits = |text: &str| {
            let galley = shapes::laid_out(ui.painter(), text, small_font(), color);
            galley.size().x <= place.width()
        };
        let short = format!("+{more}");
        let shown = if fits(&text) { &text } else { &short };
        shapes::text_in(ui.painter(), place, shown, small_font(), color);
        accessibility::describe_button(ui.ctx(), id, || text.clone());
        let clicked = response.clicked();
        tooltip::hint(
            &response,
            "Click or scroll for the next series; Tab goes from row to row",
        );
        clicked
    }

    /// Returns the number of selected frames, or the marks of the frame under the cursor.
    fn title(&self) -> Cow<'static, str> {
        match (self.range, self.cursor) {
            (Some(range), _) => {
                let frames = count_text(range.frames, "frame", "frames");
                let hitches = match range.hitches {
                    0 => String::new(),
                    count => format!(", {}", count_text(count as u64, "hitch", "hitches")),
                };
                format!("of {frames}{hitches}").into()
            }
            (None, Some(frame)) if !self.marks.is_empty() => {
                format!("frame {}{}", whole_text(frame as f64), self.marks).into()
            }
            _ => "series".into(),
        }
    }

    fn paint_head(&self, painter: &Painter, rect: Rect, name: Rect, columns: &Columns) {
        let weak = self.theme.weak;
        // All digits have the same width.
        let font = egui::FontId::monospace(SMALL_SIZE);
        let right_aligned = |text: &str, right: f32, width: f32| {
            let cell = rect.with_max_x(right).with_min_x(right - width + 4.0);
            shapes::text_at_end(painter, cell, text, font.clone(), weak);
        };
        let color = if self.range.is_some() {
            self.theme.accent
        } else {
            weak
        };
        shapes::text_in(painter, name, &self.title(), small_font(), color);
        for &(cell, right) in &columns.numbers {
            right_aligned(&self.name_of(cell), right, columns.width);
        }
        if let Some(right) = columns.range_right {
            right_aligned(self.range_name(), right, columns.range.min(RANGE_HEAD));
        }
        let line = Stroke::new(1.0, self.theme.line);
        painter.hline(rect.x_range(), rect.bottom(), line);
    }

    /// Returns the name of the column of ranges.
    fn range_name(&self) -> &'static str {
        match self.ranges {
            ValueRange::Own => "own range",
            _ => "range",
        }
    }
}
