//! Paints the statistics of the HUD in one line, and over its graph a notice or the names of the open
//! spans.

use egui::{Align2, FontId, Painter, Rect, pos2, vec2};
use stats_core::Figure;

use crate::hud::ui::{HudUi, hud_id};
use stats_ui::accessibility;
use stats_ui::shapes;
use stats_ui::theme::{SMALL_SIZE, small_font};

/// The height of the line, in points.
pub(super) const HEIGHT: f32 = 15.0;

/// Returns the name of the low, with its definition, because "1 % low" means different things in
/// other tools.
fn low_name() -> &'static str {
    Figure::find("p99-by-time")
        .and_then(|low| low.rate)
        .unwrap_or_default()
}

impl HudUi<'_> {
    /// Paints the low and the frames over budget.
    pub(super) fn statistics_ui(&self, painter: &Painter, line: Rect) {
        let (theme, all) = (self.theme, &self.hud.statistics);
        if all.is_empty() {
            return;
        }
        let middle = line.left_center();
        let (weak, start) = (theme.weak, Align2::LEFT_CENTER);
        let name = shapes::text_at(painter, middle, start, low_name(), small_font(), weak);
        let place = pos2(name.right() + 4.0, middle.y);
        let mono = FontId::monospace(SMALL_SIZE);
        let low = shapes::text_at(painter, place, start, &all.low, mono, theme.text);
        let color = if all.any_over { theme.alert } else { weak };
        let rest = line.with_min_x((low.right() + 18.0).min(line.right()));
        let over = shapes::text_at_end(painter, rest, &all.over_budget, small_font(), color);
        if all.any_over {
            let sign = pos2(over.left() - 8.0, middle.y);
            painter.add(shapes::over_budget_sign(sign, theme.alert));
        }
    }

    /// Describes the line to screen readers.
    pub(super) fn describe_statistics(&self, painter: &Painter, line: Rect) {
        let all = &self.hud.statistics;
        let (low, over) = line.split_left_right_at_fraction(0.5);
        for (name, rect, text) in [
            (low_name(), low, &all.low),
            ("Frames over budget", over, &all.over_budget),
        ] {
            if !text.is_empty() {
                accessibility::describe(painter.ctx(), hud_id().with(name), rect, || {
                    (name.to_owned(), text.trim_start().to_owned())
                });
            }
        }
    }

    /// Paints the notice, or else the names of the open spans, at the upper left of the graph.
    pub(super) fn notice_ui(&self, painter: &Painter, graph: Rect) {
        let theme = self.theme;
        let (name, text, color, part) = match self.notice {
            Some((text, false)) => ("Notice", text, theme.text, 1.0),
            Some((text, true)) => ("Notice", text, theme.alert, 1.0),
            None => {
                let open = self.hud.statistics.open.as_str();
                ("Open spans", open, theme.accent, 0.6)
            }
        };
        if text.is_empty() {
            return;
        }
        // Beside the gap on the left, and the padding on both sides.
        let room = graph.width() * part - 12.0;
        let galley = shapes::fitted(painter, text, small_font(), color, room);
        let tag = Rect::from_min_size(graph.min + vec2(2.0, 2.0), galley.size() + vec2(8.0, 2.0));
        painter.rect_filled(tag, 2.0, theme.plot.gamma_multiply(0.85));
        shapes::galley_in(painter, tag.with_min_x(tag.left() + 4.0), galley, color);
        accessibility::describe(painter.ctx(), hud_id().with(name), tag, || {
            (name.to_owned(), text.to_owned())
        });
    }
}
